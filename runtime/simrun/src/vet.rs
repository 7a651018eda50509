//! Scripts before a run: whether they load, and what they say of their parameters. In a VM of its own, so that nothing of it is in the run.

use crate::Failure;
use crate::set;
use simrun_measure::sources::Folder;
use simrun_scene::file::read_text;
use simrun_scene::{Code, ParamRange, Problem, Scene};
use simrun_script::lint::{Finding, Rule, lint};
use simrun_script::{NoHost, Scripts, Sources as _};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What a script came to: its parameters, or what is wrong with it.
type Loaded = Result<Vec<ParamRange>, Vec<Problem>>;

/// Looks at the scripts of one folder.
pub struct Vet {
    folder: Folder,
    scripts: Scripts,
    known: BTreeMap<String, Loaded>,
}

impl Vet {
    /// Of a folder of scripts.
    ///
    /// # Errors
    /// The script host does not start.
    pub fn new(folder: &Folder) -> Result<Self, Failure> {
        let host = Rc::new(RefCell::new(NoHost));
        let scripts = Scripts::new(Rc::new(folder.clone()), host, 0).map_err(|error| Failure::of(error.to_string()))?;
        Ok(Self { folder: folder.clone(), scripts, known: BTreeMap::new() })
    }

    /// Everything wrong with the scripts that a scene names and with the parameters that it gives them.
    pub fn scene(&mut self, scene: &Scene, file: &Path) -> Vec<Problem> {
        let there = self.folder.names();
        let mut problems = scene.script_problems(file, &there);
        let carried = scene.behaviours().map(|(_, behaviour)| &behaviour.script);
        let mut named: Vec<&String> = scene.script.iter().chain(carried).filter(|name| there.contains(name)).collect();
        named.sort();
        named.dedup();
        for name in named {
            problems.extend(self.loaded(name).as_ref().err().into_iter().flatten().cloned());
            problems.extend(self.idle(name));
        }
        problems.extend(scene.param_problems(file, &mut |script| self.ranges(script)));
        problems
    }

    /// Puts what the command line sets into the scene; every wrong assignment is told.
    pub fn set_all(&mut self, scene: &mut Scene, assignments: &[String]) -> Vec<Problem> {
        let mut described = |script: &str| self.ranges(script);
        assignments
            .iter()
            .filter_map(|assignment| set::set(scene, assignment, &mut described).err().map(|problem| *problem))
            .collect()
    }

    /// The parameters that a script describes, if it loads.
    fn ranges(&mut self, script: &str) -> Option<Vec<ParamRange>> {
        if self.folder.names().iter().any(|name| name == script) { self.loaded(script).clone().ok() } else { None }
    }

    /// Loads a script, once.
    pub fn loaded(&mut self, name: &str) -> &Loaded {
        if !self.known.contains_key(name) {
            let loaded = self.load(name);
            self.known.insert(name.to_owned(), loaded);
        }
        &self.known[name]
    }

    fn load(&mut self, name: &str) -> Loaded {
        let file = self.folder.file(name);
        let text = read_text(&file).map_err(|problem| vec![*problem])?;
        let wrong: Vec<Problem> =
            findings(&file, &text).into_iter().filter(|problem| problem.code == Code::ScriptSyntax).collect();
        if !wrong.is_empty() {
            return Err(wrong);
        }
        if let Ok(Some(measure)) = self.scripts.named_measure(name)
            && let Err(error) = self.folder.own_measure(&measure)
        {
            return Err(vec![Problem::new(Code::ScriptLoad, &file, format!("measure: {error}"), "")]);
        }
        match self.scripts.described_params(name) {
            Ok(params) => {
                let range = |param: simrun_script::ParamDoc| ParamRange {
                    name: param.name,
                    min: param.min,
                    max: param.max,
                    unit: param.unit,
                };
                Ok(params.into_iter().map(range).collect())
            }
            Err(problem) => {
                let (at, line) = problem.at.map_or((file, None), |(path, line)| (self.place(&path), Some(line as usize)));
                let (found, accepted) = problem.message.split_once("; accepted: ").unwrap_or((&problem.message, ""));
                let told = Problem::new(Code::ScriptLoad, &at, found, accepted);
                Err(vec![Problem { at: line.map(|line| (line, 1)), ..told }])
            }
        }
    }

    /// That a script that a scene names does nothing.
    fn idle(&mut self, name: &str) -> Option<Problem> {
        // One that does not load is told of by itself.
        let why = self.scripts.idle(name).ok()??;
        let (found, accepted) = why.split_once("; accepted: ").unwrap_or((&why, ""));
        Some(Problem::new(Code::ScriptLoad, &self.folder.file(name), found, accepted))
    }

    /// What a script's text asks of its modules and they do not have, and what it asks that nobody has.
    pub fn members(&self, file: &Path, name: &str, text: &str) -> Vec<Problem> {
        let mut found = self.scripts.unknown_members(&format!("scripts/{name}.luau"), text);
        found.extend(self.scripts.unknown_globals(text));
        found.into_iter().map(|finding| problem(file, finding)).collect()
    }

    /// The file that messages of the script host mean.
    fn place(&self, path: &str) -> PathBuf {
        let name = path.strip_prefix("scripts/").and_then(|path| path.strip_suffix(".luau"));
        name.map_or_else(|| PathBuf::from(path), |name| self.folder.file(name))
    }
}

/// What the lints find in a script's text.
pub fn findings(file: &Path, text: &str) -> Vec<Problem> {
    lint(text).into_iter().map(|finding| problem(file, finding)).collect()
}

fn problem(file: &Path, finding: Finding) -> Problem {
    let code = match finding.rule {
        Rule::Syntax => Code::ScriptSyntax,
        Rule::Pow => Code::ScriptPow,
        Rule::UnknownName => Code::ScriptUnknownName,
        Rule::Undeclared => Code::ScriptUndeclared,
    };
    let told = Problem::new(code, file, finding.found, finding.accepted);
    Problem { at: Some((finding.line, finding.column)), ..told.meaning(finding.meant.as_deref()) }
}
