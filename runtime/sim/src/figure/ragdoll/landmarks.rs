//! Where a rig's joints, crown and soles are, in the figure's frame: what the bodies are built around.

use crate::figure::rig::Rig;
use crate::figure::roles::{NoRagdoll, Role, Roles, Scheme};
use crate::figure::{BONES, Bone};
use crate::space::{Mat4, Vec3, level, rotation_from_yaw};

/// Heights (m) that a person can have: outside of it the file's units are not metres.
const HEIGHTS: std::ops::RangeInclusive<f32> = 1.0..=2.5;
/// Units that files are written in, tried in this order: centimetres, millimetres, a hundredth of what was meant.
const UNITS: [f32; 3] = [0.01, 0.001, 100.0];
/// Height (m) of a figure whose units are none of these: the 50th percentile of men (NHANES 2016, rounded).
const USUAL_HEIGHT: f32 = 1.75;
/// Shares of the height at which joints lie (Drillis & Contini 1966, as in Winter 2009, fig. 4.1; the neck's and head's joint as
/// rigs place them: at the seventh cervical vertebra and at the skull's base).
const ANKLE_UP: f32 = 0.039;
const NECK_UP: f32 = 0.82;
const HEAD_UP: f32 = 0.87;
/// Length of a forearm against its upper arm, and of a shin against its thigh (same source).
const FOREARM_TO_ARM: f32 = 0.146 / 0.186;
const SHIN_TO_THIGH: f32 = 0.246 / 0.245;

/// Points of a rig at rest, in the figure's frame (m).
#[derive(Clone, Debug)]
pub struct Landmarks {
    /// Scale to metres, turn to face +Z, feet on the ground.
    pub figure_from_model: Mat4,
    /// Soles to crown.
    pub height: f32,
    /// Joint of each bone to its parent; the pelvis's is its node.
    pub joint_at: [Vec3; BONES],
    /// Far end of each bone.
    pub tip_at: [Vec3; BONES],
    /// Where the skull begins.
    pub skull: Vec3,
    /// The way the toes point, left and right: level, unit.
    pub toes: [Vec3; 2],
}

impl Landmarks {
    /// Those of the same figure made so tall (m): every length grows with its height.
    pub fn made(self, height: f32) -> Self {
        let factor = height / self.height;
        let points = |points: [Vec3; BONES]| points.map(|point| point * factor);
        Self {
            figure_from_model: Mat4::from_scale(Vec3::splat(factor)) * self.figure_from_model,
            height,
            joint_at: points(self.joint_at),
            tip_at: points(self.tip_at),
            skull: self.skull * factor,
            toes: self.toes,
        }
    }
}

