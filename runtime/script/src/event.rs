//! Events as scripts see them.

use simrun_sim::{Event, FigureHandle, Happening, Value};
use std::collections::BTreeMap;

/// The figure that an event is about.
pub(crate) fn about(event: &Event) -> FigureHandle {
    match &event.what {
        Happening::Struck { figure, .. }
        | Happening::PhaseChanged { figure, .. }
        | Happening::ModeChanged { figure, .. }
        | Happening::GetUpWaits { figure, .. }
        | Happening::Touched { figure, .. }
        | Happening::HandedOver { figure, .. }
        | Happening::Returned { figure, .. }
        | Happening::Despawned { figure, .. }
        | Happening::Spawned(figure)
        | Happening::Destroyed(figure)
        | Happening::Poisoned(figure) => *figure,
        _ => FigureHandle::default(),
    }
}

/// What a listener to an event of one horde waits for.
pub(crate) fn of_horde(event: &str, horde: &str) -> String {
    format!("{event} {horde}")
}

/// Whether a listener waits for an event: by its name, or by that and its horde's.
pub(crate) fn is_heard(waits_for: &str, event: &Event) -> bool {
    let name = event.what.name();
    waits_for == name
        || match &event.what {
            Happening::Returned { horde, .. } | Happening::Despawned { horde, .. } => waits_for == of_horde(name, horde),
            _ => false,
        }
}

/// A table: `name`, `step`, `time`, `figure`, and what belongs to the kind.
pub(crate) fn to_value(event: &Event, dt: f64) -> Value {
    let mut fields: Vec<(&str, Value)> = vec![
        ("name", event.what.name().into()),
        ("step", (event.step as f64).into()),
        ("time", (event.step as f64 * dt).into()),
        ("figure", if about(event) == FigureHandle::default() { Value::Nil } else { Value::Figure(about(event)) }),
    ];
    match &event.what {
        Happening::Struck { bone, point, impulse, closing_speed, by, .. } => {
            fields.extend([
                ("bone", bone.name().into()),
                ("point", Value::Vector(*point)),
                ("impulse", Value::Vector(*impulse)),
                ("closing_speed", closing_speed.map_or(Value::Nil, |speed| f64::from(speed).into())),
                ("by", by.map_or(Value::Nil, Value::Object)),
            ]);
        }
        Happening::PhaseChanged { from, to, .. } => fields.extend([("from", from.name().into()), ("to", to.name().into())]),
        Happening::ModeChanged { from, to, .. } => fields.extend([("from", from.name().into()), ("to", to.name().into())]),
        Happening::GetUpWaits { why, .. } => fields.push(("why", why.as_str().into())),
        Happening::Touched { bone, object, point, speed, .. } => {
            fields.extend([
                ("bone", bone.name().into()),
                ("object", Value::Object(*object)),
                ("point", Value::Vector(*point)),
                ("speed", f64::from(*speed).into()),
            ]);
        }
        Happening::HandedOver { horde, member, .. }
        | Happening::Returned { horde, member, .. }
        | Happening::Despawned { horde, member, .. } => {
            fields.extend([("horde", horde.as_str().into()), ("member", f64::from(*member).into())]);
        }
        Happening::ObjectPoisoned(object) => fields.push(("object", Value::Object(*object))),
        _ => {}
    }
    Value::Map(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<BTreeMap<_, _>>())
}
