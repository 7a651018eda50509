//! What comes out of a file may be anything: a state is checked whole before a world becomes it.
//!
//! What is checked is all that the rooms rely on without looking: handles and names that agree, indices in range, one entry a node
//! and a bone, numbers that a solver can take. What is plausible and false passes.

use super::check::{self, number, refused, rigid, unit, vector};
use super::{Figure, Named, Object, State};
use crate::error::Error;
use crate::figure::BONES;
use crate::id::StableId;
use crate::keyed::Way;
use crate::motion::{Holding, LookAt, Mode, Motion};
use crate::solve::boundary::{FigureInput, FigureOutput, JointDef, JointKind, Topology};

/// Beyond this many steps a day's seconds no longer tell two of them apart.
const MOST_STEPS: u64 = 1 << 53;
/// Sub-steps a step, four times what a scene may ask for.
const MOST_SUBSTEPS: usize = 256;

impl State {
    /// What in it contradicts itself, if anything does. Models must have been put in.
    pub(super) fn check(&self) -> Result<(), Error> {
        let wrong = |what: &str| Err(Error::Snapshot(what.to_owned()));
        let settings = &self.settings;
        number("the steps a second", settings.step_hz, 1.0, 1.0e5)?;
        vector("the gravity (m/s²)", settings.gravity, 1.0e4)?;
        if settings.substeps > MOST_SUBSTEPS {
            return Err(refused("the sub-steps a step", settings.substeps, format!("0 to {MOST_SUBSTEPS}")));
        }
        if self.step > MOST_STEPS || !self.log.is_sound() {
            return wrong("its steps and events contradict each other");
        }
        if !self.figures.is_sound() || !self.objects.is_sound() || !self.is_named() || !self.is_ordered() {
            return wrong("its handles contradict each other");
        }
        self.figures.values().flatten().try_for_each(|figure| figure.check(self.step))?;
        self.check_hordes()?;
        self.objects.values().flatten().try_for_each(|object| object.check())
    }

    /// Every horde is one, and every figure of a pool belongs to one slot, at the stage that it is at.
    fn check_hordes(&self) -> Result<(), Error> {
        let mut pooled = 0;
        for (name, horde) in &self.hordes {
            horde.check()?;
            let Some(pool) = horde.pool() else { continue };
            let belongs = |slot: &crate::handover::Slot| {
                let figure = self.figures.get(slot.figure).and_then(Option::as_deref);
                figure.is_some_and(|figure| figure.is_pooled() && figure.is_parked() == slot.stage.member().is_none())
            };
            let sound = pool.is_sound(horde.members().len(), horde.model.rig.clips.len());
            if *name != horde.name || !sound || !pool.slots().iter().all(belongs) {
                return Err(Error::Snapshot(format!("{name}: its pool contradicts itself")));
            }
            pooled += pool.slots().len();
        }
        if pooled != self.figures.values().flatten().filter(|figure| figure.is_pooled()).count() {
            return Err(Error::Snapshot("a figure belongs to no pool, or to two".to_owned()));
        }
        Ok(())
    }

    /// Every handle has one name, and every name its handle.
    fn is_named(&self) -> bool {
        let known = |(name, named): (&String, &Named)| match named {
            Named::Figure(handle) => {
                let slot = self.figures.get(*handle);
                slot.is_some_and(|slot| slot.as_ref().is_none_or(|figure| figure.name == *name && figure.handle == *handle))
            }
            Named::Object(handle) => {
                let slot = self.objects.get(*handle);
                slot.is_some_and(|slot| slot.as_ref().is_none_or(|object| object.name == *name && object.handle == *handle))
            }
        };
        // As many names as handles, each name its own: a live one's name is in it, a reserved one's is not.
        let mut figures = Vec::new();
        let mut objects = Vec::new();
        for named in self.names.values() {
            match named {
                Named::Figure(handle) => figures.push(*handle),
                Named::Object(handle) => objects.push(*handle),
            }
        }
        figures.sort_unstable();
        figures.dedup();
        objects.sort_unstable();
        objects.dedup();
        let all = figures.len() == self.figures.values().count() && objects.len() == self.objects.values().count();
        all && figures.len() + objects.len() == self.names.len() && self.names.iter().all(known)
    }

