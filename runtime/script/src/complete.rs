//! Completion at the prompt: from the API's table, the prompt's own globals, and the scene.

use crate::api::{Entry, MODULES, TABLES, bone_names, constants, entries, event_names};
use crate::handle::Thing;
use crate::params::ParamDoc;
use crate::scripts::Scripts;
use crate::source::{STD, standard_modules};
use mlua::{Table, Value};
use simrun_sim::motion::SETTINGS;
use simrun_sim::{Phase, World};

/// A way to go on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// What stands in the place of the word begun.
    pub text: String,
    /// How it is listed: a function with its parameters.
    pub shown: String,
    /// One line, may be empty.
    pub doc: String,
}

impl Candidate {
    /// One that is listed as it is.
    pub fn new(text: impl Into<String>, doc: impl Into<String>) -> Self {
        let text = text.into();
        Self { shown: text.clone(), text, doc: doc.into() }
    }

    /// A function: behind a colon its first parameter stands before it.
    fn of(entry: &Entry, method: bool) -> Self {
        let doc = match (entry.is_built(), entry.returns.doc) {
            (false, _) => "not built yet".to_owned(),
            (true, "") => entry.doc.to_owned(),
            (true, returns) => format!("→ {returns}. {}", entry.doc),
        };
        let shown = if entry.is_built() { entry.short_call(method) } else { entry.name.to_owned() };
        Self { text: entry.name.to_owned(), shown, doc }
    }
}

/// Words of Luau that a line may begin with.
const KEYWORDS: [&str; 12] = ["and", "do", "else", "elseif", "end", "for", "function", "if", "local", "return", "then", "while"];

impl Scripts {
    /// What the word before byte `at` of a line may become, and where in the line that word begins. Candidates are in order and
    /// differ.
    #[must_use]
    pub fn complete(&self, world: &World, line: &str, at: usize) -> (usize, Vec<Candidate>) {
        let before = line.get(..at).unwrap_or(line);
        let (start, mut found) = match open_quote(before) {
            Some(start) => (start, self.texts(world)),
            None => self.names(world, before),
        };
        let word = &before[start..];
        found.retain(|candidate| candidate.text.starts_with(word));
        // Of two of a name the one that says more stands.
        found.sort_by(|a, b| a.text.cmp(&b.text).then_with(|| b.doc.cmp(&a.doc)));
        found.dedup_by(|a, b| a.text == b.text);
        (start, found)
    }

    /// What may stand between quotes: names of the scene, bones, phases, behaviours, parameters and modules.
    fn texts(&self, world: &World) -> Vec<Candidate> {
        let bones = bone_names().map(|name| Candidate::new(name, "bone"));
        let phases = Phase::ALL.iter().map(|phase| Candidate::new(phase.name(), "phase"));
        let events = event_names().map(|name| Candidate::new(name, "event"));
        let modules = standard_modules().map(|name| Candidate::new(format!("{STD}{name}"), "module"));
        let behaviours = self.loader.sources.names().into_iter().map(|name| Candidate::new(name, "behaviour"));
        let named = bones.chain(phases).chain(events).chain(modules).chain(behaviours).chain(scene_names(world));
        named.chain(clips(world)).chain(self.parameters(world)).collect()
    }

    /// Parameters of the behaviours that are loaded and of objects, and the settings of figures.
    fn parameters(&self, world: &World) -> Vec<Candidate> {
        let library = self.shared.library.borrow();
        let of_behaviours = library.behaviours.iter().flat_map(|(behaviour, script)| {
            let candidate =
                move |param: &ParamDoc| Candidate::new(&param.name, format!("parameter of {behaviour}. {}", param.doc));
            script.params.iter().map(candidate)
        });
        let of_objects = world.objects().flat_map(|object| object.params.keys().map(|name| Candidate::new(name, "parameter")));
        let settings = SETTINGS.iter().map(|setting| Candidate::new(setting.name, format!("setting. {}", setting.doc)));
        of_behaviours.chain(of_objects).chain(settings).collect()
    }

