//! Reading: text to a checked [`Scene`].

use crate::check::check;
use crate::explain::explain;
use crate::format::{Figure, Scene};
use crate::locate::locate;
use crate::models::Models;
use crate::nearest::nearest;
use crate::param::Param;
use crate::problem::{Flaw, SceneProblem};
use simrun_sim::{FigureSpec, Value};
use std::path::Path;

impl Scene {
    /// Reads and checks a scene file. Models are not looked at: [`Scene::build`] does.
    ///
    /// # Errors
    /// The first problem that keeps the file from being decoded, or else every problem of what it says.
    pub fn read(file: &Path) -> Result<Self, Vec<SceneProblem>> {
        let text = std::fs::read_to_string(file).map_err(|error| vec![unreadable(file, &error)])?;
        Self::parse(file, &text)
    }

    /// Like [`Scene::read`], from a text; `file` is for messages.
    ///
    /// # Errors
    /// As [`Scene::read`].
    pub fn parse(file: &Path, text: &str) -> Result<Self, Vec<SceneProblem>> {
        let mut json = serde_json::Deserializer::from_str(text);
        let scene: Self = serde_path_to_error::deserialize(&mut json).map_err(|error| {
            let inner = error.inner();
            vec![explain(&error.path().to_string(), &inner.to_string()).at(file, place(inner))]
        })?;
        json.end().map_err(|error| vec![explain("", &error.to_string()).at(file, place(&error))])?;
        let flaws = check(&scene);
        if flaws.is_empty() { Ok(scene) } else { Err(placed(flaws, file, text)) }
    }
}

/// Gives flaws the file and, from its text, their lines.
impl Scene {
    /// Problems of a scene at `file` with the scripts that it names, where `known` are those that there are.
    #[must_use]
    pub fn script_problems(&self, file: &Path, known: &[String]) -> Vec<SceneProblem> {
        let accepted = || if known.is_empty() { "none: there is no folder 'scripts'".to_owned() } else { known.join(", ") };
        let missing = |name: &str, path: String| {
            let there = known.iter().any(|known| known == name);
            let meant = nearest(name, known.iter().map(String::as_str));
            (!there).then(|| Flaw::new(path, format!("no script \"{name}\""), accepted()).meaning(meant))
        };
        let mut flaws: Vec<Flaw> = self.script.iter().filter_map(|name| missing(name, "script".to_owned())).collect();
        for (index, figure) in self.figures.iter().enumerate() {
            for (place, behaviour) in figure.behaviours.iter().enumerate() {
                flaws.extend(missing(&behaviour.script, format!("figures[{index}].behaviours[{place}]")));
            }
        }
        placed(flaws, file, &std::fs::read_to_string(file).unwrap_or_default())
    }
}

pub(crate) fn placed(flaws: Vec<Flaw>, file: &Path, text: &str) -> Vec<SceneProblem> {
    flaws
        .into_iter()
        .map(|flaw| {
            let at = locate(text, &flaw.path);
            flaw.at(file, at)
        })
        .collect()
}

fn unreadable(file: &Path, error: &std::io::Error) -> SceneProblem {
    Flaw::new("", format!("cannot be read: {error}"), "").at(file, None)
}

fn place(error: &serde_json::Error) -> Option<(usize, usize)> {
    (error.line() > 0).then(|| (error.line(), error.column()))
}

/// A figure as a script describes it, in the fields of a scene's `figures`; the name is given apart.
///
/// # Errors
/// One line that says the field, what was found and what is accepted.
pub fn figure_from_value(name: &str, record: &Value, models: &mut Models) -> Result<FigureSpec, String> {
    let mut json = serde_json::to_value(Param(record.clone())).map_err(|error| error.to_string())?;
    if let Some(fields) = json.as_object_mut() {
        fields.insert("name".to_owned(), name.into());
    }
    let figure: Figure = serde_path_to_error::deserialize(json)
        .map_err(|error| one_line(&explain(&error.path().to_string(), &error.inner().to_string())))?;
    let mut flaws = Vec::new();
    crate::check::figure(&mut flaws, "", &figure);
    let spec = models.figure(&figure, "", None, &mut flaws);
    match (flaws.first(), spec) {
        (None, Some(spec)) => Ok(spec),
        (Some(flaw), _) => Err(one_line(flaw)),
        (None, None) => Err(format!("the figure '{name}' cannot be made")),
    }
}

fn one_line(flaw: &Flaw) -> String {
    let whole = flaw.clone().at(Path::new(""), None).to_string();
    whole.trim_start_matches(": ").to_owned()
}
