//! A scene becomes a world.

use crate::code::Code;
use crate::file::read_text;
use crate::format::{Object, Scene, Shape};
use crate::models::Models;
use crate::param::to_values;
use crate::problem::{Flaw, Problem};
use crate::tree::placed;
use simrun_sim::solve::boundary::Shape as Form;
use simrun_sim::space::{Quat, Rigid, Vec3, rotation_from_yaw};
use simrun_sim::{Command, FigureSpec, HordeCommand, HordeSpec, Model, ObjectSpec, World, WorldSettings};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the person who runs a scene wants otherwise.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// In place of the scene's.
    pub seed: Option<u64>,
    /// Threads of the per-figure rooms; 1 if `None`. The results do not depend on it.
    pub threads: Option<usize>,
    /// A model for every figure.
    pub figure: Option<PathBuf>,
}

impl Scene {
    /// Makes the world: objects and figures in the order of their names, so that the file's order changes no bit. `file` is the scene's, for messages.
    ///
    /// # Errors
    /// Every problem with models, clips and ragdolls; nothing is built then.
    pub fn build(&self, file: &Path, models: &mut Models, overrides: &Overrides) -> Result<World, Vec<Problem>> {
        let instead = overrides.figure.as_deref().map(|path| models.at(path)).transpose();
        let instead = instead.map_err(|why| vec![why.flaw("--figure").at(Path::new(""), None)])?;
        let text = || read_text(file).unwrap_or_default();
        let figures = self.figure_specs(models, instead.as_ref());
        let hordes = self.horde_specs(models, instead.as_ref());
        let (figures, hordes) = match (figures, hordes) {
            (Ok(figures), Ok(hordes)) => (figures, hordes),
            (figures, hordes) => {
                let flaws = figures.err().into_iter().chain(hordes.err()).flatten().collect();
                return Err(placed(flaws, file, &text()));
            }
        };
        let mut world = World::new(WorldSettings {
            gravity: Vec3::from_array(self.world.gravity),
            step_hz: self.world.step_hz,
            substeps: self.world.substeps,
            seed: overrides.seed.unwrap_or(self.seed),
            threads: overrides.threads.unwrap_or(1),
            ..WorldSettings::default()
        });
        let mut flaws = populate(&mut world, self.objects.iter().map(Object::spec), figures);
        flaws.extend(gather(&mut world, hordes));
        flaws.extend(crate::look::apply(&mut world, self));
        if flaws.is_empty() { Ok(world) } else { Err(placed(flaws, file, &text())) }
    }

    fn figure_specs(&self, models: &mut Models, instead: Option<&Arc<Model>>) -> Result<Vec<FigureSpec>, Vec<Flaw>> {
        let mut flaws = Vec::new();
        let mut specs = Vec::new();
        for (index, figure) in self.figures.iter().enumerate() {
            let instead = instead.map(|model| models.in_place_of(model, &figure.model));
            specs.extend(models.figure(figure, &format!("figures[{index}]."), instead, &mut flaws));
        }
        if flaws.is_empty() { Ok(specs) } else { Err(flaws) }
    }

    fn horde_specs(&self, models: &mut Models, instead: Option<&Arc<Model>>) -> Result<Vec<HordeSpec>, Vec<Flaw>> {
        let mut flaws = Vec::new();
        let mut specs = Vec::new();
        for (index, horde) in self.hordes.iter().enumerate() {
            let instead = instead.map(|model| models.in_place_of(model, &horde.model));
            specs.extend(crate::horde::spec(horde, &format!("hordes[{index}]."), models, instead, &mut flaws));
        }
        if flaws.is_empty() { Ok(specs) } else { Err(flaws) }
    }
}

/// Makes hordes in the order of their names, as figures are made.
fn gather(world: &mut World, hordes: Vec<HordeSpec>) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    let mut hordes: Vec<_> = hordes.into_iter().enumerate().collect();
    hordes.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name));
    for (index, spec) in hordes {
        let add = Command::Horde { horde: spec.name.clone(), command: HordeCommand::Add(Box::new(spec)) };
        if let Err(error) = world.command(add) {
            flaws.push(Flaw::new(Code::Refused, format!("hordes[{index}]"), error.to_string(), ""));
        }
    }
    flaws
}

fn populate(world: &mut World, objects: impl Iterator<Item = ObjectSpec>, figures: Vec<FigureSpec>) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    let mut objects: Vec<_> = objects.enumerate().collect();
    objects.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name));
    for (index, spec) in objects {
        let added = world
            .reserve_object(&spec.name)
            .and_then(|handle| world.command(Command::AddObject { handle, spec: Box::new(spec) }));
        if let Err(error) = added {
            flaws.push(Flaw::new(Code::Refused, format!("objects[{index}]"), error.to_string(), ""));
        }
    }
    let mut figures: Vec<_> = figures.into_iter().enumerate().collect();
    figures.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name));
    for (index, spec) in figures {
        let spawned =
            world.reserve_figure(&spec.name).and_then(|handle| world.command(Command::Spawn { handle, spec: Box::new(spec) }));
        if let Err(error) = spawned {
            flaws.push(Flaw::new(Code::Refused, format!("figures[{index}]"), error.to_string(), ""));
        }
    }
    flaws
}

impl Object {
    /// What is needed to make it.
    #[must_use]
    pub fn spec(&self) -> ObjectSpec {
        let rotation =
            self.rotation.map_or_else(|| rotation_from_yaw(self.yaw_deg.to_radians()), |xyzw| Quat::from_array(xyzw).normalize());
        ObjectSpec {
            name: self.name.clone(),
            shape: Form::from(&self.shape),
            kind: self.body.into(),
            pose: Rigid::new(rotation, Vec3::from_array(self.position)),
            mass: self.mass.unwrap_or(0.0),
            friction: self.friction,
            restitution: self.restitution,
            grips: self.grips.iter().map(|(name, at)| (name.clone(), Vec3::from_array(*at))).collect(),
            params: to_values(&self.params),
        }
    }
}

impl From<&Shape> for Form {
    fn from(shape: &Shape) -> Self {
        match shape {
            Shape::Box(sizes) => Self::Box(Vec3::from_array(*sizes)),
            Shape::Sphere(radius) => Self::Sphere(*radius),
            Shape::Capsule { a, b, radius } => {
                Self::Capsule { a: Vec3::from_array(*a), b: Vec3::from_array(*b), radius: *radius }
            }
            Shape::Cylinder { height, radius } => Self::Cylinder { height: *height, radius: *radius },
            Shape::Plane => Self::Plane,
            Shape::Heightfield { rows, heights, size } => {
                Self::Heightfield { rows: *rows, heights: heights.clone(), size: Vec3::from_array(*size) }
            }
        }
    }
}
