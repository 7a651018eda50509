//! Bones that turn too fast, and poses that jump.

use super::Found;
use glam::DVec3;
use simrun_sim::figure::{BONES, Bone};
use simrun_sim::space::{Rigid, rotation_vector};

/// Faster (rad/s) no limb of a person turns but in a throw: what the prototype's bones peaked at in falls, 20 to 32, was to be bettered.
const FAST: f64 = 25.0;
/// Jumps of a drawn bone in a step: rad (6°) and m, what the keyed ways of the specification are held to.
const POP_TURN: f64 = 0.105;
const POP_MOVE: f64 = 0.04;

/// A figure after a step.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// World from bone, drawn.
    pub drawn: &'a [Rigid; BONES],
    /// World from body.
    pub bodies: &'a [Rigid; BONES],
    /// It was struck, or ran into something, a moment ago.
    pub shaken: bool,
}

/// The poses of a figure, as far back as is needed.
#[derive(Debug, Default)]
pub struct Moves {
    /// Drawn, and of the bodies.
    poses: Option<([Rigid; BONES], [Rigid; BONES])>,
    /// What the last two steps did.
    last: Option<[Step; BONES]>,
    older: Option<[Step; BONES]>,
}

/// What a step did to a bone.
#[derive(Clone, Copy, Debug)]
struct Step {
    moved: Way,
    turned: Way,
}

/// A way that a bone went: m, or axis × rad (world).
#[derive(Clone, Copy, Debug)]
struct Way {
    drawn: DVec3,
    /// How much of it is not its body's: all of it where no blow made the body go.
    own: f64,
}

impl Step {
    fn between(before: [&Rigid; 2], after: [&Rigid; 2], shaken: bool) -> Self {
        let way = |of: fn(&Rigid, &Rigid) -> DVec3| {
            let [drawn, body] = [0, 1].map(|pose| of(before[pose], after[pose]));
            Way { drawn, own: if shaken { drawn.distance(body) } else { drawn.length() } }
        };
        Self {
            moved: way(|from, to| to.translation.as_dvec3() - from.translation.as_dvec3()),
            turned: way(|from, to| rotation_vector(to.rotation * from.rotation.conjugate()).as_dvec3()),
        }
    }
}

impl Moves {
    /// After a step of `dt` seconds: bones that turned too fast in the step before, and that jumped in it; a jump is no turn.
    pub fn look(&mut self, shown: Shown<'_>, dt: f64) -> [Option<Found<'static>>; 2] {
        let Shown { drawn, bodies, shaken } = shown;
        let Some(before) = self.poses.replace((*drawn, *bodies)) else { return [None; 2] };
        let now: [Step; BONES] =
            std::array::from_fn(|bone| Step::between([&before.0[bone], &before.1[bone]], [&drawn[bone], &bodies[bone]], shaken));
        let last = self.last.replace(now);
        let older = std::mem::replace(&mut self.older, last);
        let popped = older.zip(last).and_then(|(older, last)| jump(&older, &last, &now));
        let rates = last.map(|last| Bone::ALL.map(|bone| (bone, last[bone.index()].turned.drawn.length() / dt)));
        let fast = rates.and_then(|rates| Found::worst(rates, FAST, "rad/s")).filter(|_| popped.is_none());
        [fast, popped]
    }
}

