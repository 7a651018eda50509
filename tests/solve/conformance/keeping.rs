//! Figures that are put elsewhere, taken out, frozen, and kept as bytes.

use super::on_all;
use super::stage::{DT, G, GRAVITY, Stage, block, lone, person, push};
use simrun_sim::figure::Ragdoll;
use simrun_sim::solve::Backend;
use simrun_sim::solve::boundary::{Holds, JointTarget, Pull};
use simrun_sim::space::{Quat, Rigid, Vec3};

/// A person's poses at rest, moved.
fn standing_at(ragdoll: &Ragdoll, by: Vec3) -> Vec<Rigid> {
    ragdoll.rest.iter().map(|pose| Rigid::new(pose.rotation, pose.translation + by)).collect()
}

/// A floor and some limp people in a row, 3 m apart, a hand's breadth above it.
fn people(backend: Backend, keys: &[u64]) -> Stage {
    let mut stage = Stage::new(backend, GRAVITY);
    stage.floor(0.8, 0.0);
    let ragdoll = person();
    for key in keys {
        stage.add_as(*key, &ragdoll.topology, &standing_at(&ragdoll, Vec3::new(3.0 * *key as f32, 0.1, 0.0)));
    }
    stage
}

/// Put elsewhere out of the midst of a crash it is there, and nothing of the crash goes with it.
#[test]
fn teleport() {
    on_all("teleport", |backend, verdict| {
        let ragdoll = person();
        let mut stage = people(backend, &[100]);
        // Driven hard against its pose while it falls on the floor.
        let target = |budget: &f32| JointTarget {
            rotation: Quat::from_rotation_x(0.5),
            velocity: Vec3::ZERO,
            pull: Pull::Servo(0.05),
            budget: *budget,
        };
        stage.figures[0].input.joints = ragdoll.budgets[1..].iter().map(target).collect();
        stage.run(0.4);
        stage.figures[0].input.joints.iter_mut().for_each(|target| target.budget = 0.0);
        let there = standing_at(&ragdoll, Vec3::new(-4.0, 7.0, 2.0));
        let moving: Vec<_> = there.iter().map(|pose| (*pose, Vec3::new(1.0, 2.0, -0.5), Vec3::Y * 0.3)).collect();
        stage.figures[0].input.teleport = Some(moving.clone());
        // One that never was anywhere else.
        let mut fresh = people(backend, &[]);
        fresh.add(&ragdoll.topology, &there);
        fresh.figures[0].input.teleport = Some(moving);
        for step in 1..=10 {
            stage.step();
            fresh.step();
            for (body, (now, wanted)) in stage.figures[0].output.bodies.iter().zip(&fresh.figures[0].output.bodies).enumerate() {
                let what = format!("step {step}, body {body}");
                verdict.most(format_args!("{what}: m off"), now.pose.translation.distance(wanted.pose.translation), 1.0e-4);
                verdict.most(format_args!("{what}: m/s off"), now.linear.distance(wanted.linear), 1.0e-3);
                verdict.most(format_args!("{what}: rad/s off"), now.angular.distance(wanted.angular), 5.0e-3);
            }
        }
        let fallen = stage.figures[0].output.bodies[0].linear;
        verdict.near("m/s of the pelvis", fallen.y, 2.0 - G * 10.0 * DT, 0.05);
    });
}

#[test]
fn taken_out_and_put_back() {
    on_all("taken out and put back", |backend, verdict| {
        let mut once = people(backend, &[100]);
        once.run(1.0);
        // Was there before, and went in the midst of its fall.
        let mut again = people(backend, &[100]);
        again.run(0.7);
        again.solver.remove_figure(100);
        again.figures.clear();
        again.run(0.1);
        let ragdoll = person();
        again.add_as(100, &ragdoll.topology, &standing_at(&ragdoll, Vec3::new(300.0, 0.1, 0.0)));
        again.run(1.0);
        verdict.hold(again.bits() == once.bits(), "other bits the second time");
        // In the same breath, where it lay.
        let mut swapped = people(backend, &[100]);
        swapped.run(0.7);
        swapped.solver.remove_figure(100);
        swapped.figures.clear();
        swapped.add_as(100, &ragdoll.topology, &standing_at(&ragdoll, Vec3::new(300.0, 0.1, 0.0)));
        swapped.run(1.0);
        verdict.hold(swapped.bits() == once.bits(), "other bits in the place of one that has just gone");
    });
}

/// Whoever comes or goes beside it, in whatever order, changes no bit of a figure.
#[test]
fn beside_others() {
    on_all("beside others", |backend, verdict| {
        let bits = |keys: &[u64], gone: Option<u64>| {
            let mut stage = people(backend, keys);
            stage.run(0.5);
            if let Some(gone) = gone {
                stage.solver.remove_figure(gone);
                stage.figures.retain(|actor| actor.key != gone);
            }
            stage.run(1.0);
            stage.figures.retain(|actor| actor.key == 4);
            stage.bits()
        };
        let alone = bits(&[4], None);
        for (name, keys, gone) in [
            ("others", &[1, 2, 4, 6, 7, 8, 9, 10, 11][..], None),
            ("others put in the other way round", &[9, 8, 7, 6, 4, 2][..], None),
            ("one that went", &[1, 4, 6][..], Some(1)),
        ] {
            verdict.hold(bits(keys, gone) == alone, format_args!("other bits beside {name}"));
        }
    });
}

