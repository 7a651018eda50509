//! Scripts by name, from the nearest `scripts/` at or above the scene.

use crate::catalogue::Measure;
use simrun_scene::did_you_mean;
use simrun_scene::file::read_text;
use simrun_script::{NamedMeasure, Source, SourceError, Sources};
use std::path::{Path, PathBuf};

/// The ending of scripts.
pub const ENDING: &str = "luau";

/// A folder of scripts; nothing outside it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folder {
    /// Canonical; `None` where there is no `scripts/` at or above the scene.
    root: Option<PathBuf>,
}

impl Folder {
    /// The nearest `scripts/` at or above a scene file.
    #[must_use]
    pub fn of_scene(scene: &Path) -> Self {
        let scene = scene.canonicalize().unwrap_or_else(|_| scene.to_owned());
        scene.parent().map_or(Self { root: None }, Self::above)
    }

    /// The nearest `scripts/` in a folder or above it.
    #[must_use]
    pub fn above(folder: &Path) -> Self {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        Self { root: folder.ancestors().map(|folder| folder.join("scripts")).find(|folder| folder.is_dir()) }
    }

    /// This folder itself.
    #[must_use]
    pub fn at(folder: &Path) -> Self {
        Self { root: folder.canonicalize().ok() }
    }

    /// The file of a script's name.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        let root = self.root.as_deref().unwrap_or(Path::new("scripts"));
        from_here(root).join(format!("{name}.{ENDING}"))
    }

    /// Whether it has a behaviour.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.root.as_ref().is_some_and(|root| root.join(format!("{name}.{ENDING}")).is_file())
    }

    /// Where it is.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Reads the script at a path inside the folder, without ending.
    fn read(&self, name: &str) -> Result<Source, SourceError> {
        let root = self.root.as_ref().ok_or_else(|| SourceError("no folder 'scripts' at or above the scene".to_owned()))?;
        let file = root.join(name).with_extension(ENDING);
        let found = file.canonicalize().map_err(|_| self.missing(name))?;
        // A link inside the folder may lead out of it.
        if !found.starts_with(root) {
            return Err(outside(name));
        }
        let path = format!("scripts/{name}.{ENDING}");
        let text = read_text(&found).map_err(|problem| SourceError(format!("{path}: {}", problem.found)))?;
        Ok(Source { path, text })
    }

    /// The text of a measure that is a script of this folder; `None` where it is one that the program has.
    ///
    /// # Errors
    /// No such measure, no such script, or one that cannot be read.
    pub fn own_measure(&self, measure: &NamedMeasure) -> Result<Option<String>, SourceError> {
        match measure.name.strip_suffix(".luau") {
            Some(script) => self.behaviour(script).map(|source| Some(source.text)),
            None => Measure::named(&measure.name).map(|_| None).map_err(|error| SourceError(error.to_string())),
        }
    }

    fn missing(&self, name: &str) -> SourceError {
        missing(&format!("scripts/{name}.{ENDING}"), name, &self.names())
    }
}

impl Sources for Folder {
    fn behaviour(&self, name: &str) -> Result<Source, SourceError> {
        self.read(&inside("", name)?)
    }

    fn module(&self, from: &str, request: &str) -> Result<Source, SourceError> {
        let folder = if request.starts_with('.') { folder_inside(from) } else { String::new() };
        self.read(&inside(&folder, request)?)
    }

    fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        if let Some(root) = &self.root {
            walk(root, "", &mut |name, _| names.push(name.to_owned()));
        }
        names.sort();
        names
    }
}

/// That there is no such thing, what there is, and which of that may have been meant by the name.
pub(crate) fn missing(what: &str, name: &str, names: &[String]) -> SourceError {
    let meant = did_you_mean(name, names.iter().map(String::as_str));
    SourceError(format!("there is no {what}; there are: {}{meant}", names.join(", ")))
}

/// A canonical path as a person would write it: shorter, where it is below the folder they are in.
pub fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).ok();
    here.as_deref().and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path).to_owned()
}

/// The folder that a script is in, from the folder of scripts: `a/b` of `scripts/a/b/c.luau`. A file that is measured has a path of its
/// own, as `/tmp/x/scripts/a/b/c.luau`; one that is in no folder of scripts asks from its root.
fn folder_inside(from: &str) -> String {
    let parts: Vec<_> = Path::new(from).components().map(|part| part.as_os_str().to_string_lossy()).collect();
    let is_root = |part: &_| *part == "scripts";
    let root = if parts.first().is_some_and(is_root) { Some(0) } else { parts.iter().rposition(is_root) };
    let inside = root.and_then(|root| parts.get(root + 1..parts.len() - 1));
    inside.map(|folders| folders.join("/")).unwrap_or_default()
}

/// Follows a request from a folder, both relative to the root: `../a/b` from `x` is `a/b`.
fn inside(folder: &str, request: &str) -> Result<String, SourceError> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in request.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop().ok_or_else(|| outside(request))?;
            }
            part if !part.is_empty() && !part.contains(['\\', ':', '\0', '.']) => parts.push(part),
            _ => {
                let accepted = "accepted: names and '/' without ending, such as \"./lean\"";
                return Err(SourceError(format!("\"{request}\" is no script's name; {accepted}")));
            }
        }
    }
    Ok(parts.join("/"))
}

fn outside(request: &str) -> SourceError {
    SourceError(format!("\"{request}\" leaves the folder of scripts"))
}

/// Calls `found` with the name (without ending) and path of every script in a folder and those below it.
pub fn walk(folder: &Path, prefix: &str, found: &mut dyn FnMut(&str, &Path)) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        // The kind of the entry itself, not of what a link leads to: links to folders could go round in circles.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            walk(&path, &format!("{prefix}{name}/"), found);
        } else if let Some(stem) = name.strip_suffix(".luau") {
            found(&format!("{prefix}{stem}"), &path);
        }
    }
}
