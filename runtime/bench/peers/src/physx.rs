//! PhysX with its TGS solver, through its C++ interface.

use crate::engine::Engine;
use crate::figure::{Body, FIGURE, Joint};
use glam::{Quat, Vec3};
use physx_sys::*;
use std::f32::consts::FRAC_PI_2;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

/// Of the sources that the crate of this version carries; the library tells none.
pub const VERSION: &str = "5.1.3";
/// How much a motor resists being off its speed (N m s/rad): so stiff that only its limit gives.
const DAMPING: f32 = 1.0e4;

/// The one instance that a process may have.
struct Library(*mut PxPhysics);

// SAFETY: the peers use it from one thread.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

static LIBRARY: OnceLock<Library> = OnceLock::new();

/// Bodies and joints of one figure, and the pelvis' keeper.
type Handles = (Vec<*mut PxRigidDynamic>, Vec<*mut PxD6Joint>, *mut PxD6Joint);

/// A scene of figures; it lives as long as the process.
pub struct PhysX {
    scene: *mut PxScene,
    steps: usize,
    figures: Vec<Handles>,
}

fn vector(from: Vec3) -> PxVec3 {
    PxVec3 { x: from.x, y: from.y, z: from.z }
}

fn place(at: Vec3, turn: Quat) -> PxTransform {
    let turn = PxQuat { x: turn.x, y: turn.y, z: turn.z, w: turn.w };
    // SAFETY: both live through the call.
    unsafe { PxTransform_new_5(&vector(at), &turn) }
}

impl PhysX {
    /// So many figures; each 1/60 s is so many steps of so many position iterations.
    pub fn new(count: usize, steps: usize, iterations: u32) -> Self {
        // SAFETY: every object is made here by the one library, which lives as long as the process.
        unsafe {
            let library = LIBRARY.get_or_init(|| Library(physx_create_physics(physx_create_foundation()))).0;
            let mut settings = PxSceneDesc_new(PxPhysics_getTolerancesScale(library));
            settings.gravity = vector(Vec3::Y * -9.81);
            // No threads of its own: the caller's does the work.
            let wait = PxDefaultCpuDispatcherWaitForWorkMode::WaitForWork;
            settings.cpuDispatcher = phys_PxDefaultCpuDispatcherCreate(0, null_mut(), wait, 0).cast();
            settings.filterShader = get_default_simulation_filter_shader();
            settings.solverType = PxSolverType::Tgs;
            let scene = PxPhysics_createScene_mut(library, &settings);
            let material = PxPhysics_createMaterial_mut(library, FIGURE.friction, FIGURE.friction, 0.0);
            let ground = phys_PxCreatePlane(library, &PxPlane_new_1(0.0, 1.0, 0.0, 0.0), material);
            PxScene_addActor_mut(scene, ground.cast(), null());
            let figures = (0..count).map(|index| add(library, scene, material, FIGURE.place(index, count), iterations)).collect();
            Self { scene, steps, figures }
        }
    }
}

/// # Safety
/// The pointers are of the one library.
unsafe fn add(library: *mut PxPhysics, scene: *mut PxScene, material: *mut PxMaterial, at: Vec3, iterations: u32) -> Handles {
    let count = FIGURE.bodies.len() as u32;
    // SAFETY: as the caller promises.
    unsafe {
        // The bodies of one aggregate do not meet each other.
        let hint = phys_PxGetAggregateFilterHint(PxAggregateType::Generic, false);
        let aggregate = PxPhysics_createAggregate_mut(library, count, count, hint);
        let mut bodies = Vec::new();
        for body in &FIGURE.bodies {
            let made = add_body(library, material, body, at);
            PxRigidDynamic_setSolverIterationCounts_mut(made, iterations, 1);
            PxAggregate_addActor_mut(aggregate, made.cast(), null());
            bodies.push(made);
        }
        PxScene_addAggregate_mut(scene, aggregate);
        let joints = FIGURE.joints.iter().map(|joint| add_joint(library, &bodies, joint)).collect();
        let pelvis = at + FIGURE.bodies[0].middle();
        let here = place(Vec3::ZERO, Quat::IDENTITY);
        let keeper = phys_PxD6JointCreate(library, null_mut(), &place(pelvis, Quat::IDENTITY), bodies[0].cast(), &here);
        for axis in [PxD6Axis::X, PxD6Axis::Y, PxD6Axis::Z, PxD6Axis::Twist, PxD6Axis::Swing1, PxD6Axis::Swing2] {
            PxD6Joint_setMotion_mut(keeper, axis, PxD6Motion::Free);
        }
        set_motor(keeper, PxD6Drive::Slerp, FIGURE.upright_torque);
        (bodies, joints, keeper)
    }
}

