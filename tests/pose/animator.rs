//! Several clips on one rig: clocks, fades, layers, travel, and clips carried over from other rigs.

use crate::support::{assets, boxman, model, ragdoll};
use simrun_sim::figure::clip::{Channel, Clip, Interpolation, Track};
use simrun_sim::figure::rig::{Node, Rig, Transform};
use simrun_sim::figure::{Bone, Model};
use simrun_sim::pose::Animator;
use simrun_sim::space::{Quat, Vec3, rotation_from_vector, rotation_vector};
use std::sync::Arc;

const DT: f32 = 1.0 / 60.0;

fn track(node: usize, channel: Channel, times: &[f32], values: &[f32]) -> Track {
    Track { node, channel, interpolation: Interpolation::Linear, times: times.to_vec(), values: values.to_vec() }
}

fn clip(name: &str, tracks: Vec<Track>) -> Clip {
    let duration = tracks.iter().filter_map(|track| track.times.last()).copied().fold(0.0, f32::max);
    Clip { name: name.to_owned(), duration, tracks }
}

/// Two loose nodes; the clips move the first to 1, the first to 3, and the second from 0 to 1 over 1.1 s.
fn two_nodes() -> Arc<Model> {
    let node = |name: &str| Node { name: name.to_owned(), parent: None, rest: Transform::IDENTITY };
    let still = |name: &str, x: f32| clip(name, vec![track(0, Channel::Translation, &[0.0, 1.0], &[x, 0.0, 0.0, x, 0.0, 0.0])]);
    let slide = clip("slide", vec![track(1, Channel::Translation, &[0.0, 1.1], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0])]);
    Arc::new(Model::new(Rig {
        name: "two".to_owned(),
        nodes: vec![node("a"), node("b")],
        clips: vec![still("one", 1.0), still("three", 3.0), slide],
        ..Rig::default()
    }))
}

fn run(animator: &mut Animator, model: &Model, steps: u32) {
    for _ in 0..steps {
        animator.advance(model, DT);
    }
}

fn x_of(animator: &Animator, node: usize) -> f32 {
    animator.locals[node].translation.x
}

#[test]
fn a_clip_leaves_the_rest_where_it_was_last() {
    let model = two_nodes();
    let mut animator = Animator::new(&model);
    animator.play(&model, 0, 1.0, true, 0.0);
    animator.advance(&model, DT);
    animator.stop(Some(0));
    animator.play(&model, 2, 1.0, false, 0.0);
    run(&mut animator, &model, 120);
    assert_eq!((x_of(&animator, 0), x_of(&animator, 1)), (1.0, 1.0));
}

#[test]
fn clips_of_the_same_nodes_cross_and_the_old_one_is_dropped() {
    let model = two_nodes();
    let mut animator = Animator::new(&model);
    animator.play(&model, 0, 1.0, true, 0.0);
    animator.play(&model, 2, 1.0, true, 0.0);
    animator.advance(&model, DT);
    animator.play(&model, 1, 1.0, true, 0.5);
    let mut last = x_of(&animator, 0);
    for step in 1..=30 {
        animator.advance(&model, DT);
        let expected = 1.0 + 2.0 * step as f32 / 30.0;
        assert!((x_of(&animator, 0) - expected).abs() < 1.0e-3, "step {step}: {}", x_of(&animator, 0));
        assert!(x_of(&animator, 0) >= last);
        last = x_of(&animator, 0);
    }
    animator.advance(&model, DT);
    let left: Vec<usize> = animator.playing.iter().map(|playing| playing.clip).collect();
    assert_eq!(left, [2, 1], "the clip of the other node goes on");
}

#[test]
fn a_fade_that_is_interrupted_does_not_jump() {
    let model = two_nodes();
    let mut animator = Animator::new(&model);
    let mut last = 0.0;
    for step in 0..90 {
        if step % 10 == 0 {
            animator.play(&model, step / 10 % 2, 1.0, true, 0.4);
        }
        animator.advance(&model, DT);
        let x = x_of(&animator, 0);
        // The whole way of 3 in 0.4 s is 0.125 a step.
        assert!((x - last).abs() < 0.13, "step {step}: {last} to {x}");
        last = x;
    }
}

#[test]
fn clocks_wrap_without_drift() {
    let model = two_nodes();
    let mut animator = Animator::new(&model);
    animator.play(&model, 2, 1.0, true, 0.0);
    let steps = 216_000;
    run(&mut animator, &model, steps);
    let exact = (f64::from(DT) * f64::from(steps)) % f64::from(1.1_f32);
    let off = (f64::from(animator.playing[0].time) - exact).abs();
    assert!(off < 1.0e-3, "after an hour the clock is {off} s off");
}

#[test]
fn backwards_starts_at_the_end_and_holds_the_beginning() {
    let model = two_nodes();
    let mut animator = Animator::new(&model);
    animator.play(&model, 2, -1.0, false, 0.0);
    animator.advance(&model, 0.0);
    assert_eq!(x_of(&animator, 1), 1.0);
    run(&mut animator, &model, 120);
    assert_eq!(x_of(&animator, 1), 0.0);
}

#[test]
fn odd_clips_give_sound_poses_at_any_time() {
    let path = assets().join("derived/quirk/odd-clips.glb");
    if !path.exists() {
        println!("skipped: there is no {}", path.display());
        return;
    }
    let model = model(&path);
    for clip in 0..model.rig.clips.len() {
        for (speed, looped) in [(1.0, true), (-1.0, true), (1.0, false), (-3.0, false), (0.0, true)] {
            let mut animator = Animator::new(&model);
            animator.play(&model, clip, speed, looped, 0.1);
            for _ in 0..400 {
                let travel = animator.advance(&model, DT);
                let sound = |local: &Transform| local.rotation.is_normalized() && local.translation.is_finite();
                assert!(travel.is_finite() && animator.locals.iter().all(sound), "{}", model.rig.clips[clip].name);
                let bodies = ragdoll(&model).bodies_of(&model.rig, &animator.locals);
                assert!(bodies.iter().all(|body| body.is_finite()), "{}", model.rig.clips[clip].name);
            }
        }
    }
}