    /// The orders hold what lives, once each, by id.
    fn is_ordered(&self) -> bool {
        let figures: Vec<_> = self.order.iter().filter_map(|handle| self.figures.get(*handle)?.as_deref()).collect();
        let objects: Vec<_> = self.object_order.iter().filter_map(|handle| self.objects.get(*handle)?.as_deref()).collect();
        let parked = self.figures.values().flatten().filter(|figure| figure.is_parked()).count();
        let whole = figures.len() == self.order.len() && figures.len() + parked == self.figures.values().flatten().count();
        let whole = whole && figures.iter().all(|figure| !figure.is_parked());
        let whole = whole && objects.len() == self.object_order.len() && objects.len() == self.objects.values().flatten().count();
        whole
            && figures.is_sorted_by(|a, b| (a.id, a.handle) < (b.id, b.handle))
            && objects.is_sorted_by(|a, b| (a.id, a.handle) < (b.id, b.handle))
    }
}

impl Figure {
    fn check(&self, step: u64) -> Result<(), Error> {
        let wrong = |what: &str| Err(Error::Snapshot(format!("{}: {what}", self.name)));
        if self.id != StableId::of(&self.name) {
            return wrong("its id is not its name's");
        }
        let nodes = self.model.rig.nodes.len();
        if !self.animator.fits(&self.model) || self.drawn.locals.len() != nodes {
            return wrong("its pose does not fit its model");
        }
        let has_ankles = self.model.ragdoll.as_ref().is_ok_and(|ragdoll| ragdoll.ankles.is_some()) && self.body.is_some();
        if has_ankles != self.feet.is_some() || !self.feet.as_ref().is_none_or(|feet| feet.is_sound()) {
            return wrong("its feet do not fit its model");
        }
        if self.motion.is_some() != self.body.is_some() || (self.motion.is_some() && self.model.ragdoll.is_err()) {
            return wrong("its motion does not fit its model");
        }
        let sound = |body: &crate::solve::BodyPose| body.bodies.iter().all(|state| state.is_sound());
        if !self.place.is_finite() || !self.body.as_ref().is_none_or(sound) {
            return wrong("it is nowhere");
        }
        let touches = |contacts: &[crate::solve::boundary::Contact]| contacts.iter().all(|contact| contact.body < BONES);
        if !solved(&self.solved) || !asked(&self.input) || !touches(&self.solved.contacts) || !touches(&self.senses.contacts) {
            return wrong("what its solver said names bones that there are not");
        }
        for claim in self.claims.iter() {
            check::claim(claim)?;
            if claim.since_step > step {
                return wrong("a claim is of a step to come");
            }
        }
        if !self.trace.is_sound(step) {
            return wrong("its trace is none that a figure keeps");
        }
        if !self.successions.iter().all(|succession| succession.is_sound(step)) {
            return wrong("a bone passes from nowhere");
        }
        self.motion.as_ref().map_or(Ok(()), |motion| motion_of(motion, step))
    }
}

impl Object {
    fn check(&self) -> Result<(), Error> {
        if self.id != StableId::of(&self.name) {
            return Err(Error::Snapshot(format!("{}: its id is not its name's", self.name)));
        }
        if !self.pose.is_finite() || !self.linear.is_finite() || !self.angular.is_finite() {
            return Err(Error::Snapshot(format!("{}: it is nowhere", self.name)));
        }
        check::shape(&self.shape)
    }
}

