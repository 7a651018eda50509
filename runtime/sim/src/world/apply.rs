//! Commands applied. They have been checked; what one names is there.

use super::figure::Pooled;
use super::{Figure, Named, Object, World};
use crate::acts;
use crate::command::{Command, FigureSpec, Hit, ObjectSpec, Switch};
use crate::decide::{Claims, Intent};
use crate::draw::{DrawnPose, Fade, PartFades};
use crate::drive::Successions;
use crate::error::Error;
use crate::event::Happening;
use crate::figure::{BONES, Ragdoll};
use crate::id::{FigureHandle, ObjectHandle, StableId, key_of};
use crate::motion::{ActKind, Doing, Holding, Mode, Motion, Muscles};
use crate::pose::{Animator, TargetPose};
use crate::record::Asked;
use crate::sense::Senses;
use crate::solve::boundary::{BodyState, FigureInput, FigureOutput, Impulse};
use crate::solve::{BodyPose, Feet, poses};
use crate::space::{Rigid, Vec3, rotation_from_yaw};
use crate::trace::{self, Because, Trace};

/// How many figures that are gone are remembered by name.
const GONE_KEPT: usize = 256;
/// Steps in which the solver sweeps its rows once more after a blow: with rapier's joints one of 5 m/s on the chest opened them by 5 mm
/// without, 2 with; held by the openings of `measure shove`.
const STRAINED_STEPS: u32 = 3;

/// Speed (m/s) that a blow gives the whole body from which it takes the whole figure, wherever it lands: a jab at the face gives 0.14, a
/// push that one gives way to 0.43.
const WHOLE_FROM: f32 = 0.3;

impl World {
    pub(super) fn apply(&mut self, command: Command) {
        self.note(|| Asked::Command(command.clone()));
        match command {
            Command::Spawn { handle, spec } => self.spawn(handle, *spec),
            Command::AddObject { handle, spec } => self.add_object(handle, *spec),
            Command::DestroyFigure(figure) => self.destroy_figure(figure),
            Command::DestroyObject(object) => self.destroy_object(object),
            Command::Horde { horde, command } => self.apply_horde(&horde, command),
            Command::Hit(hit) => self.hit(&hit),
            Command::SetMode { figure, mode } => self.set_mode(figure, mode, Because::Told),
            Command::SetStrength { figure, strength } => self.with_motion(figure, |motion| {
                motion.muscles.strength = strength;
                motion.record.strength = strength;
            }),
            Command::SetPartStrength { figure, part, strength } => {
                self.with_motion(figure, |motion| {
                    motion.muscles.parts[part as usize] = strength;
                    motion.record.parts[part as usize].strength = strength;
                });
            }
            Command::SetPartMode { figure, part, mode } => {
                self.with_motion(figure, |motion| motion.record.parts[part as usize].mode = mode);
            }
            Command::Look { figure, at } => self.with_motion(figure, |motion| motion.looks_at = at),
            Command::SetRecovery { figure, seconds } => self.with_motion(figure, |motion| {
                motion.muscles.recovery = seconds;
                motion.record.recovery = seconds;
            }),
            Command::SetSwitch { figure, switch } => self.with_motion(figure, |motion| match switch {
                Switch::Protective(on) => motion.record.protective = on,
                Switch::Stepping(on) => motion.record.stepping = on,
                Switch::HitReaction(on) => motion.record.hit_reaction = on,
                Switch::Muscles(on) => motion.record.muscles = on,
                Switch::Writhing(seconds) => motion.record.writhing = seconds,
                Switch::GetUp(seconds) => motion.record.get_up = seconds,
                Switch::Anchor(cap) => motion.record.anchor = cap,
            }),
            Command::Declare { figure, phase, by, reason } => {
                let because = Because::Declared { by, reason: reason.map(|reason| trace::kept_text(&reason)) };
                let step = self.state.step;
                self.with_figure(figure, |figure| figure.declare(phase, because, step));
            }
            Command::Note { figure, by, text } => {
                let step = self.state.step;
                self.with_figure(figure, |figure| figure.trace.note(step, &by, trace::kept_text(&text)));
            }
            Command::GetUp(figure) => self.with_motion(figure, |motion| {
                motion.get_up.wanted = motion.phase.is_down() || motion.stays(ActKind::Lie);
            }),
            Command::Sit { figure, seat, facing } => self.act(figure, acts::sit(self, figure, seat, facing)),
            Command::StandUp(figure) => self.stand_up(figure),
            Command::LieDown { figure, head } => self.act(figure, acts::lie_down(self, figure, head)),
            Command::Hold { figure, item, grips } => {
                let holding = acts::hold(self, figure, item, &grips);
                self.hold(figure, holding.map(Some));
            }
            Command::LetGo(figure) => {
                let left = acts::let_go(self, figure);
                acts::drop_held(self, figure, None);
                self.hold(figure, left);
            }
            Command::Eat(figure) => self.hold(figure, acts::bring(self, figure, Doing::Eat).map(Some)),
            Command::Drink(figure) => self.hold(figure, acts::bring(self, figure, Doing::Drink).map(Some)),
            Command::Play { figure, clip, speed, looped, fade } => self.with_figure(figure, |figure| {
                if let Some(clip) = figure.model.rig.clip(&clip) {
                    figure.animator.play(&figure.model, clip, speed, looped, fade);
                }
            }),
            Command::Stop { figure, clip } => self.with_figure(figure, |figure| {
                let clip = clip.and_then(|name| figure.model.rig.clip(&name));
                figure.animator.stop(clip);
            }),
            Command::MoveTo { figure, position, yaw } => self.put(figure, |figure| move_to(figure, position, yaw)),
            Command::SetBodies { figure, bodies } => self.put(figure, |figure| set_bodies(figure, &bodies)),
            Command::SetParam { figure, behaviour, name, value } => self.with_figure(figure, |figure| {
                if let Some(known) = figure.behaviours.iter_mut().find(|known| known.script == behaviour) {
                    known.params.insert(name, value);
                }
            }),
            Command::SetObjectParam { object, name, value } => {
                if let Some(object) = self.object_mut(object) {
                    object.params.insert(name, value);
                }
            }
            Command::Impulse { object, impulse, point } => self.solver.push_object(key_of(object), impulse, point),
            Command::SetVelocity { object, linear, angular } => {
                self.solver.move_object(key_of(object), linear, angular);
                self.refresh_object(object);
            }
            Command::Place { object, pose } => {
                self.solver.place_object(key_of(object), pose);
                self.refresh_object(object);
            }
            Command::PassThrough { figure, object } => self.with_motion(figure, |motion| motion.pass_through(object)),
        }
    }

