//! Commands: the one way in which a page, a prompt, a scene, a host program or a script changes a world.
//!
//! Between steps a command applies at once; issued in DECIDE it applies at the start of the next step, before SAMPLE, so that
//! SENSE sees a blow in its own step.

use crate::crowd::HordeCommand;
use crate::figure::{BONES, Bone, Model, Part};
use crate::id::{FigureHandle, ObjectHandle};
use crate::motion::{ActClips, LookAt, Mode, MotionRecord, Phase};
use crate::solve::boundary::{BodyKind, Shape};
use crate::space::{Rigid, Vec3};
use crate::value::Value;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A behaviour as a figure carries it: a script's name and the parameters set on this figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Behaviour {
    /// The script's name, without folder or ending.
    pub script: String,
    /// Only the parameters that differ from the script's defaults.
    pub params: BTreeMap<String, Value>,
}

/// Everything needed to make a figure.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FigureSpec {
    /// Unique in the world.
    pub name: String,
    /// What it wears. A file holds it once for all who wear it, beside the commands.
    #[serde(skip)]
    pub model: Arc<Model>,
    /// Where its feet stand (world, m) and which way it faces (yaw about +Y, rad).
    pub position: Vec3,
    /// Yaw about +Y (rad).
    pub yaw: f32,
    /// The clip it starts with, looping; `None` holds the built-in stance.
    pub clip: Option<String>,
    /// Whether the clip's travel moves the figure's place.
    pub root_motion: bool,
    /// Seconds into the clip at the start.
    pub clip_time: f32,
    /// Clips that it has for what it does.
    pub acts: ActClips,
    /// Motion, if it has an active ragdoll.
    pub motion: Option<MotionRecord>,
    /// In the order in which they run.
    pub behaviours: Vec<Behaviour>,
    /// What it has in its hands, if anything.
    pub holds: Option<Holds>,
}

/// What a figure has in its hands as it is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Holds {
    /// The object's name.
    pub item: String,
    /// The names of the grips for the left and the right hand; one at least.
    pub grips: [Option<String>; 2],
}

impl FigureSpec {
    /// A figure that stands at the origin in the built-in stance, facing +Z, without motion or behaviours.
    #[must_use]
    pub fn new(name: &str, model: Arc<Model>) -> Self {
        Self {
            name: name.to_owned(),
            model,
            position: Vec3::ZERO,
            yaw: 0.0,
            clip: None,
            root_motion: true,
            clip_time: 0.0,
            acts: ActClips::default(),
            motion: None,
            behaviours: Vec::new(),
            holds: None,
        }
    }
}

/// Everything needed to make an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectSpec {
    /// Unique in the world.
    pub name: String,
    /// Its form.
    pub shape: Shape,
    /// Whether it stays, moves as told, or moves as pushed.
    pub kind: BodyKind,
    /// World from object.
    pub pose: Rigid,
    /// Kilograms; only a dynamic one has a mass.
    pub mass: f32,
    /// Coulomb coefficient.
    pub friction: f32,
    /// Share of the closing speed that comes back, 0..=1; of two that meet the higher counts.
    pub restitution: f32,
    /// Where hands hold it, by name (its frame, m); nobody holds what has none.
    pub grips: BTreeMap<String, Vec3>,
    /// Parameters that scripts read (`--set car.speed=7`).
    pub params: BTreeMap<String, Value>,
}

/// A setting of a motion record that takes no command of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Switch {
    /// Protective falls.
    Protective(bool),
    /// Catch steps.
    Stepping(bool),
    /// Hand to the wound.
    HitReaction(bool),
    /// Compliant muscles.
    Muscles(bool),
    /// Seconds of writhing after it lands; 0 never.
    Writhing(f32),
    /// Seconds lain still before it gets up; 0 never.
    GetUp(f32),
    /// Cap of the balance anchor as a multiple of mass × g × 1 m.
    Anchor(f32),
}

