//! The ragdoll that fits a rig: the same for one person however the file is made, and people's in its limits.

use crate::support::{assets, boxman, model, models_below, present, ragdoll};
use simrun_sim::figure::{Build, Ragdoll, Scheme};
use simrun_sim::solve::boundary::{JointDef, JointKind, Shape};
use simrun_sim::space::{Quat, Rigid, Vec3, angle_between, rotation_from_vector, rotation_vector, swing_twist};
use simrun_sim::{BONES, Bone};

const HUMAN: &str = "derived/naming/human-mixamorig.glb";

/// Every model there is that gets a ragdoll, the box man first.
fn people() -> Vec<(String, std::sync::Arc<simrun_sim::Model>)> {
    let files = ["derived/naming", "derived/transform", "derived/quirk", "figures/mesh2motion-assets"];
    let files = files.into_iter().flat_map(models_below).map(|path| (path.display().to_string(), model(&path)));
    std::iter::once(("box man".to_owned(), boxman())).chain(files).filter(|(_, model)| model.ragdoll.is_ok()).collect()
}

/// Bends a posture everywhere, differently each time.
fn bent(posture: &[Quat; BONES], seed: f32) -> [Quat; BONES] {
    let mut out = *posture;
    for (index, rotation) in out.iter_mut().enumerate() {
        let at = seed + index as f32;
        let turn = Vec3::new((at * 1.7).sin(), (at * 2.3).cos(), (at * 3.1).sin());
        *rotation = (rotation_from_vector(turn) * *rotation).normalize();
    }
    out
}

#[test]
fn same_human_in_three_namings_gets_the_same_ragdoll() {
    let files = [
        HUMAN,
        "derived/naming/human-home-guess.glb",
        "derived/naming/human-mixamo-noprefix.glb",
        "derived/naming/human-mixamorig-sanitised.glb",
    ];
    let schemes = [Scheme::MixamoPrefixed, Scheme::Home, Scheme::Mixamo, Scheme::MixamoPrefixed];
    let found: Vec<_> = present(&files).into_iter().map(|(_, path)| model(&path)).collect();
    for (model, scheme) in found.iter().zip(schemes) {
        let (own, first) = (ragdoll(model), ragdoll(&found[0]));
        assert_eq!(own.scheme, scheme);
        assert_eq!(own.topology, first.topology, "to the bit");
        assert_eq!((own.mass, own.budgets, own.neutral), (first.mass, first.budgets, first.neutral));
    }
}

#[test]
fn same_human_under_any_armature_gets_the_same_ragdoll() {
    for (_, path) in present(&[HUMAN]) {
        let reference = model(&path);
        let reference = ragdoll(&reference);
        for path in models_below("derived/transform") {
            let name = path.display().to_string();
            // Stretched upward by a quarter, it is another person.
            if name.contains("nonuniform") {
                continue;
            }
            let own = model(&path);
            let own = ragdoll(&own);
            // The tiny one is in no unit: it is made 1.75 m tall, and has the same proportions.
            let size = own.height / reference.height;
            assert!(size == 1.75 / reference.height || (size - 1.0).abs() < 1.0e-4, "{name} is {} m tall", own.height);
            assert!((own.mass / size.powi(2) - reference.mass).abs() < 0.01, "{name}");
            for bone in 0..BONES {
                let apart = |a: Vec3, b: Vec3| (a / size - b).length();
                assert!(apart(own.joint_at[bone], reference.joint_at[bone]) < 1.0e-3, "{name}");
                assert!(apart(own.tip_at[bone], reference.tip_at[bone]) < 1.0e-3, "{name}");
                assert!(apart(own.rest[bone].translation, reference.rest[bone].translation) < 1.0e-3, "{name}");
            }
        }
    }
}

#[test]
fn who_is_no_humanoid_is_told_what_is_missing() {
    let reasons = [
        ("derived/quirk/amputee-left-arm.glb", "mixamorig:LeftArm, mixamorig:LeftForeArm"),
        ("derived/naming/human-unreal.glb", "no node is named"),
        ("derived/quirk/zero-length-shins.glb", "shin_l has no length"),
        ("derived/malformed/armature-scale-zero.glb", "scaled to nothing"),
    ];
    for (name, path) in present(&reasons.map(|(name, _)| name)) {
        let model = model(&path);
        let why = model.ragdoll.as_ref().expect_err(name).to_string();
        assert!(reasons.iter().any(|(file, reason)| *file == name && why.contains(reason)), "{name}: {why}");
    }
}

