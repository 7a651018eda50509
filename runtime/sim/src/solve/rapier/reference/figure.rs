//! A figure as rapier bodies and joints.

use super::{Edges, FRICTION_RULE, joints, pack, shared_shape, state_of, to_pose};
use crate::solve::boundary::{
    Anchor, FigureInput, FigureOutput, JointDef, JointKind, JointState, JointTarget, Topology, Touched,
};
use crate::space::{Rigid, Vec3};
use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};

/// Handles of one figure's bodies and joints, and what its joints need to be driven.
#[derive(Serialize, Deserialize)]
pub(super) struct FigureBodies {
    pub(super) bodies: Vec<RigidBodyHandle>,
    joints: Vec<ImpulseJointHandle>,
    defs: Vec<JointDef>,
    /// The joint from the outside to each body that an anchor holds.
    anchors: Vec<Option<ImpulseJointHandle>>,
    /// Pairs that touched in the last step, sorted: (body, other).
    pub(super) touching: Vec<(usize, u128)>,
}

impl FigureBodies {
    pub(super) fn insert(world: &mut PhysicsWorld, key: u64, topology: &Topology, poses: &[Rigid]) -> Self {
        let bodies: Vec<_> = topology
            .bodies
            .iter()
            .zip(poses)
            .enumerate()
            .map(|(index, (def, pose))| {
                // Our own inertia, not the shapes': they overlap and carry no mass.
                let mass =
                    MassProperties::with_principal_inertia_frame(Vec3::ZERO, def.mass, def.principal_inertia, def.inertia_frame);
                let body = RigidBodyBuilder::dynamic().pose(to_pose(*pose)).additional_mass_properties(mass).can_sleep(false);
                let body = world.insert_body(body);
                for placed in &def.shapes {
                    let Some(shape) = shared_shape(&placed.shape, Edges::Plain) else { continue };
                    let collider = ColliderBuilder::new(shape)
                        .position(to_pose(placed.body_from_shape))
                        .density(0.0)
                        .friction(placed.friction)
                        .friction_combine_rule(FRICTION_RULE)
                        .active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS)
                        .user_data(pack(Touched::Figure(key, index)));
                    world.insert_collider(collider, Some(body));
                }
                // Else the body has no mass before its first step, and a blow before it goes nowhere.
                world.bodies[body].recompute_mass_properties_from_colliders(&world.colliders);
                body
            })
            .collect();
        let joints = topology
            .joints
            .iter()
            .map(|def| world.insert_impulse_joint(bodies[def.parent], bodies[def.child], joints::make(def)))
            .collect();
        Self { anchors: vec![None; bodies.len()], bodies, joints, defs: topology.joints.clone(), touching: Vec::new() }
    }

    /// Whether it has so many bodies, each but the first hung by a joint from one before it.
    pub(super) fn fits(&self, bodies: usize) -> bool {
        let counted = self.bodies.len() == bodies && self.anchors.len() == bodies && self.joints.len() == self.defs.len();
        let hung =
            |(index, def): (usize, &JointDef)| def.child == index + 1 && def.parent <= index && crate::world::joint(def).is_ok();
        counted && self.defs.len() + 1 == bodies && self.defs.iter().enumerate().all(hung)
    }

    /// Whether its joints are there, each between the bodies that it is said to join.
    pub(super) fn jointed(&self, world: &PhysicsWorld, outside: RigidBodyHandle) -> bool {
        let between = |handle: &ImpulseJointHandle, one: RigidBodyHandle, two: RigidBodyHandle| {
            let joint = world.impulse_joints.get(*handle);
            joint.is_some_and(|joint| joint.body1() == one && joint.body2() == two && is_made_here(&joint.data))
        };
        let mut joints = self.joints.iter().zip(&self.defs);
        let mut anchors = self.anchors.iter().zip(&self.bodies).filter_map(|(anchor, body)| Some((anchor.as_ref()?, body)));
        joints.all(|(handle, def)| between(handle, self.bodies[def.parent], self.bodies[def.child]))
            && anchors.all(|(handle, body)| between(handle, outside, *body))
    }

    /// Joints and anchors.
    pub(super) fn joint_count(&self) -> usize {
        self.joints.len() + self.anchors.iter().flatten().count()
    }

    pub(super) fn teleport(&self, world: &mut PhysicsWorld, poses: &[(Rigid, Vec3, Vec3)]) {
        for (handle, (pose, linear, angular)) in self.bodies.iter().zip(poses) {
            let body = &mut world.bodies[*handle];
            body.set_position(to_pose(*pose), true);
            body.set_linvel(*linear, true);
            body.set_angvel(*angular, true);
        }
    }

    /// Takes the bodies out of everything, or puts them back.
    pub(super) fn set_enabled(&self, world: &mut PhysicsWorld, enabled: bool) {
        for handle in &self.bodies {
            world.bodies[*handle].set_enabled(enabled);
        }
    }

    pub(super) fn set_effort(&self, world: &mut PhysicsWorld, substeps: usize, sweeps: usize) {
        for handle in &self.bodies {
            let body = &mut world.bodies[*handle];
            if body.additional_solver_iterations() != substeps {
                body.set_additional_solver_iterations(substeps);
            }
            if body.additional_pgs_iterations() != sweeps {
                body.set_additional_pgs_iterations(sweeps);
            }
        }
    }

    pub(super) fn drive_joints(&self, world: &mut PhysicsWorld, targets: &[JointTarget]) {
        for ((handle, def), target) in self.joints.iter().zip(&self.defs).zip(targets) {
            let parent = *world.bodies[self.bodies[def.parent]].rotation();
            let child = *world.bodies[self.bodies[def.child]].rotation();
            if let Some(joint) = world.impulse_joints.get_mut(*handle, true) {
                joints::drive(&mut joint.data, def, parent.conjugate() * child, target);
            }
        }
    }

    pub(super) fn drive_anchors(&mut self, world: &mut PhysicsWorld, outside: RigidBodyHandle, anchors: &[Anchor]) {
        for (body, slot) in self.anchors.iter_mut().enumerate() {
            let handle = self.bodies[body];
            let mut wanted = anchors.iter().filter(|anchor| anchor.body == body).peekable();
            if wanted.peek().is_none() {
                // Taken out rather than set to nothing: an idle row still costs, and may keep its last impulse.
                if let Some(joint) = slot.take() {
                    world.remove_impulse_joint(joint);
                }
                continue;
            }
            let joint = *slot
                .get_or_insert_with(|| world.insert_impulse_joint(outside, handle, GenericJoint::new(JointAxesMask::empty())));
            let state = state_of(&world.bodies[handle]);
            if let Some(joint) = world.impulse_joints.get_mut(joint, true) {
                joints::drive_anchor(&mut joint.data, &state, wanted);
            }
        }
    }

    pub(super) fn read(&self, world: &PhysicsWorld, dt: f32, substeps: usize, input: &FigureInput, output: &mut FigureOutput) {
        let substep = dt / substeps as f32;
        output.bodies.clear();
        output.bodies.extend(self.bodies.iter().map(|handle| state_of(&world.bodies[*handle])));
        output.joints.clear();
        for (handle, def) in self.joints.iter().zip(&self.defs) {
            let torque = world.impulse_joints.get(*handle).map_or(0.0, |joint| joints::motor_impulse(&joint.data) / substep);
            let parent = output.bodies[def.parent].pose.point(def.parent_from_joint.translation);
            let child = output.bodies[def.child].pose.point(def.child_from_joint.translation);
            output.joints.push(JointState { torque, separation: parent.distance(child), work: 0.0 });
        }
        output.anchors.clear();
        output.anchors.extend(input.anchors.iter().map(|anchor| {
            let joint = self.anchors[anchor.body].and_then(|handle| world.impulse_joints.get(handle));
            joint.map_or((0.0, 0.0), |joint| {
                let (linear, angular) = joints::anchor_impulse(&joint.data, anchor);
                (linear * substeps as f32, angular * substeps as f32)
            })
        }));
    }
}

/// Finite, and without what no joint here has.
fn is_made_here(joint: &GenericJoint) -> bool {
    let placed = [&joint.local_frame1, &joint.local_frame2]
        .into_iter()
        .all(|frame| frame.translation.is_finite() && frame.rotation.is_finite());
    placed && joint.coupled_axes.is_empty()
}

/// The axes of a joint that its kind leaves free.
pub(super) fn free_axes(kind: &JointKind) -> &'static [usize] {
    match kind {
        JointKind::Ball { .. } => &[3, 4, 5],
        JointKind::Hinge { .. } => &[3],
        JointKind::Weld => &[],
    }
}
