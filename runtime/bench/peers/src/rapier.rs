//! rapier3d, as its makers ship it: without the determinism across machines that simrun asks of it.

use crate::engine::Engine;
use crate::figure::{FIGURE, Joint};
use glam::{Quat, Vec3};
use rapier3d::prelude::*;
use std::f32::consts::FRAC_PI_2;

/// Bodies and joints of one figure; the last handle is the pelvis' keeper.
type Handles = (Vec<RigidBodyHandle>, Vec<ImpulseJointHandle>, ImpulseJointHandle);

/// A world of figures.
pub struct Rapier {
    world: PhysicsWorld,
    steps: usize,
    figures: Vec<Handles>,
}

impl Rapier {
    /// So many figures; each 1/60 s is so many steps of so many iterations.
    pub fn new(count: usize, steps: usize, iterations: usize) -> Self {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = 1.0 / FIGURE.step_hz / steps as f32;
        world.integration_parameters.num_solver_iterations = iterations;
        let ground = world.bodies.insert(RigidBodyBuilder::fixed());
        let level = ColliderBuilder::cuboid(200.0, 0.5, 200.0).translation(Vec3::Y * -0.5).friction(FIGURE.friction);
        world.colliders.insert_with_parent(level.collision_groups(meets(Group::GROUP_2, Group::ALL)), ground, &mut world.bodies);
        let figures = (0..count).map(|index| add(&mut world, ground, FIGURE.place(index, count))).collect();
        Self { world, steps, figures }
    }
}

fn meets(own: Group, others: Group) -> InteractionGroups {
    InteractionGroups::new(own, others, InteractionTestMode::And)
}

fn add(world: &mut PhysicsWorld, ground: RigidBodyHandle, place: Vec3) -> Handles {
    let mut bodies = Vec::new();
    for body in &FIGURE.bodies {
        let middle = body.middle();
        let handle = world.bodies.insert(RigidBodyBuilder::dynamic().translation(place + middle).can_sleep(false));
        let capsule = SharedShape::capsule(body.from - middle, body.to - middle, body.radius);
        let collider = ColliderBuilder::new(capsule).mass(body.mass).friction(FIGURE.friction);
        let collider = collider.collision_groups(meets(Group::GROUP_1, Group::GROUP_2));
        world.colliders.insert_with_parent(collider, handle, &mut world.bodies);
        bodies.push(handle);
    }
    let mut insert =
        |joint: &Joint| world.impulse_joints.insert(bodies[joint.parent], bodies[joint.child], joint_of(joint), true);
    let joints = FIGURE.joints.iter().map(&mut insert).collect();
    let mut keeper = GenericJoint::new(JointAxesMask::empty());
    keeper.contacts_enabled = true;
    for axis in [JointAxis::AngX, JointAxis::AngZ] {
        keeper.set_motor(axis, 0.0, 0.0, 0.0, 0.0).set_motor_max_force(axis, FIGURE.upright_torque);
    }
    let keeper = world.impulse_joints.insert(ground, bodies[0], keeper, true);
    (bodies, joints, keeper)
}

fn joint_of(joint: &Joint) -> GenericJoint {
    // A hinge turns about its frame's X.
    let turn = if joint.hinge == Some(Vec3::Y) { Quat::from_rotation_z(FRAC_PI_2) } else { Quat::IDENTITY };
    let (locked, axes) = match joint.hinge {
        Some(_) => (JointAxesMask::LOCKED_REVOLUTE_AXES, &[JointAxis::AngX][..]),
        None => (JointAxesMask::LOCKED_SPHERICAL_AXES, &[JointAxis::AngX, JointAxis::AngY, JointAxis::AngZ][..]),
    };
    let mut made = GenericJoint::new(locked);
    made.local_frame1 = Pose::from_parts(joint.at - FIGURE.bodies[joint.parent].middle(), turn);
    made.local_frame2 = Pose::from_parts(joint.at - FIGURE.bodies[joint.child].middle(), turn);
    made.contacts_enabled = false;
    for axis in axes {
        made.set_limits(*axis, [joint.low, joint.high]);
        made.set_motor(*axis, 0.0, 0.0, 0.0, 0.0).set_motor_max_force(*axis, joint.torque);
    }
    made
}

impl Engine for Rapier {
    fn turns(&self, figure: usize) -> Vec<Quat> {
        self.figures[figure].0.iter().map(|body| *self.world.bodies[*body].rotation()).collect()
    }

    fn pelvis(&self, figure: usize) -> f32 {
        self.world.bodies[self.figures[figure].0[0]].translation().y
    }

    fn drive(&mut self, figure: usize, joint: usize, speed: Vec3) {
        let handle = self.figures[figure].1[joint];
        let made = &mut self.world.impulse_joints.get_mut(handle, false).expect("the joint stands").data;
        match FIGURE.joints[joint].hinge {
            Some(axis) => made.motors[JointAxis::AngX as usize].target_vel = speed.dot(axis),
            None => (0..3).for_each(|axis| made.motors[JointAxis::AngX as usize + axis].target_vel = speed[axis]),
        }
    }

    fn keep_upright(&mut self, figure: usize, speed: Vec3) {
        let handle = self.figures[figure].2;
        let keeper = &mut self.world.impulse_joints.get_mut(handle, false).expect("the keeper stands").data;
        keeper.motors[JointAxis::AngX as usize].target_vel = speed.x;
        keeper.motors[JointAxis::AngZ as usize].target_vel = speed.z;
    }

    fn step(&mut self) {
        (0..self.steps).for_each(|_| self.world.step());
    }
}
