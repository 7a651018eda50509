//! The pool: members into figures, and back.

mod full;
mod rigs;
mod wild;

use crate::crowd::{tell, with_horde};
use crate::support::{boxman, run};
use simrun_sim::crowd::{Whereabouts, node_poses};
use simrun_sim::handover::{Stage, Strike};
use simrun_sim::record::{Recorder, Recording, Replay};
use simrun_sim::space::{Rigid, Vec3, rotation_vector};
use simrun_sim::{
    Bone, Command, FigureHandle, Happening, Hit, HordeCommand, HordeSpec, Mode, MotionRecord, Nobody, PoolSpec, World,
    WorldSettings,
};

/// Idlers in a row, 2 m apart, before a pool.
fn idlers(count: usize, pool: PoolSpec) -> World {
    let spec = HordeSpec { pool: Some(pool), ..HordeSpec::new("crowd", boxman(), "Idle", count) };
    let mut world = with_horde(WorldSettings::default(), spec);
    let positions = (0..count).map(|member| [member as f32 * 2.0, 0.0, 0.0]).collect();
    let row = HordeCommand::SetColumns { positions, headings: vec![], phases: vec![], tints: vec![] };
    tell(&mut world, row).unwrap();
    world
}

/// Strikes a member's chest with a speed (m/s) × 75 kg; gives the figure that took it.
fn strike(world: &mut World, member: u32, speed: f32, kills: bool) -> Option<FigureHandle> {
    let figure = world.taker("crowd", member).unwrap()?;
    let at = Vec3::from_array(world.horde("crowd").unwrap().members().positions()[member as usize]);
    let strike = Strike { member, figure, point: at + Vec3::new(0.0, 1.3, 0.1), impulse: Vec3::Z * (speed * 75.0), kills };
    tell(world, HordeCommand::Strike(strike)).unwrap();
    Some(figure)
}

fn whereabouts(world: &World, member: usize) -> Whereabouts {
    world.horde("crowd").unwrap().members().whereabouts()[member]
}

fn stages(world: &World) -> Vec<Stage> {
    world.horde("crowd").unwrap().pool().unwrap().slots().iter().map(|slot| slot.stage).collect()
}

/// World from node, of a member as it is drawn, by the bank.
fn drawn_member(world: &World, member: usize) -> Vec<Rigid> {
    let horde = world.horde("crowd").unwrap();
    let (mut pose, place) = (Vec::new(), horde.place(member).unwrap());
    horde.bank().unwrap().pose(horde.members().phases()[member], &mut pose);
    pose.into_iter().map(|node| place * node).collect()
}

/// The same of a figure.
fn drawn_figure(world: &World, figure: FigureHandle) -> Vec<Rigid> {
    let figure = world.figure(figure).unwrap();
    let nodes = node_poses(&figure.model, &figure.drawn.locals);
    nodes.into_iter().map(|node| figure.drawn.place * node).collect()
}

/// How far apart nodes are turned at most (rad), and away (m).
fn jump(before: &[Rigid], after: &[Rigid]) -> (f32, f32) {
    before.iter().zip(after).fold((0.0, 0.0), |(turn, way): (f32, f32), (before, after)| {
        let turned = rotation_vector(after.rotation * before.rotation.conjugate()).length();
        (turn.max(turned), way.max(after.translation.distance(before.translation)))
    })
}

/// A fall hard enough for anyone without catch steps (m/s of the body).
const FELLS: f32 = 3.0;
/// A shove that the figure stands (m/s of the body): the specification's 40 N·s on its 138.5 kg.
const STANDS: f32 = 0.29;

#[test]
fn the_struck_fall_get_up_by_themselves_and_are_back() {
    let mut world = idlers(8, PoolSpec::new(4));
    let struck: Vec<FigureHandle> = (0..4).map(|member| strike(&mut world, member, FELLS, false).unwrap()).collect();
    assert_eq!(world.horde("crowd").unwrap().instances().count(), 4, "who is handed over is not drawn as a member");
    let mut lowest = [f32::MAX; 4];
    let mut back = 0;
    for _ in 0..12 * 60 {
        world.step(&mut Nobody);
        for (lowest, figure) in lowest.iter_mut().zip(&struck) {
            let figure = world.figure(*figure).unwrap();
            if !figure.is_parked() {
                *lowest = lowest.min(figure.bone(Bone::Pelvis).translation.y);
            }
        }
        back += world.events().iter().filter(|event| matches!(event.what, Happening::Returned { .. })).count();
    }
    assert!(lowest.iter().all(|lowest| *lowest < 0.4), "pelvises down to {lowest:?} m");
    assert_eq!((back, world.horde("crowd").unwrap().instances().count(), world.figures().count()), (4, 8, 0));
    assert!(stages(&world).iter().all(|stage| *stage == Stage::Parked));
    // Where their figures stood, not where they were struck.
    let moved = |member: usize| {
        Vec3::from_array(world.horde("crowd").unwrap().members().positions()[member]) - Vec3::X * (2.0 * member as f32)
    };
    assert!((0..4).all(|member| moved(member).length() > 0.2) && moved(5).length() == 0.0);
}

