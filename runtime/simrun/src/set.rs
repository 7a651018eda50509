//! `--set NAME.PARAM=V`: parameters from the command line, put into the scene before it is built.

use simrun_scene::{Code, Figure, Motion, Param, ParamRange, Problem, Refusal, Scene, nearest};
use simrun_sim::Value;
use std::collections::BTreeMap;

/// What a script says of its parameters, where it loads.
type Described<'a> = dyn FnMut(&str) -> Option<Vec<ParamRange>> + 'a;

/// What figures' settings stand under in scenes.
const MOTION: &str = "motion";

/// Sets one parameter of an object, of a figure's motion or behaviours (`ann.tuck`, `ann.protective_fall.tuck`, `ann.motion.anchor`), or of a
/// script on every figure that carries it (`writhe.hips`), or a setting of every figure (`motion.anchor`).
///
/// `described` says which parameters a script has and their ranges, where that is known.
///
/// # Errors
/// What was found, what is accepted, the nearest name; the scene is as it was.
pub fn set(scene: &mut Scene, assignment: &str, described: &mut Described<'_>) -> Result<(), Box<Problem>> {
    let (target, text) = assignment.split_once('=').ok_or_else(|| form(assignment))?;
    let (name, param) = target.rsplit_once('.').ok_or_else(|| form(assignment))?;
    // What is no JSON is text: `--set ann.mode=limp`.
    let value = serde_json::from_str(text).unwrap_or_else(|_| Param(Value::Text(text.to_owned())));
    let before = scene.clone();
    put(scene, Assignment { name, param, value }, described)?;
    // The scene was good before: what is wrong with it now is this value.
    match scene.flaws().into_iter().next() {
        None => Ok(()),
        Some(flaw) => {
            *scene = before;
            Err(Box::new(Problem { code: Code::SetRange, path: format!("--set {name}.{param}"), ..flaw }))
        }
    }
}

/// An assignment in its parts.
struct Assignment<'a> {
    name: &'a str,
    param: &'a str,
    value: Param,
}

impl Assignment<'_> {
    fn out_of_range(&self, found: impl Into<String>, accepted: impl Into<String>) -> Box<Problem> {
        self.wrong(Code::SetRange, found, accepted)
    }

    fn wrong(&self, code: Code, found: impl Into<String>, accepted: impl Into<String>) -> Box<Problem> {
        Box::new(Problem::argument(code, format!("--set {}.{}", self.name, self.param), found, accepted))
    }

    /// What a script says of the value.
    fn check(&self, known: &[ParamRange], script: &str) -> Result<(), Box<Problem>> {
        match ParamRange::refuse(known, script, self.param, &self.value.0) {
            None => Ok(()),
            Some(Refusal { is_unknown: false, found, accepted, .. }) => Err(self.out_of_range(found, accepted)),
            Some(Refusal { .. }) => {
                let names: Vec<String> = known.iter().map(|range| range.name.clone()).collect();
                Err(unknown(&format!("the script '{script}'"), "parameter", self.param, &names))
            }
        }
    }
}