#[test]
fn soles_lie_flat_and_nothing_else_reaches_the_ground() {
    for (name, model) in people() {
        let ragdoll = ragdoll(&model);
        for (side, shin) in [Bone::ShinL, Bone::ShinR].into_iter().enumerate() {
            for corner in ragdoll.soles[side] {
                let at = ragdoll.rest[shin.index()].point(corner);
                assert!(at.y.abs() < 1.0e-4, "{name}: {at}");
            }
        }
        for (body, rest) in ragdoll.topology.bodies.iter().zip(&ragdoll.rest) {
            for placed in &body.shapes {
                if let Shape::Capsule { a, b, radius } = placed.shape {
                    let low = rest.point(a).y.min(rest.point(b).y) - radius;
                    assert!(low > 0.02, "{name}: a capsule reaches down to {low} m");
                }
            }
        }
    }
}

#[test]
fn masses_add_up_and_every_number_is_sound() {
    for (name, model) in people() {
        let ragdoll = ragdoll(&model);
        let sum: f32 = ragdoll.topology.bodies.iter().map(|body| body.mass).sum();
        assert!((sum / ragdoll.mass - 1.0).abs() < 1.0e-3, "{name}: {sum} of {} kg", ragdoll.mass);
        for body in &ragdoll.topology.bodies {
            let i = body.principal_inertia;
            assert!(i.min_element() > 0.0 && i.is_finite() && body.inertia_frame.is_normalized(), "{name}: {i}");
            assert!(i.x < i.y + i.z && i.y < i.x + i.z && i.z < i.x + i.y, "{name}: no solid has the moments {i}");
        }
    }
}

/// How much room a joint has left (rad; negative outside of its limits) when its parent and child are turned so.
fn room(joint: &JointDef, parent: Quat, child: Quat) -> f32 {
    let from = parent * joint.parent_from_joint.rotation;
    let turn = from.conjugate() * child * joint.child_from_joint.rotation;
    let (swing, about_x) = swing_twist(turn, Vec3::X);
    let (swing, about_x) = (rotation_vector(swing), rotation_vector(about_x).x);
    let between = |[least, most]: [f32; 2], angle: f32| (angle - least).min(most - angle);
    match joint.kind {
        JointKind::Ball { swing: [y, z], twist } => {
            let share = (swing.y / y).hypot(swing.z / z);
            ((1.0 - share) * y.min(z)).min(between(twist, about_x))
        }
        JointKind::Hinge { range } => {
            // A hinge that is swung does not fit at all.
            if swing.length() > 0.1 { -swing.length() } else { between(range, about_x) }
        }
        JointKind::Weld => 0.0,
    }
}

fn least_room(ragdoll: &Ragdoll, turned: &[Quat; BONES], balls_only: bool) -> (f32, &'static str) {
    let joints = ragdoll.topology.joints.iter().filter(|joint| !balls_only || matches!(joint.kind, JointKind::Ball { .. }));
    let rooms = joints.map(|joint| (room(joint, turned[joint.parent], turned[joint.child]), Bone::ALL[joint.child].name()));
    rooms.min_by(|a, b| a.0.total_cmp(&b.0)).expect("joints")
}

#[test]
fn neutral_is_inside_every_joint_limit() {
    for (name, model) in people() {
        let ragdoll = ragdoll(&model);
        for posture in [ragdoll.neutral, ragdoll.stance()] {
            let (least, bone) = least_room(ragdoll, &posture, true);
            assert!(least >= 0.1, "{name}: the {bone} has {least} rad left");
            let (least, bone) = least_room(ragdoll, &posture, false);
            assert!(least > 0.0, "{name}: the {bone} has {least} rad left");
        }
    }
}

#[test]
fn the_rest_pose_is_inside_every_joint_limit() {
    for (name, model) in people() {
        let (least, bone) = least_room(ragdoll(&model), &[Quat::IDENTITY; BONES], false);
        assert!(least > 0.0, "{name}: the {bone} has {least} rad left");
    }
}

