//! `motion`: claims on limbs. A behaviour's claims are owned under its script's name, the prompt's under `prompt`.

use super::read::Options;
use super::registry::{BONE, Binder, Entry, FIGURE, NOTHING, Param, p, r};
use crate::shared::{Caller, Fault, Shared};
use glam::Vec3;
use simrun_sim::figure::Ragdoll;
use simrun_sim::space::rotation_from_vector;
use simrun_sim::{Bone, Claim, FigureHandle, Want};
use std::ops::RangeInclusive;

const OPTIONS: Param = p(
    "options?",
    "claim options",
    "priority (10; at the prompt 100), share of the muscle 0..3 (1), blend s (0), blend_out s (0): how long it goes back when it is let go",
);
/// A behaviour's claims stand above native controllers', which claim at 0.
pub(super) const BEHAVIOUR_PRIORITY: f64 = 10.0;
/// Shares of a muscle that `weaken` leaves.
pub(super) const WEAKENS: RangeInclusive<f32> = 0.0..=1.0;
/// Shares of a muscle that `tense` gives.
pub(super) const TENSES: RangeInclusive<f32> = 1.0..=3.0;
/// What a person asks for at the prompt outranks every behaviour.
const PROMPT_PRIORITY: f64 = 100.0;

/// Claims a bone for the present caller.
fn claim(shared: &Shared, figure: FigureHandle, bone: Bone, want: Want, options: &Options) -> Result<(), Fault> {
    options.only(&["priority", "share", "blend", "blend_out"])?;
    let usual = if *shared.caller.borrow() == Caller::Prompt { PROMPT_PRIORITY } else { BEHAVIOUR_PRIORITY };
    let claim = Claim {
        share: options.get("share", 1.0, shared)?,
        blend_in: options.get("blend", 0.0, shared)?,
        blend_out: options.get("blend_out", 0.0, shared)?,
        ..Claim::new(bone, want, options.get("priority", usual, shared)? as i32, shared.owner())
    };
    Ok(shared.write()?.claim(figure, claim)?)
}

fn hold_shape(shared: &Shared, (figure, share, options): (FigureHandle, f32, Options)) -> Result<(), Fault> {
    options.only(&["priority", "blend", "blend_out"])?;
    let owner = shared.owner();
    let mut held = Vec::new();
    shared.figure(figure, |figure| {
        let bodies = figure.body.map(|pose| pose.bodies.map(|body| body.pose));
        let joints = Ragdoll::joint_rotations(&bodies.unwrap_or(figure.target.bodies));
        for bone in Bone::ALL.into_iter().skip(1) {
            let mut own = figure.claims.iter().filter(|claim| claim.owner == owner && claim.covers(bone));
            match own.find(|claim| !matches!(claim.want, Want::Weaken)).map(|claim| claim.want) {
                Some(Want::Hold(rotation)) => held.push((bone, rotation)),
                Some(_) => {}
                None => held.push((bone, joints[bone.index()])),
            }
        }
    })?;
    let options = options.with("share", share);
    held.into_iter().try_for_each(|(bone, rotation)| claim(shared, figure, bone, Want::Hold(rotation), &options))
}

/// Refuses the one bone that hangs on no joint.
pub(super) fn hangs(bone: Bone) -> Result<(), Fault> {
    let pelvis = || "bone: found pelvis, which hangs on no joint; accepted: any other bone".into();
    if bone == Bone::Pelvis { Err(pelvis()) } else { Ok(()) }
}

fn hold(shared: &Shared, (figure, bone, options): (FigureHandle, Bone, Options)) -> Result<(), Fault> {
    hangs(bone)?;
    let owner = shared.owner();
    let joint = shared.figure(figure, |figure| {
        let mut own = figure.claims.iter().filter(|claim| claim.owner == owner && claim.bone == bone);
        let held = own.find_map(|claim| if let Want::Hold(rotation) = claim.want { Some(rotation) } else { None });
        held.unwrap_or_else(|| figure.joint_rotations()[bone.index()])
    })?;
    claim(shared, figure, bone, Want::Hold(joint), &options)
}

