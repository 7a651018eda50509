//! The scene's things as detection sees them, and a tree to find them in.

use super::super::{state_of, to_pose};
use super::{HALF_MARGIN, STEP};
use crate::solve::boundary::{BodyKind, BodyState};
use crate::solve::detected::Guest;
use crate::space::Vec3;
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::parry::partitioning::Bvh;
use rapier3d::prelude::*;
use std::collections::BTreeMap;

/// How far (m) a thing may move before the tree is told.
const SLACK: f32 = 0.1;

/// An object.
pub(super) struct Thing {
    pub(super) key: u64,
    pub(super) body: RigidBodyHandle,
    pub(super) kind: BodyKind,
    pub(super) shape: SharedShape,
    pub(super) friction: f32,
    pub(super) restitution: f32,
    /// Mass, centre and inertia, in the object's frame.
    pub(super) mass: MassProperties,
    /// Distance (m) of its farthest point from its centre of mass.
    reach: f32,
    /// How it is while the figures' solver has it; rapier sees it standing still meanwhile.
    pub(super) guest: Option<BodyState>,
    /// How it is at the step's start.
    pub(super) state: BodyState,
    /// World from object.
    pub(super) pose: Pose,
    /// Its box, loosened by `loose` (m): half the margin and how far it may move in a step.
    pub(super) reached: Aabb,
    pub(super) loose: f32,
    /// Its box in the tree.
    leaf: Option<Aabb>,
}

impl Thing {
    /// What a body with one form is; `None` for one without.
    fn of(world: &PhysicsWorld, key: u64, handle: RigidBodyHandle, guest: Option<BodyState>) -> Option<Self> {
        let body = world.bodies.get(handle)?;
        let collider = world.colliders.get(*body.colliders().first()?)?;
        let shape = collider.shared_shape().clone();
        let kind = match (guest, body.body_type()) {
            (Some(_), _) | (None, RigidBodyType::Dynamic) => BodyKind::Dynamic,
            (None, RigidBodyType::Fixed) => BodyKind::Fixed,
            (None, _) => BodyKind::Kinematic,
        };
        let mass = body.mass_properties().local_mprops;
        let reach = farthest_from(mass.local_com, &*shape);
        let (friction, restitution) = (collider.friction(), collider.restitution());
        let (state, pose) = (guest.unwrap_or_else(|| state_of(body)), *body.position());
        let reached = Aabb::new_invalid();
        Some(Self {
            key,
            body: handle,
            kind,
            shape,
            friction,
            restitution,
            mass,
            reach,
            guest,
            state,
            pose,
            reached,
            loose: 0.0,
            leaf: None,
        })
    }

    /// World, m/s, of its surface at a world point.
    pub(super) fn velocity_at(&self, point: Vec3) -> Vec3 {
        let centre = self.pose * self.mass.local_com;
        self.state.linear + self.state.angular.cross(point - centre)
    }

    pub(super) fn as_guest(&self) -> Guest {
        Guest {
            key: self.key,
            mass: self.mass.mass(),
            centre: self.mass.local_com,
            principal_inertia: self.mass.principal_inertia(),
            inertia_frame: self.mass.principal_inertia_local_frame,
            state: self.state,
        }
    }

    /// Takes over where it is now.
    fn update(&mut self, state: BodyState, dt: f32) {
        self.state = state;
        self.pose = to_pose(state.pose);
        let speed = if self.kind == BodyKind::Fixed { 0.0 } else { fastest_point(&state, self.reach) };
        self.loose = HALF_MARGIN + dt * speed;
        self.reached = self.shape.compute_aabb(&self.pose).loosened(self.loose);
    }
}

/// The fastest (m/s) that a point within `reach` (m) of a body's centre of mass moves.
fn fastest_point(state: &BodyState, reach: f32) -> f32 {
    /// Nothing here is faster (m/s): a body that says so is poisoned, or reaches to the horizon.
    const FASTEST: f32 = 400.0;
    // A plane reaches without end: 0 × ∞ is no number.
    let turning = if state.angular == Vec3::ZERO { 0.0 } else { state.angular.length() * reach };
    (state.linear.length() + turning).min(FASTEST)
}

/// Distance of a form's farthest point from a point of its frame.
fn farthest_from(centre: Vec3, shape: &dyn Shape) -> f32 {
    if let Some(ball) = shape.as_ball() {
        return centre.length() + ball.radius;
    }
    let bounds = shape.compute_local_aabb();
    (bounds.mins - centre).abs().max((bounds.maxs - centre).abs()).length()
}

/// All things.
pub(super) struct Objects {
    /// Every object's body, those without a form too.
    pub(super) bodies: BTreeMap<u64, RigidBodyHandle>,
    slots: Vec<Option<Thing>>,
    free: Vec<u32>,
    by_key: BTreeMap<u64, u32>,
    /// Slots of what can move, in any order.
    movers: Vec<u32>,
    /// Slots of what has no end, in any order.
    endless: Vec<u32>,
    tree: Bvh,
    /// Seconds a step, as last told.
    dt: f32,
}

