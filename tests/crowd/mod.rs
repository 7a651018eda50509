//! Hordes: the pose bank, columns, walking, steering.

mod ground;

use crate::support::{boxman, ragdoll, road, run};
use simrun_sim::crowd::{Members, PoseBank, Whereabouts};
use simrun_sim::space::{Rigid, Vec3};
use simrun_sim::{Command, Error, HordeCommand, HordeSpec, Nobody, World, WorldSettings};

/// Gives a command to the horde `crowd`.
pub fn tell(world: &mut World, command: HordeCommand) -> Result<(), Error> {
    world.command(Command::Horde { horde: "crowd".to_owned(), command })
}

/// A world with a horde of box men.
pub fn with_horde(settings: WorldSettings, spec: HordeSpec) -> World {
    let mut world = road(settings);
    tell(&mut world, HordeCommand::Add(Box::new(spec))).expect("a good horde");
    world
}

fn walkers(count: usize) -> HordeSpec {
    HordeSpec { roams: true, clearance: 0.9, ..HordeSpec::new("crowd", boxman(), "Walk", count) }
}

/// How many pairs are nearer to each other than two shoulders.
fn close_pairs(world: &World) -> usize {
    let at: Vec<Vec3> = world.horde("crowd").unwrap().members().positions().iter().map(|at| Vec3::from_array(*at)).collect();
    let pairs = at.iter().enumerate().flat_map(|(index, one)| at[..index].iter().map(|other| one.distance(*other)));
    pairs.filter(|distance| *distance < 0.4).count()
}

/// The bank blends two poses a sixtieth of a second apart; the figure's own clip is sampled anew.
#[test]
fn the_bank_has_the_poses_of_the_clip_without_its_travel() {
    let model = boxman();
    let figure_from_model = ragdoll(&model).figure_from_model;
    for (clip, stride) in [("Idle", 0.0..=0.0), ("Walk", 1.0..=2.0), ("Run", 1.5..=4.0)] {
        let index = model.rig.clip(clip).unwrap();
        let bank = PoseBank::bake(&model, index).unwrap();
        assert!(stride.contains(&bank.stride()), "{clip} goes {} m", bank.stride());
        let hips = ragdoll(&model).nodes[0];
        let mut pose = Vec::new();
        for moment in 0..50 {
            let phase = moment as f32 / 50.0;
            let mut locals = model.rig.rest();
            simrun_sim::pose::sample::sample(&model.rig.clips[index], phase * bank.duration(), &mut locals);
            let nodes = model.rig.model_from_nodes(&locals);
            let gone = Vec3::Z * (bank.stride() * phase);
            bank.pose(phase, &mut pose);
            for (node, found) in pose.iter().enumerate() {
                let expected = figure_from_model.transform_point3(nodes[node].w_axis.truncate()) - gone;
                // What hangs on no clip stands in the stance rather than at rest.
                if model.rig.clips[index].tracks.iter().any(|track| track.node == node) {
                    let off = found.translation.distance(expected);
                    assert!(off < 1.0e-3, "{clip} at {phase}: node {node} is off by {off} m");
                }
            }
            assert!(pose[hips].translation.z.abs() < 0.15, "{clip}: the hips stay in place");
        }
    }
}

