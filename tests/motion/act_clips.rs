//! Acts by clips: who has one sits, stands up and lies down as it does, and comes to where it would without.

use crate::support::{add_box, bone, ragdoll, road, run, spawn, standing};
use simrun_sim::acts::{lie_spot, sit_spot};
use simrun_sim::figure::Model;
use simrun_sim::figure::clip::{Channel, Clip, Interpolation, Track};
use simrun_sim::figure::rig::Transform;
use simrun_sim::motion::{ActClips, ActKind};
use simrun_sim::solve::boundary::BodyKind;
use simrun_sim::space::{Quat, Rigid, Vec3, angle_between};
use simrun_sim::{Bone, Command, FigureHandle, FigureSpec, Mode, Nobody, Phase, World, WorldSettings};
use std::f32::consts::PI;
use std::sync::Arc;

/// Seconds between two frames of a clip that is made here.
const APART: f32 = 0.1;

/// How a figure's nodes are turned ten times a second for as long as it is in a mode.
pub(super) fn acted(world: &mut World, figure: FigureHandle, mode: Mode) -> Vec<Vec<Transform>> {
    let locals = |world: &World| world.figure(figure).unwrap().drawn.locals.clone();
    let mut frames = Vec::new();
    while world.figure(figure).unwrap().mode() == mode && !rests(world, figure) {
        frames.push(locals(world));
        run(world, APART);
    }
    frames.push(locals(world));
    frames
}

/// Whether it stays where an act ends.
fn rests(world: &World, figure: FigureHandle) -> bool {
    let figure = world.figure(figure).unwrap();
    [ActKind::Sit, ActKind::Lie].into_iter().any(|kind| figure.motion().unwrap().stays(kind))
}

/// A box man with a clip of such frames, but with its left arm raised on the way.
pub(super) fn with_clip(model: &Model, name: &str, frames: &[Vec<Transform>]) -> Arc<Model> {
    let mut model = model.clone();
    let arm = model.rig.nodes.iter().position(|node| node.name == "ArmL").expect("an arm");
    let times: Vec<f32> = (0..frames.len()).map(|frame| frame as f32 * APART).collect();
    let duration = times[times.len() - 1];
    let tracks = (0..model.rig.nodes.len()).map(|node| {
        let values = frames.iter().zip(&times).flat_map(|(locals, time)| {
            let raised = if node == arm { 1.2 * libm::powf(libm::sinf(PI * time / duration), 2.0) } else { 0.0 };
            (Quat::from_rotation_z(raised) * locals[node].rotation).to_array()
        });
        let (channel, interpolation) = (Channel::Rotation, Interpolation::Linear);
        Track { node, channel, interpolation, times: times.clone(), values: values.collect() }
    });
    let clip = Clip { name: name.to_owned(), duration, tracks: tracks.collect() };
    model.rig.clips.push(clip);
    Arc::new(model)
}

/// How far its left arm points out to its left on average (1: straight).
pub(super) fn arm_out<'a>(drawn: impl IntoIterator<Item = &'a [Rigid; 12]>) -> f32 {
    let out = |bodies: &[Rigid; 12]| {
        let [chest, arm] = [Bone::Chest, Bone::UpperArmL].map(|bone| bodies[bone.index()].rotation);
        (chest.conjugate() * arm * Vec3::NEG_Y).x
    };
    let outs: Vec<f32> = drawn.into_iter().map(out).collect();
    outs.iter().sum::<f32>() / outs.len() as f32
}

/// No bone turns by more than 6° a step, and hips go no farther than 40 mm.
pub(super) fn moves_evenly(drawn: &[[Rigid; 12]]) {
    for pair in drawn.windows(2) {
        let turn = |bone: usize| {
            [Vec3::X, Vec3::Y].map(|axis| angle_between(pair[0][bone].rotation * axis, pair[1][bone].rotation * axis))
        };
        let turned = (0..12).flat_map(turn).fold(0.0, f32::max).to_degrees();
        let went = pair[0][0].translation.distance(pair[1][0].translation);
        assert!(turned <= 6.0 && went <= 0.04, "a bone turns by {turned:.1}°, the hips go {went:.3} m in a step");
    }
}

