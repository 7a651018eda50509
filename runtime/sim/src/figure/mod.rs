//! What a figure *is*: shared, immutable. What it is *doing* lives in [`motion`](crate::motion).

mod bone;
pub mod clip;
mod geometry;
pub mod ragdoll;
mod retarget;
pub mod rig;
pub mod roles;
mod stick;

pub use bone::{BONES, Bone, Part};
pub(crate) use ragdoll::SHINS;
pub use ragdoll::{Ankles, Build, Ragdoll};
pub use rig::Rig;
pub use roles::{NoRagdoll, Role, Scheme};
pub use stick::stick_person;

/// A model with the ragdoll that fits it, or why none does.
#[derive(Clone, Debug)]
pub struct Model {
    /// Nodes, skins, clips.
    pub rig: Rig,
    /// The active ragdoll's bodies and joints.
    pub ragdoll: Result<Ragdoll, NoRagdoll>,
}

impl Default for Model {
    /// A model of nothing, which no ragdoll fits.
    fn default() -> Self {
        Self::new(Rig::default())
    }
}

impl Model {
    /// Fits a ragdoll to a rig.
    #[must_use]
    pub fn new(rig: Rig) -> Self {
        let ragdoll = Ragdoll::fit(&rig);
        Self { rig, ragdoll }
    }

    /// The same model with a ragdoll that is built otherwise.
    #[must_use]
    pub fn built(&self, build: Build) -> Self {
        Self { rig: self.rig.clone(), ragdoll: Ragdoll::fit_built(&self.rig, build) }
    }
}