#[test]
fn members_walk_as_far_as_their_feet_do_and_turn_like_people() {
    let mut world = with_horde(WorldSettings::default(), HordeSpec { yaw: 0.3, ..HordeSpec::new("crowd", boxman(), "Walk", 20) });
    let horde = world.horde("crowd").unwrap();
    let bank = horde.bank().unwrap().clone();
    let (before, phases) = (horde.members().positions().to_vec(), horde.members().phases().to_vec());
    run(&mut world, 2.0);
    let horde = world.horde("crowd").unwrap();
    let way = Vec3::new(libm::sinf(0.3), 0.0, libm::cosf(0.3)) * (2.0 * bank.stride() / bank.duration());
    for (member, before) in before.iter().enumerate() {
        let now = Vec3::from_array(horde.members().positions()[member]);
        assert!(
            now.distance(Vec3::from_array(*before) + way) < 1.0e-3,
            "member {member} went {}",
            now - Vec3::from_array(*before)
        );
        let cycles = 2.0 / bank.duration() + phases[member];
        let off = (horde.members().phases()[member] - cycles.fract()).abs();
        assert!(off.min(1.0 - off) < 1.0e-3, "member {member}: its phase is off by {off}");
    }
    // Told to go back, they turn by no more than 6° a step, and arrive.
    tell(&mut world, HordeCommand::SetGoals(vec![[0.0, -10.0]])).unwrap();
    for _ in 0..1500 {
        let before: Vec<f32> = (0..20).map(|member| world.horde("crowd").unwrap().members().heading(member)).collect();
        world.step(&mut Nobody);
        for (member, before) in before.iter().enumerate() {
            let turned = (world.horde("crowd").unwrap().members().heading(member) - before).abs();
            assert!(turned.min(std::f32::consts::TAU - turned) < 6.0_f32.to_radians(), "member {member} turned {turned} rad");
        }
    }
    for at in world.horde("crowd").unwrap().members().positions() {
        assert!(Vec3::from_array(*at).distance(Vec3::new(0.0, 0.0, -10.0)) < 1.0, "{at:?}");
    }
}

/// Against the same horde without a clearance: they walk through each other.
#[test]
fn members_keep_off_each_other_and_within_their_area() {
    let near = |clearance: f32| {
        let spec = HordeSpec { clearance, area: [12.0, 12.0], ..walkers(60) };
        let mut world = with_horde(WorldSettings::default(), spec);
        let touching: usize = (0..60)
            .map(|_| {
                run(&mut world, 0.5);
                close_pairs(&world)
            })
            .sum();
        let far =
            world.horde("crowd").unwrap().members().positions().iter().flatten().fold(0.0_f32, |most, axis| most.max(axis.abs()));
        (touching, far)
    };
    let ((apart, far), (through, _)) = (near(0.9), near(0.0));
    assert!(apart * 10 < through, "{apart} times two were nearer than 0.4 m with a clearance, {through} times without");
    assert!(far < 8.0, "one strayed {far} m from the middle of 12 × 12 m");
}

#[test]
fn a_horde_comes_to_the_same_bits_on_any_threads_and_across_a_restore() {
    let go = |threads: usize| {
        let mut world = with_horde(WorldSettings { threads, ..WorldSettings::default() }, walkers(9000));
        run(&mut world, 0.5);
        let snapshot = world.snapshot();
        run(&mut world, 0.5);
        (snapshot, world.sim_hash())
    };
    let ((snapshot, one), (_, two)) = (go(1), go(2));
    assert_eq!(one, two);
    let mut fresh = World::new(WorldSettings { threads: 2, ..WorldSettings::default() });
    fresh.restore(&snapshot).unwrap();
    assert_eq!(
        fresh.horde("crowd").unwrap().bank().unwrap().len(),
        fresh.horde("crowd").unwrap().bank().unwrap().poses().len() / 20
    );
    run(&mut fresh, 0.5);
    assert_eq!(fresh.sim_hash(), one);
}

