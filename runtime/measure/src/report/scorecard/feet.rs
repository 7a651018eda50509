//! Planted feet that slide.

use super::Found;
use glam::DVec3;
use simrun_sim::figure::{Bone, Ragdoll};
use simrun_sim::id::handle_of;
use simrun_sim::solve::boundary::{Contact, Touched};
use simrun_sim::space::Vec3;
use simrun_sim::{Figure, World};

/// Faster (m/s) a foot is seen to slide: 5 cm/s.
const SLIDES: f64 = 0.05;
/// Share of the figure's weight that a planted foot bears at least: one that touches down or leaves drags a little and is no stand.
const BEARS: f32 = 0.1;
/// For how long it has borne it (s): as long as a limb counts as bearing load after it did.
const PLANTED: f64 = 0.1;
/// Corners of a sole this much (m) over the lowest are off the ground.
const LIFTED: f64 = 0.01;

/// A foot after a step.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// Corners of the sole, drawn (world, m).
    pub corners: [Vec3; 4],
    /// What it stands on.
    pub stand: Option<Stand>,
}

/// What a foot stands on.
#[derive(Clone, Copy, Debug)]
pub struct Stand {
    /// Share of the figure's weight that the foot bears there.
    pub share: f32,
    /// Out of the ground (unit).
    pub normal: Vec3,
    /// Of the ground where the foot is (m/s).
    pub velocity: Vec3,
}

impl Foot {
    /// Left and right foot of a figure. `contacts` are those with what is not of the figure, `weight` the impulse of its weight in the
    /// step (N·s).
    pub fn both(world: &World, figure: &Figure, ragdoll: &Ragdoll, contacts: &[&Contact], weight: f32) -> [Self; 2] {
        let foot = |side: usize, bone: Bone| {
            let pose = figure.drawn.bodies[bone.index()];
            let bearing = || contacts.iter().filter(|contact| contact.body == bone.index() && contact.normal.y > 0.0);
            let load: f32 = bearing().map(|contact| contact.impulse * contact.normal.y).sum();
            let strongest = bearing().max_by(|a, b| a.impulse.total_cmp(&b.impulse));
            let stand = strongest.map(|contact| Stand {
                share: load / weight,
                normal: contact.normal,
                velocity: velocity_at(world, contact),
            });
            Self { corners: ragdoll.sole(side, pose, figure.drawn_bent()[side]), stand }
        };
        [foot(0, Bone::ShinL), foot(1, Bone::ShinR)]
    }
}

/// How what is touched moves where it is touched (m/s); other figures are taken to stand.
fn velocity_at(world: &World, contact: &Contact) -> Vec3 {
    let Touched::Object(key) = contact.other else { return Vec3::ZERO };
    world
        .object(handle_of(key))
        .map_or(Vec3::ZERO, |object| object.linear + object.angular.cross(contact.point - object.pose.translation))
}

/// The feet of a figure, as they were a step ago.
#[derive(Debug, Default)]
pub struct Feet([Option<Planted>; 2]);

/// A foot that bears weight.
#[derive(Clone, Copy, Debug)]
struct Planted {
    corners: [Vec3; 4],
    /// For so long (s).
    seconds: f64,
}

impl Feet {
    /// After a step of `dt` seconds: the planted foot that slides fastest.
    pub fn look(&mut self, feet: &[Foot; 2], dt: f64) -> Option<Found<'static>> {
        let mut sliding = [(Bone::ShinL, 0.0), (Bone::ShinR, 0.0)];
        for ((before, foot), (_, speed)) in self.0.iter_mut().zip(feet).zip(&mut sliding) {
            let stand = foot.stand.filter(|stand| stand.share >= BEARS);
            *before = stand.map(|stand| {
                let seconds = before.map_or(0.0, |planted| planted.seconds + dt);
                if let Some(planted) = before.filter(|_| seconds >= PLANTED) {
                    *speed = slide(&planted.corners, &foot.corners, &stand, dt);
                }
                Planted { corners: foot.corners, seconds }
            });
        }
        Found::worst(sliding, SLIDES, "m/s")
    }
}

/// Speed (m/s) along the ground of the slowest corner that is down before and after: a sole that rolls over heel or toes, or turns on one
/// corner, does not slide.
fn slide(before: &[Vec3; 4], after: &[Vec3; 4], stand: &Stand, dt: f64) -> f64 {
    let normal = stand.normal.as_dvec3();
    let down = |corners: &[Vec3; 4]| {
        let heights = corners.map(|corner| corner.as_dvec3().dot(normal));
        let lowest = heights.into_iter().fold(f64::INFINITY, f64::min);
        heights.map(|height| height < lowest + LIFTED)
    };
    let (was, is) = (down(before), down(after));
    let along = |velocity: DVec3| (velocity - normal * velocity.dot(normal)).length();
    let speeds = (0..4).filter(|corner| was[*corner] && is[*corner]).map(|corner| {
        let way = after[corner].as_dvec3() - before[corner].as_dvec3();
        along(way / dt - stand.velocity.as_dvec3())
    });
    speeds.reduce(f64::min).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use simrun_sim::space::Quat;

    const DT: f64 = 1.0 / 60.0;
    const SOLE: [Vec3; 4] =
        [Vec3::new(0.05, 0.0, -0.07), Vec3::new(-0.05, 0.0, -0.07), Vec3::new(0.05, 0.0, 0.19), Vec3::new(-0.05, 0.0, 0.19)];

    /// Seconds of half a second for which the left foot slides that goes with time (s) as told.
    fn slid(foot: impl Fn(f32) -> Foot) -> f64 {
        let mut feet = Feet::default();
        let aloft = Foot { corners: SOLE, stand: None };
        (0..30).filter(|step| feet.look(&[foot(*step as f32 / 60.0), aloft], DT).is_some()).count() as f64 * DT
    }

    fn stand(share: f32) -> Option<Stand> {
        Some(Stand { share, normal: Vec3::Y, velocity: Vec3::ZERO })
    }

    fn moved(way: Vec3) -> [Vec3; 4] {
        SOLE.map(|corner| corner + way)
    }

    #[test]
    fn a_planted_foot_slides_from_five_centimetres_a_second_on() {
        let at = |speed: f32, share: f32| slid(|time| Foot { corners: moved(Vec3::X * speed * time), stand: stand(share) });
        assert!((at(0.06, 0.5) - 0.4).abs() < 0.02, "{}", at(0.06, 0.5));
        assert_eq!((at(0.04, 0.5), at(0.5, 0.05)), (0.0, 0.0));
    }

    #[test]
    fn a_foot_that_rolls_turns_on_a_corner_or_rides_does_not_slide() {
        let turned = |pivot: Vec3, turn: Quat| SOLE.map(|corner| pivot + turn * (corner - pivot));
        assert_eq!(slid(|time| Foot { corners: turned(SOLE[2], Quat::from_rotation_x(time)), stand: stand(0.5) }), 0.0);
        assert_eq!(slid(|time| Foot { corners: turned(SOLE[0], Quat::from_rotation_y(time)), stand: stand(0.5) }), 0.0);
        let riding = Some(Stand { share: 0.5, normal: Vec3::Y, velocity: Vec3::X * 2.0 });
        assert_eq!(slid(|time| Foot { corners: moved(Vec3::X * 2.0 * time), stand: riding }), 0.0);
    }

    #[test]
    fn a_landing_foot_has_a_tenth_of_a_second_to_come_to_rest() {
        let foot = |time: f32| Foot { corners: moved(Vec3::X * time.min(0.05)), stand: stand(0.5) };
        assert_eq!(slid(foot), 0.0);
    }
}
