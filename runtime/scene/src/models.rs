//! Models by their paths in a scene's folder, each read once.

use crate::code::Code;
use crate::file::Unread;
use crate::format::Figure;
use crate::nearest::nearest;
use crate::param::to_values;
use crate::problem::Flaw;
use simrun_sim::figure::Build;
use simrun_sim::motion::ActClips;
use simrun_sim::space::Vec3;
use simrun_sim::{Behaviour, FigureSpec, Model, MotionRecord};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The models of one scene. Paths in a scene are relative to its folder and do not leave it.
#[derive(Clone, Debug)]
pub struct Models {
    root: PathBuf,
    /// No file is read for a model that is not known.
    is_closed: bool,
    known: BTreeMap<PathBuf, Result<Arc<Model>, Unread>>,
    /// The model given for all, with the clips of the one that it stands in for, by that one's path.
    standing_in: BTreeMap<String, Arc<Model>>,
    /// Models and what they are with ankles.
    footed: Vec<[Arc<Model>; 2]>,
}

impl Models {
    /// Models in a folder.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), is_closed: false, known: BTreeMap::new(), standing_in: BTreeMap::new(), footed: Vec::new() }
    }

    /// Models that are in memory, by their paths in a scene; no file is read.
    #[must_use]
    pub fn in_memory(models: impl IntoIterator<Item = (PathBuf, Arc<Model>)>) -> Self {
        let known = models.into_iter().map(|(path, model)| (path, Ok(model))).collect();
        Self { known, is_closed: true, ..Self::new("") }
    }

    /// Models in the folder of a scene file.
    #[must_use]
    pub fn beside(scene: &Path) -> Self {
        Self::new(scene.parent().unwrap_or(Path::new("")))
    }

    /// The model at a path in the folder.
    ///
    /// # Errors
    /// A path that leaves the folder, or a file that is no model: in words.
    pub fn get(&mut self, path: &str) -> Result<Arc<Model>, Unread> {
        let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !inside || path.is_empty() {
            return Err(outside(path));
        }
        let file = self.root.join(path);
        if self.is_closed {
            let missing = || Unread { code: Code::NotFound, found: format!("no model \"{path}\""), accepted: String::new() };
            return self.known.get(&file).cloned().unwrap_or_else(|| Err(missing()));
        }
        // A link inside the folder may lead out of it.
        if let (Ok(file), Ok(root)) = (file.canonicalize(), self.canonical_root())
            && !file.starts_with(root)
        {
            return Err(outside(path));
        }
        self.at(&file)
    }

    /// The model in any file: for paths given by the person at the command line.
    ///
    /// # Errors
    /// A file that is no model: in words.
    pub fn at(&mut self, file: &Path) -> Result<Arc<Model>, Unread> {
        let load = || crate::model::load(file).map(|rig| Arc::new(Model::new(rig))).map_err(|error| error.refused());
        self.known.entry(file.to_owned()).or_insert_with(load).clone()
    }

    /// A model that stands in for the one at a path in the folder: with that one's clips, carried over, where it lacks them.
    pub(crate) fn in_place_of(&mut self, model: &Arc<Model>, path: &str) -> Arc<Model> {
        let Ok(original) = self.get(path) else { return Arc::clone(model) };
        let known = self.standing_in.entry(path.to_owned()).or_insert_with(|| {
            let mut model = Model::clone(model);
            model.add_clips_of(&original);
            Arc::new(model)
        });
        Arc::clone(known)
    }

    /// A model whose feet hang from ankles of their own.
    fn with_ankles(&mut self, model: &Arc<Model>) -> Arc<Model> {
        if let Some([_, with]) = self.footed.iter().find(|[without, _]| Arc::ptr_eq(without, model)) {
            return Arc::clone(with);
        }
        let with = Arc::new(model.built(Build { ankles: true, ..Build::default() }));
        self.footed.push([Arc::clone(model), Arc::clone(&with)]);
        with
    }

    fn canonical_root(&self) -> std::io::Result<PathBuf> {
        let root = if self.root.as_os_str().is_empty() { Path::new(".") } else { &self.root };
        root.canonicalize()
    }

    /// What is needed to make a figure, with `instead` in its model's place if that is given. Flaws are added to the list; without a
    /// model there is no figure.
    pub(crate) fn figure(
        &mut self,
        figure: &Figure,
        at: &str,
        instead: Option<Arc<Model>>,
        flaws: &mut Vec<Flaw>,
    ) -> Option<FigureSpec> {
        let model = match instead.map_or_else(|| self.get(&figure.model), Ok) {
            Ok(model) => model,
            Err(why) => {
                flaws.push(why.flaw(&format!("{at}model")));
                return None;
            }
        };
        let model = if figure.motion.is_some_and(|motion| motion.ankles) { self.with_ankles(&model) } else { model };
        if let (Some(_), Err(missing)) = (&figure.motion, &model.ragdoll) {
            let found = format!("motion, but the model \"{}\" gets no ragdoll: {missing}", model.rig.name);
            flaws.push(Flaw::new(
                Code::NoRagdoll,
                format!("{at}motion"),
                found,
                "motion on a humanoid whose bones are named as in a known scheme",
            ));
        }
        if let Some(clip) = &figure.clip {
            self::clip(&model, clip, &format!("{at}clip"), flaws);
        }
        let acts = ActClips::from(&figure.acts);
        for (act, clip) in acts.named() {
            self::clip(&model, clip, &format!("{at}acts.{act}"), flaws);
        }
        Some(FigureSpec {
            name: figure.name.clone(),
            model,
            position: Vec3::from_array(figure.position),
            yaw: figure.yaw_deg.to_radians(),
            clip: figure.clip.clone(),
            root_motion: figure.root_motion,
            clip_time: figure.clip_time,
            acts,
            motion: figure.motion.as_ref().map(MotionRecord::from),
            behaviours: figure
                .behaviours
                .iter()
                .map(|behaviour| Behaviour { script: behaviour.script.clone(), params: to_values(&behaviour.params) })
                .collect(),
            holds: figure.holds.as_ref().map(Into::into),
        })
    }
}

/// A flaw where a model has no clip of a name.
pub(crate) fn clip(model: &Model, clip: &str, path: &str, flaws: &mut Vec<Flaw>) {
    if model.rig.clip(clip).is_none() {
        let known: Vec<&str> = model.rig.clips.iter().map(|clip| clip.name.as_str()).collect();
        let accepted = if known.is_empty() { "no clip: the model has none".to_owned() } else { known.join(", ") };
        let flaw = Flaw::new(Code::UnknownClip, path, format!("no clip \"{clip}\" in the model"), accepted);
        flaws.push(flaw.meaning(nearest(clip, known)));
    }
}

fn outside(path: &str) -> Unread {
    let found = format!("the path \"{path}\" leaves the scene's folder");
    Unread { code: Code::Outside, found, accepted: "a .glb or .gltf file in the scene's folder".to_owned() }
}
