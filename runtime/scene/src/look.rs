//! What figures look at from the start.

use crate::code::Code;
use crate::format::{LookAt, Scene};
use crate::nearest::nearest;
use crate::problem::Flaw;
use simrun_sim::motion::LookAt as Looked;
use simrun_sim::space::Vec3;
use simrun_sim::{Command, Figure, World};

/// Refuses names that nothing has, and looks of figures without motion.
pub(crate) fn check(flaws: &mut Vec<Flaw>, scene: &Scene) {
    let names = || {
        let figures = scene.figures.iter().map(|figure| figure.name.as_str());
        figures.chain(scene.objects.iter().map(|object| object.name.as_str()))
    };
    for (index, figure) in scene.figures.iter().enumerate() {
        let path = format!("figures[{index}].look_at");
        match &figure.look_at {
            None => continue,
            Some(LookAt::Point(point)) => crate::check::vector(flaws, &path, *point, crate::check::FAR, "m"),
            Some(LookAt::Name(name)) if !names().any(|known| known == name) => {
                let flaw =
                    Flaw::new(Code::Name, &path, format!("\"{name}\", which nothing is called"), "an object's or figure's name");
                flaws.push(flaw.meaning(nearest(name, names())));
            }
            Some(LookAt::Name(_)) => {}
        }
        if figure.motion.is_none() {
            flaws.push(Flaw::new(Code::Conflict, &path, "look_at without motion", "a figure with motion"));
        }
    }
}

/// Has the figures of a world that was made from a scene look there.
pub(crate) fn apply(world: &mut World, scene: &Scene) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    for (index, figure) in scene.figures.iter().enumerate() {
        let Some(look_at) = &figure.look_at else { continue };
        let at = match look_at {
            LookAt::Point(point) => Some(Looked::Point(Vec3::from_array(*point))),
            LookAt::Name(name) => {
                world.find_figure(name).map(Looked::Figure).or_else(|| world.find_object(name).map(Looked::Object))
            }
        };
        let looking = world.find_figure(&figure.name).map(|figure| world.command(Command::Look { figure, at }));
        if let Some(Err(error)) = looking {
            flaws.push(Flaw::new(Code::Refused, format!("figures[{index}].look_at"), error.to_string(), ""));
        }
    }
    flaws
}

/// What a live figure looks at, if that still is there.
pub(crate) fn of(world: &World, live: &Figure) -> Option<LookAt> {
    match live.motion.as_ref()?.looks_at? {
        Looked::Point(point) => Some(LookAt::Point(point.to_array())),
        Looked::Figure(figure) => world.figure(figure).ok().map(|figure| LookAt::Name(figure.name.clone())),
        Looked::Object(object) => world.object(object).ok().map(|object| LookAt::Name(object.name.clone())),
    }
}
