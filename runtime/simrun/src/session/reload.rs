//! Scripts that were saved: all in one where they go together, or those that go.

use super::{Reply, Session};
use simrun_script::{ReloadOutcome, Sources as _};

impl Session {
    /// Reads scripts again, with those that were saved before and did not go: two files that only go together were saved one after the
    /// other. Where they do not go together each is tried by itself. The loaded ones go on in the place of those that do not.
    pub fn reload(&mut self, names: &[String]) -> Reply {
        let mut all: Vec<String> = self.unfit.iter().filter(|name| !names.contains(name)).cloned().collect();
        if all.is_empty() {
            return self.reload_these(names);
        }
        all.extend_from_slice(names);
        match self.try_reload(&all) {
            ReloadOutcome::Kept { .. } => self.reload_these(names),
            outcome => self.reloaded(&all, outcome),
        }
    }

    /// Reads a file that was changed by the watcher's word; with "again on save", runs the same again.
    pub fn saved(&mut self, names: &[String]) {
        let names: Vec<String> = names.iter().filter(|name| !self.runs_already(name)).cloned().collect();
        if names.is_empty() {
            return;
        }
        match self.reload(&names) {
            Reply::Value(text) => {
                self.console.note(&text);
                if self.again_on_save {
                    if let Some(record) = &mut self.record {
                        record.line(":again");
                    }
                    match self.again(None) {
                        Ok(said) => self.console.note(&said),
                        Err(why) => self.console.note(&format!("not again: {why}")),
                    }
                }
            }
            reply => self.say(&reply),
        }
        self.measure_saved(&names);
    }

    /// Whether what stands in a script's file is what runs: `:revert` and `:reload` read it before the watcher tells.
    fn runs_already(&self, name: &str) -> bool {
        let Ok(source) = self.folder.behaviour(name) else { return false };
        !self.unfit.contains(name) && self.scripts.loaded_texts().get(&source.path) == Some(&source.text)
    }

    /// Reads every script of the folder again; says what went wrong, and how many went well.
    pub(super) fn reload_all(&mut self) -> Reply {
        let names = self.folder.names();
        let replies: Vec<Reply> = names.iter().map(|name| self.reload_these(std::slice::from_ref(name))).collect();
        let (wrong, well): (Vec<_>, Vec<_>) = replies.into_iter().partition(|reply| matches!(reply, Reply::Error(_)));
        wrong.iter().for_each(|reply| self.say(reply));
        Reply::Value(format!("reloaded {} of {} scripts", well.len(), names.len()))
    }

    /// All in one; else each by itself, in the order of their names.
    fn reload_these(&mut self, names: &[String]) -> Reply {
        let outcome = self.try_reload(names);
        if names.len() < 2 || !matches!(outcome, ReloadOutcome::Kept { .. }) {
            return self.reloaded(names, outcome);
        }
        let mut replies: Vec<Reply> = Vec::new();
        for name in names {
            let outcome = self.try_reload(std::slice::from_ref(name));
            replies.push(self.reloaded(std::slice::from_ref(name), outcome));
        }
        let last = replies.pop().unwrap_or(Reply::Nothing);
        replies.iter().for_each(|reply| self.say(reply));
        last
    }

    fn try_reload(&mut self, names: &[String]) -> ReloadOutcome {
        self.about_to_change(names);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.scripts.reload(&mut self.world, &names)
    }

    /// What it came to, in a line.
    fn reloaded(&mut self, names: &[String], outcome: ReloadOutcome) -> Reply {
        let list = names.join(", ");
        match outcome {
            ReloadOutcome::Kept { error } => {
                self.unfit.extend(names.iter().cloned());
                Reply::Error(format!("{error}; the loaded {list} goes on"))
            }
            ReloadOutcome::Unused => {
                self.unfit.retain(|known| !names.contains(known));
                Reply::Value(format!("read {list} (nothing here uses it)"))
            }
            ReloadOutcome::Swapped { figures, dependants } => {
                self.unfit.retain(|known| !names.contains(known));
                self.past.touch();
                let with = if dependants.is_empty() { String::new() } else { format!(" with {}", dependants.join(", ")) };
                let on = match figures {
                    0 => String::new(),
                    1 => "1 figure, ".to_owned(),
                    _ => format!("{figures} figures, "),
                };
                Reply::Value(format!("reloaded {list}{with} ({on}state kept)"))
            }
        }
    }
}