fn motion_of(motion: &Motion, step: u64) -> Result<(), Error> {
    if motion.phase_since > step {
        return Err(Error::Snapshot("a phase is of a step to come".to_owned()));
    }
    let goes = matches!(motion.mode, Mode::GettingUp | Mode::Acting);
    if motion.way.is_some() != goes || !motion.way.as_ref().is_none_or(Way::is_sound) {
        return Err(Error::Snapshot("the keyed way is none that a figure goes".to_owned()));
    }
    if motion.act.is_some() != (motion.mode == Mode::Acting) {
        return Err(Error::Snapshot("what it does is not its mode".to_owned()));
    }
    if !motion.balance.recent.is_sound() {
        return Err(Error::Snapshot("it has been held for longer than is kept".to_owned()));
    }
    if !motion.holding.as_ref().is_none_or(Holding::is_sound) {
        return Err(Error::Snapshot("what it holds is nothing that hands can hold".to_owned()));
    }
    check::setting("strength", motion.muscles.strength)?;
    number("the motion's pin", motion.pin.share, 0.0, 1.0)?;
    check::setting("recovery", motion.muscles.recovery)?;
    check::setting("anchor", motion.record.anchor)?;
    if let Some(LookAt::Point(point)) = motion.looks_at {
        vector("what it looks at (m)", point, 1.0e4)?;
    }
    motion.record.parts.iter().try_for_each(check::part)?;
    motion.muscles.parts.iter().try_for_each(|part| number("a part's strength", *part, 0.0, 1.0))
}

/// Nothing yet, or one of each.
fn solved(output: &FigureOutput) -> bool {
    [0, BONES].contains(&output.bodies.len()) && [0, BONES - 1].contains(&output.joints.len())
}

fn asked(input: &FigureInput) -> bool {
    let hit =
        input.impulses.iter().all(|impulse| impulse.body < BONES && impulse.impulse.is_finite() && impulse.point.is_finite());
    let pulled = input.forces.iter().all(|pull| pull.body < BONES && pull.force.is_finite() && pull.torque.is_finite());
    hit && pulled
        && input.teleport.as_ref().is_none_or(|bodies| bodies.len() == BONES && bodies.iter().all(|(pose, ..)| pose.is_finite()))
}

/// A topology that comes out of a file: joints hang each body from one before it, and every number is one that a solver can take.
pub(crate) fn topology(topology: &Topology) -> Result<(), Error> {
    for body in &topology.bodies {
        number("a body's mass (kg)", body.mass, 1.0e-6, 1.0e6)?;
        for moment in body.principal_inertia.to_array() {
            number("a body's moment of inertia (kg·m²)", moment, 1.0e-12, 1.0e9)?;
        }
        unit("a body's inertia frame", body.inertia_frame)?;
        for placed in &body.shapes {
            rigid("a shape's place", &placed.body_from_shape)?;
            number("a shape's friction", placed.friction, 0.0, 100.0)?;
            check::shape(&placed.shape)?;
        }
    }
    topology.joints.iter().enumerate().try_for_each(|(index, def)| {
        if def.child != index + 1 || def.parent > index || def.child >= topology.bodies.len() {
            return Err(refused("a joint's child", def.child, "each body but the first once, parents before children"));
        }
        joint(def)
    })
}

