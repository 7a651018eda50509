//! Members on slopes and kerbs.

use super::tell;
use crate::support::boxman;
use simrun_sim::crowd::Whereabouts;
use simrun_sim::handover::Strike;
use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::space::{Quat, Rigid, Vec3};
use simrun_sim::{Command, HordeCommand, HordeSpec, Nobody, ObjectSpec, PoolSpec, World, WorldSettings};
use std::collections::BTreeMap;

/// How steep the hill is (rad), and the kerb on the level beyond it (m).
const SLOPE: f32 = 0.17;
const KERB: f32 = 0.15;

fn fixed(world: &mut World, name: &str, size: Vec3, pose: Rigid) {
    let handle = world.reserve_object(name).unwrap();
    let spec = ObjectSpec {
        name: name.to_owned(),
        shape: Shape::Box(size),
        kind: BodyKind::Fixed,
        pose,
        mass: 0.0,
        friction: 0.9,
        restitution: 0.0,
        grips: BTreeMap::new(),
        params: BTreeMap::new(),
    };
    world.command(Command::AddObject { handle, spec: Box::new(spec) }).unwrap();
}

/// A hill that goes up along +Z from the origin, or level ground with a kerb, and ten who walk along +Z from 3 m before it.
fn walkers(hill: bool, spec: HordeSpec) -> World {
    let mut world = World::new(WorldSettings::default());
    fixed(&mut world, "ground", Vec3::new(60.0, 1.0, 60.0), Rigid::new(Quat::IDENTITY, Vec3::Y * -0.5));
    if hill {
        let tilt = Quat::from_rotation_x(-SLOPE);
        let middle = tilt * Vec3::new(0.0, -0.5, 10.0);
        fixed(&mut world, "hill", Vec3::new(60.0, 1.0, 20.0), Rigid::new(tilt, middle));
    } else {
        fixed(&mut world, "kerb", Vec3::new(60.0, KERB, 20.0), Rigid::new(Quat::IDENTITY, Vec3::new(0.0, 0.5 * KERB, 10.0)));
    }
    tell(&mut world, HordeCommand::Add(Box::new(HordeSpec { grounded: true, ..spec }))).unwrap();
    let positions = (0..10).map(|member| [2.0 * member as f32 - 9.0, 0.0, -3.0 - 0.1 * member as f32]).collect();
    tell(&mut world, HordeCommand::SetColumns { positions, headings: vec![], phases: vec![], tints: vec![] }).unwrap();
    world
}

fn spec() -> HordeSpec {
    HordeSpec { goal: Some(Vec3::Z * 100.0), ..HordeSpec::new("crowd", boxman(), "Walk", 10) }
}

fn positions(world: &World) -> Vec<Vec3> {
    world.horde("crowd").unwrap().members().positions().iter().map(|at| Vec3::from_array(*at)).collect()
}

#[test]
fn walkers_go_up_with_the_ground() {
    for (hill, most_off) in [(true, 0.04), (false, KERB)] {
        let mut world = walkers(hill, spec());
        for _ in 0..480 {
            let before = positions(&world);
            world.step(&mut Nobody);
            for (was, is) in before.into_iter().zip(positions(&world)) {
                let ground = world.ground_under(is + Vec3::Y).unwrap();
                // Where it bends they are ahead of it or behind by what they walk until they look again.
                let on_the_way = (-0.5..0.5).contains(&is.z);
                let most = if on_the_way { most_off } else { 0.005 };
                assert!((is.y - ground).abs() <= most, "at {is} the ground is {ground:.3} m high");
                assert!((is.y - was.y).abs() < 0.035, "from {was} to {is} in a step");
            }
        }
        let heights = positions(&world);
        assert!(heights.iter().all(|at| at.z > 3.0 && at.y > if hill { 0.5 } else { 0.9 * KERB }), "{heights:?}");
    }
}

#[test]
fn who_is_struck_on_a_slope_is_handed_over_there_and_goes_on_from_the_ground() {
    let mut world = walkers(true, HordeSpec { pool: Some(PoolSpec::new(1)), ..spec() });
    (0..300).for_each(|_| world.step(&mut Nobody));
    let place = world.horde("crowd").unwrap().place(4).unwrap();
    assert!(place.translation.y > 0.3);
    let figure = world.taker("crowd", 4).unwrap().unwrap();
    let strike =
        Strike { member: 4, figure, point: place.translation + Vec3::Y * 1.3, impulse: Vec3::NEG_Z * 220.0, kills: false };
    tell(&mut world, HordeCommand::Strike(strike)).unwrap();
    let drawn = world.figure(figure).unwrap().drawn.place;
    assert!(drawn.translation.distance(place.translation) < 1.0e-4, "{drawn:?}, not {place:?}");
    let back = |world: &World| world.horde("crowd").unwrap().members().whereabouts()[4] == Whereabouts::In;
    let mut steps = 0;
    while !back(&world) {
        world.step(&mut Nobody);
        steps += 1;
        assert!(steps < 15 * 60, "it is not back");
    }
    // A figure's clip may stand a little under a slope: by its second look its member is on the ground, or as near as it gathers speed.
    for step in 0..60 {
        let at = positions(&world)[4];
        let ground = world.ground_under(at + Vec3::Y).unwrap();
        let most = if step < 16 { 0.08 } else { 0.02 };
        assert!((at.y - ground).abs() < most && at.y > 0.1, "{step} steps later: {at} over ground at {ground}");
        world.step(&mut Nobody);
    }
}

#[test]
fn they_are_put_on_the_ground_and_stay_at_their_height_where_they_are_not_asked_to() {
    let mut world = walkers(true, spec());
    tell(&mut world, HordeCommand::Remove).unwrap();
    for grounded in [true, false] {
        let spec = HordeSpec { grounded, position: Vec3::Z * 6.0, area: [8.0, 4.0], ..spec() };
        tell(&mut world, HordeCommand::Add(Box::new(spec))).unwrap();
        let off = |world: &World| {
            let gaps = positions(world).into_iter().map(|at| (at.y - world.ground_under(at + Vec3::Y * 9.0).unwrap()).abs());
            gaps.fold(0.0, f32::max)
        };
        assert_eq!(off(&world) < 0.001, grounded);
        (0..120).for_each(|_| world.step(&mut Nobody));
        assert_eq!(off(&world) < 0.005, grounded);
        tell(&mut world, HordeCommand::Remove).unwrap();
    }
}
