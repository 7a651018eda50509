//! The scenery as bytes: rapier's own state, which of its bodies are whose, and the guests. Figures are told anew: their forms follow
//! from their topologies.

use super::super::checks::{falls, is_own, is_somewhere, same};
use super::super::{pack, parameters};
use super::Scenery;
use crate::solve::boundary::{BodyState, Topology, Touched};
use crate::space::Vec3;
use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The scenery's parts, borrowed to be written and owned once read.
#[derive(Serialize)]
struct Written<'a> {
    world: &'a PhysicsWorld,
    objects: &'a BTreeMap<u64, RigidBodyHandle>,
    guests: Vec<(u64, BodyState)>,
}

#[derive(Deserialize)]
struct Read {
    world: PhysicsWorld,
    objects: BTreeMap<u64, RigidBodyHandle>,
    guests: Vec<(u64, BodyState)>,
}

impl Scenery {
    /// All that follows from no topology, so that scenery that loads it goes on with the same bits.
    pub(crate) fn save(&self) -> Vec<u8> {
        let guest = |key: &u64| Some((*key, self.objects.thing(self.objects.slot(*key)?)?.guest?));
        let guests = self.guests.iter().filter_map(guest).collect();
        let written = Written { world: &self.world, objects: &self.objects.bodies, guests };
        // Plain data into memory: nothing of it can fail to be written.
        postcard::to_allocvec(&written).unwrap_or_default()
    }

    /// Reads what [`save`](Self::save) wrote, of scenery that held these objects (keys in any order) and these figures. Settings are
    /// this build's own, whatever the bytes say, and what is never used is empty.
    ///
    /// # Errors
    /// Bytes of another build, or of one that held something else.
    pub(crate) fn load<'a>(
        bytes: &[u8],
        objects: &[u64],
        figures: impl IntoIterator<Item = (u64, &'a Topology)>,
    ) -> Result<Self, String> {
        let Read { mut world, objects: bodies, guests } =
            postcard::from_bytes(bytes).map_err(|error| format!("the scenery's state: {error}"))?;
        world.integration_parameters = parameters();
        (world.multibody_joints, world.soft_bodies) = (MultibodyJointSet::new(), SoftBodySet::new());
        if let Some(what) = contradiction(&world, &bodies, &guests, objects) {
            return Err(format!("the scenery's state: {what}"));
        }
        let mut scenery = Self::new(Vec3::ZERO);
        scenery.world = world;
        for (key, body) in bodies {
            let guest = guests.binary_search_by_key(&key, |(guest, _)| *guest).ok().map(|index| guests[index].1);
            scenery.objects.insert(&scenery.world, key, body, guest);
        }
        scenery.guests = guests.into_iter().map(|(key, _)| key).collect();
        figures.into_iter().for_each(|(key, topology)| scenery.add_figure(key, topology));
        Ok(scenery)
    }
}

/// What does not fit together in what was read, as far as rapier shows it.
fn contradiction(
    world: &PhysicsWorld,
    bodies: &BTreeMap<u64, RigidBodyHandle>,
    guests: &[(u64, BodyState)],
    objects: &[u64],
) -> Option<&'static str> {
    if !falls(world) {
        return Some("nothing falls like this");
    }
    if !same(bodies.keys(), objects) {
        return Some("it holds others than the world");
    }
    if world.bodies.len() != bodies.len() || !world.impulse_joints.is_empty() {
        return Some("it holds bodies or joints that are nobody's");
    }
    let alone = |body: RigidBodyHandle| world.bodies.get(body).is_some_and(|body| body.colliders().len() <= 1);
    let own = |(key, body): (&u64, &RigidBodyHandle)| {
        let mark = pack(Touched::Object(*key));
        alone(*body) && is_own(world, *body, |collider| collider.user_data == mark && is_plain(collider))
    };
    if !bodies.iter().all(own) {
        return Some("an object's body is not its own");
    }
    if !is_somewhere(world) {
        return Some("a body or its form is nowhere");
    }
    let is_guest = |(key, state): &(u64, BodyState)| {
        let body = bodies.get(key).and_then(|body| world.bodies.get(*body));
        body.is_some_and(|body| body.body_type() == RigidBodyType::KinematicVelocityBased && !body.colliders().is_empty())
            && state.is_sound()
    };
    let ordered = guests.windows(2).all(|pair| pair[0].0 < pair[1].0);
    (!ordered || !guests.iter().all(is_guest)).then_some("a guest is none")
}

/// In its body's place, and of some surface.
fn is_plain(collider: &Collider) -> bool {
    collider.position_wrt_parent().is_some_and(|place| *place == Pose::IDENTITY) && collider.restitution().is_finite()
}