/// Measures a rig whose roles are known.
///
/// # Errors
/// A rest pose that does not stand, has no length where bones should have one, or is not finite.
pub fn measure(rig: &Rig, scheme: Scheme, roles: &Roles) -> Result<Landmarks, NoRagdoll> {
    let world = rig.model_from_nodes(&rig.rest());
    let place = |role: Role| roles[role as usize].map(|node| world[node].w_axis.truncate());
    let at = |role: Role| place(role).unwrap_or_default();
    let because = |why: &str| NoRagdoll::because(scheme, why.to_owned());
    for role in Role::ALL {
        if let Some(node) = roles[role as usize]
            && !(world[node].is_finite() && world[node].determinant() > 0.0)
        {
            let why = format!("node '{}' is scaled to nothing, mirrored or not finite", rig.nodes[node].name);
            return Err(NoRagdoll::because(scheme, why));
        }
    }

    let neck = place(Role::Neck).or_else(|| place(Role::Head)).unwrap_or_default();
    let skull = place(Role::Head).unwrap_or(neck);
    let hips = at(Role::Hips);
    // cos 60°: a person bent further than that at rest does not stand, and a Z-up file lies at 90°.
    if skull.y - hips.y < 0.5 * (skull - hips).length() || skull == hips {
        return Err(because("the rest pose does not stand: the head should be above the hips along +Y (glTF is Y up)"));
    }
    let left = level(at(Role::ThighL) - at(Role::ThighR));
    let front = left.cross(Vec3::Y).normalize_or_zero();
    if front == Vec3::ZERO {
        return Err(because("both thighs start at the same place: the rest pose has no front"));
    }

    let ankles = [0, 1].map(|side| ankle(&place, side));
    let ankle_y = ankles[0].y.min(ankles[1].y);
    let skull_up = if place(Role::Head).is_some() { HEAD_UP } else { NECK_UP };
    let guess = (skull.y - ankle_y) / (skull_up - ANKLE_UP);
    // A hat or a heel may be worn; a number beyond these comes from a cape or a weapon bound to the bone.
    let shins = [roles[Role::ShinL as usize], roles[Role::ShinR as usize]];
    let sole = extent(rig, &world, &shins, f32::min)
        .filter(|y| (0.0..0.12 * guess).contains(&(ankle_y - y)))
        .unwrap_or(ankle_y - ANKLE_UP * guess);
    let heads = [roles[Role::Head as usize].or(roles[Role::Neck as usize]), None];
    let crown = extent(rig, &world, &heads, f32::max)
        .filter(|y| (0.06 * guess..0.3 * guess).contains(&(y - skull.y)))
        .unwrap_or(skull.y + (1.0 - skull_up) * guess);

    let tall = crown - sole;
    let scale = metres(tall);
    let yaw = libm::atan2f(front.x, front.z);
    let middle = (ankles[0] + ankles[1]) * 0.5;
    let figure_from_model = Mat4::from_scale(Vec3::splat(scale))
        * Mat4::from_quat(rotation_from_yaw(-yaw))
        * Mat4::from_translation(-Vec3::new(middle.x, sole, middle.z));
    let figure = |point: Vec3| figure_from_model.transform_point3(point);

    let mut joint_at = [Vec3::ZERO; BONES];
    let mut tip_at = [Vec3::ZERO; BONES];
    let mut set = |bone: Bone, from: Vec3, to: Vec3| {
        joint_at[bone.index()] = figure(from);
        tip_at[bone.index()] = figure(to);
    };
    set(Bone::Pelvis, hips, at(Role::Spine));
    set(Bone::Spine, at(Role::Spine), at(Role::Chest));
    set(Bone::Chest, at(Role::Chest), neck);
    set(Bone::Head, neck, Vec3::new(skull.x, crown, skull.z));
    for (side, [arm, forearm, thigh, shin]) in SIDES.into_iter().enumerate() {
        let [arm_role, forearm_role, _, thigh_role, shin_role, _] = ROLES_OF_SIDE[side];
        set(arm, at(arm_role), at(forearm_role));
        set(forearm, at(forearm_role), wrist(&place, side));
        set(thigh, at(thigh_role), at(shin_role));
        set(shin, at(shin_role), ankles[side]);
    }
    let toes = [0, 1].map(|side| toes(rig, &world, roles[ROLES_OF_SIDE[side][5] as usize], figure_from_model));
    let landmarks = Landmarks { figure_from_model, height: tall * scale, joint_at, tip_at, skull: figure(skull), toes };
    check_lengths(&landmarks, scheme)?;
    Ok(landmarks)
}

/// Upper arm, forearm, thigh and shin of the left and the right side.
pub const SIDES: [[Bone; 4]; 2] =
    [[Bone::UpperArmL, Bone::ForearmL, Bone::ThighL, Bone::ShinL], [Bone::UpperArmR, Bone::ForearmR, Bone::ThighR, Bone::ShinR]];

/// Arm, forearm, hand, thigh, shin and foot of the left and the right side.
const ROLES_OF_SIDE: [[Role; 6]; 2] = [
    [Role::ArmL, Role::ForearmL, Role::HandL, Role::ThighL, Role::ShinL, Role::FootL],
    [Role::ArmR, Role::ForearmR, Role::HandR, Role::ThighR, Role::ShinR, Role::FootR],
];