fn point(shared: &Shared, (figure, bone, direction, options): (FigureHandle, Bone, Vec3, Options)) -> Result<(), Fault> {
    let direction = direction.try_normalize().ok_or("direction: found zero; accepted: a vector with a length")?;
    claim(shared, figure, bone, Want::Point(direction), &options)
}

fn release_all(shared: &Shared, (figure,): (FigureHandle,)) -> Result<(), Fault> {
    let owner = shared.owner();
    Ok(shared.write()?.release(figure, &owner, None)?)
}

/// Binds what changes a bone's muscle alone.
fn scale(binder: &Binder<'_>, accepted: RangeInclusive<f32>) -> mlua::Result<mlua::Function> {
    binder.of(move |shared, (figure, bone, share): (FigureHandle, Bone, f32)| {
        if !accepted.contains(&share) {
            return Err(format!("share: found {share}; accepted: {} to {}", accepted.start(), accepted.end()).into());
        }
        claim(shared, figure, bone, Want::Weaken, &Options::default().with("share", share))
    })
}

/// Whether a bone is the upper one of a limb.
pub(super) const fn reaches(bone: Bone) -> bool {
    matches!(bone, Bone::UpperArmL | Bone::UpperArmR | Bone::ThighL | Bone::ThighR)
}

type ReachArgs = (FigureHandle, Bone, Vec3, Option<Vec3>, Options);

fn reach(shared: &Shared, (figure, bone, point, pole, options): ReachArgs) -> Result<(), Fault> {
    if !reaches(bone) {
        let accepted = "upper_arm_l, upper_arm_r, thigh_l, thigh_r";
        return Err(format!("bone: found {}; accepted: the limb's upper bone, {accepted}", bone.name()).into());
    }
    claim(shared, figure, bone, Want::Reach { point, pole: pole.unwrap_or(Vec3::ZERO) }, &options)
}

pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        module: "motion",
        name: "aim",
        params: &[FIGURE, BONE, p("rotation", "rotation vector", "world, rad: axis × angle"), OPTIONS],
        returns: NOTHING,
        doc: "Turns a bone's body to a rotation in the world.",
        example: "motion.aim(ann, Bone.head, vector.create(0, 0.5, 0), { share = 0.6 })",
        bind: |b| {
            b.of(|shared, (figure, bone, rotation, options): (FigureHandle, Bone, Vec3, Options)| {
                claim(shared, figure, bone, Want::Aim(rotation_from_vector(rotation)), &options)
            })
        },
    },
    Entry {
        module: "motion",
        name: "point",
        params: &[FIGURE, BONE, p("direction", "vector", "world, any length"), OPTIONS],
        returns: NOTHING,
        doc: "Points a bone along a direction, by the shortest turn.",
        example: "motion.point(ann, Bone.upper_arm_l, vector.create(0, -1, 1))",
        bind: |b| b.of(point),
    },
    Entry {
        module: "motion",
        name: "bend",
        params: &[FIGURE, BONE, p("rotation", "rotation vector", "in the parent's frame, rad"), OPTIONS],
        returns: NOTHING,
        doc: "Turns a bone under its parent, from where the animation has it.",
        example: "motion.bend(ann, Bone.shin_l, vector.create(0.6, 0, 0))",
        bind: |b| {
            b.of(|shared, (figure, bone, rotation, options): (FigureHandle, Bone, Vec3, Options)| {
                claim(shared, figure, bone, Want::Bend(rotation), &options)
            })
        },
    },
    Entry {
        module: "motion",
        name: "pose",
        params: &[FIGURE, BONE, p("rotation", "rotation vector", "in the parent's frame, rad"), OPTIONS],
        returns: NOTHING,
        doc: "Turns a bone under its parent, from where it is at rest, whatever the animation has it do.",
        example: "motion.pose(ann, Bone.shin_l, vector.create(0.6, 0, 0))",
        bind: |b| {
            b.of(|shared, (figure, bone, rotation, options): (FigureHandle, Bone, Vec3, Options)| {
                hangs(bone)?;
                claim(shared, figure, bone, Want::Hold(rotation_from_vector(rotation)), &options)
            })
        },
    },
    Entry {
        module: "motion",
        name: "reach",
        params: &[
            FIGURE,
            p("bone", "bone", "an upper arm or thigh"),
            p("point", "vector", "where the wrist or ankle shall be; world, m"),
            p("pole?", "vector", "where the elbow or knee shall look; world direction"),
            OPTIONS,
        ],
        returns: NOTHING,
        doc: "Brings a hand or a foot to a point; the elbow or knee follows.",
        example: "motion.reach(ann, Bone.upper_arm_r, vector.create(0.2, 1.1, 0.4))",
        bind: |b| b.of(reach),
    },
    Entry {
        module: "motion",
        name: "hold_shape",
        params: &[
            FIGURE,
            p("share", "number", "of the muscle, 0..3"),
            p("options?", "claim options", "priority, blend s, blend_out s"),
        ],
        returns: NOTHING,
        doc: "Holds every joint as it is when first asked; bones that the same owner claims otherwise are left to that claim.",
        example: "motion.hold_shape(ann, 0.4)",
        bind: |b| b.of(hold_shape),
    },
    Entry {
        module: "motion",
        name: "claim",
        params: &[FIGURE, BONE, OPTIONS],
        returns: NOTHING,
        doc: "Takes a bone and holds its joint as it is when first asked.",
        example: "motion.claim(ann, Bone.forearm_r, { share = 0.5 })",
        bind: |b| b.of(hold),
    },
    Entry {
        module: "motion",
        name: "weaken",
        params: &[FIGURE, BONE, p("share", "number", "of the muscle, 0..1")],
        returns: NOTHING,
        doc: "Leaves a bone less muscle; where it shall go stays as it was.",
        example: "motion.weaken(ann, Bone.thigh_l, 0.3)",
        bind: |b| scale(b, WEAKENS),
    },
    Entry {
        module: "motion",
        name: "tense",
        params: &[FIGURE, BONE, p("share", "number", "of the muscle, 1..3")],
        returns: NOTHING,
        doc: "Gives a bone more muscle, as a startle does; where it shall go stays as it was.",
        example: "motion.tense(ann, Bone.head, 2)",
        bind: |b| scale(b, TENSES),
    },
    Entry {
        module: "motion",
        name: "limp",
        params: &[FIGURE, BONE],
        returns: NOTHING,
        doc: "Leaves a bone no muscle at all, until it is cleared.",
        example: "motion.limp(ann, Bone.forearm_l)",
        bind: |b| {
            b.of(|shared, (figure, bone): (FigureHandle, Bone)| claim(shared, figure, bone, Want::Limp, &Options::default()))
        },
    },
    Entry {
        module: "motion",
        name: "clear_aim",
        params: &[FIGURE, BONE],
        returns: NOTHING,
        doc: "Lets go of what this script claims on a bone.",
        example: "motion.clear_aim(ann, Bone.head)",
        bind: |b| {
            b.of(|shared, (figure, bone): (FigureHandle, Bone)| {
                let owner = shared.owner();
                Ok(shared.write()?.release(figure, &owner, Some(bone))?)
            })
        },
    },
    Entry {
        module: "motion",
        name: "clear_aims",
        params: &[FIGURE],
        returns: NOTHING,
        doc: "Lets go of all that this script claims on a figure.",
        example: "motion.clear_aims(ann)",
        bind: |b| b.of(release_all),
    },
    Entry {
        module: "motion",
        name: "release",
        params: &[FIGURE],
        returns: NOTHING,
        doc: "The same as clear_aims.",
        example: "motion.release(ann)",
        bind: |b| b.of(release_all),
    },
    Entry {
        module: "motion",
        name: "owner",
        params: &[FIGURE, BONE],
        returns: r("text or nil", "string?"),
        doc: "Who has a bone: a behaviour's name, a native controller's, prompt; nil where the animation has it.",
        example: "motion.owner(ann, Bone.upper_arm_l)",
        bind: |b| {
            b.of(|shared, (figure, bone): (FigureHandle, Bone)| {
                shared.figure(figure, |figure| figure.claims.holder(bone).map(|claim| claim.owner.to_string()))
            })
        },
    },
];
