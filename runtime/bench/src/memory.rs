//! What figures hold in memory, by what the process is resident with: each count in a process of its own.

use crate::stage::Crowd;
use simrun_sim::{Error, Model, Nobody};
use std::process::Command;
use std::sync::Arc;

/// Numbers of figures.
const CROWDS: [usize; 4] = [1, 8, 32, 128];
/// The argument of a process that holds so many figures and says what that takes.
pub const CHILD: &str = "memory-of";

/// Prints the table.
pub fn run() -> Result<(), Box<dyn std::error::Error>> {
    println!("figures  resident KB  a figure KB");
    let mut least = None;
    for count in CROWDS {
        let output = Command::new(std::env::current_exe()?).args([CHILD, &count.to_string()]).output()?;
        let Ok(resident) = String::from_utf8_lossy(&output.stdout).trim().parse::<f64>() else {
            println!("{count:>7}  not known on this system");
            continue;
        };
        let (fewest, base) = *least.get_or_insert((count, resident));
        let each = if count > fewest { format!("{:.1}", (resident - base) / (count - fewest) as f64) } else { String::new() };
        println!("{count:>7}  {resident:>11.0}  {each:>11}");
    }
    Ok(())
}

/// Holds so many figures for a second and says what the process is resident with (KB).
pub fn child(model: &Arc<Model>, count: usize) -> Result<(), Error> {
    let mut world = Crowd::bowing(count).world(model)?;
    (0..60).for_each(|_| world.step(&mut Nobody));
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse::<u64>().ok());
    println!("{}", resident.map_or_else(String::new, |kilobytes| kilobytes.to_string()));
    Ok(())
}
