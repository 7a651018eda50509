//! Requests, answers, events and frames as lines of JSON.

use crate::moment::Frame;
use crate::session::Reply;
use serde_json::{Map, Value, json};
use simrun_scene::did_you_mean;
use simrun_sim::{Event, FigureHandle, Happening, Rigid, World};

/// The number of the protocol that is spoken.
pub const PROTOCOL: u32 = 1;
/// Steps between two frames where the client does not say: ten frames a second at 60 Hz.
const EVERY: u64 = 6;

/// What a request may say.
const FIELDS: [&str; 5] = ["id", "token", "line", "subscribe", "every"];
/// What one looks like.
const ACCEPTED: &str = "accepted: {\"id\": 1, \"line\": \"ann:lean()\"}, or subscribe in place of line";

/// What a client asks.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Comes back with the answer: a number or a text.
    pub id: Value,
    /// With the first request, and no other.
    pub token: Option<String>,
    /// A line, as at the prompt.
    pub line: Option<String>,
    /// `events`, `frames`: what is heard of from now on, and nothing else.
    pub subscribe: Option<Vec<String>>,
    /// Steps between two frames.
    pub every: Option<u64>,
}

impl Request {
    /// Reads a line.
    ///
    /// # Errors
    /// The answer that says what is wrong with it.
    pub fn parse(line: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(line)
            .map_err(|error| refused(&Value::Null, &format!("no JSON from letter {} on; {ACCEPTED}", error.column())))?;
        let id = value.get("id").filter(|id| id.is_number() || id.is_string()).cloned();
        Self::read(&value).map_err(|why| refused(&id.unwrap_or_default(), &why))
    }

    fn read(value: &Value) -> Result<Self, String> {
        let fields = value.as_object().ok_or_else(|| format!("found {}; {ACCEPTED}", kind(value)))?;
        if let Some(unknown) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
            let meant = did_you_mean(unknown, FIELDS);
            return Err(format!("found \"{unknown}\"; accepted: {}{meant}", FIELDS.join(", ")));
        }
        let texts = |value: &Value| value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect();
        let request = Self {
            id: read(fields, "id", "a number or a text", |id| (id.is_number() || id.is_string()).then(|| id.clone()))?
                .ok_or_else(|| format!("no id; {ACCEPTED}"))?,
            token: read(fields, "token", "a text", |token| token.as_str().map(str::to_owned))?,
            line: read(fields, "line", "a text", |line| line.as_str().map(str::to_owned))?,
            subscribe: read(fields, "subscribe", "a list of events, frames", texts)?,
            every: read(fields, "every", "a whole number of steps", Value::as_u64)?,
        };
        let asks = [request.token.is_some(), request.line.is_some(), request.subscribe.is_some()];
        match asks.into_iter().filter(|asks| *asks).count() {
            1 => Ok(request),
            _ => Err("accepted: one of token, line and subscribe".to_owned()),
        }
    }

    /// Whether events are subscribed to, and steps between frames.
    ///
    /// # Errors
    /// A name that is neither, or frames that would never come.
    pub fn subscription(&self) -> Result<(bool, u64), String> {
        let names = self.subscribe.as_deref().unwrap_or_default();
        if let Some(unknown) = names.iter().find(|name| !["events", "frames"].contains(&name.as_str())) {
            return Err(format!("subscribe: found \"{unknown}\"; accepted: events, frames"));
        }
        let has = |what: &str| names.iter().any(|name| name == what);
        match self.every.unwrap_or(EVERY) {
            0 => Err("every: found 0; accepted: 1 and more steps".to_owned()),
            every => Ok((has("events"), if has("frames") { every } else { 0 })),
        }
    }
}

/// A field of a request, if it is there.
fn read<T>(
    fields: &Map<String, Value>,
    name: &str,
    accepted: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Option<T>, String> {
    let value = |value: &Value| read(value).ok_or_else(|| format!("{name}: found {}; accepted: {accepted}", kind(value)));
    fields.get(name).map(value).transpose()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a table",
    }
}