/// The foot's node; without one, straight below the knee, as shins stand.
fn ankle(place: &impl Fn(Role) -> Option<Vec3>, side: usize) -> Vec3 {
    let [_, _, _, thigh, shin, foot] = ROLES_OF_SIDE[side];
    let [hip, knee] = [thigh, shin].map(|role| place(role).unwrap_or_default());
    place(foot).unwrap_or(knee + Vec3::NEG_Y * ((knee - hip).length() * SHIN_TO_THIGH))
}

/// The hand's node; without one, straight on from the upper arm.
fn wrist(place: &impl Fn(Role) -> Option<Vec3>, side: usize) -> Vec3 {
    let [arm, forearm, hand, ..] = ROLES_OF_SIDE[side];
    let [shoulder, elbow] = [arm, forearm].map(|role| place(role).unwrap_or_default());
    place(hand).unwrap_or(elbow + (elbow - shoulder) * FOREARM_TO_ARM)
}

/// The factor to metres of a figure that measures `tall` in its file's units.
fn metres(tall: f32) -> f32 {
    if HEIGHTS.contains(&tall) {
        return 1.0;
    }
    UNITS.into_iter().find(|unit| HEIGHTS.contains(&(tall * unit))).unwrap_or(USUAL_HEIGHT / tall)
}

/// The least or the most Y of the skin that is bound to some nodes and what hangs from them.
fn extent(rig: &Rig, world: &[Mat4], roots: &[Option<usize>; 2], pick: fn(f32, f32) -> f32) -> Option<f32> {
    let bound = |node: usize| roots.iter().flatten().any(|root| node == *root || rig.hangs_under(node, *root));
    let mut found: Option<f32> = None;
    for skin in &rig.skins {
        let mine: Vec<bool> = skin.joints.iter().map(|node| bound(*node)).collect();
        let model_from_mesh: Vec<Mat4> =
            skin.joints.iter().zip(&skin.inverse_binds).map(|(node, inverse)| world[*node] * *inverse).collect();
        for (position, (joints, weights)) in skin.positions.iter().zip(skin.vertex_joints.iter().zip(&skin.vertex_weights)) {
            let (mut bound_weight, mut y) = (0.0, 0.0);
            for (joint, weight) in joints.iter().map(|joint| usize::from(*joint)).zip(weights) {
                let Some(matrix) = model_from_mesh.get(joint) else { continue };
                bound_weight += if mine[joint] { *weight } else { 0.0 };
                y += matrix.transform_point3(*position).y * weight;
            }
            // Half the weight: the skin between two bones belongs to the one that moves it more.
            if bound_weight < 0.5 {
                continue;
            }
            if y.is_finite() {
                found = Some(found.map_or(y, |best| pick(best, y)));
            }
        }
    }
    found
}

/// The way a foot points: from its node to the first child that lies ahead of it, else straight ahead.
fn toes(rig: &Rig, world: &[Mat4], foot: Option<usize>, figure_from_model: Mat4) -> Vec3 {
    let Some(foot) = foot else { return Vec3::Z };
    let ankle = world[foot].w_axis.truncate();
    (foot + 1..rig.nodes.len())
        .filter(|node| rig.nodes[*node].parent == Some(foot))
        .map(|node| level(figure_from_model.transform_vector3(world[node].w_axis.truncate() - ankle)))
        // 3 cm: a child at the ankle itself, or one straight below it, says nothing of where the toes are.
        .find(|way| way.is_finite() && way.length() > 0.03)
        .and_then(Vec3::try_normalize)
        .unwrap_or(Vec3::Z)
}

fn check_lengths(landmarks: &Landmarks, scheme: Scheme) -> Result<(), NoRagdoll> {
    // A hundredth of the height: the shortest bone of a person, from spine to chest, is ten times that.
    let least = landmarks.height * 0.01;
    for bone in Bone::ALL {
        let length = (landmarks.tip_at[bone.index()] - landmarks.joint_at[bone.index()]).length();
        if bone != Bone::Pelvis && (length < least || !length.is_finite()) {
            let why = format!("the bone {} has no length at rest ({length} m; accepted: {least} m and more)", bone.name());
            return Err(NoRagdoll::because(scheme, why));
        }
    }
    Ok(())
}
