//! `motion`: modes, hits, strengths, switches, phases.

use super::read::Read;
use super::registry::{BONE, Binder, Entry, FIGURE, NOTHING, p, r};
use crate::handle::Thing;
use crate::shared::{Fault, Shared};
use glam::Vec3;
use mlua::Value;
use simrun_sim::command::Switch;
use simrun_sim::motion::{LookAt, Motion, MotionRecord};
use simrun_sim::{Bone, Command, Figure, FigureHandle, Hit, Mode, ObjectHandle, Part, Phase, World};

/// Reads a figure's motion.
pub(super) fn motion<R>(shared: &Shared, figure: FigureHandle, read: impl FnOnce(&Motion) -> R) -> Result<R, Fault> {
    let world = shared.read()?;
    let figure = world.figure(figure)?;
    let motion = figure.motion.as_ref().ok_or_else(|| simrun_sim::Error::NoMotion(figure.name.clone()))?;
    Ok(read(motion))
}

pub(super) fn command(shared: &Shared, command: Command) -> Result<(), Fault> {
    Ok(shared.write()?.command(command)?)
}

type Bind = mlua::Result<mlua::Function>;

/// Binds a question about the phase.
fn phase_is(binder: &Binder<'_>, is: fn(Phase) -> bool) -> Bind {
    binder.of(move |shared, (figure,): (FigureHandle,)| motion(shared, figure, |motion| is(motion.phase)))
}

/// Binds a question about the record.
fn record_says<R: super::give::Give + 'static>(binder: &Binder<'_>, read: fn(&MotionRecord) -> R) -> Bind {
    binder.of(move |shared, (figure,): (FigureHandle,)| motion(shared, figure, |motion| read(&motion.record)))
}

/// Binds a switch that is true or false.
fn switch(binder: &Binder<'_>, make: fn(bool) -> Switch) -> Bind {
    binder.of(move |shared, (figure, on): (FigureHandle, bool)| command(shared, Command::SetSwitch { figure, switch: make(on) }))
}

/// Binds a switch that is a time.
fn seconds(binder: &Binder<'_>, make: fn(f32) -> Switch) -> Bind {
    binder.of(move |shared, (figure, seconds): (FigureHandle, f32)| {
        command(shared, Command::SetSwitch { figure, switch: make(seconds) })
    })
}

type HitArgs = (FigureHandle, Bone, Value, Value, Option<f32>, Option<f32>, Option<ObjectHandle>);

fn hit(shared: &Shared, (figure, bone, point, impulse, cost, closing_speed, by): HitArgs) -> Result<(), Fault> {
    // One vector alone is the impulse: `ann:hit("chest", vector.create(0, 0, 90))`.
    let (point, impulse) = if impulse.is_nil() { (Value::Nil, point) } else { (point, impulse) };
    let point = Option::<Vec3>::read(&point, shared).map_err(|fault| format!("point: {fault}"))?;
    let impulse = Vec3::read(&impulse, shared).map_err(|fault| format!("impulse: {fault}"))?;
    command(shared, Command::Hit(Hit { figure, bone, point, impulse, cost, closing_speed, by }))
}

fn look(shared: &Shared, (figure, target): (FigureHandle, Value)) -> Result<(), Fault> {
    let at = match target {
        Value::Nil => None,
        Value::Vector(_) => Some(LookAt::Point(Vec3::read(&target, shared)?)),
        other => Some(match Thing::read(&other, shared).map_err(|fault| format!("target: {fault}"))? {
            Thing::Figure(figure) => LookAt::Figure(figure),
            Thing::Object(object) => LookAt::Object(object),
        }),
    };
    command(shared, Command::Look { figure, at })
}

/// Seconds of simulation since a step.
pub(super) fn seconds_since(world: &World, step: u64) -> f64 {
    world.step_index().saturating_sub(step) as f64 * f64::from(world.dt())
}

pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        module: "motion",
        name: "set_mode",
        params: &[FIGURE, p("mode", "mode", "motion.ANIMATED, POWERED or LIMP, or their names")],
        returns: NOTHING,
        doc: "What drives the figure: its animation, its muscles, or nothing.",
        example: "motion.set_mode(ann, motion.POWERED)",
        bind: |b| b.of(|shared, (figure, mode): (FigureHandle, Mode)| command(shared, Command::SetMode { figure, mode })),
    },
    Entry {
        module: "motion",
        name: "mode",
        params: &[FIGURE],
        returns: r("a mode's number", "number"),
        doc: "What drives the figure: compare it with motion.POWERED and the others.",
        example: "motion.mode(ann) == motion.LIMP",
        bind: |b| b.of(|shared, (figure,): (FigureHandle,)| motion(shared, figure, |motion| f64::from(motion.mode as u8))),
    },
    Entry {
        module: "motion",
        name: "hit",
        params: &[
            FIGURE,
            BONE,
            p("point?", "vector", "world, m; left out: the bone's centre of mass"),
            p("impulse", "vector", "N·s, world"),
            p("cost?", "number", "share of the bone's muscle that it takes, 0..1; left out: by the speed it gives the bone"),
            p("closing_speed?", "number", "m/s, for reports"),
            p("by?", "object", "what struck"),
        ],
        returns: NOTHING,
        doc: "A blow on a bone. With one vector alone, that is the impulse.",
        example: "ann:hit(\"chest\", vector.create(0, 0, 90))",
        bind: |b| b.of(hit),
    },
    Entry {
        module: "motion",
        name: "set_strength",
        params: &[FIGURE, p("strength", "number", "share of every muscle, 0 (limp) to 1")],
        returns: NOTHING,
        doc: "How strong the whole figure is.",
        example: "motion.set_strength(ann, 0.5)",
        bind: |b| {
            b.of(|shared, (figure, strength): (FigureHandle, f32)| command(shared, Command::SetStrength { figure, strength }))
        },
    },
    Entry {
        module: "motion",
        name: "strength",
        params: &[FIGURE],
        returns: r("0..1", "number"),
        doc: "The share set with set_strength.",
        example: "motion.strength(ann)",
        bind: |b| b.of(|shared, (figure,): (FigureHandle,)| motion(shared, figure, |motion| motion.muscles.strength)),
    },
    Entry {
        module: "motion",
        name: "set_recovery",
        params: &[FIGURE, p("seconds", "number", "s, above 0; 0.8 by default")],
        returns: NOTHING,
        doc: "Seconds in which muscle that a blow took comes back.",
        example: "motion.set_recovery(ann, 1.2)",
        bind: |b| {
            b.of(|shared, (figure, seconds): (FigureHandle, f32)| command(shared, Command::SetRecovery { figure, seconds }))
        },
    },
    Entry {
        module: "motion",
        name: "set_part_strength",
        params: &[FIGURE, p("part", "part", "motion.PART_ARM_L and the others, or a name"), p("strength", "number", "0..1")],
        returns: NOTHING,
        doc: "A lasting share of one part's muscle: an injury.",
        example: "motion.set_part_strength(ann, motion.PART_LEG_R, 0.3)",
        bind: |b| {
            b.of(|shared, (figure, part, strength): (FigureHandle, Part, f32)| {
                command(shared, Command::SetPartStrength { figure, part, strength })
            })
        },
    },
    Entry {
        module: "motion",
        name: "part_strength",
        params: &[FIGURE, p("part", "part", "motion.PART_ARM_L and the others, or a name")],
        returns: r("0..1", "number"),
        doc: "The share set with set_part_strength.",
        example: "motion.part_strength(ann, \"leg_r\")",
        bind: |b| {
            b.of(|shared, (figure, part): (FigureHandle, Part)| {
                motion(shared, figure, |motion| motion.muscles.parts[part as usize])
            })
        },
    },
    Entry {
        module: "motion",
        name: "set_part_mode",
        params: &[
            FIGURE,
            p("part", "part", "motion.PART_ARM_L and the others, or a name"),
            p("mode", "mode", "motion.LIMP, POWERED or ANIMATED, or their names"),
        ],
        returns: NOTHING,
        doc: "LIMP lets a part hang; POWERED has it on its muscles while the rest follows its clip; ANIMATED takes it back.",
        example: "motion.set_part_mode(ann, motion.PART_ARM_L, motion.LIMP)",
        bind: |b| {
            b.of(|shared, (figure, part, mode): (FigureHandle, Part, Mode)| {
                command(shared, Command::SetPartMode { figure, part, mode })
            })
        },
    },
    Entry {
        module: "motion",
        name: "part_mode",
        params: &[FIGURE, p("part", "part", "motion.PART_ARM_L and the others, or a name")],
        returns: r("a mode's number", "number"),
        doc: "The mode set with set_part_mode; ANIMATED by default.",
        example: "motion.part_mode(ann, \"arm_l\") == motion.LIMP",
        bind: |b| {
            b.of(|shared, (figure, part): (FigureHandle, Part)| {
                motion(shared, figure, |motion| f64::from(motion.part_mode(part) as u8))
            })
        },
    },
    Entry {
        module: "motion",
        name: "muscle",
        params: &[FIGURE, BONE],
        returns: r("0..1", "number"),
        doc: "Share of a bone's muscle that it has now: strength × part × what blows have left.",
        example: "motion.muscle(ann, Bone.chest)",
        bind: |b| {
            b.of(|shared, (figure, bone): (FigureHandle, Bone)| motion(shared, figure, |motion| motion.muscles.share(bone)))
        },
    },
    Entry {
        module: "motion",
        name: "muscle_left",
        params: &[FIGURE, BONE],
        returns: r("0..1", "number"),
        doc: "Share of a bone's muscle that blows have left it, without strength and part.",
        example: "1 - motion.muscle_left(ann, Bone.spine)",
        bind: |b| b.of(|shared, (figure, bone): (FigureHandle, Bone)| motion(shared, figure, |motion| motion.muscles.left(bone))),
    },
    Entry {
        module: "motion",
        name: "look",
        params: &[FIGURE, p("target?", "vector, figure or object", "a place (world, m), or who or what; left out: nothing")],
        returns: NOTHING,
        doc: "What it is to look at, with its head and chest (the behaviour look). A figure is looked at in the face.",
        example: "motion.look(ann, vector.create(0, 1.6, 5))",
        bind: |b| b.of(look),
    },
    Entry {
        module: "motion",
        name: "looks_at",
        params: &[FIGURE],
        returns: r("vector, world, m, or nil", "vector?"),
        doc: "Where what it is to look at is now.",
        example: "motion.looks_at(ann)",
        bind: |b| {
            b.of(|shared, (figure,): (FigureHandle,)| {
                let world = shared.read()?;
                Ok(world.looked_at(world.figure(figure)?))
            })
        },
    },
    Entry {
        module: "motion",
        name: "set_protective",
        params: &[FIGURE, p("on", "boolean", "on by default")],
        returns: NOTHING,
        doc: "Whether it protects itself as it falls (the behaviours protective_fall, startle and brace).",
        example: "motion.set_protective(ann, false)",
        bind: |b| switch(b, Switch::Protective),
    },
    Entry {
        module: "motion",
        name: "protective",
        params: &[FIGURE],
        returns: r("boolean", "boolean"),
        doc: "Whether it protects itself as it falls.",
        example: "motion.protective(ann)",
        bind: |b| record_says(b, |record| record.protective),
    },
    Entry {
        module: "motion",
        name: "set_stepping",
        params: &[FIGURE, p("on", "boolean", "on by default")],
        returns: NOTHING,
        doc: "Whether it steps to catch itself (the behaviour catch_step).",
        example: "motion.set_stepping(ann, false)",
        bind: |b| switch(b, Switch::Stepping),
    },
    Entry {
        module: "motion",
        name: "steps_taken",
        params: &[FIGURE],
        returns: r("number", "number"),
        doc: "Catch steps since it last stood.",
        example: "motion.steps_taken(ann)",
        bind: |b| b.of(|shared, (figure,): (FigureHandle,)| motion(shared, figure, |motion| f64::from(motion.steps_taken))),
    },
    Entry {
        module: "motion",
        name: "set_hit_reaction",
        params: &[FIGURE, p("on", "boolean", "on by default")],
        returns: NOTHING,
        doc: "Whether a hand goes to the wound (the behaviour hit_reaction).",
        example: "motion.set_hit_reaction(ann, false)",
        bind: |b| switch(b, Switch::HitReaction),
    },
    Entry {
        module: "motion",
        name: "set_muscles",
        params: &[FIGURE, p("on", "boolean", "off by default")],
        returns: NOTHING,
        doc: "Whether its muscles are springs that give to what pushes them, in place of servos.",
        example: "motion.set_muscles(ann, true)",
        bind: |b| switch(b, Switch::Muscles),
    },
    Entry {
        module: "motion",
        name: "muscles",
        params: &[FIGURE],
        returns: r("boolean", "boolean"),
        doc: "What was set with set_muscles.",
        example: "motion.muscles(ann)",
        bind: |b| record_says(b, |record| record.muscles),
    },
    Entry {
        module: "motion",
        name: "set_writhing",
        params: &[FIGURE, p("seconds", "number", "s after it lands; 0, the default, never")],
        returns: NOTHING,
        doc: "How long it writhes after it lands (the behaviour writhe).",
        example: "motion.set_writhing(ann, 4)",
        bind: |b| seconds(b, Switch::Writhing),
    },
    Entry {
        module: "motion",
        name: "writhing_seconds",
        params: &[FIGURE],
        returns: r("s", "number"),
        doc: "The seconds set with set_writhing.",
        example: "motion.writhing_seconds(ann)",
        bind: |b| record_says(b, |record| record.writhing),
    },
    Entry {
        module: "motion",
        name: "writhing",
        params: &[FIGURE],
        returns: r("boolean", "boolean"),
        doc: "Whether it writhes now; no longer once it holds the shape that it ended in.",
        example: "motion.writhing(ann)",
        bind: |b| b.of(|shared, (figure,): (FigureHandle,)| shared.figure(figure, Figure::is_writhing)),
    },
    Entry {
        module: "motion",
        name: "get_up",
        params: &[FIGURE],
        returns: NOTHING,
        doc: "Gets it on its feet as soon as it lies still and has room; until then the event get_up_waits says why it waits. Nothing to one that is not down. POWERED it is POWERED again once up; any other ends ANIMATED.",
        example: "motion.get_up(ann)",
        bind: |b| b.of(|shared, (figure,): (FigureHandle,)| command(shared, Command::GetUp(figure))),
    },
    Entry {
        module: "motion",
        name: "set_get_up",
        params: &[FIGURE, p("seconds", "number", "s it lies still before; 0, the default, never")],
        returns: NOTHING,
        doc: "When it gets up by itself.",
        example: "motion.set_get_up(ann, 3)",
        bind: |b| seconds(b, Switch::GetUp),
    },
    Entry {
        module: "motion",
        name: "phase",
        params: &[FIGURE],
        returns: r("text", "string"),
        doc: "standing, stepping, staggering, falling, landed, caught, lying, getting_up or acting.",
        example: "motion.phase(ann) == \"falling\"",
        bind: |b| b.of(|shared, (figure,): (FigureHandle,)| motion(shared, figure, |motion| motion.phase.name())),
    },
    Entry {
        module: "motion",
        name: "phase_time",
        params: &[FIGURE],
        returns: r("s", "number"),
        doc: "How long the phase has lasted.",
        example: "motion.phase_time(ann)",
        bind: |b| {
            b.of(|shared, (figure,): (FigureHandle,)| {
                let since = motion(shared, figure, |motion| motion.phase_since)?;
                let world = shared.read()?;
                Ok(seconds_since(&world, since))
            })
        },
    },
    Entry {
        module: "motion",
        name: "staggering",
        params: &[FIGURE],
        returns: r("boolean", "boolean"),
        doc: "Whether it is taking a run of catch steps.",
        example: "motion.staggering(ann)",
        bind: |b| phase_is(b, |phase| phase == Phase::Staggering),
    },
    Entry {
        module: "motion",
        name: "falling",
        params: &[FIGURE],
        returns: r("boolean", "boolean"),
        doc: "Whether it is past catching itself and has not landed.",
        example: "motion.falling(ann)",
        bind: |b| phase_is(b, |phase| phase == Phase::Falling),
    },
    Entry {
        module: "motion",
        name: "landed",
        params: &[FIGURE],
        returns: r("boolean", "boolean"),
        doc: "Whether its weight has met the ground: landed, caught or lying.",
        example: "motion.landed(ann)",
        bind: |b| phase_is(b, Phase::has_landed),
    },
    Entry {
        module: "motion",
        name: "lying",
        params: &[FIGURE],
        returns: r("boolean", "boolean"),
        doc: "Whether it is at rest on the ground.",
        example: "motion.lying(ann)",
        bind: |b| phase_is(b, |phase| phase == Phase::Lying),
    },
    Entry {
        module: "motion",
        name: "down",
        params: &[FIGURE],
        returns: r("boolean", "boolean"),
        doc: "Whether it is falling or has fallen.",
        example: "motion.down(ann)",
        bind: |b| phase_is(b, Phase::is_down),
    },
    Entry::missing("motion", "on_figure", "Makes an active ragdoll for a figure."),
    Entry::missing("motion", "on_skeleton", "Makes an active ragdoll for a skeleton."),
    Entry::missing("motion", "active_ragdoll", "Whether a figure has an active ragdoll."),
    Entry::missing("motion", "from_record", "Makes a figure's motion from a record of a scene."),
    Entry::missing("motion", "swing_foot", "Swings a foot to a spot."),
    Entry::missing("motion", "plant", "Keeps a foot where it stands."),
    Entry::missing("motion", "within_cone", "The nearest rotation within a joint's range."),
];
