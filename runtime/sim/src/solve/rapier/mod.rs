//! rapier3d behind the boundary: the only place that names it.
//!
//! [`scenery`] is what the world runs on: objects, and what is near a figure. [`reference`] solves figures with rapier's own joints, to
//! compare with.

mod cast;
mod checks;
mod objects;
mod overlap;
mod reference;
mod scenery;
mod shapes;

pub use reference::RapierSolver;
pub(crate) use scenery::Scenery;

use super::boundary::{BodyState, Touched};
use crate::space::Rigid;
use rapier3d::prelude::*;

/// Sub-steps of a world without awake figures.
const BASE_SUBSTEPS: usize = 4;

/// The slipperier of two surfaces decides: on ice a rubber sole slips.
const FRICTION_RULE: CoefficientCombineRule = CoefficientCombineRule::Min;

/// How rapier is set; the step's length is set each step.
fn parameters() -> IntegrationParameters {
    IntegrationParameters {
        num_solver_iterations: BASE_SUBSTEPS,
        friction_in_bias_pass: true,
        // The simplified model lets a standing foot creep about the vertical, faster and faster: 5° in 20 s under a person of 82 kg.
        friction_model: FrictionModel::Coulomb,
        ..IntegrationParameters::default()
    }
}

/// What a collider belongs to, packed into its user data: bit 127 tells figures from objects, then the body, then the key.
pub(super) fn pack(what: Touched) -> u128 {
    match what {
        Touched::Object(key) => u128::from(key),
        Touched::Figure(key, body) => (1 << 127) | ((body as u128) << 64) | u128::from(key),
    }
}

fn unpack(data: u128) -> Touched {
    let key = (data & u128::from(u64::MAX)) as u64;
    if data >> 127 == 1 { Touched::Figure(key, ((data >> 64) & 0xff) as usize) } else { Touched::Object(key) }
}

fn to_pose(pose: Rigid) -> Pose {
    Pose::from_parts(pose.translation, pose.rotation)
}

fn from_pose(pose: &Pose) -> Rigid {
    Rigid::new(pose.rotation, pose.translation)
}

fn state_of(body: &RigidBody) -> BodyState {
    BodyState { pose: from_pose(body.position()), linear: body.linvel(), angular: body.angvel() }
}