/// One who stands before a bench of a height (m), and where its hips are to rest.
fn by_a_bench(model: &Arc<Model>, acts: &ActClips, height: f32) -> (World, FigureHandle, Vec3) {
    let mut world = road(WorldSettings::default());
    let seat = Vec3::Y * height;
    // On a high seat hips rest near the front edge.
    add_box(&mut world, "bench", Vec3::new(2.0, height, 0.3), seat * 0.5 + Vec3::NEG_Z * 0.1, BodyKind::Fixed, 0.0);
    let spec = FigureSpec { model: Arc::clone(model), acts: acts.clone(), ..standing("ann", Mode::Powered) };
    let ann = spawn(&mut world, spec);
    let spot = sit_spot(&world, ann, seat, 0.0).unwrap();
    world.command(Command::MoveTo { figure: ann, position: spot.position, yaw: Some(spot.yaw) }).unwrap();
    run(&mut world, 0.3);
    (world, ann, seat)
}

/// A box man with clips of sitting down on a high bench and standing up from it, an arm raised.
fn sitter() -> (Arc<Model>, ActClips) {
    let (mut world, ann, seat) = by_a_bench(&crate::support::boxman(), &ActClips::default(), 0.6);
    world.command(Command::Sit { figure: ann, seat, facing: 0.0 }).unwrap();
    let down = acted(&mut world, ann, Mode::Acting);
    world.command(Command::StandUp(ann)).unwrap();
    let up = acted(&mut world, ann, Mode::Acting);
    let model = with_clip(&world.figure(ann).unwrap().model, "SitDown", &down);
    let model = with_clip(&model, "StandFromSeat", &up);
    let named = |name: &str| Some(name.to_owned());
    (model, ActClips { sit: named("SitDown"), stand_up: named("StandFromSeat"), ..ActClips::default() })
}

/// Sits down on a lower bench and stands up: what is drawn on the way down and up, and sat; soles never go far.
fn sits_and_stands_up(model: &Arc<Model>, acts: &ActClips) -> ([Vec<[Rigid; 12]>; 2], [Rigid; 12]) {
    let (mut world, ann, seat) = by_a_bench(model, acts, 0.42);
    let drawn = |world: &World| world.figure(ann).unwrap().drawn.bodies;
    let mut go = |command: Command, until: fn(&World, FigureHandle) -> bool| {
        world.command(command).unwrap();
        let mut way = Vec::new();
        while !until(&world, ann) {
            world.step(&mut Nobody);
            way.push(drawn(&world));
            assert!(way.len() < 300, "it does not come to its end");
        }
        way
    };
    let down = go(Command::Sit { figure: ann, seat, facing: 0.0 }, rests);
    let up = go(Command::StandUp(ann), |world, ann| world.figure(ann).unwrap().mode() != Mode::Acting);
    let figure = world.figure(ann).unwrap();
    assert_eq!((figure.mode(), figure.phase()), (Mode::Powered, Phase::Standing));
    let soles = ragdoll(model).soles;
    for (way, side) in [&down, &up].into_iter().flat_map(|way| [(way, 0), (way, 1)]) {
        let shin = [Bone::ShinL, Bone::ShinR][side].index();
        let ball = |bodies: &[Rigid; 12]| (bodies[shin].point(soles[side][2]) + bodies[shin].point(soles[side][3])) * 0.5;
        let slid = |bodies: &[Rigid; 12]| (ball(bodies) - ball(&way[0])).with_y(0.0).length();
        let most = way.iter().map(slid).fold(0.0, f32::max);
        assert!(most <= 0.005, "the ball of a foot is {:.1} mm off its spot", 1.0e3 * most);
    }
    moves_evenly(&down);
    moves_evenly(&up);
    let sat = down[down.len() - 1];
    ([down, up], sat)
}

