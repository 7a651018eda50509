//! The behaviours that measured figures carry: those of a project's `scripts/`; what it does not have as they are shipped, so that a binary
//! alone can measure; or a file in place of one.

use crate::options::{MeasureError, Options};
use crate::sources::{Folder, missing};
use simrun_scene::did_you_mean;
use simrun_scene::file::read_text;
use simrun_script::{NoHost, ParamDoc, Scripts, Source, SourceError, Sources};
use simrun_sim::record::Digest;
use simrun_sim::{Behaviour, Value};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// Scripts that measures know, by name.
const SHIPPED: [(&str, &str); 8] = [
    ("protective_fall", include_str!("../../../scripts/protective_fall.luau")),
    ("startle", include_str!("../../../scripts/startle.luau")),
    ("catch_step", include_str!("../../../scripts/catch_step.luau")),
    ("writhe", include_str!("../../../scripts/writhe.luau")),
    ("hit_reaction", include_str!("../../../scripts/hit_reaction.luau")),
    ("brace", include_str!("../../../scripts/brace.luau")),
    ("crawl", include_str!("../../../scripts/crawl.luau")),
    ("look", include_str!("../../../scripts/look.luau")),
];

/// A project's scripts, and where it does not have one, that which is shipped.
#[derive(Clone, Debug, Default)]
pub struct Project(pub Folder);

impl Sources for Project {
    fn behaviour(&self, name: &str) -> Result<Source, SourceError> {
        if self.0.has(name) {
            return self.0.behaviour(name);
        }
        let found = SHIPPED.iter().find(|(known, _)| *known == name);
        let (name, text) = found.ok_or_else(|| missing(&format!("behaviour '{name}' here"), name, &self.names()))?;
        Ok(Source { path: format!("scripts/{name}.luau"), text: (*text).to_owned() })
    }

    fn module(&self, from: &str, request: &str) -> Result<Source, SourceError> {
        self.0.module(from, request)
    }

    fn names(&self) -> Vec<String> {
        let mut names = self.0.names();
        names.extend(SHIPPED.iter().map(|(name, _)| (*name).to_owned()));
        names.sort();
        names.dedup();
        names
    }
}

/// A behaviour with its text.
#[derive(Clone, Debug)]
struct Script {
    /// What it goes by on a figure, and what its parameters are set to.
    behaviour: Behaviour,
    path: Arc<str>,
    text: Arc<str>,
    /// It is in the program itself.
    shipped: bool,
}

impl Script {
    fn new(name: &str, path: String, text: &str, shipped: bool) -> Self {
        let behaviour = Behaviour { script: name.to_owned(), params: Default::default() };
        Self { behaviour, path: path.into(), text: text.into(), shipped }
    }

    /// The one that the folder has, else the one that is shipped.
    fn named(name: &str, folder: Option<&Folder>) -> Result<Self, MeasureError> {
        let project = Project(folder.cloned().unwrap_or_default());
        let source = project.behaviour(name).map_err(|error| MeasureError::Script(error.to_string()))?;
        Ok(Self::new(name, source.path, &source.text, !project.0.has(name)))
    }

    fn read(name: &str, file: &Path) -> Result<Self, MeasureError> {
        let path = file.display().to_string();
        let text = read_text(file).map_err(|problem| MeasureError::Script(format!("{path}: {}", problem.found)))?;
        Ok(Self::new(name, path, &text, false))
    }
}

/// The behaviours of a figure.
#[derive(Clone, Debug)]
pub(crate) struct Carried {
    scripts: Vec<Script>,
    folder: Option<Folder>,
}

impl Carried {
    /// The scripts of some names. The first is the one that is measured: the options may put another in its place.
    ///
    /// # Errors
    /// A file that cannot be read; a script that does not load, or has no such parameter.
    pub fn of(names: &[&str], options: &Options) -> Result<Self, MeasureError> {
        let mut scripts =
            names.iter().map(|name| Script::named(name, options.scripts.as_ref())).collect::<Result<Vec<_>, _>>()?;
        if let (Some(measured), Some(file)) = (scripts.first_mut(), &options.script) {
            *measured = Script::read(&measured.behaviour.script, file)?;
        }
        Self::measuring(scripts, options)
    }

    /// The script of a file, which is measured, and others by name: those that lie beside the file or in its folder of scripts, or are
    /// shipped.
    ///
    /// # Errors
    /// As of [`of`](Self::of); a name that is neither's.
    pub fn with(file: &Path, names: &[String], options: &Options) -> Result<Self, MeasureError> {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let mut scripts = vec![Script::read(&stem, file)?];
        for name in names {
            let root = file.ancestors().skip(1).find(|folder| folder.ends_with("scripts"));
            let folders = file.parent().into_iter().chain(root);
            let there = folders.map(|folder| folder.join(format!("{name}.luau"))).find(|file| file.exists());
            scripts.push(match there {
                Some(there) => Script::read(name, &there)?,
                None => Script::named(name, options.scripts.as_ref())?,
            });
        }
        Self::measuring(scripts, options)
    }

