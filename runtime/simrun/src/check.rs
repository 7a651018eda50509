//! `simrun check`: every problem of scenes, scripts and models, all at once.

use crate::Failure;
use crate::console::Console;
use crate::testing;
use crate::vet::{Vet, findings};
use simrun_measure::sources::{ENDING, Folder};
use simrun_scene::file::read_text;
use simrun_scene::{Code, Models, Overrides, Problem, Scene, model};
use simrun_sim::Model;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Folders that are looked into where no path is given.
const USUAL: [&str; 3] = ["scenes", "scripts", "stdlib"];
/// What is looked at, for messages.
const ACCEPTED: &str = "a .json scene, a .luau script, a .glb, .gltf or .vrm model, or a folder of them";

/// What a file is, by its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Scene,
    Script,
    Model,
    /// Of a session.
    Test,
}

impl Kind {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "json" if path.to_string_lossy().ends_with(testing::ENDING) => Some(Self::Test),
            "json" => Some(Self::Scene),
            ENDING => Some(Self::Script),
            "glb" | "gltf" | "vrm" => Some(Self::Model),
            _ => None,
        }
    }
}

/// Checks files, and what is in folders and the folders below them. What is fine is noted; what is doubtful too, and returned.
///
/// # Errors
/// Every problem.
pub fn check(paths: &[PathBuf], console: &Console) -> Result<Vec<Problem>, Failure> {
    let mut checker = Checker { console, vets: BTreeMap::new(), problems: Vec::new(), warnings: Vec::new() };
    let usual: Vec<PathBuf> = USUAL.iter().map(PathBuf::from).filter(|folder| folder.is_dir()).collect();
    let paths = if paths.is_empty() { &usual } else { paths };
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            walk(path, &mut files);
        } else {
            files.push(path.clone());
        }
    }
    if files.is_empty() {
        checker.problems.push(Problem::argument(Code::NotFound, "check", "nothing to check there", ACCEPTED));
    }
    files.iter().for_each(|file| checker.file(file));
    if checker.problems.is_empty() { Ok(checker.warnings) } else { Err(Failure(checker.problems)) }
}

struct Checker<'a> {
    console: &'a Console,
    /// By the folder of scripts.
    vets: BTreeMap<PathBuf, Vet>,
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
}

impl Checker<'_> {
    fn file(&mut self, file: &Path) {
        let result = match Kind::of(file) {
            Some(Kind::Scene) => self.scene(file),
            Some(Kind::Script) => self.script(file),
            Some(Kind::Model) => model(file),
            Some(Kind::Test) => testing::check(file).map(|()| String::new()).map_err(|Failure(problems)| problems),
            None => Err(vec![unknown(file)]),
        };
        match result {
            Ok(about) => self.console.note(&format!("{}: fine{about}", file.display())),
            Err(problems) => self.problems.extend(problems),
        }
    }

    fn scene(&mut self, file: &Path) -> Result<String, Vec<Problem>> {
        let scene = Scene::read(file)?;
        let mut vet = Vet::new(&Folder::of_scene(file)).map_err(|Failure(problems)| problems)?;
        let mut problems = vet.scene(&scene, file);
        problems.extend(scene.build(file, &mut Models::beside(file), &Overrides::default()).err().unwrap_or_default());
        problems.sort_by_key(|problem| (problem.file != file, problem.at));
        if !problems.is_empty() {
            return Err(problems);
        }
        let warnings = scene.warnings(file);
        warnings.iter().for_each(|warning| self.console.note(&format!("warning: {warning}")));
        let about = if warnings.is_empty() { String::new() } else { format!(" (warnings: {})", warnings.len()) };
        self.warnings.extend(warnings);
        Ok(about)
    }

    fn script(&mut self, file: &Path) -> Result<String, Vec<Problem>> {
        let text = read_text(file).map_err(|problem| vec![*problem])?;
        let mut problems = findings(file, &text);
        let (root, name) = home(file);
        if problems.iter().all(|problem| problem.code != Code::ScriptSyntax) {
            if !self.vets.contains_key(&root) {
                let vet = Vet::new(&Folder::at(&root)).map_err(|Failure(problems)| problems)?;
                self.vets.insert(root.clone(), vet);
            }
            let loaded = self.vets.get_mut(&root).map(|vet| vet.loaded(&name));
            // A module may be a function; it is no behaviour, and no scene's script.
            let module = |problem: &&Problem| problem.found != "returns function";
            problems.extend(loaded.and_then(|loaded| loaded.as_ref().err()).into_iter().flatten().filter(module).cloned());
            if let Some(vet) = self.vets.get_mut(&root) {
                problems.extend(vet.members(file, &name, &text));
            }
        }
        if problems.is_empty() { Ok(String::new()) } else { Err(problems) }
    }
}

fn model(file: &Path) -> Result<String, Vec<Problem>> {
    let rig = model::load(file).map_err(|error| vec![error.problem(file)])?;
    let model = Model::new(rig);
    let (nodes, clips) = (model.rig.nodes.len(), model.rig.clips.len());
    let ragdoll = model.ragdoll.as_ref().map_or_else(|why| format!("no ragdoll: {why}"), |_| "a ragdoll fits".to_owned());
    Ok(format!(" ({nodes} nodes, {clips} clips; {ragdoll})"))
}

fn unknown(file: &Path) -> Problem {
    // What is no file at all is told first.
    match simrun_scene::file::read(file, u64::MAX >> 1) {
        Err(why) if why.code != Code::Unreadable => Problem::new(why.code, file, why.found, ACCEPTED),
        _ => Problem::new(Code::UnknownKind, file, "neither a scene nor a script nor a model, by its ending", ACCEPTED),
    }
}

/// The folder of scripts that a script is in, and its name there.
fn home(file: &Path) -> (PathBuf, String) {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_root = |folder: &&Path| folder.file_name().is_some_and(|name| name == "scripts" || name == "stdlib");
    let root = folder.ancestors().find(is_root).unwrap_or(folder);
    let name = file.strip_prefix(root).unwrap_or(file).with_extension("");
    (root.to_owned(), name.to_string_lossy().replace('\\', "/"))
}

/// The scenes, scripts, models and tests in a folder and those below it, by name; links to folders are not followed.
pub fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_folder = path.symlink_metadata().is_ok_and(|about| about.is_dir());
        // Neither a schema nor definitions for type checkers are run.
        if name.starts_with('.') || name.ends_with(".schema.json") || name.ends_with(".d.luau") {
            continue;
        }
        if is_folder {
            walk(&path, files);
        } else if Kind::of(&path).is_some() {
            files.push(path);
        }
    }
}