#[test]
fn shoulders_reach_overhead_and_across_but_not_straight_back() {
    for (name, model) in people() {
        let ragdoll = ragdoll(&model);
        for (bone, out) in [(Bone::UpperArmL, 1.0), (Bone::UpperArmR, -1.0)] {
            let toward = |way: Vec3| {
                let joint = &ragdoll.topology.joints[bone.index() - 1];
                let turn = Quat::from_rotation_arc(Vec3::NEG_Y, way.normalize()) * ragdoll.neutral[bone.index()];
                // Muscles choose the twist: only the cone is asked.
                let from = joint.parent_from_joint.rotation;
                let (swing, _) = swing_twist(from.conjugate() * turn * joint.child_from_joint.rotation, Vec3::X);
                room(joint, Quat::IDENTITY, from * swing * joint.child_from_joint.rotation.conjugate())
            };
            for way in [Vec3::new(0.2 * out, 0.95, 0.25), Vec3::new(-0.6 * out, -0.3, 0.75), Vec3::new(out, 0.0, 0.0), Vec3::Z] {
                assert!(toward(way) > 0.0, "{name}: {} toward {way}: {}", bone.name(), toward(way));
            }
            assert!(toward(Vec3::NEG_Z) < 0.0, "{name}");
        }
    }
}

#[test]
fn knees_flex_backward_and_elbows_forward() {
    for (name, model) in people() {
        let ragdoll = ragdoll(&model);
        for bone in Bone::ALL.into_iter().filter(|bone| bone.is_hinge()) {
            let joint = &ragdoll.topology.joints[bone.index() - 1];
            let upper = ragdoll.neutral[joint.parent];
            let bend = rotation_from_vector(Vec3::X);
            let lower = upper * joint.parent_from_joint.rotation * bend * joint.child_from_joint.rotation.conjugate();
            let along = ragdoll.tip_at[bone.index()] - ragdoll.joint_at[bone.index()];
            let way = lower * along;
            let forward = if matches!(bone, Bone::ForearmL | Bone::ForearmR) { 1.0 } else { -1.0 };
            assert!(way.z * forward > 0.7 * way.length(), "{name}: {} bends to {way}", bone.name());
        }
    }
}

#[test]
fn arms_hang_straight_down_in_neutral_with_the_hands_clear_in_the_stance() {
    for (name, model) in people() {
        let ragdoll = ragdoll(&model);
        for bone in [Bone::UpperArmL, Bone::ForearmL, Bone::UpperArmR, Bone::ForearmR] {
            let along = ragdoll.tip_at[bone.index()] - ragdoll.joint_at[bone.index()];
            assert!(angle_between(ragdoll.neutral[bone.index()] * along, Vec3::NEG_Y) < 1.0e-3, "{name}");
        }
        let stance = ragdoll.hang(ragdoll.rest[0].translation, &ragdoll.stance());
        let palm = stance[Bone::ForearmL.index()].point(ragdoll.palms[0]);
        let Shape::Capsule { b, radius, .. } = ragdoll.topology.bodies[0].shapes[0].shape else { panic!() };
        assert!(palm.x > b.x.abs() + radius, "{name}: the palm at {palm} is in the hips");
    }
}

fn assert_same(name: &str, a: &[Rigid; BONES], b: &[Rigid; BONES], tolerance: f32) {
    for bone in Bone::ALL {
        let (a, b) = (a[bone.index()], b[bone.index()]);
        assert!(
            (a.translation - b.translation).length() < tolerance,
            "{name}: {} {} {}",
            bone.name(),
            a.translation,
            b.translation
        );
        let turn = rotation_vector(a.rotation * b.rotation.conjugate()).length();
        assert!(turn < tolerance, "{name}: {} is turned by {turn}", bone.name());
    }
}