fn put(scene: &mut Scene, set: Assignment<'_>, described: &mut Described<'_>) -> Result<(), Box<Problem>> {
    let name = set.name;
    if let Some(object) = scene.objects.iter_mut().find(|object| object.name == name) {
        return put_object(&mut object.params, set);
    }
    if let Some(figure) = scene.figures.iter_mut().find(|figure| figure.name == name) {
        return put_figure(figure, set, described);
    }
    // `ann.motion.anchor`, as scenes have it, and `motion.anchor` of all.
    let (whose, of_motion) =
        name.rsplit_once('.').map_or((None, name == MOTION), |(figure, last)| (Some(figure), last == MOTION));
    let of_these = |figure: &&mut Figure| whose.is_none_or(|whose| figure.name == whose);
    let mut motions = scene.figures.iter_mut().filter(of_these).filter_map(|figure| figure.motion.as_mut()).peekable();
    if of_motion && motions.peek().is_some() {
        return motions.try_for_each(|motion| match put_motion(motion, &set)? {
            None => Ok(()),
            Some(settings) => Err(unknown(&format!("\"{name}\""), "setting", set.param, &settings)),
        });
    }
    // `ann.writhe.hips`: of one figure's script.
    let of_one = name.split_once('.').and_then(|(figure, script)| {
        let figure = scene.figures.iter_mut().find(|known| known.name == figure)?;
        figure.behaviours.iter_mut().find(|behaviour| behaviour.script == script)
    });
    if let Some(behaviour) = of_one {
        if let Some(known) = described(&behaviour.script) {
            set.check(&known, &behaviour.script)?;
        }
        behaviour.params.insert(set.param.to_owned(), set.value);
        return Ok(());
    }
    let carried = || scene.behaviours().map(|(_, behaviour)| behaviour);
    if carried().any(|behaviour| behaviour.script == name) {
        // A script that does not load is told of by itself.
        if let Some(known) = described(name) {
            set.check(&known, name)?;
        }
        let pools = scene.hordes.iter_mut().flat_map(|horde| &mut horde.behaviours);
        for behaviour in scene.figures.iter_mut().flat_map(|figure| &mut figure.behaviours).chain(pools) {
            if behaviour.script == name {
                behaviour.params.insert(set.param.to_owned(), set.value.clone());
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

fn form(found: &str) -> Box<Problem> {
    Box::new(Problem::argument(Code::SetForm, "--set", format!("\"{found}\""), "NAME.PARAM=VALUE, such as car.speed=7"))
}

/// An object has the parameters that its scene gives it.
fn put_object(params: &mut BTreeMap<String, Param>, set: Assignment<'_>) -> Result<(), Box<Problem>> {
    let Some(before) = params.get(set.param) else {
        let accepted: Vec<String> = params.keys().cloned().collect();
        return Err(unknown(&format!("the object '{}'", set.name), "parameter", set.param, &accepted));
    };
    if before.0.kind() != set.value.0.kind() {
        return Err(set.out_of_range(set.value.0.kind(), before.0.kind()));
    }
    params.insert(set.param.to_owned(), set.value);
    Ok(())
}

/// Sets one of a figure's settings; where it has no such, those that it has.
fn put_motion(motion: &mut Motion, set: &Assignment<'_>) -> Result<Option<Vec<String>>, Box<Problem>> {
    // Through JSON, so that names and types are the scene format's own.
    let json = |value: serde_json::Result<serde_json::Value>| value.unwrap_or_default();
    let mut fields = json(serde_json::to_value(*motion));
    let Some(field) = fields.get_mut(set.param) else {
        return Ok(Some(fields.as_object().into_iter().flat_map(|fields| fields.keys().cloned()).collect()));
    };
    *field = json(serde_json::to_value(&set.value));
    *motion = serde_json::from_value::<Motion>(fields).map_err(|error| {
        let said = error.to_string().replace('`', "");
        let (found, accepted) = said.split_once(", expected ").unwrap_or((&said, ""));
        set.out_of_range(found, accepted.strip_prefix("one of ").unwrap_or(accepted))
    })?;
    Ok(None)
}

/// A figure has its motion's settings, and the parameters of its behaviours.
fn put_figure(figure: &mut Figure, set: Assignment<'_>, described: &mut Described<'_>) -> Result<(), Box<Problem>> {
    let mut accepted = Vec::new();
    if let Some(motion) = &mut figure.motion {
        match put_motion(motion, &set)? {
            None => return Ok(()),
            Some(settings) => accepted.extend(settings),
        }
    }
    let mut having = Vec::new();
    for behaviour in &mut figure.behaviours {
        let known = described(&behaviour.script).unwrap_or_default();
        accepted.extend(known.iter().map(|range| range.name.clone()));
        if known.iter().any(|range| range.name == set.param) {
            having.push((behaviour, known));
        }
    }
    if having.len() > 1 {
        let scripts: Vec<&str> = having.iter().map(|(behaviour, _)| behaviour.script.as_str()).collect();
        let each: Vec<String> = scripts.iter().map(|script| format!("{}.{script}.{}", figure.name, set.param)).collect();
        let found = format!("a parameter of {}", scripts.join(" and of "));
        let accepted = each.join(" or ");
        return Err(set.wrong(Code::SetAmbiguous, found, accepted));
    }
    if let Some((behaviour, known)) = having.pop() {
        set.check(&known, &behaviour.script)?;
        behaviour.params.insert(set.param.to_owned(), set.value);
        return Ok(());
    }
    Err(unknown(&format!("the figure '{}'", figure.name), "parameter", set.param, &accepted))
}

fn unknown(whose: &str, what: &str, found: &str, accepted: &[String]) -> Box<Problem> {
    let list = if accepted.is_empty() { "none".to_owned() } else { accepted.join(", ") };
    let meant = nearest(found, accepted.iter().map(String::as_str));
    Box::new(Problem::argument(Code::SetUnknown, "--set", format!("{whose} has no {what} \"{found}\""), list).meaning(meant))
}