    /// With the parameters that the options set, each on the first script that has it; faults are told before a run, not thirty times within.
    fn measuring(scripts: Vec<Script>, options: &Options) -> Result<Self, MeasureError> {
        let mut carried = Self { scripts, folder: options.scripts.clone() };
        let docs = carried.docs()?;
        for (name, value) in &options.set {
            let has = |docs: &Vec<ParamDoc>| docs.iter().any(|doc| doc.name == *name);
            let place = docs.iter().position(has).unwrap_or(0);
            let (Some(docs), Some(script)) = (docs.get(place), carried.scripts.get_mut(place)) else { break };
            let doc = described(docs, &script.path, name)?;
            if !(doc.min..=doc.max).contains(value) {
                let (path, min, max) = (&script.path, doc.min, doc.max);
                return Err(MeasureError::Script(format!("{path}: {name} is {value}; accepted: {min} to {max}")));
            }
            script.behaviour.params.insert(name.clone(), Value::Number(*value));
        }
        Ok(carried)
    }

    /// What the behaviour that is measured goes by.
    pub fn name(&self) -> &str {
        self.scripts.first().map_or("", |measured| &measured.behaviour.script)
    }

    /// The file of the behaviour that is measured.
    pub fn path(&self) -> &str {
        self.scripts.first().map_or("", |measured| &measured.path)
    }

    /// Where each comes from, for people.
    pub fn origins(&self) -> Vec<String> {
        let origin = |script: &Script| format!("{}{}", script.path, if script.shipped { " as shipped" } else { "" });
        self.scripts.iter().map(origin).collect()
    }

    /// A number that the texts make: another text makes another.
    pub fn fingerprint(&self) -> u64 {
        let mut digest = Digest::default();
        self.scripts.iter().for_each(|script| digest.text(&script.text));
        digest.finish()
    }

    /// As a figure is spawned with them.
    pub fn behaviours(&self) -> Vec<Behaviour> {
        self.scripts.iter().map(|script| script.behaviour.clone()).collect()
    }

    /// A VM that runs them.
    ///
    /// # Errors
    /// The VM does not start.
    pub fn scripts(&self, seed: u64) -> Result<Scripts, MeasureError> {
        let scripts = Scripts::new(Rc::new(self.clone()), Rc::new(RefCell::new(NoHost)), seed);
        scripts.map_err(|error| MeasureError::Script(error.to_string()))
    }

    /// The parameters of the behaviour that is measured, and after them those of the others.
    ///
    /// # Errors
    /// A script that does not load.
    pub fn params(&self) -> Result<Vec<ParamDoc>, MeasureError> {
        Ok(self.docs()?.into_iter().flatten().collect())
    }

    /// The parameters of each.
    fn docs(&self) -> Result<Vec<Vec<ParamDoc>>, MeasureError> {
        let mut scripts = self.scripts(1)?;
        let docs = self.scripts.iter().map(|script| scripts.described_params(&script.behaviour.script));
        docs.collect::<Result<_, _>>().map_err(|problem| MeasureError::Script(problem.to_string()))
    }
}

/// The description of a parameter among those of the script at a path.
pub(crate) fn described<'a>(docs: &'a [ParamDoc], path: &str, name: &str) -> Result<&'a ParamDoc, MeasureError> {
    docs.iter().find(|doc| doc.name == name).ok_or_else(|| {
        let known: Vec<&str> = docs.iter().map(|doc| doc.name.as_str()).collect();
        let meant = did_you_mean(name, known.iter().copied());
        MeasureError::Script(format!("{path}: no parameter '{name}'; it has: {}{meant}", known.join(", ")))
    })
}

impl Sources for Carried {
    fn behaviour(&self, name: &str) -> Result<Source, SourceError> {
        let script = self.scripts.iter().find(|script| script.behaviour.script == name);
        let script = script.ok_or_else(|| SourceError(format!("a measure's figure carries no {name}")))?;
        Ok(Source { path: script.path.to_string(), text: script.text.to_string() })
    }

    fn module(&self, from: &str, request: &str) -> Result<Source, SourceError> {
        let here = self.scripts.iter().any(|script| *script.path == *from && script.shipped);
        match &self.folder {
            Some(folder) if !here => folder.module(from, request),
            _ => Err(SourceError(format!("{from} is measured alone: it may require \"@std/…\" and not \"{request}\""))),
        }
    }

    fn names(&self) -> Vec<String> {
        self.scripts.iter().map(|script| script.behaviour.script.clone()).collect()
    }
}
