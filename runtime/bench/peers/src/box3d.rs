//! Box3D, through its C interface.

use crate::engine::Engine;
use crate::figure::{FIGURE, Joint};
use box3d_sys::*;
use glam::{Quat, Vec3};
use std::f32::consts::FRAC_PI_2;

/// A world of figures.
pub struct Box3d {
    world: b3WorldId,
    substeps: i32,
    figures: Vec<(Vec<b3BodyId>, Vec<b3JointId>)>,
}

fn vector(from: Vec3) -> b3Vec3 {
    b3Vec3 { x: from.x, y: from.y, z: from.z }
}

fn turn(from: Quat) -> b3Quat {
    b3Quat { v: vector(Vec3::new(from.x, from.y, from.z)), s: from.w }
}

/// The version of the library.
pub fn version() -> String {
    // SAFETY: it takes nothing and hands out a value.
    let version = unsafe { b3GetVersion() };
    format!("{}.{}.{}", version.major, version.minor, version.revision)
}

impl Box3d {
    /// So many figures; each 1/60 s is a step of so many sub-steps.
    pub fn new(count: usize, substeps: i32) -> Self {
        // SAFETY: definitions are the library's defaults with fields set; every handle is of this world, which lives.
        unsafe {
            let mut settings = b3DefaultWorldDef();
            settings.workerCount = 1;
            settings.enableSleep = false;
            let world = b3CreateWorld(&settings);
            let mut at = b3DefaultBodyDef();
            at.position = vector(Vec3::Y * -0.5);
            let ground = b3CreateBody(world, &at);
            let mut surface = b3DefaultShapeDef();
            surface.baseMaterial.friction = FIGURE.friction;
            b3CreateHullShape(ground, &surface, &b3MakeBoxHull(200.0, 0.5, 200.0).base);
            let figures = (0..count).map(|index| add(world, ground, index, FIGURE.place(index, count))).collect();
            Self { world, substeps, figures }
        }
    }
}

/// # Safety
/// The world lives, and the ground is a body of it.
unsafe fn add(world: b3WorldId, ground: b3BodyId, index: usize, place: Vec3) -> (Vec<b3BodyId>, Vec<b3JointId>) {
    let mut bodies = Vec::new();
    for body in &FIGURE.bodies {
        let middle = body.middle();
        let (from, to) = (vector(body.from - middle), vector(body.to - middle));
        // SAFETY: as the caller promises.
        unsafe {
            let mut at = b3DefaultBodyDef();
            at.type_ = b3BodyType_b3_dynamicBody;
            at.position = vector(place + middle);
            let made = b3CreateBody(world, &at);
            let mut surface = b3DefaultShapeDef();
            surface.density = body.density();
            surface.baseMaterial.friction = FIGURE.friction;
            // A negative group never meets itself.
            surface.filter.groupIndex = -(index as i32 + 1);
            b3CreateCapsuleShape(made, &surface, &b3Capsule { center1: from, center2: to, radius: body.radius });
            bodies.push(made);
        }
    }
    // SAFETY: as the caller promises; the bodies have just been made in this world.
    unsafe {
        let joints = FIGURE.joints.iter().map(|joint| add_joint(world, &bodies, joint)).collect();
        keep_upright(world, ground, bodies[0]);
        (bodies, joints)
    }
}

