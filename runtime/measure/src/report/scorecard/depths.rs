//! Figures in each other, in the ground and in things.

use super::Found;
use crate::depth::{Solid, depth_over};
use glam::DVec3;
use simrun_sim::figure::{BONES, Bone, Ragdoll};
use simrun_sim::solve::boundary::Shape;
use simrun_sim::space::Rigid;
use simrun_sim::{Figure, Mode, Object, World};

/// Deeper (m) is seen: skin and clothes give by less, and contacts close a gap of millimetres within a step.
const DEEP: f64 = 0.02;

/// How deep the figures of a world are in what: in the order of the world's figures.
#[derive(Debug, Default)]
pub struct Depths<'w> {
    /// In another figure.
    pub inside: Vec<Option<Found<'w>>>,
    /// In the ground or a thing.
    pub sunk: Vec<Option<Found<'w>>>,
    /// In a thing that it passes through.
    pub passing: Vec<Option<Found<'w>>>,
}

impl<'w> Depths<'w> {
    /// Of the poses drawn.
    pub fn of(world: &'w World) -> Self {
        let figures: Vec<Form> = world.figures().map(form_of).collect();
        let names: Vec<&str> = world.figures().map(|figure| figure.name.as_str()).collect();
        let things: Vec<(&Object, Solid)> =
            world.objects().filter_map(|object| Some((object, Solid::of_shape(object.pose, &object.shape)?))).collect();
        let [sunk, passing] = [false, true].map(|wanted| {
            let of = |(figure, form): (&'w Figure, &Form)| {
                let things = things.iter().filter(|(thing, _)| passes(figure, thing) == wanted);
                deepest(things.map(|(thing, solid)| form.sunk(solid, &thing.name, &gripping(figure, thing))))
            };
            world.figures().zip(&figures).map(of).collect()
        });
        let mut depths = Self { inside: vec![None; figures.len()], sunk, passing };
        for (one, two) in pairs(figures.len()) {
            if let Some((bone, other, amount)) = figures[one].inside(&figures[two]) {
                for (figure, bone, with) in [(one, bone, two), (two, other, one)] {
                    let found = Found { with: Some(names[with]), ..Found::new(bone, amount, "m") };
                    depths.inside[figure] = deepest([depths.inside[figure], Some(found)]);
                }
            }
        }
        depths
    }
}

/// Whether contact between the two is off, as somebody asked.
fn passes(figure: &Figure, thing: &Object) -> bool {
    figure.motion.as_ref().is_some_and(|motion| motion.passing.iter().any(|passing| passing.object == thing.handle))
}

/// The forearms whose hands have a thing, take it or have just put it down: a palm on a grip is in the item. All else of a figure is not to be.
fn gripping(figure: &Figure, thing: &Object) -> Vec<Bone> {
    let holding =
        figure.motion.as_ref().and_then(|motion| motion.holding.as_ref()).filter(|holding| holding.item == thing.handle);
    let grips = holding.map(|holding| holding.grips).unwrap_or_default();
    [Bone::ForearmL, Bone::ForearmR].into_iter().zip(grips).filter_map(|(bone, grip)| grip.map(|_| bone)).collect()
}

/// Every two of so many.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |one| (one + 1..count).map(move |two| (one, two)))
}

fn deepest<'w>(found: impl IntoIterator<Item = Option<Found<'w>>>) -> Option<Found<'w>> {
    found.into_iter().flatten().max_by(|a, b| a.amount.total_cmp(&b.amount))
}

/// What is seen of a figure, and a ball around all of it.
#[derive(Debug)]
struct Form {
    solids: Vec<(Bone, Solid)>,
    centre: DVec3,
    radius: f64,
}

/// A figure as it is drawn; nothing of one that is no humanoid.
fn form_of(figure: &Figure) -> Form {
    match &figure.model.ragdoll {
        Ok(ragdoll) => Form::of(ragdoll, &figure.drawn.bodies, figure.drawn_bent(), figure.mode() != Mode::Animated),
        Err(_) => Form { solids: Vec::new(), centre: DVec3::ZERO, radius: 0.0 },
    }
}

impl Form {
    fn of(ragdoll: &Ragdoll, pose: &[Rigid; BONES], bent: [f32; 2], with_soles: bool) -> Self {
        // The soles are the only boxes that a body has.
        let seen = |shape: &Shape| with_soles || !matches!(shape, Shape::Box(_));
        let solids: Vec<(Bone, Solid)> = Bone::ALL
            .into_iter()
            .flat_map(|bone| ragdoll.forms(bone, pose[bone.index()], bent).map(move |form| (bone, form)))
            .filter(|(_, (placed, _))| seen(&placed.shape))
            .filter_map(|(bone, (placed, at))| Some((bone, Solid::of_shape(at, &placed.shape)?)))
            .collect();
        let centre = pose[Bone::Pelvis.index()].translation.as_dvec3();
        let reaches = solids.iter().map(|(_, solid)| {
            let (middle, radius) = solid.ball();
            centre.distance(middle) + radius
        });
        Self { centre, radius: reaches.fold(0.0, f64::max), solids }
    }

    /// The deepest bone of each in the other, if they are in each other.
    fn inside(&self, other: &Self) -> Option<(Bone, Bone, f64)> {
        if self.centre.distance(other.centre) > self.radius + other.radius {
            return None;
        }
        let near = |solid: &Solid, form: &Self| solid.distance(form.centre) < form.radius;
        let own = self.solids.iter().filter(|(_, solid)| near(solid, other));
        let pairs = own.flat_map(|one| other.solids.iter().map(move |two| (one, two)));
        let deep = pairs.filter_map(|((one, solid), (two, form))| Some((*one, *two, depth_over(solid, form, DEEP)?)));
        deep.max_by(|a, b| a.2.total_cmp(&b.2))
    }

    /// The deepest bone in a thing, but for some that may be in it.
    fn sunk<'w>(&self, thing: &Solid, name: &'w str, may: &[Bone]) -> Option<Found<'w>> {
        if thing.distance(self.centre) > self.radius {
            return None;
        }
        let looked_at = self.solids.iter().filter(|(bone, _)| !may.contains(bone));
        let deep = looked_at.filter_map(|(bone, solid)| Some((*bone, depth_over(solid, thing, DEEP)?)));
        Some(Found { with: Some(name), ..Found::worst(deep, DEEP, "m")? })
    }
}