/// What jumps in the middle of three steps. A bone that is thrown flies on, one that lands has been flying, one that gathers speed goes
/// between the two: only what differs from the step before, from the step after *and* from the mean of both is a jump. What a blow or an
/// impact does to the body is none, however hard.
fn jump(before: &[Step; BONES], step: &[Step; BONES], after: &[Step; BONES]) -> Option<Found<'static>> {
    let least = |way: fn(&Step) -> Way, bone: usize| {
        let at = way(&step[bone]);
        let (since, until) = (at.drawn - way(&before[bone]).drawn, at.drawn - way(&after[bone]).drawn);
        at.own.min(since.length()).min(until.length()).min((since + until).length() * 0.5)
    };
    let all = |way: fn(&Step) -> Way| Bone::ALL.map(|bone| (bone, least(way, bone.index())));
    let turned = Found::worst(all(|step| step.turned), POP_TURN, "rad");
    turned.or_else(|| Found::worst(all(|step| step.moved), POP_MOVE, "m"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use simrun_sim::space::{Quat, Vec3};

    const DT: f64 = 1.0 / 60.0;

    /// A pose with the right forearm at this height (m) and angle (rad).
    fn pose(height: f32, angle: f32) -> [Rigid; BONES] {
        let mut pose = [Rigid::IDENTITY; BONES];
        pose[Bone::ForearmR.index()] = Rigid::new(Quat::from_rotation_x(angle), Vec3::Y * height);
        pose
    }

    /// Whether anything is too fast, and whether anything jumps, as the right forearm goes through these heights (m) and angles (rad).
    fn seen(heights: &[f32], angles: &[f32]) -> (bool, bool) {
        let mut moves = Moves::default();
        let poses = heights.iter().zip(angles).map(|(height, angle)| pose(*height, *angle));
        poses.fold((false, false), |(fast, popped), pose| {
            let found = moves.look(Shown { drawn: &pose, bodies: &pose, shaken: false }, DT);
            assert!(found.iter().flatten().all(|found| found.bone == Bone::ForearmR), "{found:?}");
            (fast || found[0].is_some(), popped || found[1].is_some())
        })
    }

    #[test]
    fn a_bone_that_turns_by_a_third_more_than_fast_is_fast_and_flies_on() {
        let angles: Vec<f32> = (0..20).map(|step| step as f32 * 33.0 / 60.0).collect();
        assert_eq!(seen(&[0.0; 20], &angles), (true, false));
        let angles: Vec<f32> = angles.iter().map(|angle| angle * 0.7).collect();
        assert_eq!(seen(&[0.0; 20], &angles), (false, false));
    }

    #[test]
    fn a_jump_there_is_a_pop_and_so_is_one_there_and_back() {
        let none = [0.0; 6];
        assert_eq!(seen(&[0.0, 0.0, 0.05, 0.05, 0.05, 0.05], &none), (false, true));
        assert_eq!(seen(&[0.0, 0.0, 0.05, 0.0, 0.0, 0.0], &none), (false, true));
        assert_eq!(seen(&none, &[0.0, 0.0, 0.12, 0.12, 0.12, 0.12]), (false, true));
        assert_eq!(seen(&[0.0, 0.0, 0.03, 0.03, 0.03, 0.03], &[0.0, 0.0, 0.09, 0.09, 0.09, 0.09]), (false, false));
    }

    #[test]
    fn what_is_thrown_and_what_lands_does_not_jump() {
        assert_eq!(seen(&[0.0, 0.0, 0.1, 0.2, 0.3, 0.4], &[0.0, 0.0, 0.3, 0.6, 0.9, 1.2]), (false, false));
        assert_eq!(seen(&[0.0, 0.0, 0.05, 0.15, 0.30, 0.45], &[0.0, 0.0, 0.13, 0.4, 0.7, 1.0]), (false, false));
        assert_eq!(seen(&[0.4, 0.3, 0.2, 0.1, 0.1, 0.1], &[1.2, 0.9, 0.6, 0.3, 0.3, 0.3]), (false, false));
    }

    #[test]
    fn a_blow_may_do_what_it_likes_to_a_body_but_not_to_the_drawn_pose_alone() {
        let jumps = |body_too: bool| {
            let mut moves = Moves::default();
            let shown = [0.0, 0.0, 0.3, 0.3, 0.3].map(|angle| {
                let (drawn, still) = (pose(0.0, angle), pose(0.0, 0.0));
                let bodies = if body_too { &drawn } else { &still };
                moves.look(Shown { drawn: &drawn, bodies, shaken: true }, DT)[1].is_some()
            });
            shown.contains(&true)
        };
        assert_eq!((jumps(true), jumps(false)), (false, true));
    }
}
