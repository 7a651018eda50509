//! `figure`: clips, places, bones.

use super::give::record;
use super::registry::{Binder, Entry, FIGURE, NOTHING, Param, THING, p, r};
use crate::handle::Thing;
use crate::nearest::accepted;
use crate::shared::{Fault, Shared};
use glam::Vec3;
use simrun_sim::space::{Rigid, rotation_from_vector, rotation_vector, yaw_of};
use simrun_sim::{Bone, Command, Figure, FigureHandle, Value};

const ANY_BONE: Param = p("bone?", "bone", "left out: the pelvis, or the place of a figure without bodies");

/// Where a bone is and how it moves: world from body, m/s.
fn bone_state(figure: &Figure, bone: Option<Bone>) -> (Rigid, Vec3) {
    let index = bone.unwrap_or(Bone::Pelvis).index();
    match (&figure.body, bone) {
        (Some(pose), _) => (pose.bodies[index].pose, pose.bodies[index].linear),
        (None, Some(_)) => (figure.target.bodies[index], figure.target.linear[index]),
        (None, None) => (figure.place, Vec3::ZERO),
    }
}

/// Binds a reading of a bone, or of an object.
fn state<R: super::give::Give + 'static>(binder: &Binder<'_>, read: fn(Rigid, Vec3) -> R) -> mlua::Result<mlua::Function> {
    binder.of(move |shared, (thing, bone): (Thing, Option<Bone>)| match thing {
        Thing::Figure(figure) => shared.figure(figure, |figure| {
            let (pose, velocity) = bone_state(figure, bone);
            read(pose, velocity)
        }),
        Thing::Object(object) => shared.object(object, |object| read(object.pose, object.linear)),
    })
}

type PlayArgs = (FigureHandle, String, Option<f32>, Option<bool>, Option<f32>);

fn play(shared: &Shared, (figure, clip, speed, looped, fade): PlayArgs) -> Result<(), Fault> {
    shared.figure(figure, |figure| known_clip(figure, &clip))??;
    let (speed, looped, fade) = (speed.unwrap_or(1.0), looped.unwrap_or(true), fade.unwrap_or(0.2));
    Ok(shared.write()?.command(Command::Play { figure, clip, speed, looped, fade })?)
}

fn known_clip(figure: &Figure, clip: &str) -> Result<(), Fault> {
    let names = || figure.model.rig.clips.iter().map(|clip| clip.name.as_str());
    if names().any(|known| known == clip) {
        return Ok(());
    }
    Err(Fault(format!("the model of '{}' has no clip '{clip}'{}", figure.name, accepted(clip, names()))))
}

fn pose(figure: &Figure) -> Value {
    let list = |of: fn(Rigid) -> Vec3| Value::List(Bone::ALL.map(|bone| Value::Vector(of(figure.bone(bone)))).into());
    record([("positions", Some(list(|pose| pose.translation))), ("rotations", Some(list(|pose| rotation_vector(pose.rotation))))])
}

fn set_pose(shared: &Shared, (figure, pose): (FigureHandle, Value)) -> Result<(), Fault> {
    let Value::Map(fields) = &pose else {
        return Err(format!("pose: found {}; accepted: a table as figure.pose gives it", pose.kind()).into());
    };
    let list = |name: &str| -> Result<Vec<Vec3>, Fault> {
        let vector = |value: &Value| if let Value::Vector(vector) = value { Some(*vector) } else { None };
        let found: Option<Vec<Vec3>> = match fields.get(name) {
            Some(Value::List(items)) if items.len() == Bone::ALL.len() => items.iter().map(vector).collect(),
            _ => None,
        };
        found.ok_or_else(|| Fault(format!("pose: {name}: accepted: a list of {} vectors, one a bone", Bone::ALL.len())))
    };
    let (positions, rotations) = (list("positions")?, list("rotations")?);
    let bodies = std::array::from_fn(|bone| Rigid::new(rotation_from_vector(rotations[bone]), positions[bone]));
    Ok(shared.write()?.command(Command::SetBodies { figure, bodies: Box::new(bodies) })?)
}

pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        module: "figure",
        name: "play",
        params: &[
            FIGURE,
            p("clip", "text", "a name of figure.clips"),
            p("speed?", "number", "1, the default, is as recorded; negative runs backwards"),
            p("loop?", "boolean", "true by default"),
            p("fade?", "number", "s to blend in over; 0.2 by default"),
        ],
        returns: NOTHING,
        doc: "Plays a clip; what moved the same bones before fades out.",
        example: "figure.play(ann, \"Walk\", 1.2)",
        bind: |b| b.of(play),
    },
    Entry {
        module: "figure",
        name: "stop",
        params: &[FIGURE, p("clip?", "text", "left out: all of them")],
        returns: NOTHING,
        doc: "Stops a clip: the pose stays where it is.",
        example: "figure.stop(ann)",
        bind: |b| {
            b.of(|shared, (figure, clip): (FigureHandle, Option<String>)| {
                if let Some(clip) = &clip {
                    shared.figure(figure, |figure| known_clip(figure, clip))??;
                }
                Ok(shared.write()?.command(Command::Stop { figure, clip })?)
            })
        },
    },
    Entry {
        module: "figure",
        name: "clips",
        params: &[FIGURE],
        returns: r("list of text", "{ string }"),
        doc: "The clips of its model.",
        example: "figure.clips(ann)",
        bind: |b| {
            b.of(|shared, (figure,): (FigureHandle,)| {
                shared.figure(figure, |figure| figure.model.rig.clips.iter().map(|clip| clip.name.clone()).collect::<Vec<_>>())
            })
        },
    },
    Entry {
        module: "figure",
        name: "bones",
        params: &[],
        returns: r("list of text", "{ string }"),
        doc: "The names of the bones, parents first; Bone.chest and the others are their numbers.",
        example: "for _, bone in figure.bones() do print(bone) end",
        bind: |b| b.of(|_, ()| Ok(super::bone_names().collect::<Vec<_>>())),
    },
    Entry {
        module: "figure",
        name: "name",
        params: &[THING],
        returns: r("text", "string"),
        doc: "Its name in the scene.",
        example: "ann:name()",
        bind: |b| {
            b.of(|shared, (thing,): (Thing,)| match thing {
                Thing::Figure(figure) => shared.figure(figure, |figure| figure.name.clone()),
                Thing::Object(object) => shared.object(object, |object| object.name.clone()),
            })
        },
    },
    Entry {
        module: "figure",
        name: "mass",
        params: &[THING],
        returns: r("kg", "number"),
        doc: "Mass of a figure's bodies, or of an object; 0 for a figure without a ragdoll.",
        example: "ann:mass()",
        bind: |b| {
            b.of(|shared, (thing,): (Thing,)| match thing {
                Thing::Figure(figure) => {
                    shared.figure(figure, |figure| figure.model.ragdoll.as_ref().map_or(0.0, |ragdoll| ragdoll.mass))
                }
                Thing::Object(object) => shared.object(object, |object| object.mass),
            })
        },
    },
    Entry {
        module: "figure",
        name: "position",
        params: &[THING, ANY_BONE],
        returns: r("vector, world, m", "vector"),
        doc: "Where a bone's centre of mass is, or an object.",
        example: "ann:position(\"head\").y",
        bind: |b| state(b, |pose, _| pose.translation),
    },
    Entry {
        module: "figure",
        name: "rotation",
        params: &[THING, ANY_BONE],
        returns: r("rotation vector, world, rad", "vector"),
        doc: "How a bone is turned from the rest pose facing +Z, or an object.",
        example: "ann:rotation(\"chest\")",
        bind: |b| state(b, |pose, _| rotation_vector(pose.rotation)),
    },
    Entry {
        module: "figure",
        name: "velocity",
        params: &[THING, ANY_BONE],
        returns: r("vector, m/s", "vector"),
        doc: "How a bone's centre of mass moves, or an object.",
        example: "vector.magnitude(ann:velocity())",
        bind: |b| state(b, |_, velocity| velocity),
    },
    Entry {
        module: "figure",
        name: "facing",
        params: &[THING],
        returns: r("rad, −π..π", "number"),
        doc: "The yaw it faces: 0 along +Z, positive toward +X.",
        example: "math.deg(ann:facing())",
        bind: |b| state(b, |pose, _| yaw_of(pose.rotation)),
    },
    Entry {
        module: "figure",
        name: "place",
        params: &[FIGURE],
        returns: r("vector, world, m", "vector"),
        doc: "Where its animation stands: on the ground between the feet.",
        example: "ann:place()",
        bind: |b| b.of(|shared, (figure,): (FigureHandle,)| shared.figure(figure, |figure| figure.place.translation)),
    },
    Entry {
        module: "figure",
        name: "move_to",
        params: &[FIGURE, p("position", "vector", "world, m"), p("yaw?", "number", "rad; left out: as it faces")],
        returns: NOTHING,
        doc: "Puts a figure elsewhere, bodies and all.",
        example: "ann:move_to(vector.create(1, 0, 4), math.rad(90))",
        bind: |b| {
            b.of(|shared, (figure, position, yaw): (FigureHandle, Vec3, Option<f32>)| {
                Ok(shared.write()?.command(Command::MoveTo { figure, position, yaw })?)
            })
        },
    },
    Entry {
        module: "figure",
        name: "humanoid_scheme",
        params: &[FIGURE],
        returns: r("text or nil", "string?"),
        doc: "The way its model names a person's bones; nil where no ragdoll fits.",
        example: "ann:humanoid_scheme()",
        bind: |b| {
            b.of(|shared, (figure,): (FigureHandle,)| {
                shared.figure(figure, |figure| figure.model.ragdoll.as_ref().ok().map(|ragdoll| format!("{:?}", ragdoll.scheme)))
            })
        },
    },
    Entry {
        module: "figure",
        name: "pose",
        params: &[FIGURE],
        returns: r("{ positions, rotations }: by Bone, world, m and rotation vectors in rad", "Pose"),
        doc: "Where all bones are, as position and rotation say it of one.",
        example: "figure.pose(ann).positions[Bone.head]",
        bind: |b| b.of(|shared, (figure,): (FigureHandle,)| shared.figure(figure, pose)),
    },
    Entry {
        module: "figure",
        name: "set_pose",
        params: &[FIGURE, p("pose", "pose", "as figure.pose gives it: every bone; world, m and rad")],
        returns: NOTHING,
        doc: "Puts all bones elsewhere, at rest; for a figure that an animation does not drive.",
        example: "ann:set_pose(ann:pose())",
        bind: |b| b.of(set_pose),
    },
];
