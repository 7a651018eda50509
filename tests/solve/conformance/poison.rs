//! Numbers that are none: they stay with the figure that was given them.

use super::stage::{GRAVITY, Stage, bits_of, person, push};
use simrun_sim::solve::boundary::{BodyState, Force};
use simrun_sim::solve::{BatchSolver, Width};
use simrun_sim::space::{Rigid, Vec3};

/// How a figure is spoilt.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Spoil {
    Nothing,
    /// Before the step.
    Blow,
    /// Within it, in its lane.
    Pull,
    /// So strong that it overflows in the step's midst.
    Overflow,
}

/// Bits of all but the middle one of nine people who fall side by side, and whether the middle one is sound.
fn fall(width: Width, spoil: Spoil) -> (Vec<Vec<u32>>, bool) {
    let ragdoll = person();
    let mut stage = Stage::on(Box::new(BatchSolver::with_width(GRAVITY, width)));
    stage.floor(0.8, 0.0);
    for index in 0..9 {
        let by = Vec3::new(2.5 * index as f32 - 10.0, 0.05, 0.0);
        let poses: Vec<_> = ragdoll.rest.iter().map(|pose| Rigid::new(pose.rotation, pose.translation + by)).collect();
        stage.add(&ragdoll.topology, &poses);
    }
    for step in 0..90 {
        let input = &mut stage.figures[4].input;
        input.forces.clear();
        if step == 30 {
            let bad = |force| Force { body: 5, force, torque: Vec3::ZERO };
            match spoil {
                Spoil::Nothing => {}
                Spoil::Blow => input.impulses = vec![push(3, Vec3::new(0.0, f32::NAN, 0.0), Vec3::ZERO)],
                Spoil::Pull => input.forces = vec![bad(Vec3::splat(f32::NAN))],
                Spoil::Overflow => input.forces = vec![bad(Vec3::X * f32::MAX)],
            }
        }
        stage.step();
    }
    let sound = stage.figures[4].output.bodies.iter().all(BodyState::is_sound);
    stage.figures.remove(4);
    (stage.figures.iter().map(|actor| bits_of(&actor.output.bodies)).collect(), sound)
}

#[test]
fn what_is_no_number_in_one_figure_changes_no_bit_of_the_others() {
    let (wanted, sound) = fall(Width::Scalar, Spoil::Nothing);
    assert!(sound);
    for width in Width::available() {
        for spoil in [Spoil::Nothing, Spoil::Blow, Spoil::Pull, Spoil::Overflow] {
            let (found, sound) = fall(width, spoil);
            assert!(found == wanted, "{spoil:?}, {} wide", width.name());
            assert_eq!(sound, spoil == Spoil::Nothing, "{spoil:?}, {} wide", width.name());
        }
    }
}
