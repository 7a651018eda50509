//! Random strikes, kills, renumbers, removals and restores: nobody is lost, doubled, or drawn with a jump.

use super::{FELLS, drawn_figure, drawn_member, jump, tell};
use crate::crowd::with_horde;
use crate::support::boxman;
use simrun_sim::crowd::Whereabouts;
use simrun_sim::handover::{Stage, Strike};
use simrun_sim::space::Vec3;
use simrun_sim::{Happening, HordeCommand, HordeSpec, Nobody, PoolSpec, World, WorldSettings};

/// Strikes of a run: `SIMRUN_STRIKES`, or so many.
const STRIKES: usize = 60;
/// Living members under which a new horde takes the old one's place.
const FEWEST: usize = 8;

struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % most.max(1)
    }
    fn unit(&mut self) -> f32 {
        self.below(1 << 20) as f32 / (1 << 20) as f32
    }
}

/// Each member is in the horde, one figure's, or dead; each figure is parked or one member's.
fn count(world: &World) {
    let horde = world.horde("crowd").unwrap();
    let slots = horde.pool().unwrap().slots();
    let mut taken: Vec<u32> = slots.iter().filter_map(|slot| slot.stage.member()).collect();
    taken.sort_unstable();
    assert!(taken.is_sorted_by(|a, b| a < b), "a member with two figures: {taken:?}");
    for (member, whereabouts) in horde.members().whereabouts().iter().enumerate() {
        let owned = taken.binary_search(&(member as u32)).is_ok();
        match whereabouts {
            Whereabouts::In => assert!(!owned, "member {member} is in the horde and a figure"),
            Whereabouts::Out => assert!(owned, "member {member} is lost"),
            Whereabouts::Dead => {}
        }
    }
    for slot in slots {
        assert_eq!(world.figure(slot.figure).unwrap().is_parked(), slot.stage == Stage::Parked);
    }
    assert_eq!(world.figures().count(), taken.len());
}

fn wild(seed: u64) {
    let spec = HordeSpec {
        roams: true,
        clearance: 0.9,
        pool: Some(PoolSpec { despawn: 2.0, stance: Some("Idle".to_owned()), ..PoolSpec::new(6) }),
        ..HordeSpec::new("crowd", boxman(), "Walk", 40)
    };
    let mut world = with_horde(WorldSettings { seed, ..WorldSettings::default() }, spec.clone());
    let mut dice = Dice(seed);
    let (mut struck, mut returned, mut despawned, mut checked) = (0, 0, 0, 0);
    let strikes = crate::support::asked("SIMRUN_STRIKES", STRIKES);
    while struck < strikes {
        let alive = |member: &&Whereabouts| **member != Whereabouts::Dead;
        if world.horde("crowd").unwrap().members().whereabouts().iter().filter(alive).count() < FEWEST {
            tell(&mut world, HordeCommand::Remove).unwrap();
            assert_eq!(world.figures().count(), 0, "its figures go with it");
            tell(&mut world, HordeCommand::Add(Box::new(spec.clone()))).unwrap();
        }
        let members = world.horde("crowd").unwrap().members().len();
        match dice.below(40) {
            0..=2 => {
                let member = dice.below(members) as u32;
                // Handing over shows the same pose: the member's, where the figure is not taken from somebody.
                if let Some(figure) = world.taker("crowd", member).unwrap() {
                    let parked = world.figure(figure).unwrap().is_parked();
                    let before = drawn_member(&world, member as usize);
                    let at = Vec3::from_array(world.horde("crowd").unwrap().members().positions()[member as usize]);
                    let impulse = Vec3::new(dice.unit() - 0.5, 0.0, dice.unit() - 0.5).normalize_or(Vec3::Z) * (75.0 * FELLS);
                    let point = at + Vec3::Y * (0.3 + dice.unit());
                    let kills = dice.below(3) == 0;
                    tell(&mut world, HordeCommand::Strike(Strike { member, figure, point, impulse, kills })).unwrap();
                    if parked {
                        let (turn, way) = jump(&before, &drawn_figure(&world, figure));
                        assert!(turn < 0.002 && way < 0.002, "handed over with a jump of {turn} rad, {way} m");
                    }
                    struck += 1;
                }
            }
            3 => tell(&mut world, HordeCommand::Swap { one: dice.below(members) as u32, other: dice.below(members) as u32 })
                .unwrap(),
            4 if members > 20 && dice.below(4) == 0 => {
                tell(&mut world, HordeCommand::RemoveMember(dice.below(members) as u32)).unwrap();
            }
            5 => {
                let mut fresh = World::new(WorldSettings::default());
                fresh.restore(&world.snapshot()).unwrap();
                world = fresh;
            }
            _ => {}
        }
        count(&world);
        world.step(&mut Nobody);
        count(&world);
        for event in world.events().to_vec() {
            match event.what {
                Happening::Returned { member, figure, .. } => {
                    returned += 1;
                    // A figure that gives up its member to another strike is far away, and jumps; one that goes back shows the same pose.
                    if world.figure(figure).unwrap().is_parked() {
                        let (turn, way) = jump(&drawn_figure(&world, figure), &drawn_member(&world, member as usize));
                        assert!(turn < 0.002 && way < 0.002, "member {member} went back with a jump of {turn} rad, {way} m");
                        checked += 1;
                    }
                }
                Happening::Despawned { .. } => despawned += 1,
                _ => {}
            }
        }
    }
    assert!(
        returned > 3 && despawned > 3 && checked > 0,
        "{returned} returned, {checked} of them looked at, {despawned} despawned"
    );
}

#[test]
fn nobody_is_lost_doubled_or_drawn_with_a_jump() {
    [1, 7].into_iter().for_each(wild);
}