#[test]
fn freeze_and_thaw() {
    on_all("freeze and thaw", |backend, verdict| {
        let mut stage = people(backend, &[100]);
        stage.run(0.3);
        let poses = stage.figures[0].poses();
        stage.solver.freeze(100, &poses, true);
        let mut frozen = stage.figures.remove(0);
        // What is thrown at where it stands goes through.
        let chest = poses[2].translation;
        let brick = lone(block(5.0, Vec3::splat(0.3), 0.5));
        stage.add_as(7, &brick, &[Rigid::new(Quat::IDENTITY, chest - Vec3::X)]);
        stage.crate_at(2, Vec3::splat(0.3), poses[0].translation - Vec3::Z * 2.0, 5.0);
        stage.figures[0].input.impulses = vec![push(0, Vec3::X * 40.0, chest - Vec3::X)];
        stage.solver.push_object(2, Vec3::Z * 40.0, None);
        // One after the other: they do not meet.
        stage.run(0.35);
        let flown = stage.figures[0].output.bodies[0];
        verdict.near("m/s of a figure that goes through", flown.linear.x, 8.0, 0.001);
        let flown = stage.solver.object(2).map_or(Vec3::ZERO, |state| state.linear);
        verdict.near("m/s of a crate that goes through", flown.z, 8.0, 0.001);
        verdict.hold(stage.solver.raycast(chest + Vec3::Y * 3.0, Vec3::NEG_Y, 2.9, false).is_none(), "a ray goes through");

        stage.solver.freeze(100, &poses, false);
        frozen.input.impulses.clear();
        stage.figures.push(frozen);
        stage.step();
        let thawed = &stage.figures[1].output.bodies;
        for (body, (now, before)) in thawed.iter().zip(&poses).enumerate() {
            verdict.most(format_args!("body {body}: m off"), now.pose.translation.distance(before.translation), 0.006);
            verdict.most(format_args!("body {body}: m/s"), now.linear.length(), G * DT * 1.5 + 0.05);
        }
        let high = thawed[0].pose.translation.y;
        stage.run(2.0);
        verdict.most("m that the pelvis is up", stage.figures[1].output.bodies[0].pose.translation.y, high - 0.4);
    });
}

/// Kept in the midst of a crash among crates it goes on to the bit.
#[test]
fn save_and_load() {
    on_all("save and load", |backend, verdict| {
        for steps in [8, 20, 31, 60] {
            let mut straight = people(backend, &[1, 2]);
            straight.crate_at(11, Vec3::splat(0.5), Vec3::new(3.0, 2.2, 0.1), 20.0);
            straight.crate_at(12, Vec3::splat(0.4), Vec3::new(6.1, 2.6, 0.0), 2.0);
            straight.figures[0].input.impulses =
                vec![push(2, Vec3::X * 60.0, straight.figures[0].output.bodies[2].pose.translation)];
            for _ in 0..steps {
                straight.step();
            }
            let bytes = straight.solver.save();
            let mut other = Stage::new(backend, GRAVITY);
            let holds = Holds {
                figures: &[2, 1].map(|key| (key, straight.figures[0].topology.bodies.len())),
                objects: &[12, super::stage::GROUND, 11],
            };
            if let Err(error) = other.solver.load(&bytes, holds) {
                verdict.hold(false, format_args!("after {steps} steps: {error}"));
                continue;
            }
            verdict.hold(other.solver.save() == bytes, format_args!("after {steps} steps: other bytes when kept again"));
            for actor in &straight.figures {
                let mut copy = super::stage::Actor::new(actor.key, &actor.topology, &actor.poses());
                copy.output.bodies.clone_from(&actor.output.bodies);
                other.figures.push(copy);
            }
            for step in 1..=120 {
                straight.step();
                other.step();
                let objects = [11, 12].iter().all(|key| straight.solver.object(*key) == other.solver.object(*key));
                if straight.bits() != other.bits() || !objects {
                    verdict.hold(false, format_args!("kept after {steps} steps it differs {step} later"));
                    break;
                }
            }
            let nobody = Holds { figures: &[], ..holds };
            verdict.hold(other.solver.load(&bytes, nobody).is_err(), "bytes of one that holds others");
        }
    });
}

/// Without sub-steps it stands where it was, and costs nothing.
#[test]
fn parked() {
    on_all("parked", |backend, verdict| {
        let mut stage = people(backend, &[100]);
        stage.run(0.2);
        let before = stage.bits();
        stage.figures[0].input.substeps = 0;
        stage.run(0.5);
        verdict.hold(stage.bits() == before, "it moved");
    });
}