/// A joint's frames and limits.
pub(crate) fn joint(joint: &JointDef) -> Result<(), Error> {
    rigid("a joint's place", &joint.parent_from_joint)?;
    rigid("a joint's place", &joint.child_from_joint)?;
    let angle = |found: f32, least: f32| number("a joint's limit (rad)", found, least, 7.0);
    match joint.kind {
        JointKind::Ball { swing, twist } => {
            angle(swing[0], 1.0e-3)?;
            angle(swing[1], 1.0e-3)?;
            angle(twist[0], -7.0)?;
            angle(twist[1], twist[0])
        }
        JointKind::Hinge { range } => {
            angle(range[0], -7.0)?;
            angle(range[1], range[0])
        }
        JointKind::Weld => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Holding, MOST_STEPS, MOST_SUBSTEPS, Named, State};
    use crate::decide::{Claim, Nobody, Want};
    use crate::figure::{Bone, Model, stick_person};
    use crate::motion::{Mode, MotionRecord};
    use crate::space::{Quat, Vec3};
    use crate::{Command, FigureSpec, World, WorldSettings};
    use std::sync::Arc;

    /// Two people who have been stepped, one with a claim on it.
    fn world() -> World {
        let model = Arc::new(Model::new(stick_person()));
        let mut world = World::new(WorldSettings::default());
        for name in ["ann", "ben"] {
            let spec = FigureSpec { motion: Some(MotionRecord::default()), ..FigureSpec::new(name, Arc::clone(&model)) };
            let handle = world.reserve_figure(name).expect("a free name");
            world.command(Command::Spawn { handle, spec: Box::new(spec) }).expect("a good figure");
            let claim = Claim::new(Bone::Head, Want::Aim(Quat::IDENTITY), 1, "a");
            world.claim(handle, claim).expect("a good claim");
        }
        (0..5).for_each(|_| world.step(&mut Nobody));
        world
    }

    type Forge = fn(&mut State);

    /// One forgery for each thing that is checked, and what is said of it.
    const FORGERIES: &[(&str, Forge)] = &[
        ("the steps a second", |state| state.settings.step_hz = f32::NAN),
        ("the gravity", |state| state.settings.gravity = Vec3::splat(f32::INFINITY)),
        ("the sub-steps", |state| state.settings.substeps = MOST_SUBSTEPS + 1),
        ("its steps and events", |state| state.step = MOST_STEPS + 1),
        ("its handles", |state| state.names.retain(|name, _| name != "ann")),
        ("its handles", |state| {
            let one = state.order[0];
            state.names.values_mut().for_each(|named| *named = Named::Figure(one));
        }),
        ("its handles", |state| state.order.reverse()),
        ("its handles", |state| state.order.truncate(1)),
        ("its handles", |state| first(state).name.push('x')),
        ("its id is not", |state| first(state).id.0 ^= 1),
        ("its pose does not fit", |state| first(state).drawn.locals.truncate(1)),
        ("its pose does not fit", |state| first(state).animator.locals.truncate(1)),
        ("its motion does not fit", |state| first(state).body = None),
        ("it is nowhere", |state| first(state).place.translation.x = f32::NAN),
        ("names bones that there are not", |state| first(state).solved.bodies.truncate(1)),
        ("names bones that there are not", |state| {
            first(state).input.impulses.push(crate::solve::boundary::Impulse { body: 12, impulse: Vec3::X, point: Vec3::ZERO });
        }),
        ("a claim is of a step to come", |state| state.step = 0),
        ("the strength", |state| motion(state).muscles.strength = 7.0),
        ("the motion's pin", |state| motion(state).pin.share = -1.0),
        ("the recovery", |state| motion(state).muscles.recovery = f32::NAN),
        ("'acting' is got to", |state| motion(state).record.parts[0].mode = Mode::Acting),
        ("the keyed way is none", |state| motion(state).mode = Mode::GettingUp),
        ("nothing that hands can hold", |state| {
            let nowhere = crate::id::ObjectHandle::default();
            motion(state).holding = Some(Holding::new(nowhere, [None; 2], 1.0, crate::space::Rigid::IDENTITY));
        }),
        ("a phase is of a step to come", |state| motion(state).phase_since = 1 << 40),
    ];

    fn first(state: &mut State) -> &mut super::Figure {
        let handle = state.order[0];
        state.figures.get_mut(handle).and_then(Option::as_deref_mut).expect("alive")
    }

    fn motion(state: &mut State) -> &mut crate::motion::Motion {
        first(state).motion.as_mut().expect("it has motion")
    }

    #[test]
    fn every_forgery_is_told_by_what_it_is() {
        assert_eq!(world().state.check(), Ok(()));
        for (place, (said, forge)) in FORGERIES.iter().enumerate() {
            let mut world = world();
            if *said == "a claim is of a step to come" {
                let ann = world.state.order[0];
                let claim = Claim::new(Bone::Chest, Want::Weaken, 1, "b");
                world.claim(ann, claim).expect("a good claim");
            }
            forge(&mut world.state);
            let told = world.state.check().expect_err(said).to_string();
            assert!(told.contains(said), "forgery {place}: {told}");
        }
    }
}