#[test]
fn what_a_horde_cannot_be_is_refused_by_name() {
    let mut world = with_horde(WorldSettings::default(), walkers(3));
    let refused = |world: &mut World, command: HordeCommand| tell(world, command).expect_err("refused").to_string();
    for (command, said) in [
        (HordeCommand::Add(Box::new(walkers(2))), "already a figure, object or horde named 'crowd'"),
        (HordeCommand::SetSpeed(f32::NAN), "the speed (m/s) is NaN"),
        (HordeCommand::SetSpeed(-1.0), "accepted: 0 to 30"),
        (HordeCommand::Swap { one: 0, other: 3 }, "the member of 'crowd' is 3; accepted: 0 to 2"),
        (HordeCommand::SetGoals(vec![[0.0, 0.0]; 2]), "the number of goals is 2; accepted: 0, 1 or 3"),
        (HordeCommand::SetSettle(1.0), "has no pool"),
        (HordeCommand::Step(1.0e9), "the time to step (s) is 1000000000"),
        (
            HordeCommand::SetColumns { positions: vec![], headings: vec![f32::INFINITY; 3], phases: vec![], tints: vec![] },
            "a member's heading (rad) is inf",
        ),
        (
            HordeCommand::SetColumns { positions: vec![], headings: vec![], phases: vec![0.5], tints: vec![] },
            "the number of phases is 1; accepted: 3, or none",
        ),
    ] {
        let hash = world.sim_hash();
        let told = refused(&mut world, command);
        assert!(told.contains(said), "{told}");
        assert_eq!(world.sim_hash(), hash);
    }
    let other = Command::Horde { horde: "mob".to_owned(), command: HordeCommand::SetSpeed(1.0) };
    assert!(world.command(other).unwrap_err().to_string().contains("no horde 'mob'; there is: crowd"));
    let wrong = HordeSpec { clip: "Wlak".to_owned(), ..HordeSpec::new("mob", boxman(), "Walk", 2) };
    let add = Command::Horde { horde: "mob".to_owned(), command: HordeCommand::Add(Box::new(wrong)) };
    assert!(world.command(add).unwrap_err().to_string().contains("no clip 'Wlak'"));
    assert!(world.reserve_figure("crowd").is_err());
}

#[test]
fn columns_are_set_stepped_ahead_and_made_shorter() {
    let mut world = with_horde(WorldSettings::default(), HordeSpec::new("crowd", boxman(), "Walk", 3));
    let positions = vec![[0.0, 0.0, 0.0], [5.0, 0.0, 0.0], [9.0, 0.0, 0.0]];
    let command =
        HordeCommand::SetColumns { positions, headings: vec![0.0, 1.0, 2.0], phases: vec![0.0, 0.5, 1.0], tints: vec![1, 2, 3] };
    tell(&mut world, command).unwrap();
    let members = world.horde("crowd").unwrap().members();
    assert_eq!((members.phases(), members.tints()), ([0.0, 0.5, 0.0].as_slice(), [1, 2, 3].as_slice()));
    assert!((members.heading(1) - 1.0).abs() < 1.0e-6);
    tell(&mut world, HordeCommand::Step(1.0)).unwrap();
    let stride = world.horde("crowd").unwrap().speed;
    let [_, _, z] = world.horde("crowd").unwrap().members().positions()[0];
    assert!((z - stride).abs() < 1.0e-3, "{z} m in a second at {stride} m/s");
    tell(&mut world, HordeCommand::RemoveMember(0)).unwrap();
    let members = world.horde("crowd").unwrap().members();
    assert_eq!((members.len(), members.tints()), (2, [3, 2].as_slice()));
    assert_eq!(members.whereabouts(), [Whereabouts::In; 2]);
    const { assert!(Members::BYTES <= 64) };
}

#[test]
fn what_is_drawn_is_each_member_at_its_place() {
    let mut world = with_horde(WorldSettings::default(), walkers(7));
    tell(&mut world, HordeCommand::SetFacing(0.5)).unwrap();
    let horde = world.horde("crowd").unwrap();
    let drawn: Vec<_> = horde.instances().collect();
    assert_eq!(drawn.len(), 7);
    for instance in drawn {
        let Rigid { rotation, translation } = instance.place;
        assert_eq!(translation.to_array(), horde.members().positions()[instance.member]);
        let yaw = simrun_sim::space::yaw_of(rotation) - horde.members().heading(instance.member) - 0.5;
        assert!(libm::sinf(yaw * 0.5).abs() < 1.0e-5, "drawn off its heading by {yaw} rad");
    }
}
