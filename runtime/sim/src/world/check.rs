//! Commands and claims are checked whole before anything is applied.

use super::World;
use crate::acts;
use crate::command::{Command, FigureSpec, ObjectSpec, Switch};
use crate::decide::{Claim, Want};
use crate::error::Error;
use crate::id::{FigureHandle, ObjectHandle};
use crate::keyed::{Course, Stance};
use crate::motion::{ActClips, Doing, LookAt, Mode, MotionRecord, PartRecord, Phase, SETTINGS, Setting, SettingKind};
use crate::solve::boundary::{BodyKind, Shape};
use crate::space::{Quat, Rigid, Vec3};
use crate::value::Value;

/// Farther than this from the origin (m) single precision no longer places a foot to the millimetre.
const FARTHEST: f32 = 10_000.0;
/// No blow on a figure or thing is this heavy (N·s).
pub(crate) const HEAVIEST_BLOW: f32 = 1.0e6;
/// Nothing here is told to be faster (m/s or rad/s): short of what counts as beyond all measure after SOLVE.
const FASTEST: f32 = 300.0;

impl World {
    pub(super) fn check(&self, command: &Command) -> Result<(), Error> {
        match command {
            Command::Spawn { handle, spec } => {
                let slot = self.state.figures.get(*handle).map(Option::is_some);
                waits("figure", slot, &spec.name, self.find_figure(&spec.name) == Some(*handle))?;
                figure_spec(spec)?;
                acts::held_at_first(self, spec).map(drop)
            }
            Command::AddObject { handle, spec } => {
                let slot = self.state.objects.get(*handle).map(Option::is_some);
                waits("object", slot, &spec.name, self.find_object(&spec.name) == Some(*handle))?;
                object_spec(spec)
            }
            Command::DestroyFigure(figure) => {
                let pooled = self.figure(*figure).ok().filter(|figure| figure.is_pooled());
                pooled.map_or_else(|| self.known_figure(*figure), |figure| Err(Error::Pooled(figure.name.clone())))
            }
            Command::Horde { horde, command } => self.check_horde(horde, command),
            Command::DestroyObject(object) => self.object(*object).map(drop),
            Command::Hit(hit) => {
                self.moving(hit.figure)?;
                vector("the blow's impulse (N·s)", hit.impulse, HEAVIEST_BLOW)?;
                if let Some(point) = hit.point {
                    vector("the blow's point (m)", point, FARTHEST)?;
                }
                hit.cost.map_or(Ok(()), |cost| number("the blow's cost", cost, 0.0, 1.0))
            }
            Command::SetMode { figure, mode } | Command::SetPartMode { figure, mode, .. } => {
                self.moving(*figure)?;
                settable(*mode)
            }
            Command::GetUp(figure) => self.moving(*figure).map(drop),
            Command::Sit { figure, seat, facing } => {
                vector("the seat (m)", *seat, FARTHEST)?;
                number("the way to face (rad)", *facing, -1000.0, 1000.0)?;
                acts::sit(self, *figure, *seat, *facing).map(drop)
            }
            Command::StandUp(figure) => acts::stand_up(self, *figure).map(drop),
            Command::LieDown { figure, head } => {
                vector("the head's place (m)", *head, FARTHEST)?;
                acts::lie_down(self, *figure, *head).map(drop)
            }
            Command::Hold { figure, item, grips } => acts::hold(self, *figure, *item, grips).map(drop),
            Command::LetGo(figure) => acts::let_go(self, *figure).map(drop),
            Command::Eat(figure) => acts::bring(self, *figure, Doing::Eat).map(drop),
            Command::Drink(figure) => acts::bring(self, *figure, Doing::Drink).map(drop),
            Command::SetStrength { figure, strength } => {
                self.moving(*figure)?;
                setting("strength", *strength)
            }
            Command::SetPartStrength { figure, strength, .. } => {
                self.moving(*figure)?;
                number("the part's strength", *strength, 0.0, 1.0)
            }
            Command::Look { figure, at } => {
                self.moving(*figure)?;
                match at {
                    None => Ok(()),
                    Some(LookAt::Point(point)) => vector("what it looks at (m)", *point, FARTHEST),
                    Some(LookAt::Figure(other)) => self.known_figure(*other),
                    Some(LookAt::Object(object)) => self.object(*object).map(drop),
                }
            }
            Command::SetRecovery { figure, seconds } => {
                self.moving(*figure)?;
                setting("recovery", *seconds)
            }
            Command::SetSwitch { figure, switch } => {
                self.moving(*figure)?;
                match switch {
                    Switch::Writhing(seconds) => setting("writhing", *seconds),
                    Switch::GetUp(seconds) => setting("get_up", *seconds),
                    Switch::Anchor(cap) => setting("anchor", *cap),
                    _ => Ok(()),
                }
            }
            Command::Note { figure, .. } => self.moving(*figure).map(drop),
            Command::Declare { figure, phase, .. } => {
                self.moving(*figure)?;
                if Phase::DECLARED.contains(phase) { Ok(()) } else { Err(Error::PhaseNotDeclared(phase.name())) }
            }
            Command::Play { figure, clip, speed, fade, .. } => {
                self.has_clip(*figure, clip)?;
                number("the clip's speed", *speed, -100.0, 100.0)?;
                number("the fade (s)", *fade, 0.0, 60.0)
            }
            Command::Stop { figure, clip } => match clip {
                Some(clip) => self.has_clip(*figure, clip),
                None => self.known_figure(*figure),
            },
            Command::MoveTo { figure, position, yaw } => {
                self.known_figure(*figure)?;
                vector("the position (m)", *position, FARTHEST)?;
                yaw.map_or(Ok(()), |yaw| number("the yaw (rad)", yaw, -1000.0, 1000.0))
            }
            Command::SetBodies { figure, bodies } => {
                self.moving(*figure)?;
                bodies.iter().try_for_each(|pose| rigid("a body's pose", pose))
            }
            Command::SetParam { figure, behaviour, .. } => self.has_behaviour(*figure, behaviour),
            Command::SetObjectParam { object, .. } => self.object(*object).map(drop),
            Command::Impulse { object, impulse, point } => {
                self.loose(*object)?;
                vector("the impulse (N·s)", *impulse, HEAVIEST_BLOW)?;
                point.map_or(Ok(()), |point| vector("the impulse's point (m)", point, FARTHEST))
            }
            Command::SetVelocity { object, linear, angular } => {
                self.loose(*object)?;
                vector("the velocity (m/s)", *linear, FASTEST)?;
                vector("the turn rate (rad/s)", *angular, FASTEST)
            }
            Command::Place { object, pose } => {
                self.loose(*object)?;
                vector("the position (m)", pose.translation, FARTHEST)?;
                if pose.rotation.is_normalized() {
                    Ok(())
                } else {
                    Err(refused("the rotation", pose.rotation, "a unit quaternion"))
                }
            }
            Command::PassThrough { figure, object } => {
                self.moving(*figure)?;
                self.object(*object).map(drop)
            }
        }
    }