    /// What may stand outside of quotes.
    fn names(&self, world: &World, before: &str) -> (usize, Vec<Candidate>) {
        let begin = before
            .rfind(|c: char| !(c.is_alphanumeric() || "_.:".contains(c)))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let Some(split) = before[begin..].rfind(['.', ':']) else { return (begin, self.globals(world)) };
        let (path, start) = (&before[begin..begin + split], begin + split + 1);
        if before[begin + split..].starts_with(':') {
            let kind = self.kind(world, path);
            let fits = |entry: &&Entry| kind.map_or_else(|| entry.is_method(), |kind| entry.is_method_of(kind));
            return (start, entries().filter(fits).map(|entry| Candidate::of(entry, true)).collect());
        }
        let mut found: Vec<Candidate> =
            entries().filter(|entry| entry.module == path).map(|entry| Candidate::of(entry, false)).collect();
        found.extend(
            constants().filter(|constant| constant.home == path).map(|constant| Candidate::new(constant.name, constant.doc)),
        );
        found.extend(self.table_at(path).into_iter().flat_map(|table| keys(&table)));
        (start, found)
    }

    /// What a word may be that stands by itself.
    pub(crate) fn globals(&self, world: &World) -> Vec<Candidate> {
        let functions = entries().filter(|entry| entry.module.is_empty()).map(|entry| Candidate::of(entry, false));
        let modules = MODULES.iter().chain(&TABLES).map(|(name, what)| Candidate::new(*name, *what));
        let keywords = KEYWORDS.iter().map(|word| Candidate::new(*word, ""));
        let shared = keys(self.loader.vm.base());
        functions.chain(modules).chain(scene_names(world)).chain(keys(&self.prompt)).chain(shared).chain(keywords).collect()
    }

    /// Whether a name of the prompt or of the scene is a figure's or an object's, where it is one's.
    fn kind(&self, world: &World, name: &str) -> Option<&'static str> {
        let thing = match self.prompt.raw_get(name) {
            Ok(Value::LightUserData(handle)) => Thing::unpack(handle),
            _ => world.find_figure(name).map(Thing::Figure).or_else(|| world.find_object(name).map(Thing::Object))?,
        };
        Some(match thing {
            Thing::Figure(_) => "figure",
            Thing::Object(_) => "object",
        })
    }

    /// The table that a dotted path names, without running anything.
    fn table_at(&self, path: &str) -> Option<Table> {
        let mut names = path.split('.');
        let first = names.next()?;
        let root = [&self.prompt, self.loader.vm.base()].into_iter().find_map(|from| match from.raw_get(first) {
            Ok(Value::Table(table)) => Some(table),
            _ => None,
        })?;
        names.try_fold(root, |table, name| table.raw_get::<Table>(name).ok())
    }
}

/// Where the text of an unclosed quote begins.
fn open_quote(before: &str) -> Option<usize> {
    let mut open = None;
    for (at, c) in before.char_indices() {
        open = match open {
            None if c == '"' || c == '\'' => Some((c, at + 1)),
            Some((quote, _)) if c == quote => None,
            open => open,
        };
    }
    open.map(|(_, start)| start)
}

fn keys(table: &Table) -> Vec<Candidate> {
    table.pairs::<String, Value>().flatten().map(|(name, _)| Candidate::new(name, "")).collect()
}

fn scene_names(world: &World) -> impl Iterator<Item = Candidate> {
    let figures = world.figures().map(|figure| Candidate::new(&figure.name, "figure"));
    figures.chain(world.objects().map(|object| Candidate::new(&object.name, "object")))
}

fn clips(world: &World) -> impl Iterator<Item = Candidate> {
    world.figures().flat_map(|figure| figure.model.rig.clips.iter().map(|clip| Candidate::new(&clip.name, "clip")))
}