#[test]
fn pose_nodes_is_the_inverse_of_bodies_of() {
    for (name, model) in people() {
        let ragdoll = ragdoll(&model);
        assert_same(&name, &ragdoll.bodies_of(&model.rig, &model.rig.rest()), &ragdoll.rest, 2.0e-4);
        for seed in 0..8 {
            let at = ragdoll.rest[0].translation + Vec3::new(0.3, -0.2, 0.5) * seed as f32;
            let bodies = ragdoll.hang(at, &bent(&ragdoll.neutral, seed as f32 * 12.0));
            let mut locals = model.rig.rest();
            // Nodes between driven ones keep what they have, whatever it is.
            for (node, local) in locals.iter_mut().enumerate().filter(|(node, _)| !ragdoll.nodes.contains(node)) {
                local.rotation = (local.rotation * rotation_from_vector(Vec3::splat(0.02 * node as f32))).normalize();
            }
            ragdoll.pose_nodes(&model.rig, &bodies, &mut locals);
            // Ten times that a kilometre from the model's origin, where single precision is no finer.
            let tolerance = if name.contains("far-from-origin") { 2.0e-3 } else { 1.0e-4 };
            assert_same(&name, &ragdoll.bodies_of(&model.rig, &locals), &bodies, tolerance);
        }
    }
}

#[test]
fn a_pose_carried_to_the_same_rig_is_the_same_pose() {
    for (name, model) in people() {
        let ragdoll = ragdoll(&model);
        let bodies = ragdoll.hang(ragdoll.rest[0].translation, &bent(&ragdoll.neutral, 3.0));
        assert_same(&name, &ragdoll.retarget(ragdoll, &bodies), &bodies, 1.0e-4);
    }
}

#[test]
fn neutral_carried_over_is_neutral_with_soles_on_the_ground() {
    let man = boxman();
    for (name, model) in people() {
        let (from, onto) = (ragdoll(&man), ragdoll(&model));
        let carried = onto.retarget(from, &from.hang(from.rest[0].translation, &from.neutral));
        assert_same(&name, &carried, &onto.hang(onto.rest[0].translation, &onto.neutral), 1.0e-4);
    }
}

#[test]
fn a_rig_without_skin_gets_nearly_the_same_height() {
    let path = assets().join(HUMAN);
    if path.exists() {
        let mut rig = simrun_scene::model::load(&path).expect("the human");
        let skinned = Ragdoll::fit(&rig).expect("a ragdoll").height;
        rig.skins.clear();
        let bare = Ragdoll::fit(&rig).expect("a ragdoll").height;
        assert!((bare / skinned - 1.0).abs() < 0.05, "{bare} m without the skin, {skinned} m with it");
    }
}

#[test]
fn a_model_takes_over_the_clips_that_it_lacks_by_role() {
    let boxman = boxman();
    for (_, path) in present(&[HUMAN]) {
        let mut own = simrun_sim::Model::clone(&*model(&path));
        own.add_clips_of(&boxman);
        let walk = own.rig.clip("Walk").expect("the box man's walk");
        let walked = own.rig.clips[walk].clone();
        own.add_clips_of(&boxman);
        assert_eq!(own.rig.clips.iter().filter(|clip| clip.name == walked.name).count(), 1, "added once");
        assert!((walked.duration - boxman.rig.clips[boxman.rig.clip("Walk").expect("its own")].duration).abs() < 1.0e-6);
    }
}

#[test]
fn a_figure_of_another_size_grows_as_people_do() {
    for (name, model) in people() {
        let own = ragdoll(&model);
        let sized = model.built(Build { height: Some(1.6), mass: Some(100.0), ankles: false });
        let sized = ragdoll(&sized);
        let (longer, heavier) = (1.6 / own.height, 100.0 / own.mass);
        assert!((sized.mass - 100.0).abs() < 1.0e-6 && (sized.height - 1.6).abs() < 1.0e-6, "{name}");
        for bone in 0..BONES {
            let (before, after) = (&own.topology.bodies[bone], &sized.topology.bodies[bone]);
            assert!((after.mass - before.mass * heavier).abs() < 1.0e-3, "{name}");
            let inertia = before.principal_inertia * (heavier * longer * longer);
            assert!((after.principal_inertia - inertia).abs().max_element() < 1.0e-3 * inertia.max_element(), "{name}");
            assert!((sized.budgets[bone] - own.budgets[bone] * heavier * longer).abs() < 1.0e-2, "{name}");
            assert!((sized.rest[bone].translation - own.rest[bone].translation * longer).length() < 1.0e-4, "{name}");
        }
        let locals = model.rig.rest();
        assert_same(&name, &sized.bodies_of(&model.rig, &locals), &sized.rest, 1.0e-3);
    }
    let nowhere = people()[0].1.built(Build { height: Some(0.0), ..Build::default() });
    assert!(nowhere.ragdoll.is_err_and(|why| why.to_string().contains("above 0")));
}