    fn act(&mut self, handle: FigureHandle, begun: Result<acts::Begun, Error>) {
        let step = self.state.step;
        // It was checked; what it is refused for now has come since.
        if let Ok((way, act)) = begun {
            self.with_figure(handle, |figure| figure.go(way, Some(act), step));
        }
    }

    /// What is in its hands is put down first.
    fn stand_up(&mut self, handle: FigureHandle) {
        match self.figure_mut(handle).and_then(|figure| figure.motion.as_mut()?.holding.as_mut()) {
            Some(holding) => holding.then_up = true,
            None => self.act(handle, acts::stand_up(self, handle)),
        }
    }

    /// As [`World::act`]: what is refused by now has been checked.
    fn hold(&mut self, handle: FigureHandle, holding: Result<Option<Holding>, Error>) {
        if let Ok(holding) = holding {
            let step = self.state.step;
            self.with_figure(handle, |figure| figure.set_holding(holding, step));
        }
    }

    fn with_figure(&mut self, handle: FigureHandle, change: impl FnOnce(&mut Figure)) {
        if let Some(figure) = self.figure_mut(handle) {
            change(figure);
        }
    }

    /// Puts a figure where it was not, and keeps when.
    fn put(&mut self, handle: FigureHandle, put: impl FnOnce(&mut Figure)) {
        let step = self.state.step;
        self.with_figure(handle, |figure| {
            put(figure);
            figure.placed_in = step;
        });
    }

    fn with_motion(&mut self, handle: FigureHandle, change: impl FnOnce(&mut Motion)) {
        if let Some(motion) = self.figure_mut(handle).and_then(|figure| figure.motion.as_mut()) {
            change(motion);
        }
    }

    fn object_mut(&mut self, handle: ObjectHandle) -> Option<&mut Object> {
        self.state.objects.get_mut(handle)?.as_deref_mut()
    }

    fn refresh_object(&mut self, handle: ObjectHandle) {
        let state = self.solver.object(key_of(handle));
        if let (Some(state), Some(object)) = (state, self.object_mut(handle)) {
            object.pose = state.pose;
            object.linear = state.linear;
            object.angular = state.angular;
        }
    }

    fn spawn(&mut self, handle: FigureHandle, spec: FigureSpec) {
        if !self.state.figures.contains(handle) {
            return;
        }
        let holding = acts::held_at_first(self, &spec);
        let figure = make_figure(handle, spec, self.state.step, self.state.settings.trace);
        self.state.names.insert(figure.name.clone(), Named::Figure(handle));
        self.put_figure(figure);
        self.hold(handle, holding);
        self.happen(Happening::Spawned(handle));
    }

