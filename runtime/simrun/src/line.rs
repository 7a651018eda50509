//! A line of the prompt: Lua, or a command that begins with a colon.

use crate::args::SPEEDS;
use simrun_scene::did_you_mean;
use simrun_script::{LONGEST_REWIND, MOST_STEPS};

/// What a line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// Evaluated between two steps.
    Lua(String),
    /// Once, at a time (s of simulation).
    At(f64, Box<Line>),
    /// What the commands are.
    Help,
    /// The clock stands.
    Pause,
    /// It goes on.
    Resume,
    /// That many steps at once.
    Step(u64),
    /// Simulated seconds a second.
    Speed(f64),
    /// So many seconds back.
    Rewind(f64),
    /// A name for this moment.
    Mark(String),
    /// The same once more: since a mark, or since just before the last blow.
    Again(Doing),
    /// Why a figure does what it does, or did at a time (s of simulation).
    Why(String, Option<f64>),
    /// The measure that a behaviour names, of the one that was saved last without a name.
    Measure(Doing),
    /// What runs is what saves are compared with: of a script, or of the one that was saved last.
    Keep(Option<String>),
    /// What was kept is in the file again.
    Revert(Option<String>),
    /// Parameters are tuned in the background, or no more.
    Tune(String),
    /// Scripts are read again: one, or all.
    Reload(Option<String>),
    /// The end.
    Quit,
}

/// When something is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Now, with something of a name.
    Now(Option<String>),
    /// After each save, or no more.
    OnSave(bool),
}

impl Doing {
    fn read(rest: &str) -> Self {
        match rest {
            "on" => Self::OnSave(true),
            "off" => Self::OnSave(false),
            name => Self::Now(named(name)),
        }
    }
}

fn named(rest: &str) -> Option<String> {
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// Every command, with what follows it and what it does.
pub const COMMANDS: [(&str, &str, &str); 16] = [
    (":help", "", "this list; help(motion.hit) says what a function does"),
    (":pause", "", "stops the clock"),
    (":resume", "", "lets it go on"),
    (":step", "N", "takes N steps at once (1 without a number)"),
    (":speed", "X", "simulated seconds a second, 0.01 to 100"),
    (":rewind", "S", "goes S seconds back, and on from there"),
    (":mark", "NAME", "names this moment"),
    (":again", "NAME", "runs what has been since a mark or the last blow once more; on, off: after each save"),
    (":why", "NAME T", "why a figure does what it does, or did at T seconds of simulation"),
    (":reload", "NAME", "reads a script again, or all of them without a name"),
    (":measure", "NAME", "measures a behaviour as it was kept and as it is; on, off: after each save"),
    (":keep", "NAME", "saves are compared with what runs now, of the script saved last without a name"),
    (":revert", "NAME", "puts what was kept back in the file; what was edited goes to scripts/.edited"),
    (":tune", "PARAM", "sweeps PARAM=A..B:N by the measure that its behaviour names, in the background; stop ends it"),
    (":at", "T LINE", "runs the line once, at T seconds of simulation"),
    (":quit", "", "ends the program"),
];

/// Commands that are known and not there yet.
const PLANNED: [&str; 1] = [":watch"];

impl Line {
    /// Reads a line.
    ///
    /// # Errors
    /// An unknown command, or one that is followed by something else than it accepts.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if !text.starts_with(':') {
            return Ok(Self::Lua(text.to_owned()));
        }
        let (command, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let nothing =
            |line: Self| if rest.is_empty() { Ok(line) } else { Err(format!("{command} takes nothing; found \"{rest}\"")) };
        match command {
            ":help" => nothing(Self::Help),
            ":pause" => nothing(Self::Pause),
            ":resume" => nothing(Self::Resume),
            ":quit" => nothing(Self::Quit),
            ":step" if rest.is_empty() => Ok(Self::Step(1)),
            ":step" => match rest.parse() {
                Ok(steps @ 1..=MOST_STEPS) => Ok(Self::Step(steps)),
                _ => Err(format!(":step {rest}: accepted: 1 to {MOST_STEPS}")),
            },
            ":speed" => match rest.parse() {
                Ok(speed) if SPEEDS.contains(&speed) => Ok(Self::Speed(speed)),
                _ => Err(format!(":speed {rest}: accepted: {} to {}", SPEEDS.start(), SPEEDS.end())),
            },
            ":rewind" => match rest.parse() {
                Ok(seconds) if (0.0..=LONGEST_REWIND).contains(&seconds) => Ok(Self::Rewind(seconds)),
                _ => Err(format!(":rewind {rest}: accepted: seconds, 0 to {LONGEST_REWIND}")),
            },
            ":mark" if rest.is_empty() || ["on", "off"].contains(&rest) => {
                Err(format!(":mark {rest}: accepted: a name, and neither on nor off"))
            }
            ":mark" => Ok(Self::Mark(rest.to_owned())),
            ":again" => Ok(Self::Again(Doing::read(rest))),
            ":why" => Self::why(rest),
            ":measure" => Ok(Self::Measure(Doing::read(rest))),
            ":keep" => Ok(Self::Keep(named(rest))),
            ":revert" => Ok(Self::Revert(named(rest))),
            ":tune" => Ok(Self::Tune(rest.to_owned())),
            ":reload" => Ok(Self::Reload(named(rest))),
            ":at" => Self::at(rest),
            _ => Err(unknown(command)),
        }
    }

    /// A name may have spaces in it; a time is what can be read as one behind it.
    fn why(rest: &str) -> Result<Self, String> {
        let time =
            rest.rsplit_once(char::is_whitespace).and_then(|(name, time)| Some((name.trim_end(), time.parse::<f64>().ok()?)));
        match time {
            _ if rest.is_empty() => Err(":why: accepted: a figure's name and, where it is about the past, a time (s)".to_owned()),
            Some((_, time)) if !(0.0..=f64::from(u32::MAX)).contains(&time) => {
                Err(format!(":why {rest}: accepted: a time, 0 s or later"))
            }
            Some((name, time)) => Ok(Self::Why(name.to_owned(), Some(time))),
            None => Ok(Self::Why(rest.to_owned(), None)),
        }
    }

    fn at(rest: &str) -> Result<Self, String> {
        let accepted = || format!(":at {rest}: accepted: a time in seconds and a line, such as :at 2.5 ann:hit(…)");
        let (time, line) = rest.split_once(char::is_whitespace).ok_or_else(accepted)?;
        let time = time.parse::<f64>().ok().filter(|time| time.is_finite() && *time >= 0.0).ok_or_else(accepted)?;
        match Self::parse(line)? {
            Self::At(..) => Err(accepted()),
            line => Ok(Self::At(time, Box::new(line))),
        }
    }
}

fn unknown(command: &str) -> String {
    if PLANNED.contains(&command) {
        return format!("{command} is not built yet");
    }
    let names = COMMANDS.map(|(name, _, _)| name);
    let meant = did_you_mean(command, names);
    format!("no command {command}; there are: {}{meant}", names.join(" "))
}

/// The commands, a line each.
#[must_use]
pub fn help() -> String {
    let rows = COMMANDS.map(|(name, rest, about)| format!("{:<15}  {about}", format!("{name} {rest}")));
    rows.join("\n")
}
