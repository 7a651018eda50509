//! `physics`: objects, rays, what is near.

use super::give::record;
use super::registry::{Entry, FIGURE, NOTHING, OBJECT, p, r};
use super::senses::contact;
use crate::describe::touched;
use crate::handle::Thing;
use crate::shared::{Fault, Shared};
use glam::Vec3;
use simrun_sim::space::{Rigid, rotation_from_vector};
use simrun_sim::{Bone, Command, FigureHandle, ObjectHandle, Value};

fn command(shared: &Shared, command: Command) -> Result<(), Fault> {
    Ok(shared.write()?.command(command)?)
}

/// A length (m) that was given for an argument.
fn length(name: &str, metres: f32) -> Result<f32, Fault> {
    if metres >= 0.0 { Ok(metres) } else { Err(format!("{name}: found {metres}; accepted: 0 or more").into()) }
}

fn raycast(shared: &Shared, (from, direction, reach): (Vec3, Vec3, f32)) -> Result<Option<Value>, Fault> {
    let direction = direction.try_normalize().ok_or("direction: found zero; accepted: a vector with a length")?;
    let hit = shared.read()?.raycast(from, direction, length("reach", reach)?);
    Ok(hit.map(|hit| {
        record([
            ("point", Some(Value::Vector(hit.point))),
            ("normal", Some(Value::Vector(hit.normal))),
            ("distance", Some(f64::from(hit.distance).into())),
            ("object", hit.object.map(Value::Object)),
            ("figure", hit.figure.map(|(figure, _)| Value::Figure(figure))),
            ("bone", hit.figure.map(|(_, bone)| bone.name().into())),
        ])
    }))
}

fn near(shared: &Shared, (object, margin): (ObjectHandle, f32)) -> Result<Vec<Value>, Fault> {
    let world = shared.read()?;
    world.object(object)?;
    let list = world.near(object, length("margin", margin)?).into_iter().map(|near| {
        record([
            ("figure", Some(Value::Figure(near.figure))),
            ("bone", Some(near.bone.name().into())),
            ("distance", Some(f64::from(near.distance).into())),
            ("closing", Some(f64::from(near.closing).into())),
            ("point", Some(Value::Vector(near.point))),
        ])
    });
    Ok(list.collect())
}

/// The contacts of every figure with an object, as the figures' side sees them.
fn contacts(shared: &Shared, (object,): (ObjectHandle,)) -> Result<Vec<Value>, Fault> {
    let world = shared.read()?;
    world.object(object)?;
    let mut found = Vec::new();
    for figure in world.figures() {
        for touching in figure.senses.contacts.iter().filter(|contact| touched(contact.other).0 == Thing::Object(object)) {
            let Value::Map(mut fields) = contact(touching) else { continue };
            fields.remove("object");
            fields.insert("figure".to_owned(), Value::Figure(figure.handle));
            found.push(Value::Map(fields));
        }
    }
    Ok(found)
}

type PlaceArgs = (ObjectHandle, Vec3, Option<Vec3>);

fn place(shared: &Shared, (object, position, rotation): PlaceArgs) -> Result<(), Fault> {
    let now = shared.object(object, |object| object.pose.rotation)?;
    let pose = Rigid::new(rotation.map_or(now, rotation_from_vector), position);
    command(shared, Command::Place { object, pose })
}

pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        module: "physics",
        name: "impulse",
        params: &[OBJECT, p("impulse", "vector", "N·s, world"), p("point?", "vector", "world, m; left out: its centre")],
        returns: NOTHING,
        doc: "Pushes a dynamic object.",
        example: "physics.impulse(crate, vector.create(0, 40, 0))",
        bind: |b| {
            b.of(|shared, (object, impulse, point): (ObjectHandle, Vec3, Option<Vec3>)| {
                command(shared, Command::Impulse { object, impulse, point })
            })
        },
    },
    Entry {
        module: "physics",
        name: "set_velocity",
        params: &[OBJECT, p("linear", "vector", "m/s"), p("angular?", "vector", "rad/s, world; 0 where left out")],
        returns: NOTHING,
        doc: "Gives an object a velocity: a kinematic one keeps it until told otherwise.",
        example: "car:set_velocity(vector.create(0, 0, 7))",
        bind: |b| {
            b.of(|shared, (object, linear, angular): (ObjectHandle, Vec3, Option<Vec3>)| {
                command(shared, Command::SetVelocity { object, linear, angular: angular.unwrap_or(Vec3::ZERO) })
            })
        },
    },
    Entry {
        module: "physics",
        name: "put",
        params: &[OBJECT, p("position", "vector", "world, m"), p("rotation?", "rotation vector", "rad; left out: as it is")],
        returns: NOTHING,
        doc: "Puts an object elsewhere.",
        example: "car:put(vector.create(0, 0.7, -30))",
        bind: |b| b.of(place),
    },
    Entry {
        module: "physics",
        name: "kind",
        params: &[OBJECT],
        returns: r("text", "string"),
        doc: "fixed, kinematic or dynamic.",
        example: "car:kind()",
        bind: |b| {
            b.of(|shared, (object,): (ObjectHandle,)| shared.object(object, |object| crate::describe::kind_name(object.kind)))
        },
    },
    Entry {
        module: "physics",
        name: "raycast",
        params: &[p("from", "vector", "world, m"), p("direction", "vector", "any length"), p("reach", "number", "m")],
        returns: r("{ point, normal, distance, object?, figure?, bone? } or nil", "RayHit?"),
        doc: "The first thing that a ray meets.",
        example: "physics.raycast(ann:position(), vector.create(0, -1, 0), 2)",
        bind: |b| b.of(raycast),
    },
    Entry {
        module: "physics",
        name: "near",
        params: &[OBJECT, p("margin", "number", "m")],
        returns: r("list of { figure, bone, distance, closing, point }", "{ Near }"),
        doc: "Figures within a margin of an object, and how fast the two close (m/s).",
        example: "for _, near in physics.near(car, 0.5) do print(near.figure, near.closing) end",
        bind: |b| b.of(near),
    },
    Entry {
        module: "physics",
        name: "pass_through",
        params: &[FIGURE, OBJECT],
        returns: NOTHING,
        doc: "Turns contact between a figure and an object off until they are apart: for a blow that replaces contact.",
        example: "physics.pass_through(ann, car)",
        bind: |b| {
            b.of(|shared, (figure, object): (FigureHandle, ObjectHandle)| {
                command(shared, Command::PassThrough { figure, object })
            })
        },
    },
    Entry {
        module: "physics",
        name: "gravity",
        params: &[],
        returns: r("vector, m/s²", "vector"),
        doc: "The world's gravity.",
        example: "physics.gravity().y",
        bind: |b| b.of(|shared, ()| Ok(shared.read()?.settings().gravity)),
    },
    Entry {
        module: "physics",
        name: "bone_mass",
        params: &[FIGURE, super::registry::BONE],
        returns: r("kg", "number"),
        doc: "Mass of a bone's body; nil where the figure has no ragdoll.",
        example: "ann:bone_mass(\"chest\")",
        bind: |b| {
            b.of(|shared, (figure, bone): (FigureHandle, Bone)| {
                shared.figure(figure, |figure| {
                    figure.model.ragdoll.as_ref().ok().map(|ragdoll| ragdoll.topology.bodies[bone.index()].mass)
                })
            })
        },
    },
    Entry {
        module: "physics",
        name: "contacts",
        params: &[OBJECT],
        returns: r("list of { figure, bone, point, normal, impulse, closing, fresh }", "{ Contact }"),
        doc: "What of figures touched an object in the last step, figure by figure; impulse in N·s, closing in m/s.",
        example: "for _, contact in physics.contacts(car) do print(contact.figure, contact.bone) end",
        bind: |b| b.of(contacts),
    },
    Entry {
        module: "physics",
        name: "remove",
        params: &[OBJECT],
        returns: NOTHING,
        doc: "Takes an object out.",
        example: "physics.remove(crate)",
        bind: |b| b.of(|shared, (object,): (ObjectHandle,)| command(shared, Command::DestroyObject(object))),
    },
    Entry::missing("physics", "add", "Adds an object."),
    Entry::missing("physics", "overlap", "What overlaps a shape."),
];
