//! simrun and other engines on the same figure, in one run: `runtime/bench/peers/run.sh [DIR] [REPEATS]` installs and builds what it
//! can, runs each engine and prints one table. README.md beside this crate says what the table says.
//!
//! This program is the part in Rust. It is built once for each engine, by a feature, and prints one line for each setting and number
//! of figures: tabs between engine, setting, version, figures, µs of CPU a figure a step (least and median over repeats), the lowest
//! pelvis (m) and how far the joints are off (°).

// A build has one engine, or none: what it leaves unused another build needs.
#![cfg_attr(not(all(feature = "rapier", feature = "box3d", feature = "physx", feature = "simrun")), allow(dead_code))]

#[cfg(feature = "box3d")]
mod box3d;
mod engine;
mod figure;
#[cfg(feature = "physx")]
mod physx;
#[cfg(feature = "rapier")]
mod rapier;
#[cfg(feature = "simrun")]
mod simrun;
mod walk;

use clap::Parser;
use engine::{PARTS, Subject};

/// Times engines on one figure.
#[derive(Debug, Parser)]
struct Options {
    /// Numbers of figures.
    #[arg(long, value_delimiter = ',', default_value = "1,32")]
    counts: Vec<usize>,
    /// Repeats, of which the least counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,
}

/// An engine at a setting.
#[derive(Debug)]
struct Peer<'a> {
    engine: &'a str,
    version: &'a str,
    setting: &'a str,
}

impl Peer<'_> {
    /// Times every number of figures, and prints the lines.
    fn time(&self, options: &Options, make: impl Fn(usize) -> Box<dyn Subject>) {
        for &count in &options.counts {
            let cost = walk::time(make(count), count, options.repeats);
            self.print(self.setting, count, &cost.whole, &cost);
        }
    }

    /// Times the parts of its step, which reading a clock between them makes a little longer.
    fn time_parts(&self, options: &Options, make: impl Fn(usize) -> Box<dyn Subject>) {
        for &count in &options.counts {
            let cost = walk::time(make(count), count, options.repeats);
            for (part, each) in PARTS.iter().zip(&cost.parts) {
                self.print(&format!("{}, {part}", self.setting), count, each, &cost);
            }
        }
    }

    fn print(&self, setting: &str, count: usize, each: &[f64], cost: &walk::Cost) {
        let Self { engine, version, .. } = self;
        let (least, median) = (each[0], each[each.len() / 2]);
        let (pelvis, gap) = (cost.pelvis, cost.gap.to_degrees());
        println!("{engine}\t{setting}\t{version}\t{count}\t{least:.2}\t{median:.2}\t{pelvis:.3}\t{gap:.2}");
    }
}

fn main() {
    let options = Options::parse();
    #[cfg(feature = "simrun")]
    for (width, substeps) in simrun::settings() {
        let setting = format!("{}, {substeps} sub-steps", width.name());
        let peer = Peer { engine: "simrun", version: env!("CARGO_PKG_VERSION"), setting: &setting };
        peer.time(&options, |count| Box::new(simrun::Simrun::new(count, width, substeps)));
        peer.time_parts(&options, |count| Box::new(simrun::Simrun::new(count, width, substeps).timed()));
    }
    #[cfg(feature = "rapier")]
    for (steps, iterations) in [(1, 4), (1, 8), (8, 1)] {
        let setting = format!("{steps} × {iterations} iterations");
        let peer = Peer { engine: "rapier3d", version: rapier3d::VERSION, setting: &setting };
        peer.time(&options, |count| engine::driven(rapier::Rapier::new(count, steps, iterations), count));
    }
    #[cfg(feature = "box3d")]
    for substeps in [4, 8] {
        let peer = Peer { engine: "Box3D", version: &box3d::version(), setting: &format!("{substeps} sub-steps") };
        peer.time(&options, |count| engine::driven(box3d::Box3d::new(count, substeps), count));
    }
    #[cfg(feature = "physx")]
    for (steps, iterations) in [(1, 8), (1, 16), (8, 1)] {
        let setting = format!("TGS, {steps} × {iterations} iterations");
        let peer = Peer { engine: "PhysX", version: physx::VERSION, setting: &setting };
        peer.time(&options, |count| engine::driven(physx::PhysX::new(count, steps, iterations), count));
    }
    // Without an engine there is nothing to time.
    drop(options);
}