/// A change of the world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Command {
    /// Makes a figure under a handle reserved with [`World::reserve_figure`](crate::world::World::reserve_figure).
    Spawn {
        /// The reserved handle.
        handle: FigureHandle,
        /// What to make.
        spec: Box<FigureSpec>,
    },
    /// Makes an object under a reserved handle.
    AddObject {
        /// The reserved handle.
        handle: ObjectHandle,
        /// What to make.
        spec: Box<ObjectSpec>,
    },
    /// Takes a figure out with all that it has: bodies, motion, behaviours, claims, timers.
    DestroyFigure(FigureHandle),
    /// Takes an object out.
    DestroyObject(ObjectHandle),
    /// Changes a horde.
    Horde {
        /// Its name.
        horde: String,
        /// What is to change.
        command: HordeCommand,
    },
    /// A blow.
    Hit(Hit),
    /// Another mode.
    SetMode {
        /// Whose.
        figure: FigureHandle,
        /// `Animated`, `Powered` or `Limp`; the others are got to, not set.
        mode: Mode,
    },
    /// Share of every budget, 0 (limp) to 1.
    SetStrength {
        /// Whose.
        figure: FigureHandle,
        /// 0..=1.
        strength: f32,
    },
    /// A lasting share of one part's muscle.
    SetPartStrength {
        /// Whose.
        figure: FigureHandle,
        /// Which part.
        part: Part,
        /// 0..=1.
        strength: f32,
    },
    /// A mode for one part.
    SetPartMode {
        /// Whose.
        figure: FigureHandle,
        /// Which part.
        part: Part,
        /// `Limp` lets it hang, `Powered` has it on its muscles where the figure follows its clip, `Animated` takes it back.
        mode: Mode,
    },
    /// What it is to look at (the behaviour `look`).
    Look {
        /// Whose.
        figure: FigureHandle,
        /// `None`: nothing.
        at: Option<LookAt>,
    },
    /// Seconds in which muscle that a blow took comes back.
    SetRecovery {
        /// Whose.
        figure: FigureHandle,
        /// Seconds, above 0.
        seconds: f32,
    },
    /// Turns one of the motion component's behaviours on or off.
    SetSwitch {
        /// Whose.
        figure: FigureHandle,
        /// Which, and to what.
        switch: Switch,
    },
    /// A behaviour says what the figure is doing; stepping or staggering counts a catch step each time.
    Declare {
        /// Whose.
        figure: FigureHandle,
        /// The phase from now on.
        phase: Phase,
        /// Who says so: a behaviour's name.
        by: Arc<str>,
        /// Why, in its words; `None` where it gives no reason. Only the first 160 bytes are kept.
        reason: Option<Arc<str>>,
    },
    /// A behaviour says why it does what it does, for [`trace`](crate::trace).
    Note {
        /// Whose.
        figure: FigureHandle,
        /// Who says so: a behaviour's name.
        by: Arc<str>,
        /// In its words. Only the first 160 bytes are kept.
        text: Arc<str>,
    },
    /// Gets a figure that is down on its feet as soon as it lies still and has room; nothing to one that is not.
    GetUp(FigureHandle),
    /// Sits a figure down that stands by a seat: see [`sit_spot`](crate::acts::sit_spot).
    Sit {
        /// Who.
        figure: FigureHandle,
        /// Where the middle of its hips comes to rest (world, m), on the seat's top.
        seat: Vec3,
        /// The way it faces there (rad).
        facing: f32,
    },
    /// Stands a figure up that sits.
    StandUp(FigureHandle),
    /// Lays a figure down on its back from where it stands: see [`lie_spot`](crate::acts::lie_spot).
    LieDown {
        /// Who.
        figure: FigureHandle,
        /// Where its head comes to lie toward (world, m).
        head: Vec3,
    },
    /// Takes an item into the hands: one who sits reaches for it and has it on its lap, one on its feet has it in its hand at once.
    Hold {
        /// Who.
        figure: FigureHandle,
        /// What.
        item: ObjectHandle,
        /// The names of the grips for the left and the right hand; one at least.
        grips: [Option<String>; 2],
    },
    /// Lets what is held go where it is.
    LetGo(FigureHandle),
    /// Takes a bite of what one who sits holds.
    Eat(FigureHandle),
    /// Takes a sip of it.
    Drink(FigureHandle),
    /// Plays a clip beside what is playing.
    Play {
        /// Whose.
        figure: FigureHandle,
        /// The clip's name in the figure's model.
        clip: String,
        /// 1 is as recorded; negative runs backwards.
        speed: f32,
        /// Starts over at its end.
        looped: bool,
        /// Seconds to blend in over; whatever moved the same bones before fades out.
        fade: f32,
    },
    /// Stops a clip, or all.
    Stop {
        /// Whose.
        figure: FigureHandle,
        /// `None`: all of them.
        clip: Option<String>,
    },
    /// Puts a figure's place elsewhere; its bodies go with it.
    MoveTo {
        /// Whose.
        figure: FigureHandle,
        /// World, m.
        position: Vec3,
        /// Yaw (rad); `None` keeps the way it faces.
        yaw: Option<f32>,
    },
    /// Puts a figure's bodies elsewhere, at rest: the pose is theirs, the place stays.
    SetBodies {
        /// Whose.
        figure: FigureHandle,
        /// World from body.
        bodies: Box<[Rigid; BONES]>,
    },
    /// Sets a parameter of a figure's behaviour.
    SetParam {
        /// Whose.
        figure: FigureHandle,
        /// The script's name.
        behaviour: String,
        /// The parameter's name.
        name: String,
        /// Its new value.
        value: Value,
    },
    /// Sets a parameter of an object.
    SetObjectParam {
        /// Whose.
        object: ObjectHandle,
        /// The parameter's name.
        name: String,
        /// Its new value.
        value: Value,
    },
    /// Pushes a dynamic object.
    Impulse {
        /// Which.
        object: ObjectHandle,
        /// N·s.
        impulse: Vec3,
        /// World, m; `None`: its centre.
        point: Option<Vec3>,
    },
    /// Gives an object a velocity: a kinematic one keeps it until told otherwise.
    SetVelocity {
        /// Which.
        object: ObjectHandle,
        /// m/s.
        linear: Vec3,
        /// rad/s.
        angular: Vec3,
    },
    /// Puts an object elsewhere.
    Place {
        /// Which.
        object: ObjectHandle,
        /// World from object.
        pose: Rigid,
    },
    /// Turns contact between a figure and an object off until they are apart: a blow that *replaces* contact.
    PassThrough {
        /// Which figure.
        figure: FigureHandle,
        /// Which object.
        object: ObjectHandle,
    },
}

/// A blow on a bone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// Whose bone.
    pub figure: FigureHandle,
    /// Which bone.
    pub bone: Bone,
    /// World, m; `None`: the bone's centre of mass.
    pub point: Option<Vec3>,
    /// N·s, world.
    pub impulse: Vec3,
    /// Share of the bone's muscle that it takes, 0..=1; `None`: the speed it gives the bone over 1.6 m/s, at most 0.95.
    pub cost: Option<f32>,
    /// How fast what struck and what was struck closed (m/s), for reports; `None` where nobody knows.
    pub closing_speed: Option<f32>,
    /// What struck.
    pub by: Option<ObjectHandle>,
}

impl Hit {
    /// A blow on a bone's centre of mass (N·s, world), at the cost that its speed has.
    #[must_use]
    pub fn new(figure: FigureHandle, bone: Bone, impulse: Vec3) -> Self {
        Self { figure, bone, point: None, impulse, cost: None, closing_speed: None, by: None }
    }
}