#[test]
fn who_has_clips_for_it_sits_down_and_stands_up_as_they_do_with_its_feet_where_they_are() {
    let (model, acts) = sitter();
    let (own, sat) = sits_and_stands_up(&model, &acts);
    let (plain, usual) = sits_and_stands_up(&model, &ActClips::default());
    for (own, plain) in own.iter().zip(&plain) {
        let on_the_way =
            |way: &[[Rigid; 12]]| arm_out(way.iter().filter(|bodies| (0.65..0.85).contains(&bodies[0].translation.y)));
        let (raised, usual) = (on_the_way(own), on_the_way(plain));
        assert!(raised > usual + 0.3, "the arm is {raised:.2} out on the way, without the clip {usual:.2}");
    }
    for bone in Bone::ALL {
        let [own, usual] = [&sat, &usual].map(|bodies| bodies[bone.index()]);
        let off = own.translation.distance(usual.translation);
        assert!(off < 0.003, "sat, {bone:?} is {:.1} mm from where it is without the clip", 1.0e3 * off);
    }
}

#[test]
fn who_has_a_clip_for_it_lies_down_as_it_does_where_it_is_to_lie() {
    let (middle, head) = (Vec3::new(2.0, 0.0, 0.0), Vec3::new(3.0, 0.0, 0.5));
    let lies_down = |model: &Arc<Model>, acts: &ActClips| {
        let mut world = road(WorldSettings::default());
        let spec = FigureSpec { model: Arc::clone(model), acts: acts.clone(), ..standing("ann", Mode::Powered) };
        let ann = spawn(&mut world, spec);
        let spot = lie_spot(&world, ann, middle, head).unwrap();
        world.command(Command::MoveTo { figure: ann, position: spot.position, yaw: Some(spot.yaw) }).unwrap();
        run(&mut world, 0.3);
        world.command(Command::LieDown { figure: ann, head }).unwrap();
        (world, ann)
    };
    let boxman = crate::support::boxman();
    let (mut world, ann) = lies_down(&boxman, &ActClips::default());
    let model = with_clip(&boxman, "LieDown", &acted(&mut world, ann, Mode::Acting));
    let acts = ActClips { lie_down: Some("LieDown".to_owned()), ..ActClips::default() };
    let drawn = |acts: &ActClips| {
        let (mut world, ann) = lies_down(&model, acts);
        let mut way = Vec::new();
        while !rests(&world, ann) {
            world.step(&mut Nobody);
            way.push(world.figure(ann).unwrap().drawn.bodies);
            assert!(way.len() < 600, "it does not come to lie");
        }
        let [pelvis, crown] = [Bone::Pelvis, Bone::Head].map(|of| bone(&world, ann, of).translation.with_y(0.0));
        assert!(pelvis.distance(middle) < 0.05, "{pelvis}");
        let aside = angle_between(crown - pelvis, head - middle);
        assert!(aside < 0.1, "its head lies {aside:.2} rad off where it is to");
        moves_evenly(&way);
        arm_out(way.iter().filter(|bodies| (0.3..0.8).contains(&bodies[0].translation.y)))
    };
    let (raised, usual) = (drawn(&acts), drawn(&ActClips::default()));
    assert!(raised > usual + 0.3, "the arm is {raised:.2} out on the way, without the clip {usual:.2}");
}

#[test]
fn clips_that_do_not_begin_and_end_as_an_act_does_are_refused() {
    let (model, acts) = sitter();
    let mut world = road(WorldSettings::default());
    let handle = world.reserve_figure("ann").unwrap();
    for (act, clip, accepted) in [
        (ActClips::SIT, acts.stand_up.as_deref().unwrap(), "a clip that begins standing and ends sitting"),
        (ActClips::SIT, "Idle", "a clip that begins standing and ends sitting"),
        (ActClips::STAND_UP, acts.sit.as_deref().unwrap(), "a clip that begins sitting and ends standing"),
        (ActClips::LIE_DOWN, acts.sit.as_deref().unwrap(), "a clip that begins standing and ends lying face up"),
    ] {
        let mut acts = ActClips::default();
        assert!(acts.set(act, clip));
        let spec = FigureSpec { acts, model: Arc::clone(&model), ..standing("ann", Mode::Powered) };
        let said = world.command(Command::Spawn { handle, spec: Box::new(spec) }).expect_err("no such act").to_string();
        assert!(said.contains(act) && said.contains(clip) && said.contains(accepted), "{said}");
    }
}