/// # Safety
/// The world lives, and the bodies are of it.
unsafe fn add_joint(world: b3WorldId, bodies: &[b3BodyId], joint: &Joint) -> b3JointId {
    // A hinge turns about its frame's Z.
    let frame = turn(joint.hinge.map_or(Quat::IDENTITY, |axis| Quat::from_rotation_arc(Vec3::Z, axis)));
    let from = |body: usize| b3Transform { p: vector(joint.at - FIGURE.bodies[body].middle()), q: frame };
    // SAFETY: as the caller promises.
    unsafe {
        if joint.hinge.is_some() {
            let mut made = b3DefaultRevoluteJointDef();
            (made.base.bodyIdA, made.base.bodyIdB) = (bodies[joint.parent], bodies[joint.child]);
            (made.base.localFrameA, made.base.localFrameB) = (from(joint.parent), from(joint.child));
            (made.enableLimit, made.lowerAngle, made.upperAngle) = (true, joint.low, joint.high);
            (made.enableMotor, made.maxMotorTorque) = (true, joint.torque);
            b3CreateRevoluteJoint(world, &made)
        } else {
            let mut made = b3DefaultSphericalJointDef();
            (made.base.bodyIdA, made.base.bodyIdB) = (bodies[joint.parent], bodies[joint.child]);
            (made.base.localFrameA, made.base.localFrameB) = (from(joint.parent), from(joint.child));
            (made.enableConeLimit, made.coneAngle) = (true, joint.high);
            (made.enableTwistLimit, made.lowerTwistAngle, made.upperTwistAngle) =
                (true, joint.low.max(-1.0), joint.high.min(1.0));
            (made.enableMotor, made.maxMotorTorque) = (true, joint.torque);
            b3CreateSphericalJoint(world, &made)
        }
    }
}

/// A spring that leaves the pelvis its turn about Y.
///
/// # Safety
/// The world lives, and the bodies are of it.
unsafe fn keep_upright(world: b3WorldId, ground: b3BodyId, pelvis: b3BodyId) {
    // SAFETY: as the caller promises.
    unsafe {
        let mut keeper = b3DefaultParallelJointDef();
        (keeper.base.bodyIdA, keeper.base.bodyIdB) = (ground, pelvis);
        // The Zs of the frames are kept parallel: Y of both bodies.
        let up = turn(Quat::from_rotation_x(-FRAC_PI_2));
        (keeper.base.localFrameA.q, keeper.base.localFrameB.q) = (up, up);
        keeper.base.collideConnected = true;
        (keeper.hertz, keeper.dampingRatio, keeper.maxTorque) = (60.0, 2.0, FIGURE.upright_torque);
        b3CreateParallelJoint(world, &keeper);
    }
}

impl Engine for Box3d {
    fn turns(&self, figure: usize) -> Vec<Quat> {
        // SAFETY: the bodies are of this world.
        let turn = |body: &b3BodyId| unsafe { b3Body_GetRotation(*body) };
        self.figures[figure].0.iter().map(turn).map(|turn| Quat::from_xyzw(turn.v.x, turn.v.y, turn.v.z, turn.s)).collect()
    }

    fn pelvis(&self, figure: usize) -> f32 {
        // SAFETY: the body is of this world.
        unsafe { b3Body_GetPosition(self.figures[figure].0[0]).y }
    }

    fn drive(&mut self, figure: usize, joint: usize, speed: Vec3) {
        let (bodies, joints) = &self.figures[figure];
        let told = &FIGURE.joints[joint];
        // SAFETY: the joints and bodies are of this world, and the joint is of the kind that it was made as.
        unsafe {
            if let Some(axis) = told.hinge {
                b3RevoluteJoint_SetMotorSpeed(joints[joint], speed.dot(axis));
            } else {
                // A ball's motor is told in the world.
                let parent = b3Body_GetRotation(bodies[told.parent]);
                let parent = Quat::from_xyzw(parent.v.x, parent.v.y, parent.v.z, parent.s);
                b3SphericalJoint_SetMotorVelocity(joints[joint], vector(parent * speed));
            }
        }
    }

    fn step(&mut self) {
        // SAFETY: the world lives.
        unsafe { b3World_Step(self.world, 1.0 / FIGURE.step_hz, self.substeps) };
    }
}

impl Drop for Box3d {
    fn drop(&mut self) {
        // SAFETY: the world lives, and nobody has its handles any more.
        unsafe { b3DestroyWorld(self.world) };
    }
}
