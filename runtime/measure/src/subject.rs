//! Who is measured.

use crate::options::MeasureError;
use simrun_scene::model;
use simrun_sim::Model;
use simrun_sim::figure::{Build, Ragdoll};
use simrun_sim::motion::ActClips;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The box man's model file, as it lies in the scenes' assets: a binary alone can measure.
static BOXMAN: &[u8] = include_bytes!("../../../scenes/assets/boxman.glb");

/// A figure to be measured: a model that a ragdoll fits, with the clips that measures play.
#[derive(Clone, Debug)]
pub struct Subject {
    /// For the table: the model file's name.
    pub name: String,
    /// With the box man's clips, its own where it is the box man.
    pub model: Arc<Model>,
    /// Clips that it has for what it does.
    pub acts: ActClips,
    ragdoll: Arc<Ragdoll>,
}

/// The box man's model.
///
/// # Errors
/// A model file in the binary that is no model: a fault of the build.
pub fn boxman() -> Result<Arc<Model>, MeasureError> {
    let rig = model::decode("boxman.glb", BOXMAN, &|_| Err(io::ErrorKind::NotFound.into()))?;
    Ok(Arc::new(Model::new(rig)))
}

impl Subject {
    pub(crate) fn boxman() -> Result<Self, MeasureError> {
        Self::of(boxman()?)
    }

    /// A model of a file, which plays the box man's clips by role: the same posture on every rig. Of its own it keeps those for what it does.
    pub(crate) fn load(path: &Path, acts: &ActClips) -> Result<Self, MeasureError> {
        let mut model = Model::new(model::load(path)?);
        let own: Vec<&str> = model.rig.clips.iter().map(|clip| clip.name.as_str()).collect();
        if let Some((act, clip)) = acts.named().find(|(_, clip)| !own.contains(clip)) {
            let (found, accepted) = (format!("the clip \"{clip}\""), own.join(", "));
            return Err(MeasureError::Act { act, found, accepted });
        }
        model.rig.clips.retain(|clip| acts.named().any(|(_, known)| known == clip.name));
        model.add_clips_of(&*boxman()?);
        Ok(Self { acts: acts.clone(), ..Self::of(Arc::new(model))? })
    }

    pub(crate) fn of(model: Arc<Model>) -> Result<Self, MeasureError> {
        let name = model.rig.name.clone();
        match &model.ragdoll {
            Ok(ragdoll) => Ok(Self { name, ragdoll: Arc::new(ragdoll.clone()), model, acts: ActClips::default() }),
            Err(why) => Err(MeasureError::NoRagdoll { figure: name, why: Box::new(why.clone()) }),
        }
    }

    /// The same model as a figure that is built otherwise.
    pub(crate) fn built(&self, build: Build) -> Result<Self, MeasureError> {
        Ok(Self { acts: self.acts.clone(), ..Self::of(Arc::new(self.model.built(build)))? })
    }

    /// Its ragdoll.
    #[must_use]
    pub fn ragdoll(&self) -> &Ragdoll {
        &self.ragdoll
    }
}
