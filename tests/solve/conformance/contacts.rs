//! Contacts: friction, bounce, and weight.

use super::on_all;
use super::stage::{DT, G, GRAVITY, GROUND, Stage, at, block, ghost, lone, person, placed, push, steps};
use simrun_sim::solve::Backend;
use simrun_sim::solve::boundary::{BodyDef, BodyKind, ObjectDef, Shape, Topology, Touched};
use simrun_sim::space::{Quat, Rigid, Vec3};

/// A flat box of 12 kg.
const SIZE: Vec3 = Vec3::new(0.4, 0.2, 0.5);
const MASS: f32 = 12.0;

/// A box of a figure on a slope of 20° that falls toward a heading (rad); its way down the slope.
fn slide(backend: Backend, friction: f32, heading: f32) -> (Stage, Vec3) {
    let tilt = Quat::from_rotation_y(heading) * Quat::from_rotation_x(20.0_f32.to_radians());
    let mut stage = Stage::new(backend, GRAVITY);
    let pose = Rigid::new(tilt, tilt * Vec3::NEG_Y * 0.5);
    let shape = Shape::Box(Vec3::new(60.0, 1.0, 60.0));
    let slope = ObjectDef { shape, kind: BodyKind::Fixed, pose, mass: 0.0, friction, restitution: 0.0 };
    stage.solver.add_object(GROUND, &slope);
    stage.add(&lone(block(MASS, SIZE, 1.0)), &[Rigid::new(tilt, tilt * Vec3::Y * SIZE.y * 0.5)]);
    (stage, tilt * Vec3::Z)
}

#[test]
fn friction_cone() {
    on_all("friction cone", |backend, verdict| {
        for heading in [0.0, 0.5, 0.785, 2.2] {
            // tan 20° is 0.364.
            let (mut stage, way) = slide(backend, 0.4, heading);
            stage.run(1.0);
            let held = stage.figures[0].output.bodies[0];
            stage.run(2.0);
            let crept = (stage.figures[0].output.bodies[0].pose.translation - held.pose.translation).length();
            verdict.most(format_args!("µ 0.4, heading {heading}: crept (m) in two seconds"), crept, 0.001);
            verdict.most(
                format_args!("µ 0.4, heading {heading}: gone at first (m)"),
                held.pose.translation.dot(way).abs(),
                0.005,
            );

            let (mut stage, way) = slide(backend, 0.3, heading);
            stage.run(0.3);
            let before = stage.figures[0].output.bodies[0].linear;
            stage.run(1.0);
            let after = stage.figures[0].output.bodies[0].linear;
            let (sine, cosine) = libm::sincosf(20.0_f32.to_radians());
            let wanted = G * (sine - 0.3 * cosine);
            verdict.near(format_args!("µ 0.3, heading {heading}: m/s² down"), (after - before).dot(way), wanted, 0.03);
            let across = after - way * after.dot(way);
            verdict.most(format_args!("µ 0.3, heading {heading}: m/s across"), across.length(), 0.03 * wanted);
        }
    });
}

fn ball(mass: f32, radius: f32) -> BodyDef {
    let inertia = Vec3::splat(0.4 * mass * radius * radius);
    BodyDef { shapes: vec![placed(Shape::Sphere(radius), 0.5)], ..ghost(mass, inertia) }
}

/// Thrown at the floor at 3 m/s, half of which comes back, or nothing.
#[test]
fn restitution() {
    on_all("restitution", |backend, verdict| {
        for (name, body, half, reach) in
            [("ball", ball(2.0, 0.15), 0.15, 0.15), ("box", block(MASS, SIZE, 0.5), SIZE.y * 0.5, SIZE.z * 0.5)]
        {
            for (share, gap) in [0.0, 0.5, 0.8].into_iter().flat_map(|share| [(share, 0.02), (share, 0.11), (share, 0.14)]) {
                let topology = lone(body.clone());
                let mut stage = Stage::new(backend, Vec3::ZERO);
                stage.floor(0.5, share);
                let place = at(0.0, half + gap, 0.0);
                stage.add(&topology, &[place]);
                stage.figures[0].input.impulses = vec![push(0, Vec3::Y * -3.0 * topology.bodies[0].mass, place.translation)];
                stage.run(0.25);
                let (body, what) = (stage.figures[0].output.bodies[0], format!("{name}, {share}, from {gap} m"));
                if share > 0.0 {
                    verdict.near(format_args!("{what}: m/s back"), body.linear.y, 3.0 * share, 0.05);
                } else {
                    verdict.most(format_args!("{what}: m/s back"), body.linear.y.abs(), 3.0 * 0.05);
                }
                // What of its rim's speed is left or gained.
                verdict.most(format_args!("{what}: m/s of spin"), body.angular.length() * reach, 3.0 * 0.1);
                verdict.most(format_args!("{what}: sunk (m)"), half - body.pose.translation.y, 0.005);
            }
        }
    });
}

