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
        | Happening::Spawned(figure)
        | Happening::Destroyed(figure)
        | Happening::Poisoned(figure) => *figure,
        _ => FigureHandle::default(),
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
        Happening::ObjectPoisoned(object) => fields.push(("object", Value::Object(*object))),
        _ => {}
    }
    Value::Map(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<BTreeMap<_, _>>())
}
