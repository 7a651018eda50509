//! `motion`: what a figure feels, and where its bones are against where the animation wants them.

use super::give::{Give, record};
use super::motion::motion;
use super::registry::{BONE, Binder, Entry, FIGURE, p, r};
use crate::describe::touched;
use crate::handle::Thing;
use crate::shared::{Fault, Shared};
use glam::Vec3;
use simrun_sim::solve::boundary::Contact;
use simrun_sim::space::rotation_vector;
use simrun_sim::{Bone, Figure, FigureHandle, Senses, Value};

type Bind = mlua::Result<mlua::Function>;

/// Binds one sense.
fn sense<R: Give + 'static>(binder: &Binder<'_>, read: fn(&Senses) -> R) -> Bind {
    binder.of(move |shared, (figure,): (FigureHandle,)| {
        motion(shared, figure, |_| ())?;
        shared.figure(figure, |figure| read(&figure.senses))
    })
}

/// Binds a reading of one bone's body.
fn body<R: Give + 'static>(binder: &Binder<'_>, read: fn(&Figure, Bone) -> Option<R>) -> Bind {
    binder.of(move |shared, (figure, bone): (FigureHandle, Bone)| {
        let world = shared.read()?;
        let figure = world.figure(figure)?;
        read(figure, bone).ok_or_else(|| Fault(simrun_sim::Error::NoMotion(figure.name.clone()).to_string()))
    })
}

fn palm(shared: &Shared, (figure, bone): (FigureHandle, Bone)) -> Result<Vec3, Fault> {
    let side = match bone {
        Bone::ForearmL => 0,
        Bone::ForearmR => 1,
        other => return Err(format!("bone: found {}; accepted: forearm_l, forearm_r", other.name()).into()),
    };
    let world = shared.read()?;
    let figure = world.figure(figure)?;
    let ragdoll =
        figure.motion().and(figure.model.ragdoll.as_ref().map_err(|_| simrun_sim::Error::NoMotion(figure.name.clone())))?;
    Ok(figure.bone(bone).point(ragdoll.palms[side]))
}

/// A contact as scripts see it.
pub(super) fn contact(contact: &Contact) -> Value {
    let (object, figure, other_bone) = match touched(contact.other) {
        (Thing::Object(object), _) => (Some(Value::Object(object)), None, None),
        (Thing::Figure(figure), bone) => (None, Some(Value::Figure(figure)), bone.map(Bone::name)),
    };
    record([
        ("bone", Bone::from_index(contact.body).map(|bone| bone.name().into())),
        ("point", Some(Value::Vector(contact.point))),
        ("normal", Some(Value::Vector(contact.normal))),
        ("impulse", Some(f64::from(contact.impulse).into())),
        ("closing", Some(f64::from(contact.closing).into())),
        ("fresh", Some(contact.fresh.into())),
        ("object", object),
        ("figure", figure),
        ("other_bone", other_bone.map(Into::into)),
    ])
}

pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        module: "motion",
        name: "lean",
        params: &[FIGURE],
        returns: r("rad", "number"),
        doc: "Angle between the pelvis's up and its target's.",
        example: "motion.lean(ann)",
        bind: |b| sense(b, |senses| senses.lean),
    },
    Entry {
        module: "motion",
        name: "lean_direction",
        params: &[FIGURE],
        returns: r("vector, level unit or zero", "vector"),
        doc: "Where it leans to.",
        example: "motion.lean_direction(ann)",
        bind: |b| sense(b, |senses| senses.lean_direction),
    },
    Entry {
        module: "motion",
        name: "fall_direction",
        params: &[FIGURE],
        returns: r("vector, level unit or zero", "vector"),
        doc: "Where the body falls to: where its centre of mass moves, else where it leans.",
        example: "motion.fall_direction(ann)",
        bind: |b| sense(b, |senses| senses.fall_direction),
    },
    Entry {
        module: "motion",
        name: "capture_point",
        params: &[FIGURE],
        returns: r("vector, world, m", "vector"),
        doc: "Where a foot would have to stand for the body to come to rest over it.",
        example: "motion.capture_point(ann)",
        bind: |b| sense(b, |senses| senses.capture_point),
    },
    Entry {
        module: "motion",
        name: "capture_outside",
        params: &[FIGURE],
        returns: r("m", "number"),
        doc: "How far the capture point lies outside the soles; 0 inside.",
        example: "motion.capture_outside(ann) > 0.24",
        bind: |b| sense(b, |senses| senses.capture_outside),
    },
    Entry {
        module: "motion",
        name: "support",
        params: &[FIGURE],
        returns: r("list of vectors, world, m", "{ vector }"),
        doc: "Outline of the soles on the ground.",
        example: "#motion.support(ann)",
        bind: |b| sense(b, |senses| senses.support.clone()),
    },
    Entry {
        module: "motion",
        name: "feet",
        params: &[FIGURE],
        returns: r("{ left, right, left_down, right_down }", "Feet"),
        doc: "The ankles (world, m), and whether each foot bears load.",
        example: "motion.feet(ann).left",
        bind: |b| {
            sense(b, |senses| {
                record([
                    ("left", Some(Value::Vector(senses.ankles[0]))),
                    ("right", Some(Value::Vector(senses.ankles[1]))),
                    ("left_down", Some(senses.feet_down[0].into())),
                    ("right_down", Some(senses.feet_down[1].into())),
                ])
            })
        },
    },
    Entry {
        module: "motion",
        name: "com",
        params: &[FIGURE],
        returns: r("vector, world, m", "vector"),
        doc: "Centre of mass.",
        example: "motion.com(ann)",
        bind: |b| sense(b, |senses| senses.com),
    },
    Entry {
        module: "motion",
        name: "com_velocity",
        params: &[FIGURE],
        returns: r("vector, m/s", "vector"),
        doc: "How the centre of mass moves.",
        example: "motion.com_velocity(ann)",
        bind: |b| sense(b, |senses| senses.com_velocity),
    },
    Entry {
        module: "motion",
        name: "pelvis_height",
        params: &[FIGURE],
        returns: r("m", "number"),
        doc: "Height of the pelvis over the figure's lowest point.",
        example: "motion.pelvis_height(ann)",
        bind: |b| sense(b, |senses| senses.pelvis_height),
    },
    Entry {
        module: "motion",
        name: "trunk_speed",
        params: &[FIGURE],
        returns: r("m/s", "number"),
        doc: "The greater of the pelvis's and the chest's speed.",
        example: "motion.trunk_speed(ann)",
        bind: |b| sense(b, |senses| senses.trunk_speed),
    },
    Entry {
        module: "motion",
        name: "bearing",
        params: &[FIGURE],
        returns: r("boolean", "boolean"),
        doc: "Whether a foot, shin or hand bears load, or did within the last 0.1 s.",
        example: "motion.bearing(ann)",
        bind: |b| sense(b, |senses| senses.bearing),
    },
    Entry {
        module: "motion",
        name: "load",
        params: &[FIGURE, BONE],
        returns: r("N·s", "number"),
        doc: "Contact impulse that bore a bone up in the last step.",
        example: "motion.load(ann, Bone.shin_l)",
        bind: |b| {
            b.of(|shared, (figure, bone): (FigureHandle, Bone)| shared.figure(figure, |figure| figure.senses.load[bone.index()]))
        },
    },
    Entry {
        module: "motion",
        name: "contacts",
        params: &[FIGURE],
        returns: r("list of { bone, point, normal, impulse, closing, fresh, object?, figure?, other_bone? }", "{ Contact }"),
        doc: "What touched the figure in the last step, by bone; impulse in N·s, closing in m/s.",
        example: "for _, contact in motion.contacts(ann) do print(contact.bone) end",
        bind: |b| {
            b.of(|shared, (figure,): (FigureHandle,)| {
                let world = shared.read()?;
                let contacts = &world.figure(figure)?.senses.contacts;
                Ok(contacts.iter().map(contact).collect::<Vec<_>>())
            })
        },
    },
    Entry {
        module: "motion",
        name: "target_rotation",
        params: &[FIGURE, BONE],
        returns: r("rotation vector, world, rad", "vector"),
        doc: "How the animation wants a bone turned.",
        example: "motion.target_rotation(ann, Bone.chest)",
        bind: |b| body(b, |figure, bone| Some(rotation_vector(figure.target.bodies[bone.index()].rotation))),
    },
    Entry {
        module: "motion",
        name: "target_position",
        params: &[FIGURE, BONE],
        returns: r("vector, world, m", "vector"),
        doc: "Where the animation wants a bone's centre of mass.",
        example: "motion.target_position(ann, Bone.head)",
        bind: |b| body(b, |figure, bone| Some(figure.target.bodies[bone.index()].translation)),
    },
    Entry {
        module: "motion",
        name: "turn_rate",
        params: &[FIGURE, BONE],
        returns: r("vector, world, rad/s", "vector"),
        doc: "How a bone's body turns.",
        example: "motion.turn_rate(ann, Bone.head)",
        bind: |b| body(b, |figure, bone| figure.body.map(|pose| pose.bodies[bone.index()].angular)),
    },
    Entry {
        module: "motion",
        name: "axis",
        params: &[FIGURE, BONE, p("direction", "vector", "in the bone's frame: at rest its axes are the figure's")],
        returns: r("vector, world", "vector"),
        doc: "A direction of a bone's body, turned to the world: axis(ann, \"chest\", vector.create(0, 0, 1)) is where the chest faces.",
        example: "motion.axis(ann, Bone.chest, vector.create(0, 0, 1))",
        bind: |b| {
            b.of(|shared, (figure, bone, local): (FigureHandle, Bone, Vec3)| {
                motion(shared, figure, |_| ())?;
                shared.figure(figure, |figure| figure.body.map(|pose| pose.bodies[bone.index()].pose.rotation * local))
            })
        },
    },
    Entry {
        module: "motion",
        name: "tip",
        params: &[FIGURE, BONE],
        returns: r("vector, world, m", "vector"),
        doc: "The far end of a bone's body: a forearm's wrist, a shin's ankle, the head's crown.",
        example: "motion.tip(ann, Bone.forearm_l)",
        bind: |b| body(b, |figure, bone| Some(figure.bone(bone).point(figure.model.ragdoll.as_ref().ok()?.tip_of(bone)))),
    },
    Entry {
        module: "motion",
        name: "palm",
        params: &[FIGURE, p("bone", "bone", "a forearm")],
        returns: r("vector, world, m", "vector"),
        doc: "The middle of the palm of the hand at a forearm's end.",
        example: "motion.palm(ann, Bone.forearm_l)",
        bind: |b| b.of(palm),
    },
    Entry {
        module: "motion",
        name: "torque",
        params: &[FIGURE, BONE],
        returns: r("N·m", "number"),
        doc: "Torque that the muscle of a bone's joint used at the end of the last step; 0 for the pelvis.",
        example: "motion.torque(ann, Bone.thigh_l)",
        bind: |b| {
            body(b, |figure, bone| {
                figure.motion.as_ref()?;
                let joint = bone.index().checked_sub(1).and_then(|joint| figure.solved.joints.get(joint));
                Some(joint.map_or(0.0, |joint| joint.torque))
            })
        },
    },
    Entry {
        module: "motion",
        name: "budget",
        params: &[FIGURE, BONE],
        returns: r("N·m", "number"),
        doc: "The most torque that the muscle of a bone's joint has now; 0 for the pelvis.",
        example: "motion.torque(ann, Bone.thigh_l) / motion.budget(ann, Bone.thigh_l)",
        bind: |b| {
            body(b, |figure, bone| {
                let share = figure.motion.as_ref()?.muscles.share(bone);
                Some(figure.model.ragdoll.as_ref().ok()?.budgets[bone.index()] * share)
            })
        },
    },
];
