//! A figure in a world of one's own: it stands, is struck, and falls. No files, no scripts.

use simrun_sim::figure::stick_person;
use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::space::{Rigid, Vec3};
use simrun_sim::*;
use std::sync::Arc;

fn main() -> Result<(), Error> {
    let mut world = World::new(WorldSettings::default());
    let road = world.reserve_object("road")?;
    let (shape, kind, name) = (Shape::Plane, BodyKind::Fixed, "road".to_owned());
    let spec = ObjectSpec {
        name,
        shape,
        kind,
        pose: Rigid::IDENTITY,
        mass: 0.0,
        friction: 0.9,
        restitution: 0.0,
        grips: Default::default(),
        params: Default::default(),
    };
    world.command(Command::AddObject { handle: road, spec: Box::new(spec) })?;

    let model = Arc::new(Model::new(stick_person()));
    let mass = model.ragdoll.as_ref().map_or(0.0, |ragdoll| ragdoll.mass);
    let ann = world.reserve_figure("ann")?;
    let mut spec = FigureSpec::new("ann", model);
    spec.motion = Some(MotionRecord { mode: Mode::Powered, ..MotionRecord::default() });
    world.command(Command::Spawn { handle: ann, spec: Box::new(spec) })?;

    for step in 0..180 {
        if step == 60 {
            // Three metres a second of the whole figure's mass, ahead, at the chest.
            world.command(Command::Hit(Hit::new(ann, Bone::Chest, Vec3::Z * 3.0 * mass)))?;
        }
        world.step(&mut Nobody);
        if step % 20 == 19 {
            let figure = world.figure(ann)?;
            let height = figure.bone(Bone::Pelvis).translation.y;
            println!("{:.2} s  {:8}  pelvis {height:.2} m", world.time(), figure.phase().name());
        }
    }
    Ok(())
}