/// Dropped, with gravity: the height of the first bounce.
#[test]
fn bounce_height() {
    on_all("bounce height", |backend, verdict| {
        for (name, body, half) in [("ball", ball(2.0, 0.15), 0.15), ("box", block(MASS, SIZE, 0.5), SIZE.y * 0.5)] {
            // Falls at 3 m/s.
            let height = 9.0 / (2.0 * G);
            let mut stage = Stage::new(backend, GRAVITY);
            stage.floor(0.5, 0.5);
            stage.add(&lone(body), &[at(0.0, half + height, 0.0)]);
            let (mut met, mut highest) = (false, 0.0_f32);
            for _ in 0..steps(0.62) {
                stage.step();
                let body = stage.figures[0].output.bodies[0];
                met |= body.linear.y > 0.0;
                if met {
                    highest = highest.max(body.pose.translation.y - half);
                }
            }
            // 5 % of the speed.
            verdict.near(format_args!("{name}: m up"), highest, height * 0.25, 0.1);
        }
    });
}

/// N borne by the floor from each of a figure's contacts with it, upward, over a second.
fn borne(stage: &mut Stage, by: Touched) -> f32 {
    let mut sum = 0.0;
    for _ in 0..60 {
        stage.step();
        let contacts = stage.figures[0].output.contacts.iter().filter(|contact| contact.other == by);
        sum += contacts.map(|contact| contact.impulse * contact.normal.y).sum::<f32>();
    }
    sum / (60.0 * DT)
}

#[test]
fn weight_is_borne() {
    on_all("weight is borne", |backend, verdict| {
        let ragdoll = person();
        // Turned on its back, it falls a hand's breadth.
        let back = Rigid::new(Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2), Vec3::new(0.0, 0.35, 0.0));
        let lying: Vec<Rigid> = ragdoll.rest.iter().map(|pose| back * *pose).collect();
        let brick = lone(block(MASS, SIZE, 0.8));
        let figures: [(&str, &Topology, &[Rigid]); 2] =
            [("box", &brick, &[at(0.0, SIZE.y * 0.5, 0.0)]), ("person", &ragdoll.topology, &lying)];
        for (name, topology, poses) in figures {
            let mut stage = Stage::new(backend, GRAVITY);
            stage.floor(0.8, 0.0);
            stage.add(topology, poses);
            stage.run(6.0);
            let weight = stage.figures[0].mass() * G;
            verdict.near(format_args!("{name}: N on the floor"), borne(&mut stage, Touched::Object(GROUND)), weight, 0.01);
        }
    });
}

#[test]
fn stacked_weight_is_borne() {
    on_all("stacked weight is borne", |backend, verdict| {
        for crate_mass in [3.0, 40.0] {
            let mut stage = Stage::new(backend, GRAVITY);
            stage.floor(0.8, 0.0);
            stage.add(&lone(block(MASS, SIZE, 0.8)), &[at(0.0, SIZE.y * 0.5, 0.0)]);
            stage.crate_at(2, Vec3::splat(0.3), Vec3::new(0.03, SIZE.y + 0.16, 0.02), crate_mass);
            stage.run(3.0);
            let what = format!("crate of {crate_mass} kg");
            let on_floor = borne(&mut stage, Touched::Object(GROUND));
            verdict.near(format_args!("{what}: N on the floor"), on_floor, (MASS + crate_mass) * G, 0.01);
            let pressed = borne(&mut stage, Touched::Object(2));
            verdict.near(format_args!("{what}: N on the figure"), -pressed, crate_mass * G, 0.01);
            let sunk = SIZE.y + 0.15 - stage.solver.object(2).map_or(0.0, |state| state.pose.translation.y);
            verdict.most(format_args!("{what}: sunk (m)"), sunk, 0.01);
        }
    });
}

/// A solid ball set spinning on the floor rolls on with two sevenths of the speed that its rim had.
#[test]
fn friction_spins_up() {
    on_all("friction spins up", |backend, verdict| {
        let (mass, radius) = (2.0, 0.15);
        let mut stage = Stage::new(backend, GRAVITY);
        stage.floor(0.5, 0.0);
        let start = at(0.0, radius, 0.0);
        stage.add(&lone(ball(mass, radius)), &[start]);
        let spin = Vec3::X * 10.0;
        stage.figures[0].input.teleport = Some(vec![(start, Vec3::ZERO, spin)]);
        stage.run(1.5);
        let body = stage.figures[0].output.bodies[0];
        verdict.near("m/s", body.linear.z, spin.x * radius * 2.0 / 7.0, 0.02);
        verdict.near("rad/s", body.angular.x, spin.x * 2.0 / 7.0, 0.02);
    });
}