    /// A handle that is reserved counts: its spawn is on its way.
    fn known_figure(&self, figure: FigureHandle) -> Result<(), Error> {
        if self.state.figures.get(figure).is_some_and(Option::is_none) {
            return Ok(());
        }
        let figure = self.figure(figure)?;
        if figure.is_parked() { Err(Error::Parked(figure.name.clone())) } else { Ok(()) }
    }

    fn moving(&self, figure: FigureHandle) -> Result<(), Error> {
        if self.state.figures.get(figure).is_some_and(Option::is_none) {
            return Ok(());
        }
        let figure = self.figure(figure)?;
        if figure.is_parked() {
            return Err(Error::Parked(figure.name.clone()));
        }
        figure.motion().map(drop)
    }

    /// An object that nobody holds.
    fn loose(&self, object: ObjectHandle) -> Result<(), Error> {
        let item = self.object(object)?;
        self.holder(object).map_or(Ok(()), |holder| Err(Error::Held { item: item.name.clone(), by: holder.name.clone() }))
    }

    fn has_clip(&self, figure: FigureHandle, clip: &str) -> Result<(), Error> {
        let figure = self.figure(figure)?;
        if figure.model.rig.clip(clip).is_some() {
            return Ok(());
        }
        let known: Vec<_> = figure.model.rig.clips.iter().map(|clip| clip.name.as_str()).collect();
        Err(Error::UnknownClip { figure: figure.name.clone(), clip: clip.to_owned(), known: known.join(", ") })
    }