#[test]
fn a_full_pool_refuses_while_all_fall_and_gives_up_the_farthest_that_stands() {
    let mut world = idlers(8, PoolSpec::new(4));
    (0..4).for_each(|member| assert!(strike(&mut world, member, FELLS, false).is_some()));
    run(&mut world, 0.7);
    assert_eq!(strike(&mut world, 4, FELLS, false), None);
    assert_eq!(whereabouts(&world, 4), Whereabouts::In);

    let mut world = idlers(8, PoolSpec::new(4));
    (0..4).for_each(|member| assert!(strike(&mut world, member, STANDS, false).is_some()));
    run(&mut world, 0.3);
    let farthest = world.horde("crowd").unwrap().figure_of(0).unwrap();
    assert_eq!(strike(&mut world, 5, FELLS, false), Some(farthest));
    assert_eq!((whereabouts(&world, 0), whereabouts(&world, 5)), (Whereabouts::In, Whereabouts::Out));
    // One that is handed over already keeps its figure.
    let own = world.horde("crowd").unwrap().figure_of(5);
    assert_eq!(strike(&mut world, 5, 0.1, false), own);
}

#[test]
fn a_killed_one_lies_limp_and_is_taken_away_in_its_time() {
    for (despawn, lies, gone) in [(Some(3.0), 2.0, 3.1), (None, 9.9, 10.1)] {
        let mut world = idlers(3, PoolSpec::new(2));
        if let Some(seconds) = despawn {
            tell(&mut world, HordeCommand::SetDespawn(seconds)).unwrap();
        }
        let figure = strike(&mut world, 1, FELLS, true).unwrap();
        run(&mut world, lies);
        let body = world.figure(figure).unwrap();
        assert_eq!((body.mode(), body.is_parked()), (Mode::Limp, false));
        assert!(body.bone(Bone::Pelvis).translation.y < 0.4);
        for kills in [true, false] {
            assert_eq!(strike(&mut world, 1, 0.5, kills), Some(figure), "who lies dead can be struck");
            assert_eq!(world.figure(figure).unwrap().mode(), Mode::Limp, "and stays dead");
        }
        run(&mut world, gone - lies);
        assert!(world.figure(figure).unwrap().is_parked());
        assert_eq!((whereabouts(&world, 1), world.horde("crowd").unwrap().instances().count()), (Whereabouts::Dead, 2));
        assert_eq!(strike(&mut world, 1, FELLS, false), None, "the dead are not struck");
    }
}

#[test]
fn never_despawned_it_lies_until_its_figure_is_needed() {
    let mut world = idlers(3, PoolSpec { despawn: 0.0, ..PoolSpec::new(1) });
    strike(&mut world, 0, FELLS, true).unwrap();
    run(&mut world, 30.0);
    assert!(matches!(stages(&world)[0], Stage::Dead { member: 0, .. }));
    strike(&mut world, 2, FELLS, false).unwrap();
    assert_eq!([0, 2].map(|member| whereabouts(&world, member)), [Whereabouts::Dead, Whereabouts::Out]);
}

#[test]
fn who_falls_off_all_ground_is_dead_and_leaves_its_figure_to_others() {
    let mut world = idlers(2, PoolSpec::new(1));
    // The road ends 40 m off.
    let edge = HordeCommand::SetColumns {
        positions: vec![[0.0, 0.0, 39.8], [3.0, 0.0, 0.0]],
        headings: vec![],
        phases: vec![],
        tints: vec![],
    };
    tell(&mut world, edge).unwrap();
    strike(&mut world, 0, FELLS, false).unwrap();
    run(&mut world, 6.0);
    assert_eq!((whereabouts(&world, 0), stages(&world)), (Whereabouts::Dead, vec![Stage::Parked]));
    assert!(strike(&mut world, 1, FELLS, false).is_some());
}