    /// Puts a figure into its slot, into the solver's world and into the rooms.
    pub(super) fn put_figure(&mut self, figure: Figure) {
        let (handle, id) = (figure.handle, figure.id);
        if let (Ok(ragdoll), Some(_)) = (&figure.model.ragdoll, &figure.body) {
            let at = poses(ragdoll.ankles.as_deref(), figure.feet.as_deref(), &figure.target.from_bodies);
            self.solver.add_figure(key_of(handle), ragdoll.solved(), &at);
        }
        if let Some(slot) = self.state.figures.get_mut(handle) {
            *slot = Some(Box::new(figure));
        }
        let at = self.figures().position(|known| known.id > id).unwrap_or(self.state.order.len());
        self.state.order.insert(at, handle);
    }

    fn add_object(&mut self, handle: ObjectHandle, spec: ObjectSpec) {
        if !self.state.objects.contains(handle) {
            return;
        }
        let id = StableId::of(&spec.name);
        self.state.names.insert(spec.name.clone(), Named::Object(handle));
        let object = Object {
            handle,
            name: spec.name,
            id,
            shape: spec.shape,
            kind: spec.kind,
            pose: spec.pose,
            linear: Vec3::ZERO,
            angular: Vec3::ZERO,
            mass: spec.mass,
            friction: spec.friction,
            restitution: spec.restitution,
            grips: spec.grips,
            params: spec.params,
        };
        self.solver.add_object(key_of(handle), &object.def());
        if let Some(slot) = self.state.objects.get_mut(handle) {
            *slot = Some(Box::new(object));
        }
        let at = self.objects().position(|known| known.id > id).unwrap_or(self.state.object_order.len());
        self.state.object_order.insert(at, handle);
    }

    pub(super) fn destroy_figure(&mut self, handle: FigureHandle) {
        acts::drop_held(self, handle, None);
        if let Some(figure) = self.state.figures.remove(handle) {
            self.solver.remove_figure(key_of(handle));
            self.state.order.retain(|known| *known != handle);
            self.state.names.retain(|_, named| !matches!(named, Named::Figure(known) if *known == handle));
            if let Some(figure) = figure {
                self.state.gone.truncate(GONE_KEPT - 1);
                self.state.gone.push_front((handle, figure.name));
                self.happen(Happening::Destroyed(handle));
            }
        }
    }

    fn destroy_object(&mut self, handle: ObjectHandle) {
        if self.state.objects.remove(handle).is_some() {
            self.solver.remove_object(key_of(handle));
            self.state.object_order.retain(|known| *known != handle);
            self.state.names.retain(|_, named| !matches!(named, Named::Object(known) if *known == handle));
        }
    }

    pub(crate) fn set_mode(&mut self, handle: FigureHandle, mode: Mode, because: Because) {
        self.thaw(handle);
        let step = self.state.step;
        let pelvis = self.figure(handle).ok().map(|figure| figure.bone(crate::figure::Bone::Pelvis).translation);
        let ground = pelvis.and_then(|point| self.ground_under(point));
        self.with_figure(handle, |figure| figure.change_mode(mode, because, step, ground));
    }

    /// The blow goes to the bone, its cost to the bone's muscle; a figure that follows its clip is on its muscles from here on, but
    /// where a light one meets a part that does not follow.
    pub(crate) fn hit(&mut self, hit: &Hit) {
        // Frozen, it is out of the world of blows.
        if self.figure(hit.figure).is_ok_and(Figure::is_frozen) {
            return;
        }
        if self.figure(hit.figure).is_ok_and(|figure| figure.mode().is_followed() && !takes_a_part(figure, hit)) {
            self.set_mode(hit.figure, Mode::Powered, Because::Struck);
        }
        let step = self.state.step;
        let Some(figure) = self.figure_mut(hit.figure) else { return };
        figure.trace_blow(step, hit.bone, hit.impulse, hit.by);
        let (Ok(ragdoll), Some(motion)) = (&figure.model.ragdoll, &mut figure.motion) else { return };
        let mass = ragdoll.topology.bodies[hit.bone.index()].mass;
        let centre = figure.body.as_ref().map_or(Vec3::ZERO, |body| body.bodies[hit.bone.index()].pose.translation);
        let point = hit.point.unwrap_or(centre);
        motion.pin.struck(hit.impulse.length() / ragdoll.mass);
        motion.muscles.strike(hit.bone, Muscles::cost(hit.cost, hit.impulse.length() / mass));
        motion.strained = STRAINED_STEPS;
        figure.input.impulses.push(Impulse { body: hit.bone.index(), impulse: hit.impulse, point });
        self.happen(Happening::Struck {
            figure: hit.figure,
            bone: hit.bone,
            point,
            impulse: hit.impulse,
            closing_speed: hit.closing_speed,
            by: hit.by,
        });
    }
}