/// What a line came to, as an answer, with what it printed.
pub fn answered(id: &Value, reply: &Reply, printed: &[String]) -> String {
    let mut answer = match reply {
        Reply::Nothing => json!({ "id": id, "ok": true }),
        Reply::Value(text) => json!({ "id": id, "ok": true, "value": text }),
        Reply::Error(why) => refusal(id, why),
        Reply::More => refusal(id, "the line is not complete"),
    };
    if !printed.is_empty() {
        answer["printed"] = json!(printed);
    }
    answer.to_string()
}

/// An answer that says why not.
pub fn refused(id: &Value, why: &str) -> String {
    refusal(id, why).to_string()
}

fn refusal(id: &Value, why: &str) -> Value {
    json!({ "id": id, "ok": false, "error": why })
}

/// The answer to a token that is right.
pub fn welcome(id: &Value) -> String {
    json!({ "id": id, "ok": true, "protocol": PROTOCOL }).to_string()
}

/// An event.
pub fn event_json(world: &World, event: &Event) -> String {
    let name = |handle: FigureHandle| world.figure(handle).map(|figure| figure.name.clone()).ok();
    let (figure, more) = match &event.what {
        Happening::Struck { figure, bone, point, impulse, closing_speed, by } => {
            let by = by.and_then(|object| world.object(object).ok()).map(|object| object.name.clone());
            (
                Some(*figure),
                json!({ "bone": bone.name(), "point": point, "impulse": impulse, "closing_speed": closing_speed, "by": by }),
            )
        }
        Happening::PhaseChanged { figure, from, to } => (Some(*figure), json!({ "from": from.name(), "to": to.name() })),
        Happening::ModeChanged { figure, from, to } => (Some(*figure), json!({ "from": from.name(), "to": to.name() })),
        Happening::GetUpWaits { figure, why } => (Some(*figure), json!({ "why": why })),
        Happening::Touched { figure, bone, object, point, speed } => {
            let object = world.object(*object).map(|object| object.name.clone()).ok();
            (Some(*figure), json!({ "bone": bone.name(), "object": object, "point": point, "speed": speed }))
        }
        Happening::Spawned(figure) | Happening::Destroyed(figure) | Happening::Poisoned(figure) => (Some(*figure), json!({})),
        _ => (None, json!({})),
    };
    json!({ "event": event.what.name(), "step": event.step, "figure": figure.and_then(name), "of": more }).to_string()
}

/// What is shown, and what was shown at this step before the last `again`.
pub fn frame_json(world: &World, ghost: Option<&Frame>) -> String {
    let figures: Map<String, Value> = world
        .figures()
        .map(|figure| {
            let bones: Vec<[f32; 7]> = figure.drawn.bodies.iter().map(seven).collect();
            let mut told = json!({ "mode": figure.mode().name(), "phase": figure.phase().name(), "bones": bones });
            if figure.feet.is_some() {
                told["ankles"] = json!(figure.drawn_bent());
            }
            (figure.name.clone(), told)
        })
        .collect();
    let objects: Map<String, Value> = world.objects().map(|object| (object.name.clone(), json!(seven(&object.pose)))).collect();
    let ghost = ghost.map(|frame| {
        let bones = |poses: &[Rigid]| json!(poses.iter().map(seven).collect::<Vec<_>>());
        frame.figures.iter().map(|(name, poses)| (name.clone(), bones(poses))).collect::<Map<String, Value>>()
    });
    let frame =
        json!({ "step": world.step_index(), "time": world.time(), "figures": figures, "objects": objects, "ghost": ghost });
    json!({ "frame": frame }).to_string()
}

/// World from body: x, y, z (m), then the unit quaternion's x, y, z, w.
fn seven(pose: &Rigid) -> [f32; 7] {
    let ([x, y, z], [i, j, k, w]) = (pose.translation.to_array(), pose.rotation.to_array());
    [x, y, z, i, j, k, w]
}
