//! Room 6, DRAW: target and bodies become what is shown, with the fades of each hand-over.

mod fade;
mod parts;

pub use fade::{FADE_SECONDS, Fade};
pub use parts::PartFades;

use crate::figure::rig::Transform;
use crate::figure::{BONES, Ragdoll, SHINS};
use crate::space::Rigid;
use crate::world::Figure;
use serde::{Deserialize, Serialize};

/// What is shown: neither what the animation asks nor quite where the bodies are while a hand-over fades.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DrawnPose {
    /// World from figure: the frame of `locals`.
    pub place: Rigid,
    /// Local transforms of the rig's nodes.
    pub locals: Vec<Transform>,
    /// World from bone, drawn.
    pub bodies: [Rigid; BONES],
}

/// What is shown of a figure after a step of `dt` seconds.
pub fn run(figure: &mut Figure, dt: f32) {
    let drawn = &mut figure.drawn;
    drawn.place = figure.place;
    drawn.locals.clone_from(&figure.animator.locals);
    let Ok(ragdoll) = &figure.model.ragdoll else { return };
    let shown = match (&figure.motion, &figure.body) {
        (Some(motion), Some(body)) => {
            let (bodies, loose) = (body.bodies.map(|state| state.pose), motion.loose());
            if motion.mode.is_followed() {
                let followed = figure.part_fades.pose(ragdoll, &figure.target, &bodies, loose, dt);
                figure.fade.toward_animation(ragdoll, &followed, dt)
            } else {
                figure.part_fades.all_loose(loose);
                figure.fade.toward_bodies(ragdoll, &bodies, &drawn.bodies, dt)
            }
        }
        _ => figure.fade.toward_animation(ragdoll, &figure.target.bodies, dt),
    };
    drawn.bodies = shown;
    let figure_from_world = drawn.place.inverse();
    let in_place = shown.map(|body| figure_from_world * body);
    ragdoll.pose_nodes(&figure.model.rig, &in_place, &mut drawn.locals);
    if let (Some(feet), Some(motion)) = (&mut figure.feet, &figure.motion) {
        let follows = |side: usize| motion.mode.is_followed() && !motion.loose().has(SHINS[side].index());
        let follows = [0, 1].map(follows);
        feet.show(follows, figure.target.bent, dt);
        let by = [0, 1].map(|side| feet.drawn[side] - figure.target.bent[side]);
        ragdoll.bend_nodes(&figure.model.rig, &in_place, by, &mut drawn.locals);
    }
}

/// Joint rotations and the pelvis of a pose: what fades work on, so that a fading limb keeps its length.
pub(crate) fn joints_of(bodies: &[Rigid; BONES]) -> ([crate::space::Quat; BONES], Rigid) {
    (Ragdoll::joint_rotations(bodies), bodies[0])
}
