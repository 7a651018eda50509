//! The report for people.

use super::{Fault, FigureReport, Report, Spell, round};
use std::fmt;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scene, seconds, steps, wall_s, step_us, .. } = self;
        writeln!(
            f,
            "{scene}: {seconds:.2} s in {steps} steps, {wall_s:.2} s of work; a step {:.0} µs (p99 {:.0})",
            step_us.mean, step_us.p99
        )?;
        let rooms: Vec<String> =
            step_us.by_room.iter().filter(|(_, us)| **us > 0.0).map(|(room, us)| format!("{room} {us:.0}")).collect();
        if !rooms.is_empty() {
            writeln!(f, "  by room (µs): {}", rooms.join(", "))?;
        }
        writeln!(f, "  sim {}  script {}", self.sim_hash, self.script_hash)?;
        let width = self.figures.iter().map(|figure| figure.name.chars().count()).max().unwrap_or(0).max(6);
        writeln!(
            f,
            "  {:width$}  {:9}  {:>7}  {:>6}  {:>8}  {:>7}  what it went through",
            "figure", "mode", "drift m", "head", "hands 1.", "assist"
        )?;
        for figure in &self.figures {
            row(f, figure, width)?;
        }
        for horde in &self.hordes {
            writeln!(
                f,
                "  horde {}: {} in it, {} out, {} dead; {} handed over, {} back, {} taken away; miscounted in {} steps",
                horde.name,
                horde.members_in,
                horde.members_out,
                horde.dead,
                horde.handed_over,
                horde.returned,
                horde.despawned,
                horde.miscounted
            )?;
        }
        let counts: Vec<String> =
            self.scorecard.iter().map(|(fault, count)| format!("{} {count}", fault.name().replace('_', " "))).collect();
        writeln!(f, "  scorecard (figure-seconds; of hits their number): {}", counts.join(", "))?;
        self.figures.iter().try_for_each(|figure| faults(f, figure))?;
        match self.errors.len() {
            0 => writeln!(f, "  no errors"),
            _ => self.errors.iter().try_for_each(|error| writeln!(f, "  error: {error}")),
        }
    }
}

/// A line of what the scorecard counted of a figure: how much of each fault, from when on, and where, with what and when it was
/// worst.
fn faults(f: &mut fmt::Formatter<'_>, figure: &FigureReport) -> fmt::Result {
    let told = Fault::ALL.into_iter().filter_map(|fault| {
        let spells: Vec<&Spell> = figure.faults.iter().filter(|spell| spell.fault == fault).collect();
        let worst = spells.iter().max_by(|a, b| a.worst.total_cmp(&b.worst))?;
        let count = round(spells.iter().map(|spell| spell.count).sum(), 4);
        let with = worst.with.as_deref().map_or_else(String::new, |with| format!(", {with}"));
        let name = fault.name().replace('_', " ");
        let from = spells[0].from;
        Some(format!("{name} {count} from {from:.2} ({} {} {}{with}, {:.2})", worst.bone, worst.worst, worst.unit, worst.at))
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { Ok(()) } else { writeln!(f, "    {}: {}", figure.name, told.join(", ")) }
}

fn row(f: &mut fmt::Formatter<'_>, figure: &FigureReport, width: usize) -> fmt::Result {
    let head = figure.head_impact_mps.map_or_else(|| "-".to_owned(), |speed| format!("{speed:.2}"));
    let hands = match figure.hands_before_head {
        None => "-",
        Some(true) => "yes",
        Some(false) => "no",
    };
    write!(
        f,
        "  {:width$}  {:9}  {:7.2}  {head:>6}  {hands:>8}  {:>6}%  ",
        figure.name,
        figure.mode.unwrap_or("-"),
        figure.drift_m,
        figure.assist
    )?;
    let mut story: Vec<(f64, String)> = figure.phases.iter().map(|(time, phase)| (*time, format!("{phase} {time:.2}"))).collect();
    story.extend(
        figure.struck.iter().map(|blow| (blow.t, format!("struck {:.2} ({}, {:.0} N·s)", blow.t, blow.bone, blow.impulse_ns))),
    );
    story.sort_by(|a, b| a.0.total_cmp(&b.0));
    let told: Vec<String> = story.into_iter().map(|(_, what)| what).collect();
    // Twelve happenings fill a wide terminal; the JSON has all of them.
    if told.len() > 12 {
        writeln!(f, "{} … {} more", told[..12].join(", "), told.len() - 12)
    } else {
        writeln!(f, "{}", told.join(", "))
    }
}
