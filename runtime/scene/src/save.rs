//! A running world becomes a scene again.

use crate::format::{Acts, Behaviour, Figure, Holds, Motion, Object, Scene, Shape, World as Steps};
use crate::lines::Lines;
use crate::param::from_values;
use serde::Serialize;
use serde_json::ser::Serializer;
use simrun_sim::solve::boundary::{BodyKind, Shape as Form};
use simrun_sim::space::{Quat, Vec3, yaw_of};
use simrun_sim::{Figure as Live, Object as LiveObject, World};
use std::f32::consts::{PI, TAU};
use std::io;
use std::path::Path;

/// Angles closer than this (rad) are the same angle after a way through a quaternion in single precision.
const SAME_ANGLE: f32 = 2.0e-6;

impl Scene {
    /// The scene as the world stands: what is there, where it is, what it plays and how its motion stands. What a world does
    /// not know (the scene's name, its script, the models' paths) and the order come from the scene that it was made from; what
    /// came later follows by name.
    #[must_use]
    pub fn of(world: &World, original: &Self) -> Self {
        let settings = world.settings();
        let mut objects: Vec<Object> = world.objects().filter_map(|live| object(live, original)).collect();
        let mut figures: Vec<Figure> =
            world.figures().filter(|live| !live.is_pooled()).map(|live| figure(world, live, original)).collect();
        let order = |names: Vec<&str>, name: &str| names.iter().position(|known| *known == name).unwrap_or(names.len());
        objects.sort_by_key(|object| {
            (order(original.objects.iter().map(|known| known.name.as_str()).collect(), &object.name), object.name.clone())
        });
        figures.sort_by_key(|figure| {
            (order(original.figures.iter().map(|known| known.name.as_str()).collect(), &figure.name), figure.name.clone())
        });
        // Of a horde a scene says where it begins, not where each member is.
        let hordes = original.hordes.iter().filter(|horde| world.horde(&horde.name).is_ok()).cloned().collect();
        Self {
            seed: settings.seed,
            world: Steps { gravity: settings.gravity.to_array(), step_hz: settings.step_hz, substeps: settings.substeps },
            objects,
            figures,
            hordes,
            ..original.clone()
        }
    }

    /// The scene as text, an object or a figure a line.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut bytes = Vec::new();
        let mut serializer = Serializer::with_formatter(&mut bytes, Lines::default());
        // Writing plain data to memory cannot fail, and JSON is UTF-8.
        let written = self.serialize(&mut serializer).is_ok();
        debug_assert!(written, "a scene is plain data");
        bytes.push(b'\n');
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Writes it to a file.
    ///
    /// # Errors
    /// What the file system says.
    pub fn write(&self, file: &Path) -> io::Result<()> {
        std::fs::write(file, self.to_json())
    }
}

fn object(live: &LiveObject, original: &Scene) -> Option<Object> {
    let known = original.objects.iter().find(|known| known.name == live.name);
    let mut object = Object {
        name: live.name.clone(),
        shape: shape(&live.shape)?,
        position: live.pose.translation.to_array(),
        yaw_deg: 0.0,
        rotation: None,
        body: live.kind.into(),
        mass: (live.kind == BodyKind::Dynamic).then_some(live.mass).or(known.and_then(|known| known.mass)),
        friction: live.friction,
        restitution: live.restitution,
        grips: live.grips.iter().map(|(name, at)| (name.clone(), at.to_array())).collect(),
        params: from_values(&live.params),
    };
    let rotation = live.pose.rotation;
    match known {
        Some(known) if same(known.spec().pose.rotation, rotation) => {
            object.yaw_deg = known.yaw_deg;
            object.rotation = known.rotation;
        }
        _ if (rotation * Vec3::Y).y > 1.0 - SAME_ANGLE => object.yaw_deg = yaw_of(rotation).to_degrees(),
        _ => object.rotation = Some(rotation.to_array()),
    }
    Some(object)
}

fn same(a: Quat, b: Quat) -> bool {
    a.dot(b).abs() > 1.0 - SAME_ANGLE
}

/// What it has in its hands: the names of its grips follow from where they are.
fn held(world: &World, live: &Live) -> Option<Holds> {
    let holding = live.motion.as_ref()?.holds()?;
    let item = world.object(holding.item).ok()?;
    let name = |grip: Option<Vec3>| item.grips.iter().find(|(_, at)| Some(**at) == grip).map(|(name, _)| name.clone());
    let [left, right] = holding.grips.map(name);
    Some(Holds { item: item.name.clone(), left, right })
}

fn figure(world: &World, live: &Live, original: &Scene) -> Figure {
    let known = original.figures.iter().find(|known| known.name == live.name);
    let yaw = yaw_of(live.place.rotation);
    let kept_yaw = known.map(|known| known.yaw_deg).filter(|known| turn(known.to_radians(), yaw) < SAME_ANGLE);
    let playing = live.animator.playing.iter().filter(|playing| playing.goal > 0.0).max_by(|a, b| a.weight.total_cmp(&b.weight));
    Figure {
        name: live.name.clone(),
        model: known.map_or_else(|| live.model.rig.name.clone(), |known| known.model.clone()),
        position: live.place.translation.to_array(),
        yaw_deg: kept_yaw.unwrap_or_else(|| yaw.to_degrees()),
        clip: playing.and_then(|playing| live.model.rig.clips.get(playing.clip)).map(|clip| clip.name.clone()),
        clip_time: playing.map_or(0.0, |playing| playing.time),
        root_motion: live.root_motion,
        acts: Acts::from(&live.acts),
        motion: live.motion.as_ref().map(|motion| Motion { ankles: live.feet.is_some(), ..Motion::from(&motion.record) }),
        look_at: crate::look::of(world, live),
        holds: held(world, live),
        behaviours: live
            .behaviours
            .iter()
            .map(|behaviour| Behaviour { script: behaviour.script.clone(), params: from_values(&behaviour.params) })
            .collect(),
    }
}

/// The angle between two yaws (rad), the shorter way round.
fn turn(a: f32, b: f32) -> f32 {
    ((a - b + PI).rem_euclid(TAU) - PI).abs()
}

/// `None` for what scenes cannot say yet: meshes.
fn shape(form: &Form) -> Option<Shape> {
    Some(match form {
        Form::Box(sizes) => Shape::Box(sizes.to_array()),
        Form::Sphere(radius) => Shape::Sphere(*radius),
        Form::Capsule { a, b, radius } => Shape::Capsule { a: a.to_array(), b: b.to_array(), radius: *radius },
        Form::Cylinder { height, radius } => Shape::Cylinder { height: *height, radius: *radius },
        Form::Plane => Shape::Plane,
        Form::Heightfield { rows, heights, size } => {
            Shape::Heightfield { rows: *rows, heights: heights.clone(), size: size.to_array() }
        }
        Form::Mesh { .. } => return None,
    })
}
