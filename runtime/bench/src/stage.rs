//! Figures on level ground.

use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::space::{Quat, Vec3};
use simrun_sim::{Behaviour, Command, Error, FigureSpec, Mode, Model, MotionRecord, ObjectSpec, Rigid, World, WorldSettings};
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many figures in a mode, two metres apart, that play a clip and carry behaviours.
pub fn crowd(model: &Arc<Model>, count: usize, mode: Mode, clip: Option<&str>, behaviours: &[&str]) -> Result<World, Error> {
    let mut world = World::new(WorldSettings { sleep: false, ..WorldSettings::default() });
    let ground = ObjectSpec {
        name: "ground".to_owned(),
        shape: Shape::Box(Vec3::new(200.0, 1.0, 200.0)),
        kind: BodyKind::Fixed,
        pose: Rigid::new(Quat::IDENTITY, Vec3::Y * -0.5),
        mass: 0.0,
        friction: 0.9,
        params: BTreeMap::new(),
    };
    let handle = world.reserve_object(&ground.name)?;
    world.command(Command::AddObject { handle, spec: Box::new(ground) })?;
    let carried = behaviours.iter().map(|script| Behaviour { script: (*script).to_owned(), params: BTreeMap::new() });
    let carried: Vec<Behaviour> = carried.collect();
    for index in 0..count {
        let spec = FigureSpec {
            position: Vec3::new((index % 8) as f32 * 2.0, 0.0, (index / 8) as f32 * 2.0),
            clip: clip.map(str::to_owned),
            motion: Some(MotionRecord { mode, ..MotionRecord::default() }),
            behaviours: carried.clone(),
            ..FigureSpec::new(&format!("figure {index:02}"), Arc::clone(model))
        };
        let handle = world.reserve_figure(&spec.name)?;
        world.command(Command::Spawn { handle, spec: Box::new(spec) })?;
    }
    Ok(world)
}