/// # Safety
/// The pointers are of the one library.
unsafe fn add_body(library: *mut PxPhysics, material: *mut PxMaterial, body: &Body, at: Vec3) -> *mut PxRigidDynamic {
    // A capsule lies along X.
    let turn = if body.is_upright() { Quat::from_rotation_z(FRAC_PI_2) } else { Quat::IDENTITY };
    // SAFETY: as the caller promises; the geometry is copied.
    unsafe {
        let capsule = PxCapsuleGeometry_new(body.radius, body.length() / 2.0);
        let geometry = (&raw const capsule).cast();
        let at = place(at + body.middle(), Quat::IDENTITY);
        let made = phys_PxCreateDynamic(library, &at, geometry, material, 1000.0, &place(Vec3::ZERO, turn));
        PxRigidBodyExt_setMassAndUpdateInertia_1(made.cast(), body.mass, null(), false);
        PxRigidDynamic_setSleepThreshold_mut(made, 0.0);
        made
    }
}

/// # Safety
/// The pointers are of the one library.
unsafe fn add_joint(library: *mut PxPhysics, bodies: &[*mut PxRigidDynamic], joint: &Joint) -> *mut PxD6Joint {
    // A hinge turns about its frame's X.
    let turn = if joint.hinge == Some(Vec3::Y) { Quat::from_rotation_z(FRAC_PI_2) } else { Quat::IDENTITY };
    let from = |body: usize| place(joint.at - FIGURE.bodies[body].middle(), turn);
    // SAFETY: as the caller promises.
    unsafe {
        let (parent, child) = (bodies[joint.parent].cast(), bodies[joint.child].cast());
        let made = phys_PxD6JointCreate(library, parent, &from(joint.parent), child, &from(joint.child));
        PxD6Joint_setMotion_mut(made, PxD6Axis::Twist, PxD6Motion::Limited);
        PxD6Joint_setTwistLimit_mut(made, &PxJointAngularLimitPair_new(joint.low, joint.high, -1.0));
        if joint.hinge.is_some() {
            set_motor(made, PxD6Drive::Twist, joint.torque);
        } else {
            PxD6Joint_setMotion_mut(made, PxD6Axis::Swing1, PxD6Motion::Limited);
            PxD6Joint_setMotion_mut(made, PxD6Axis::Swing2, PxD6Motion::Limited);
            PxD6Joint_setSwingLimit_mut(made, &PxJointLimitCone_new(joint.high, joint.high, -1.0));
            set_motor(made, PxD6Drive::Slerp, joint.torque);
        }
        made
    }
}

/// # Safety
/// The joint is of the one library.
unsafe fn set_motor(joint: *mut PxD6Joint, of: PxD6Drive, torque: f32) {
    // SAFETY: as the caller promises.
    unsafe {
        PxD6Joint_setDrive_mut(joint, of, &PxD6JointDrive_new_1(0.0, DAMPING, torque, true));
        PxJoint_setConstraintFlag_mut(joint.cast(), PxConstraintFlag::DriveLimitsAreForces, true);
    }
}

/// # Safety
/// The body is of the one library.
unsafe fn pose(body: *mut PxRigidDynamic) -> PxTransform {
    // SAFETY: as the caller promises.
    unsafe { PxRigidActor_getGlobalPose(body.cast()) }
}

impl Engine for PhysX {
    fn turns(&self, figure: usize) -> Vec<Quat> {
        // SAFETY: the bodies are of the library.
        let turn = |body: &*mut PxRigidDynamic| unsafe { pose(*body).q };
        self.figures[figure].0.iter().map(turn).map(|turn| Quat::from_xyzw(turn.x, turn.y, turn.z, turn.w)).collect()
    }

    fn pelvis(&self, figure: usize) -> f32 {
        // SAFETY: the body is of the library.
        unsafe { pose(self.figures[figure].0[0]).p.y }
    }

    fn drive(&mut self, figure: usize, joint: usize, speed: Vec3) {
        // A hinge's speed counts about its frame's X, the other way round.
        let speed = FIGURE.joints[joint].hinge.map_or(speed, |axis| -Vec3::X * speed.dot(axis));
        // SAFETY: the joint is of the library.
        unsafe { PxD6Joint_setDriveVelocity_mut(self.figures[figure].1[joint], &vector(Vec3::ZERO), &vector(speed), true) };
    }

    fn keep_upright(&mut self, figure: usize, speed: Vec3) {
        let level = Vec3::new(speed.x, 0.0, speed.z);
        // SAFETY: the joint is of the library.
        unsafe { PxD6Joint_setDriveVelocity_mut(self.figures[figure].2, &vector(Vec3::ZERO), &vector(level), true) };
    }

    fn step(&mut self) {
        for _ in 0..self.steps {
            // SAFETY: the scene lives; each step is waited for.
            unsafe {
                let seconds = 1.0 / FIGURE.step_hz / self.steps as f32;
                PxScene_simulate_mut(self.scene, seconds, null_mut(), null_mut(), 0, true);
                PxScene_fetchResults_mut(self.scene, true, &mut 0);
            }
        }
    }
}