    fn has_behaviour(&self, figure: FigureHandle, behaviour: &str) -> Result<(), Error> {
        let figure = self.figure(figure)?;
        if figure.behaviours.iter().any(|known| known.script == behaviour) {
            return Ok(());
        }
        let known: Vec<_> = figure.behaviours.iter().map(|known| known.script.as_str()).collect();
        Err(Error::UnknownBehaviour { figure: figure.name.clone(), behaviour: behaviour.to_owned(), known: known.join(", ") })
    }
}

/// What is to come needs a handle that waits for it, under its own name; one that has gone since waits for nobody, and nothing comes.
fn waits(what: &str, live: Option<bool>, name: &str, own: bool) -> Result<(), Error> {
    match live {
        Some(true) => Err(Error::NameTaken(name.to_owned())),
        Some(false) if !own => Err(refused(&format!("the {what}'s name"), name, "the name that its handle was reserved for")),
        _ => Ok(()),
    }
}

pub(crate) fn figure_spec(spec: &FigureSpec) -> Result<(), Error> {
    vector("the figure's position (m)", spec.position, FARTHEST)?;
    number("the figure's yaw (rad)", spec.yaw, -1000.0, 1000.0)?;
    number("the figure's clip time (s)", spec.clip_time, 0.0, 1.0e6)?;
    let mut clips = spec.clip.as_deref().into_iter().chain(spec.acts.named().map(|(_, clip)| clip));
    if let Some(clip) = clips.find(|clip| spec.model.rig.clip(clip).is_none()) {
        let known: Vec<_> = spec.model.rig.clips.iter().map(|clip| clip.name.as_str()).collect();
        return Err(Error::UnknownClip { figure: spec.name.clone(), clip: clip.to_owned(), known: known.join(", ") });
    }
    act_clips(spec)?;
    if let Some(record) = &spec.motion {
        motion_record(record)?;
        if let Err(why) = &spec.model.ragdoll {
            return Err(Error::NotHumanoid { figure: spec.name.clone(), why: why.clone() });
        }
    }
    Ok(())
}

/// Whether the clips of what a figure does begin and end as that does.
fn act_clips(spec: &FigureSpec) -> Result<(), Error> {
    for (act, clip) in spec.acts.named() {
        // Without a ragdoll nothing is done by them.
        let Ok(ragdoll) = &spec.model.ragdoll else { continue };
        let Some(course) = Course::through(&spec.model, clip) else { continue };
        let (begins, ends) = match act {
            ActClips::FACE_UP => (Stance::FaceUp, None),
            ActClips::FACE_DOWN => (Stance::FaceDown, None),
            ActClips::SIT => (Stance::Stands, Some(Stance::Sits)),
            ActClips::STAND_UP => (Stance::Sits, Some(Stance::Stands)),
            _ => (Stance::Stands, Some(Stance::FaceUp)),
        };
        let [first, last] = [course.begins(), course.ends()].map(|pose| Stance::of(ragdoll, pose));
        if first != Some(begins) || ends.is_some_and(|ends| last != Some(ends)) {
            let ends = ends.map_or_else(String::new, |ends| format!(" and ends {}", ends.in_words()));
            let accepted = format!("a clip that begins {}{ends}", begins.in_words());
            return Err(refused(&format!("the clip of {act}"), clip, accepted));
        }
    }
    Ok(())
}

fn settable(mode: Mode) -> Result<(), Error> {
    if matches!(mode, Mode::GettingUp | Mode::Acting) { Err(Error::ModeNotSet(mode.name())) } else { Ok(()) }
}

/// How a part stands, in a record.
pub(super) fn part(record: &PartRecord) -> Result<(), Error> {
    settable(record.mode)?;
    number("a part's strength", record.strength, 0.0, 1.0)
}

fn motion_record(record: &MotionRecord) -> Result<(), Error> {
    settable(record.mode)?;
    record.parts.iter().try_for_each(part)?;
    for known in &SETTINGS {
        if let Value::Number(value) = known.value(record) {
            setting(known.name, value as f32)?;
        }
    }
    Ok(())
}

/// A number of a motion record, within the range that its setting tells of.
pub(super) fn setting(name: &str, found: f32) -> Result<(), Error> {
    match Setting::of(name).map(|setting| setting.kind) {
        Some(SettingKind::Number { unit: "", min, max, .. }) => number(&format!("the {name}"), found, min, max),
        Some(SettingKind::Number { unit, min, max, .. }) => number(&format!("the {name} ({unit})"), found, min, max),
        _ => Ok(()),
    }
}