/// Whether a blow is taken by the struck part alone.
fn takes_a_part(figure: &Figure, hit: &Hit) -> bool {
    let (Ok(ragdoll), Some(motion)) = (&figure.model.ragdoll, &figure.motion) else { return false };
    motion.loose().has(hit.bone.index()) && hit.impulse.length() < WHOLE_FROM * ragdoll.mass
}

pub(super) fn make_figure(handle: FigureHandle, spec: FigureSpec, step: u64, trace: bool) -> Figure {
    let mut animator = Animator::new(&spec.model);
    if let Some(clip) = spec.clip.as_deref().and_then(|name| spec.model.rig.clip(name)) {
        animator.play(&spec.model, clip, 1.0, true, 0.0);
        if let Some(playing) = animator.playing.last_mut() {
            playing.time = spec.clip_time;
        }
    }
    // Samples the first pose without letting time pass.
    animator.advance(&spec.model, 0.0);
    let place = Rigid::new(rotation_from_yaw(spec.yaw), spec.position);
    let pose = spec.model.ragdoll.as_ref().ok().map(|ragdoll| ragdoll.bodies_of(&spec.model.rig, &animator.locals));
    let bodies = pose.unwrap_or([Rigid::IDENTITY; BONES]).map(|body| place * body);
    let still = |pose: Rigid| BodyState { pose, ..BodyState::default() };
    let body = spec.motion.as_ref().map(|_| BodyPose { bodies: bodies.map(still) });
    let ankles = spec.model.ragdoll.as_ref().is_ok_and(|ragdoll| ragdoll.ankles.is_some());
    let feet = (ankles && body.is_some()).then(|| Box::new(Feet::new([0.0; 2])));
    Figure {
        handle,
        id: StableId::of(&spec.name),
        name: spec.name,
        place,
        root_motion: spec.root_motion,
        acts: spec.acts,
        motion: spec.motion.map(Motion::new),
        behaviours: spec.behaviours,
        claims: Claims::default(),
        successions: Successions::default(),
        target: TargetPose::still(bodies),
        feet,
        body,
        drawn: DrawnPose { place, locals: animator.locals.clone(), bodies },
        placed_in: step,
        senses: Senses::default(),
        intent: Intent::default(),
        solved: FigureOutput::default(),
        trace: Trace::new(trace),
        input: FigureInput::default(),
        fade: Fade::None,
        part_fades: PartFades::default(),
        pose_in_place: pose,
        pooled: Pooled::default(),
        happened: Vec::new(),
        animator,
        model: spec.model,
    }
}

fn set_bodies(figure: &mut Figure, bodies: &[Rigid; BONES]) {
    if let Some(body) = &mut figure.body {
        body.bodies = bodies.map(|pose| BodyState { pose, ..BodyState::default() });
        figure.input.teleport = Some(bodies.iter().map(|pose| (*pose, Vec3::ZERO, Vec3::ZERO)).collect());
    }
    // What it stood on before bears it no more: put up into the air, nothing may right it there.
    figure.solved.contacts.clear();
    if let Some(motion) = &mut figure.motion {
        motion.balance.unloaded_steps = u32::MAX;
    }
}

/// Moves the place, and whatever stands on it, as one.
fn move_to(figure: &mut Figure, position: Vec3, yaw: Option<f32>) {
    let before = figure.place;
    figure.place = Rigid::new(yaw.map_or(before.rotation, rotation_from_yaw), position);
    let moved = figure.place * before.inverse();
    for pose in figure.drawn.bodies.iter_mut().chain(&mut figure.target.bodies).chain(&mut figure.target.from_bodies) {
        *pose = moved * *pose;
    }
    figure.target.joints = Ragdoll::joint_rotations(&figure.target.from_bodies);
    figure.fade = Fade::None;
    if let Some(way) = figure.motion.as_mut().and_then(|motion| motion.way.as_mut()) {
        way.carry(&moved);
    }
    if let Some(body) = &mut figure.body {
        for state in &mut body.bodies {
            state.pose = moved * state.pose;
            state.linear = moved.rotation * state.linear;
            state.angular = moved.rotation * state.angular;
        }
        figure.input.teleport = Some(body.bodies.iter().map(|state| (state.pose, state.linear, state.angular)).collect());
    }
}