/// A model with a clip that bobs its hips (or what stands above them) and carries them 1.2 m ahead in 0.8 s.
fn walker(path: &std::path::Path, above: bool) -> Arc<Model> {
    let mut rig = simrun_scene::model::load(path).unwrap_or_else(|error| panic!("{error}"));
    let model = Model::new(rig.clone());
    let ragdoll = ragdoll(&model);
    let hips = ragdoll.nodes[0];
    let node = if above { rig.nodes[hips].parent.unwrap_or(hips) } else { hips };
    let world = rig.model_from_nodes(&rig.rest());
    let parent = rig.nodes[node].parent.map_or(ragdoll.figure_from_model, |parent| ragdoll.figure_from_model * world[parent]);
    let from = rig.nodes[node].rest.translation;
    let values: Vec<f32> = [Vec3::ZERO, Vec3::new(0.0, 0.05, 0.6), Vec3::new(0.0, 0.0, 1.2)]
        .into_iter()
        .flat_map(|way| (from + parent.inverse().transform_vector3(way)).to_array())
        .collect();
    rig.clips = vec![clip("walk", vec![track(node, Channel::Translation, &[0.0, 0.4, 0.8], &values)])];
    Arc::new(Model::new(rig))
}

#[test]
fn walk_travel_is_taken_out_of_the_pose() {
    for file in
        ["naming/human-mixamorig.glb", "transform/mixamorig-armature-0.01-rotx90.glb", "transform/mixamorig-faces-minus-z.glb"]
    {
        let path = assets().join("derived").join(file);
        if !path.exists() {
            println!("skipped: there is no {}", path.display());
            continue;
        }
        for above in [false, true] {
            let model = walker(&path, above);
            let ragdoll = ragdoll(&model);
            let mut animator = Animator::new(&model);
            animator.play(&model, 0, 1.0, true, 0.0);
            let mut travel = Vec3::ZERO;
            for _ in 0..120 {
                travel += animator.advance(&model, DT);
                let pelvis = ragdoll.bodies_of(&model.rig, &animator.locals)[0].translation;
                let off = pelvis - ragdoll.rest[0].translation;
                assert!(off.x.hypot(off.z) < 2.0e-3, "{file}: the pelvis is {off} off its place");
                assert!((-1.0e-3..0.052).contains(&off.y), "{file}: the bob stays in the pose");
            }
            assert!((travel - Vec3::new(0.0, 0.0, 3.0)).length() < 0.01, "{file}: went {travel}");
        }
    }
}

#[test]
fn without_a_clip_a_figure_stands_in_its_stance() {
    let man = boxman();
    let animator = Animator::new(&man);
    let ragdoll = ragdoll(&man);
    let bodies = ragdoll.bodies_of(&man.rig, &animator.locals);
    for (body, stance) in bodies.iter().zip(ragdoll.stance()) {
        assert!(rotation_vector(body.rotation * stance.conjugate()).length() < 1.0e-4);
    }
    assert!((bodies[0].translation - ragdoll.rest[0].translation).length() < 1.0e-4);
}

#[test]
fn a_clip_of_another_rig_is_carried_over_from_neutral() {
    let path = assets().join("derived/naming/human-mixamorig.glb");
    if !path.exists() {
        println!("skipped: there is no {}", path.display());
        return;
    }
    let man = boxman();
    let mut human = Model::clone(&*model(&path));
    human.add_clips_of(&man);
    let human = Arc::new(human);
    let bow = man.rig.clip("Bow").expect("the box man bows");
    let bow_of_human = human.rig.clip("Bow").expect("carried over");
    let (mut own, mut carried) = (Animator::new(&man), Animator::new(&human));
    own.play(&man, bow, 1.0, true, 0.0);
    carried.play(&human, bow_of_human, 1.0, true, 0.0);
    let (from, onto) = (ragdoll(&man), ragdoll(&human));
    let mut most = 0.0_f32;
    for _ in 0..120 {
        own.advance(&man, DT);
        carried.advance(&human, DT);
        let bowed =
            from.bodies_of(&man.rig, &own.locals)[Bone::Chest.index()].rotation * from.neutral[Bone::Chest.index()].conjugate();
        let got = onto.bodies_of(&human.rig, &carried.locals)[Bone::Chest.index()].rotation
            * onto.neutral[Bone::Chest.index()].conjugate();
        assert!(rotation_vector(bowed * got.conjugate()).length() < 1.0e-3);
        most = most.max(rotation_vector(got).length());
    }
    assert!(most > 0.1, "it bows by {most} rad");
}

#[test]
fn a_bone_turned_halfway_through_a_fade_is_turned_by_half() {
    let mut rig = two_nodes().rig.clone();
    let turned = rotation_from_vector(Vec3::Y);
    rig.clips = vec![clip("turn", vec![track(0, Channel::Rotation, &[0.0], &turned.to_array())])];
    let model = Arc::new(Model::new(rig));
    let mut animator = Animator::new(&model);
    animator.play(&model, 0, 1.0, false, 1.0);
    animator.advance(&model, 0.5);
    let half = animator.locals[0].rotation * Quat::from_rotation_y(0.5).conjugate();
    assert!(rotation_vector(half).length() < 1.0e-3);
}
