//! What the counts remember of one figure, and the list of them.

use super::feet::{Feet, Foot};
use super::moves::{Moves, Shown};
use super::weight::Weight;
use super::{Depths, Fault, Found, grips, ground, heads, joints};
use simrun_sim::figure::Bone;
use simrun_sim::id::key_of;
use simrun_sim::solve::boundary::{Contact, Touched};
use simrun_sim::{Event, Figure, Happening, Mode, World};

/// How long (s) a blow shakes a figure, and how fast (m/s) it closes with what it runs into for that to be one: the head of one that a car
/// strikes at the pelvis whips round a tenth of a second later.
const SHAKEN: f64 = 0.25;
const KNOCK: f32 = 0.5;

/// What the counts remember of one figure.
#[derive(Debug, Default)]
pub struct Watch {
    /// Seconds for which the last blow still shakes it.
    shaken: f64,
    moves: Moves,
    feet: Feet,
    weight: Weight,
}

impl Watch {
    /// What is wrong with a figure after a step; `index` is its place among the world's.
    pub fn look<'w>(
        &mut self,
        world: &'w World,
        figure: &'w Figure,
        index: usize,
        depths: &Depths<'w>,
    ) -> Vec<(Fault, Found<'w>)> {
        let Ok(ragdoll) = &figure.model.ragdoll else { return Vec::new() };
        let drawn = &figure.drawn.bodies;
        let placed = figure.placed_in + 1 == world.step_index();
        let finite = drawn.iter().all(|pose| pose.is_finite());
        if placed || !finite {
            *self = Self::default();
        }
        if !finite {
            return vec![(Fault::NonFinite, Found::new(Bone::Pelvis, f64::INFINITY, "m"))];
        }
        let dt = f64::from(world.dt());
        let own = key_of(figure.handle);
        let outside = |contact: &&Contact| !matches!(contact.other, Touched::Figure(key, _) if key == own);
        let contacts: Vec<&Contact> = figure.solved.contacts.iter().filter(outside).collect();
        let weight = ragdoll.mass * world.settings().gravity.length() * world.dt();
        let shaken = self.shaken(world, figure, &contacts, dt);
        let bodies = Bone::ALL.map(|bone| figure.bone(bone));
        let [fast, popped] = self.moves.look(Shown { drawn, bodies: &bodies, shaken }, dt);
        let (mut sliding, mut hovering) = (None, None);
        match &figure.body {
            Some(body) if is_up(figure) => {
                sliding = self.feet.look(&Foot::both(world, figure, ragdoll, &contacts, weight), dt);
                // On a keyed way nothing carries it but the way: it is planted by what is drawn, and its contacts bear what comes. Where it
                // ends and one stays, what one sits or lies on does.
                if figure.motion.as_ref().is_some_and(|motion| motion.way.as_ref().is_some_and(|way| !way.rests())) {
                    self.weight = Weight::default();
                } else {
                    hovering = self.weight.look(ragdoll, &body.bodies, &contacts, weight, dt);
                }
            }
            _ => {
                self.feet = Feet::default();
                self.weight = Weight::default();
            }
        }
        let found = [
            (Fault::BackwardJoints, joints::backward(&ragdoll.topology.joints, drawn)),
            (Fault::InsideOneAnother, depths.inside[index]),
            (Fault::Sunk, depths.sunk[index]),
            (Fault::PassingThrough, depths.passing[index]),
            (Fault::SlidingFeet, sliding),
            (Fault::FastBones, fast),
            (Fault::Pops, popped),
            (Fault::HeadHits, heads::hit(contacts.into_iter())),
            (Fault::OffGrip, grips::off(world, figure)),
            (Fault::Hovering, hovering),
            (Fault::FallenThrough, ground::fallen_through(world, drawn)),
        ];
        found.into_iter().filter_map(|(fault, found)| Some((fault, found?))).collect()
    }

    /// Whether it was struck, or ran into something, a moment ago.
    fn shaken(&mut self, world: &World, figure: &Figure, contacts: &[&Contact], dt: f64) -> bool {
        let struck = |event: &Event| matches!(event.what, Happening::Struck { figure: struck, .. } if struck == figure.handle);
        let knocked = contacts.iter().any(|contact| contact.fresh && contact.closing > KNOCK);
        self.shaken = if knocked || world.events().iter().any(struck) { SHAKEN } else { self.shaken - dt };
        self.shaken > 0.0
    }
}

/// Whether a figure is to stand on its own feet: neither a clip nor gravity alone has it.
fn is_up(figure: &Figure) -> bool {
    !matches!(figure.mode(), Mode::Animated | Mode::Limp) && !figure.phase().is_down()
}