fn object_spec(spec: &ObjectSpec) -> Result<(), Error> {
    vector("the object's position (m)", spec.pose.translation, FARTHEST)?;
    number("the object's friction", spec.friction, 0.0, 100.0)?;
    number("the object's restitution", spec.restitution, 0.0, 1.0)?;
    if spec.kind == BodyKind::Dynamic {
        number("the object's mass (kg)", spec.mass, 1.0e-3, 1.0e6)?;
    }
    spec.grips.values().try_for_each(|grip| vector("a grip (m)", *grip, FARTHEST))?;
    shape(&spec.shape)
}

pub(super) fn shape(shape: &Shape) -> Result<(), Error> {
    let size = |what: &str, value: f32| number(what, value, 1.0e-3, FARTHEST);
    match shape {
        Shape::Box(sizes) => sizes.to_array().into_iter().try_for_each(|value| size("the box's size (m)", value)),
        Shape::Sphere(radius) => size("the sphere's radius (m)", *radius),
        Shape::Capsule { a, b, radius } => {
            vector("the capsule's end (m)", *a, FARTHEST)?;
            vector("the capsule's end (m)", *b, FARTHEST)?;
            size("the capsule's radius (m)", *radius)
        }
        Shape::Cylinder { height, radius } => {
            size("the cylinder's height (m)", *height)?;
            size("the cylinder's radius (m)", *radius)
        }
        Shape::Plane => Ok(()),
        Shape::Heightfield { rows, heights, size: extents } => {
            if *rows < 2 || heights.len() / 2 < *rows || heights.len() % rows != 0 {
                return Err(refused(
                    "the heightfield",
                    format!("{} heights in {rows} rows", heights.len()),
                    "whole rows, two at least",
                ));
            }
            heights.iter().try_for_each(|height| number("a height (m)", *height, -FARTHEST, FARTHEST))?;
            extents.to_array().into_iter().try_for_each(|value| size("the heightfield's size (m)", value))
        }
        Shape::Mesh { points, triangles } => {
            points.iter().try_for_each(|point| vector("a mesh point (m)", *point, FARTHEST))?;
            let beyond = triangles.iter().flatten().find(|index| **index as usize >= points.len());
            beyond.map_or(Ok(()), |index| Err(refused("a mesh index", *index, format!("below {}", points.len()))))
        }
    }
}

pub(super) fn claim(claim: &Claim) -> Result<(), Error> {
    number("the claim's share", claim.share, 0.0, 3.0)?;
    number("the claim's blend-in (s)", claim.blend_in, 0.0, 60.0)?;
    number("the claim's blend-out (s)", claim.blend_out, 0.0, 60.0)?;
    match claim.want {
        Want::Aim(rotation) | Want::Hold(rotation) => unit("the claim's rotation", rotation),
        Want::Point(direction) | Want::Bend(direction) => vector("the claim's vector", direction, FARTHEST),
        Want::Reach { point, pole } => {
            vector("the reach's point (m)", point, FARTHEST)?;
            vector("the reach's pole", pole, FARTHEST)
        }
        Want::Weaken | Want::Limp => Ok(()),
    }
}

pub(crate) fn number(what: &str, found: f32, least: f32, most: f32) -> Result<(), Error> {
    if found >= least && found <= most { Ok(()) } else { Err(refused(what, found, format!("{least} to {most}"))) }
}

pub(crate) fn rigid(what: &str, found: &Rigid) -> Result<(), Error> {
    vector(what, found.translation, FARTHEST)?;
    unit(what, found.rotation)
}

pub(crate) fn unit(what: &str, found: Quat) -> Result<(), Error> {
    if found.is_normalized() { Ok(()) } else { Err(refused(what, found, "a unit quaternion")) }
}

pub(crate) fn vector(what: &str, found: Vec3, most: f32) -> Result<(), Error> {
    let fine = found.is_finite() && found.abs().max_element() <= most;
    if fine { Ok(()) } else { Err(refused(what, found, format!("finite, at most {most} an axis"))) }
}

pub(crate) fn refused(what: &str, found: impl std::fmt::Display, accepted: impl Into<String>) -> Error {
    Error::Number { what: what.to_owned(), found: found.to_string(), accepted: accepted.into() }
}
