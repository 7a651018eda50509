//! Hands that are not where they hold.

use super::Found;
use simrun_sim::figure::Bone;
use simrun_sim::keyed::palm;
use simrun_sim::{Figure, World};

/// Farther (m) from its grip a palm is seen to hold nothing.
const OFF: f64 = 0.03;

/// The palm, as it is drawn, that is farthest off its grip of those that hold something.
pub fn off<'w>(world: &'w World, figure: &Figure) -> Option<Found<'w>> {
    let holding = figure.motion.as_ref()?.holds()?;
    let (item, ragdoll) = (world.object(holding.item).ok()?, figure.model.ragdoll.as_ref().ok()?);
    let holds = holding.hands();
    let hands = [Bone::ForearmL, Bone::ForearmR].into_iter().enumerate().filter(|(side, _)| holds[*side]);
    let gaps = hands.filter_map(|(side, bone)| {
        let grip = item.pose.point(holding.grips[side]?);
        Some((bone, f64::from(palm(ragdoll, &figure.drawn.bodies, side).distance(grip))))
    });
    Some(Found { with: Some(&item.name), ..Found::worst(gaps, OFF, "m")? })
}
