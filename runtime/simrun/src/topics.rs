//! What there is to say of a name, and the schema of every parameter.

use crate::Failure;
use crate::args::Cli;
use crate::line::COMMANDS;
use clap::CommandFactory;
use serde_json::{Map, Value, json};
use simrun_measure::sources::Folder;
use simrun_measure::{MEASURES, Project, explain};
use simrun_scene::did_you_mean;
use simrun_script::{NoHost, ParamDoc, Scripts, Sources as _, help as script_help};
use simrun_sim::motion::{SETTINGS, Setting, SettingKind};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

/// Everything that is known of a name, or of all there is.
///
/// # Errors
/// A name that nothing goes by; the nearest one.
pub fn help(topic: Option<&str>) -> Result<String, Failure> {
    let mut command = Cli::command();
    // Only then do subcommands know whose they are.
    command.build();
    let Some(topic) = topic else {
        let more = "simrun help NAME says what there is to a command, a measure, a behaviour, a function of scripts, an event, or settings.";
        return Ok(format!("{}\n{more}", command.render_long_help()));
    };
    let mut said = Vec::new();
    if let Some(known) = command.find_subcommand_mut(topic) {
        said.push(known.render_long_help().to_string());
    }
    if MEASURES.iter().any(|measure| measure.name == topic) {
        said.push(explain(topic).map_err(|error| Failure::of(error.to_string()))?);
    }
    let mut behaviours = Behaviours::here()?;
    if behaviours.names().iter().any(|name| name == topic) {
        said.push(script_help::behaviour(topic, &behaviours.params(topic)?));
    }
    said.extend(script_help::topic(topic));
    said.extend(COMMANDS.iter().filter(|(name, ..)| *name == topic).map(|(name, with, what)| format!("{name} {with}: {what}")));
    said.extend(Setting::of(topic.strip_prefix("motion.").unwrap_or(topic)).map(script_help::setting));
    // Where it is nothing else, that has been said.
    said.dedup();
    for name in behaviours.names() {
        let params = behaviours.params(&name)?;
        let own = topic.strip_prefix(&name).and_then(|param| param.strip_prefix('.')).unwrap_or(topic);
        let params: Vec<ParamDoc> = params.into_iter().filter(|param| param.name == own).collect();
        said.extend((!params.is_empty()).then(|| script_help::behaviour(&name, &params)));
    }
    if said.is_empty() {
        let commands = command.get_subcommands().map(|known| known.get_name().to_owned());
        let measures = MEASURES.iter().map(|measure| measure.name.to_owned());
        let lines = COMMANDS.iter().map(|(name, ..)| (*name).to_owned());
        let settings = SETTINGS.iter().map(|setting| setting.name.to_owned());
        let known = commands.chain(measures).chain(behaviours.names()).chain(script_help::topics()).chain(lines).chain(settings);
        let known: Vec<String> = known.collect();
        let meant = did_you_mean(topic, known.iter().map(String::as_str));
        let accepted = "accepted: a command, a measure, a behaviour or a parameter of one, what scripts can call, an event, settings or one of them, \
                        a line of the prompt such as :again";
        return Err(Failure::of(format!("there is no help about '{topic}'; {accepted}{meant}")));
    }
    Ok(said.iter().map(|part| part.trim_end()).collect::<Vec<_>>().join("\n\n"))
}

/// A JSON schema of the parameters of every behaviour that is here or shipped, and of figures' settings under `motion`.
///
/// # Errors
/// A behaviour that does not load.
pub fn schema() -> Result<String, Failure> {
    let mut behaviours = Behaviours::here()?;
    let mut all = Map::new();
    for name in behaviours.names() {
        let params = behaviours.params(&name)?;
        if !params.is_empty() {
            all.insert(name, object(params.iter().map(|param| (param.name.clone(), of_param(param)))));
        }
    }
    all.insert("motion".to_owned(), object(SETTINGS.iter().map(|setting| (setting.name.to_owned(), of_setting(setting)))));
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Parameters of behaviours, and figures' settings",
        "type": "object",
        "properties": all,
        "additionalProperties": false,
    });
    Ok(format!("{schema:#}\n"))
}

fn object(properties: impl Iterator<Item = (String, Value)>) -> Value {
    json!({ "type": "object", "properties": properties.collect::<Map<_, _>>(), "additionalProperties": false })
}

fn of_param(param: &ParamDoc) -> Value {
    number(&param.doc, &param.unit, param.default, [param.min, param.max])
}

fn of_setting(setting: &Setting) -> Value {
    let default = setting.default_value();
    match setting.kind {
        SettingKind::Switch(_) => {
            json!({ "type": "boolean", "description": setting.doc, "default": default == simrun_sim::Value::Bool(true) })
        }
        SettingKind::Number { unit, min, max, .. } => {
            // As a person writes it, not as single precision holds it.
            let plain = |number: f32| number.to_string().parse().unwrap_or_else(|_| f64::from(number));
            let default = default.number().map_or(0.0, |number| plain(number as f32));
            number(setting.doc, unit, default, [plain(min), plain(max)])
        }
    }
}

/// `unit` says what the number is in.
fn number(doc: &str, unit: &str, default: f64, [min, max]: [f64; 2]) -> Value {
    let mut schema = json!({ "type": "number", "description": doc, "default": default });
    for (key, limit) in [("minimum", min), ("maximum", max)] {
        if limit.is_finite() {
            schema[key] = limit.into();
        }
    }
    if !unit.is_empty() {
        schema["unit"] = unit.into();
    }
    schema
}

/// The behaviours of the project here, and those that are shipped.
struct Behaviours {
    project: Project,
    scripts: Scripts,
}

impl Behaviours {
    fn here() -> Result<Self, Failure> {
        let project = Project(Folder::above(Path::new(".")));
        let scripts = Scripts::new(Rc::new(project.clone()), Rc::new(RefCell::new(NoHost)), 0);
        Ok(Self { project, scripts: scripts.map_err(|error| Failure::of(error.to_string()))? })
    }

    fn names(&self) -> Vec<String> {
        self.project.names()
    }

    /// Those that a behaviour describes; a module of the folder has none.
    fn params(&mut self, name: &str) -> Result<Vec<ParamDoc>, Failure> {
        match self.scripts.described_params(name) {
            Err(problem) if problem.message.starts_with("returns ") => Ok(Vec::new()),
            described => described.map_err(|problem| Failure::of(problem.to_string())),
        }
    }
}
