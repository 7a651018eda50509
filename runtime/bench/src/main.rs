//! What simrun costs. Without arguments every table; with `rooms`, `limp`, `threads`, `script`, `acts`, `horde`, `snapshot` or `memory` that one.

mod acts;
mod horde;
mod limp;
mod memory;
mod rooms;
mod script;
mod snapshot;
mod stage;
mod threads;
mod timing;

use simrun_measure::boxman;

type Table = fn(&std::sync::Arc<simrun_sim::Model>) -> Result<(), Box<dyn std::error::Error>>;

const TABLES: [(&str, &str, Table); 8] = [
    ("rooms", "an awake figure that bows, µs a step by room (least of 5)", |model| Ok(rooms::run(model)?)),
    ("limp", "a figure that lies limp, µs of SOLVE a step (least of 5)", |model| Ok(limp::run(model)?)),
    ("threads", "figures that bow, on one thread and on two", threads::run),
    ("script", "a behaviour with a protective fall in progress, 32 figures", script::run),
    ("acts", "figures at acts, µs a step by room (least of 7)", |model| Ok(acts::run(model)?)),
    ("horde", "members of a horde, and figures of its pool", |model| horde::run(model)),
    ("snapshot", "snapshots and recordings", snapshot::run),
    ("memory", "what figures hold in memory", |_| memory::run()),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let model = boxman()?;
    if let [child, count] = asked.as_slice()
        && child == memory::CHILD
    {
        return Ok(memory::child(&model, count.parse()?)?);
    }
    if let Some(unknown) = asked.iter().find(|name| TABLES.iter().all(|(known, ..)| known != name)) {
        let known: Vec<&str> = TABLES.iter().map(|(name, ..)| *name).collect();
        return Err(format!("there is no table \"{unknown}\"; there are: {}", known.join(", ")).into());
    }
    for (name, about, table) in TABLES {
        if asked.is_empty() || asked.iter().any(|asked| asked == name) {
            println!("{name}: {about}");
            table(&model)?;
            println!();
        }
    }
    Ok(())
}