#[test]
fn a_blow_aimed_at_who_stood_meets_who_lies_on_its_skin() {
    let mut world = idlers(1, PoolSpec { motion: MotionRecord::default(), ..PoolSpec::new(1) });
    let figure = strike(&mut world, 0, FELLS, false).unwrap();
    run(&mut world, 3.0);
    assert!(world.figure(figure).unwrap().phase().is_down());
    strike(&mut world, 0, 1.0, false).unwrap();
    world.step(&mut Nobody);
    let struck = world.events().iter().find_map(|event| match event.what {
        Happening::Struck { bone, point, .. } => Some((bone, point)),
        _ => None,
    });
    let (bone, point) = struck.expect("it was struck");
    let off = point.distance(world.figure(figure).unwrap().bone(bone).translation);
    assert!(off < 0.4 && point.y < 0.5, "its {bone:?} is struck {off:.2} m off, at {point}");
}

#[test]
fn a_parked_figure_does_nothing_and_a_pools_figure_goes_with_its_horde() {
    let mut world = idlers(3, PoolSpec::new(1));
    let figure = world.find_figure("crowd_1").unwrap();
    let blow = Command::Hit(Hit::new(figure, Bone::Chest, Vec3::X));
    for command in [blow, Command::SetMode { figure, mode: Mode::Limp }, Command::MoveTo { figure, position: Vec3::X, yaw: None }]
    {
        assert!(world.command(command).unwrap_err().to_string().contains("'crowd_1' is parked in its horde's pool"));
    }
    assert!(world.command(Command::DestroyFigure(figure)).unwrap_err().to_string().contains("goes with the horde"));
    let second = tell(&mut world, HordeCommand::MakePool(Box::new(PoolSpec::new(1)))).unwrap_err();
    assert!(second.to_string().contains("has a pool already"));
    strike(&mut world, 0, FELLS, false).unwrap();
    tell(&mut world, HordeCommand::Remove).unwrap();
    assert_eq!((world.figures().count(), world.find_figure("crowd_1")), (0, None));
    run(&mut world, 0.1);
}

/// Members that leave the columns, or change their numbers, while they are figures.
#[test]
fn a_figures_member_may_be_renumbered_or_taken_out() {
    let mut world = idlers(6, PoolSpec::new(2));
    let one = strike(&mut world, 5, FELLS, false).unwrap();
    let other = strike(&mut world, 1, FELLS, false).unwrap();
    tell(&mut world, HordeCommand::RemoveMember(1)).unwrap();
    let horde = world.horde("crowd").unwrap();
    assert_eq!((horde.members().len(), horde.figure_of(1)), (5, Some(one)));
    assert!(world.figure(other).unwrap().is_parked());
    tell(&mut world, HordeCommand::Swap { one: 1, other: 3 }).unwrap();
    assert_eq!(world.horde("crowd").unwrap().figure_of(3), Some(one));
    run(&mut world, 12.0);
    assert!((0..5).all(|member| whereabouts(&world, member) == Whereabouts::In));
}

#[test]
fn a_run_with_a_pool_is_restored_and_replayed_to_the_same_bits() {
    let mut world = idlers(5, PoolSpec { stance: Some("Look".to_owned()), ..PoolSpec::new(3) });
    let mut recorder = Recorder::new(&mut world, "crowd", Vec::new());
    let mut kept = None;
    for step in 0..600 {
        match step {
            20 => drop(strike(&mut world, 0, FELLS, false)),
            50 => drop(strike(&mut world, 1, FELLS, true)),
            90 => drop(tell(&mut world, HordeCommand::SetDespawn(2.0))),
            200 => drop(strike(&mut world, 2, STANDS, false)),
            100 => {
                let spec = HordeSpec { clearance: 0.9, roams: true, ..HordeSpec::new("mob", boxman(), "Walk", 30) };
                let command = HordeCommand::Add(Box::new(spec));
                world.command(Command::Horde { horde: "mob".to_owned(), command }).unwrap();
            }
            _ => {}
        }
        if step == 250 {
            kept = Some(world.snapshot());
        }
        world.step(&mut Nobody);
        recorder.after_step(&mut world, 0);
    }
    recorder.end();
    let hash = world.sim_hash();
    let mut fresh = World::new(WorldSettings { threads: 2, ..WorldSettings::default() });
    fresh.restore(&kept.unwrap()).unwrap();
    (250..600).for_each(|_| fresh.step(&mut Nobody));
    assert_eq!(fresh.sim_hash(), hash);
    let recording = Recording::decode(&recorder.take_bytes()).unwrap();
    let (mut again, mut replay) = Replay::new(&recording, 2).unwrap();
    while let Some(difference) = replay.step(&mut again).unwrap() {
        assert_eq!(difference, None);
    }
    assert_eq!(again.sim_hash(), hash);
}