impl Objects {
    pub(super) fn new() -> Self {
        Self {
            bodies: BTreeMap::new(),
            slots: Vec::new(),
            free: Vec::new(),
            by_key: BTreeMap::new(),
            movers: Vec::new(),
            endless: Vec::new(),
            tree: Bvh::new(),
            dt: STEP,
        }
    }

    pub(super) fn insert(&mut self, world: &PhysicsWorld, key: u64, body: RigidBodyHandle, guest: Option<BodyState>) {
        self.bodies.insert(key, body);
        let Some(thing) = Thing::of(world, key, body, guest) else { return };
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() as u32 - 1
        });
        if thing.kind != BodyKind::Fixed {
            self.movers.push(slot);
        }
        if thing.shape.shape_type() == ShapeType::HalfSpace {
            self.endless.push(slot);
        }
        let state = thing.state;
        self.slots[slot as usize] = Some(thing);
        self.by_key.insert(key, slot);
        self.update(slot, state);
    }

    pub(super) fn remove(&mut self, key: u64) -> Option<RigidBodyHandle> {
        if let Some(slot) = self.by_key.remove(&key) {
            if self.slots[slot as usize].take().is_some_and(|thing| thing.leaf.is_some()) {
                self.tree.remove(slot);
            }
            self.movers.retain(|other| *other != slot);
            self.endless.retain(|other| *other != slot);
            self.free.push(slot);
        }
        self.bodies.remove(&key)
    }

    pub(super) fn slot(&self, key: u64) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    /// The thing in a slot that is in use.
    pub(super) fn thing(&self, slot: u32) -> Option<&Thing> {
        self.slots.get(slot as usize)?.as_ref()
    }

    pub(super) fn thing_mut(&mut self, slot: u32) -> Option<&mut Thing> {
        self.slots.get_mut(slot as usize)?.as_mut()
    }

    /// Number of slots, those in use and others.
    pub(super) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Reads again where a thing is.
    pub(super) fn refresh(&mut self, world: &PhysicsWorld, slot: u32) {
        let Some(thing) = self.thing(slot) else { return };
        let state = thing.guest.unwrap_or_else(|| state_of(&world.bodies[thing.body]));
        self.update(slot, state);
    }

    /// Reads again where all is that can move.
    pub(super) fn refresh_movers(&mut self, world: &PhysicsWorld) {
        for index in 0..self.movers.len() {
            let slot = self.movers[index];
            let Some(thing) = self.thing(slot) else { continue };
            let state = thing.guest.unwrap_or_else(|| state_of(&world.bodies[thing.body]));
            if state != thing.state {
                self.update(slot, state);
            }
        }
    }

    /// Takes over the length of a step (s), which says how far things may move.
    pub(super) fn set_step(&mut self, dt: f32) {
        if dt != self.dt {
            self.dt = dt;
            for slot in 0..self.slots.len() as u32 {
                if let Some(state) = self.thing(slot).map(|thing| thing.state) {
                    self.update(slot, state);
                }
            }
        }
    }

    fn update(&mut self, slot: u32, state: BodyState) {
        let dt = self.dt;
        let Some(thing) = self.slots.get_mut(slot as usize).and_then(Option::as_mut) else { return };
        thing.update(state, dt);
        let reached = thing.reached;
        let known = thing.leaf.is_some_and(|leaf| leaf.contains(&reached));
        if known || thing.shape.shape_type() == ShapeType::HalfSpace {
            return;
        }
        if thing.leaf.take().is_some() {
            self.tree.remove(slot);
        }
        // A poisoned one is nowhere.
        if reached.mins.is_finite() && reached.maxs.is_finite() {
            let leaf = if thing.kind == BodyKind::Fixed { reached } else { reached.loosened(SLACK) };
            thing.leaf = Some(leaf);
            self.tree.insert(leaf, slot);
        }
    }

    /// Slots of the things whose boxes, loosened by their own margins, meet a box; ordered by key.
    pub(super) fn near(&self, bounds: &Aabb, found: &mut Vec<u32>) {
        found.clear();
        let meets = |slot: &u32| self.thing(*slot).is_some_and(|thing| thing.reached.intersects(bounds));
        if !self.tree.is_empty() {
            found.extend(self.tree.intersect_aabb(bounds).filter(meets));
        }
        found.extend(&self.endless);
        found.sort_unstable_by_key(|slot| self.thing(*slot).map(|thing| thing.key));
    }

    /// Slots of the things that a ray may meet, in any order.
    pub(super) fn along(&self, ray: &Ray, reach: f32) -> impl Iterator<Item = u32> {
        let hit = self.tree.leaves(move |node| node.cast_ray(ray, reach) < f32::MAX);
        let mut found: Vec<u32> = if self.tree.is_empty() { Vec::new() } else { hit.collect() };
        found.extend(&self.endless);
        found.into_iter()
    }
}
