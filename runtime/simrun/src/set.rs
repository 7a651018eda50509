//! `--set NAME.PARAM=V`: parameters from the command line, put into the scene before it is built.

use simrun_scene::{Behaviour, Figure, Motion, Param, Scene, nearest};
use simrun_sim::Value;
use std::collections::BTreeMap;

/// Sets one parameter of an object, of a figure's motion or behaviours, or of a script on every figure that carries it.
///
/// `described` says which parameters a script has, where that is known.
///
/// # Errors
/// One line: what was found, what is accepted, the nearest name.
pub fn set(scene: &mut Scene, assignment: &str, described: &mut dyn FnMut(&str) -> Option<Vec<String>>) -> Result<(), String> {
    let (target, text) = assignment.split_once('=').ok_or_else(|| form(assignment))?;
    let (name, param) = target.rsplit_once('.').ok_or_else(|| form(assignment))?;
    // What is no JSON is text: `--set ann.mode=limp`.
    let value = serde_json::from_str(text).unwrap_or_else(|_| Param(Value::Text(text.to_owned())));
    if let Some(object) = scene.objects.iter_mut().find(|object| object.name == name) {
        return put(&mut object.params, name, param, value);
    }
    if let Some(figure) = scene.figures.iter_mut().find(|figure| figure.name == name) {
        return set_figure(figure, param, value, described);
    }
    let carried = || scene.figures.iter().flat_map(|figure| &figure.behaviours);
    if carried().any(|behaviour| behaviour.script == name) {
        known(&format!("the script '{name}'"), param, &described(name).unwrap_or_else(|| vec![param.to_owned()]))?;
        for behaviour in scene.figures.iter_mut().flat_map(|figure| &mut figure.behaviours) {
            if behaviour.script == name {
                behaviour.params.insert(param.to_owned(), value.clone());
            }
        }
        return Ok(());
    }
    let objects = scene.objects.iter().map(|object| object.name.as_str());
    let figures = scene.figures.iter().map(|figure| figure.name.as_str());
    let mut names: Vec<&str> = objects.chain(figures).chain(carried().map(|behaviour| behaviour.script.as_str())).collect();
    names.sort_unstable();
    names.dedup();
    let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    Err(unknown("the scene", "object, figure or script", name, &names))
}

fn form(found: &str) -> String {
    format!("--set {found}: accepted: NAME.PARAM=VALUE, such as car.speed=7")
}

/// An object has the parameters that its scene gives it.
fn put(params: &mut BTreeMap<String, Param>, name: &str, param: &str, value: Param) -> Result<(), String> {
    let accepted: Vec<String> = params.keys().cloned().collect();
    known(&format!("the object '{name}'"), param, &accepted)?;
    let before = params.get(param).map_or(Value::Nil, |param| param.0.clone());
    if before.kind() != value.0.kind() {
        return Err(format!("--set {name}.{param}: found {}; accepted: {}", value.0.kind(), before.kind()));
    }
    params.insert(param.to_owned(), value);
    Ok(())
}

/// A figure has its motion's settings, and the parameters of its behaviours.
fn set_figure(
    figure: &mut Figure,
    param: &str,
    value: Param,
    described: &mut dyn FnMut(&str) -> Option<Vec<String>>,
) -> Result<(), String> {
    let mut accepted = Vec::new();
    if let Some(motion) = &mut figure.motion {
        // Through JSON, so that names and types are the scene format's own.
        let mut fields = serde_json::to_value(*motion).map_err(|error| error.to_string())?;
        if let Some(field) = fields.get_mut(param) {
            *field = serde_json::to_value(&value).map_err(|error| error.to_string())?;
            let changed: Motion =
                serde_json::from_value(fields).map_err(|error| format!("--set {}.{param}: {error}", figure.name))?;
            *motion = changed;
            return Ok(());
        }
        accepted.extend(fields.as_object().into_iter().flat_map(|fields| fields.keys().cloned()));
    }
    for Behaviour { script, params } in &mut figure.behaviours {
        let own = described(script).unwrap_or_else(|| params.keys().cloned().collect());
        if own.iter().any(|known| known == param) {
            params.insert(param.to_owned(), value);
            return Ok(());
        }
        accepted.extend(own);
    }
    known(&format!("the figure '{}'", figure.name), param, &accepted)
}

fn known(whose: &str, param: &str, accepted: &[String]) -> Result<(), String> {
    if accepted.iter().any(|known| known == param) { Ok(()) } else { Err(unknown(whose, "parameter", param, accepted)) }
}

fn unknown(whose: &str, what: &str, found: &str, accepted: &[String]) -> String {
    let list = if accepted.is_empty() { "none".to_owned() } else { accepted.join(", ") };
    let meant = nearest(found, accepted.iter().map(String::as_str));
    let meant = meant.map(|name| format!(" (did you mean \"{name}\"?)")).unwrap_or_default();
    format!("--set: {whose} has no {what} \"{found}\"; accepted: {list}{meant}")
}
