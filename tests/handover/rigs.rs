//! Bones at hand-over and as a member goes back, on every rig that a ragdoll fits, with its own clip.

use super::{drawn_figure, drawn_member, jump, tell};
use crate::crowd::with_horde;
use crate::support::{model, models_below, ragdoll};
use simrun_sim::crowd::Whereabouts;
use simrun_sim::handover::Strike;
use simrun_sim::space::Vec3;
use simrun_sim::{Bone, Happening, HordeCommand, HordeSpec, Nobody, PoolSpec, WorldSettings};
use std::sync::Arc;

/// Phases at which members are handed over.
const PHASES: usize = 10;
/// How far bones may be from the pose bank's as a figure takes a member, and as it goes back (m, on a figure of 1.75 m).
const HANDED_OVER: f32 = 0.002;
const GIVEN_BACK: f32 = 0.01;
/// What each of them is pushed by (m/s of the body).
const PUSHED: f32 = 0.05;

#[test]
fn on_other_rigs_with_their_own_clips_bones_are_where_the_bank_has_them() {
    let (mut tried, mut worst) = (0, [0.0_f32; 2]);
    for path in ["derived/naming", "derived/transform"].into_iter().flat_map(models_below) {
        let model = model(&path);
        if model.ragdoll.is_err() {
            continue;
        }
        tried += 1;
        let size = ragdoll(&model).height / 1.75;
        let clip = model.rig.clips.first().expect("a clip of its own").name.clone();
        let pool = Some(PoolSpec { settle: 0.1, ..PoolSpec::new(PHASES) });
        let spec = HordeSpec { pool, speed: Some(0.0), ..HordeSpec::new("crowd", Arc::clone(&model), &clip, PHASES) };
        let mut world = with_horde(WorldSettings::default(), spec);
        let positions = (0..PHASES).map(|member| [2.0 * member as f32, 0.0, 0.0]).collect();
        let phases = (0..PHASES).map(|member| (member as f32 + 0.37) / PHASES as f32).collect();
        tell(&mut world, HordeCommand::SetColumns { positions, headings: vec![], phases, tints: vec![] }).unwrap();
        let name = &model.rig.name;
        for member in 0..PHASES as u32 {
            let before = drawn_member(&world, member as usize);
            let bones = Bone::ALL.map(|bone| world.horde("crowd").unwrap().bone(member as usize, bone).unwrap());
            let figure = world.taker("crowd", member).unwrap().expect("one for each");
            let impulse = Vec3::Z * (PUSHED * size.sqrt() * ragdoll(&model).mass);
            let point = bones[Bone::Chest.index()].translation;
            tell(&mut world, HordeCommand::Strike(Strike { member, figure, point, impulse, kills: false })).unwrap();
            let off = jump(&before, &drawn_figure(&world, figure)).1;
            worst[0] = worst[0].max(off / size);
            let off = off.max(jump(&bones, &Bone::ALL.map(|bone| world.figure(figure).unwrap().bone(bone))).1);
            assert!(off <= HANDED_OVER * size, "{name}, member {member}: handed over {:.2} mm off", 1.0e3 * off);
        }
        let mut back = 0;
        while back < PHASES && world.time() < 6.0 {
            world.step(&mut Nobody);
            for event in world.events() {
                let Happening::Returned { member, figure, .. } = event.what else { continue };
                back += 1;
                let off = jump(&drawn_figure(&world, figure), &drawn_member(&world, member as usize)).1;
                worst[1] = worst[1].max(off / size);
                assert!(off <= GIVEN_BACK * size, "{name}, member {member}: given back {:.2} mm off", 1.0e3 * off);
            }
        }
        let whereabouts = world.horde("crowd").unwrap().members().whereabouts();
        assert!(whereabouts.iter().all(|member| *member == Whereabouts::In), "{name}: {back} of {PHASES} are back");
    }
    let [over, back] = worst.map(|metres| 1.0e3 * metres);
    println!("{tried} rigs: handed over at most {over:.4} mm off, given back {back:.4} mm");
    assert!(tried == 0 || tried >= 9, "of those rigs only {tried} have a ragdoll");
}
