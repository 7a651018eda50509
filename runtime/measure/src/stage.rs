//! A figure on level or sloping ground, whose poses are kept as it runs.

use crate::carried::Carried;
use crate::kept::{Frame, Kept};
use crate::options::{MeasureError, Options};
use crate::subject::Subject;
use simrun_script::Scripts;
use simrun_sim::figure::{BONES, Bone};
use simrun_sim::solve::Backend;
use simrun_sim::solve::boundary::{BodyKind, Shape, Touched};
use simrun_sim::space::{Rigid, Vec3, rotation_from_vector, rotation_from_yaw};
use simrun_sim::{
    Command, Figure, FigureHandle, FigureSpec, Hit, Mode, MotionRecord, Nobody, ObjectHandle, ObjectSpec, Value, World,
    WorldSettings,
};

/// Friction of dry ground, which leaves the decision to the soles.
pub const DRY: f32 = 0.9;

/// How far from the middle of its feet a figure's soles reach (m), about.
const FOOT_OUT: f32 = 0.2;

/// How a run begins.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// Who.
    pub subject: &'a Subject,
    /// What drives it.
    pub mode: Mode,
    /// What it plays; `None`: the built-in stance.
    pub clip: Option<&'a str>,
    /// Where in the clip it begins, as a share of it.
    pub phase: f32,
    /// The way it faces (rad).
    pub yaw: f32,
    /// Cap of the balance anchor.
    pub anchor: f32,
    /// Coulomb coefficient of the ground.
    pub friction: f32,
    /// How much the ground rises toward −X (rad).
    pub slope: f32,
    /// What solves the bodies.
    pub solver: Backend,
    /// What it carries.
    pub carried: Option<&'a Carried>,
    /// Whether it protects itself as it falls.
    pub protective: bool,
    /// Whether it is on compliant muscles.
    pub muscles: bool,
    /// Whether it steps to catch itself: a measure of standing is one of standing where it stands.
    pub stepping: bool,
    /// The world's.
    pub seed: u64,
}

impl<'a> Setting<'a> {
    /// A figure on its muscles in the built-in stance on dry ground.
    pub fn standing(subject: &'a Subject, options: &Options) -> Self {
        Self {
            subject,
            mode: Mode::Powered,
            clip: None,
            phase: 0.0,
            yaw: 0.0,
            anchor: options.anchor,
            friction: DRY,
            slope: options.conditions.slope(),
            solver: options.solver,
            carried: None,
            protective: true,
            muscles: options.conditions.muscles,
            stepping: false,
            seed: 1,
        }
    }
}

/// A run in progress.
#[derive(Debug)]
pub struct Stage {
    world: World,
    figure: FigureHandle,
    mass: f32,
    bone_masses: [f32; BONES],
    scripts: Option<Scripts>,
    /// Metres that the ground rises a metre toward −X.
    rise: f32,
    kept: Kept,
}

impl Stage {
    /// Sets a run up.
    pub fn new(setting: &Setting<'_>) -> Result<Self, MeasureError> {
        let ragdoll = setting.subject.ragdoll();
        let settings = WorldSettings { seed: setting.seed, sleep: false, ..WorldSettings::default() };
        let solver = setting.solver.make(settings.gravity);
        let mut world = World::with_solver(settings, solver);
        let ground = world.reserve_object("ground")?;
        world.command(Command::AddObject { handle: ground, spec: Box::new(ground_of(setting)) })?;
        let figure = world.reserve_figure("figure")?;
        let rise = setting.slope.tan();
        let rig = &setting.subject.model.rig;
        let clip = setting.clip.and_then(|name| rig.clip(name));
        let spec = FigureSpec {
            // Over a slope its lower soles are in the air first, rather than the upper ones in the ground.
            position: Vec3::Y * (FOOT_OUT * rise),
            yaw: setting.yaw,
            clip: clip.map(|clip| rig.clips[clip].name.clone()),
            clip_time: clip.map_or(0.0, |clip| rig.clips[clip].duration * setting.phase),
            motion: Some(MotionRecord {
                mode: setting.mode,
                anchor: setting.anchor,
                stepping: setting.stepping,
                muscles: setting.muscles,
                protective: setting.protective,
                ..MotionRecord::default()
            }),
            acts: setting.subject.acts.clone(),
            behaviours: setting.carried.map(Carried::behaviours).unwrap_or_default(),
            ..FigureSpec::new("figure", setting.subject.model.clone())
        };
        world.command(Command::Spawn { handle: figure, spec: Box::new(spec) })?;
        let frames = vec![frame_of(world.figure(figure)?, rise)];
        let kept = Kept {
            step_hz: f64::from(world.settings().step_hz),
            standing_height: f64::from(ragdoll.rest[0].translation.y),
            frames,
        };
        let bone_masses = std::array::from_fn(|bone| ragdoll.topology.bodies[bone].mass);
        let mut scripts = setting.carried.map(|carried| carried.scripts(setting.seed)).transpose()?;
        if let Some(problem) = scripts.as_mut().and_then(|scripts| scripts.start(&mut world, None).into_iter().next()) {
            return Err(MeasureError::Script(problem.to_string()));
        }
        Ok(Self { world, figure, mass: ragdoll.mass, bone_masses, scripts, rise, kept })
    }

    /// The figure.
    pub fn figure(&self) -> Result<&Figure, MeasureError> {
        Ok(self.world.figure(self.figure)?)
    }

    /// The world that it is in.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Its handle, for commands.
    pub fn handle(&self) -> FigureHandle {
        self.figure
    }

    /// Gives a command.
    pub fn command(&mut self, command: Command) -> Result<(), MeasureError> {
        Ok(self.world.command(command)?)
    }

    /// Puts an object into the world.
    pub fn add(&mut self, spec: ObjectSpec) -> Result<ObjectHandle, MeasureError> {
        let handle = self.world.reserve_object(&spec.name)?;
        self.world.command(Command::AddObject { handle, spec: Box::new(spec) })?;
        Ok(handle)
    }

    /// Lets time pass and keeps the poses.
    pub fn run(&mut self, seconds: f64) -> Result<(), MeasureError> {
        for _ in 0..(seconds * self.kept.step_hz).round() as usize {
            match &mut self.scripts {
                None => self.world.step(&mut Nobody),
                Some(scripts) => {
                    self.world.step(scripts);
                    if let Some(problem) = scripts.problems().into_iter().next() {
                        return Err(MeasureError::Script(problem.to_string()));
                    }
                }
            }
            self.kept.frames.push(frame_of(self.world.figure(self.figure)?, self.rise));
        }
        Ok(())
    }

    /// Lets time pass until something is so of the figure, or for so many seconds at most; how many passed.
    pub fn until(&mut self, seconds: f64, is: impl Fn(&Figure) -> bool) -> Result<f64, MeasureError> {
        let began = self.time();
        while self.time() < began + seconds && !is(self.figure()?) {
            self.run(1.0 / self.kept.step_hz)?;
        }
        Ok(self.time() - began)
    }

    /// Strikes the chest with `speed` (m/s) × the figure's mass, along a yaw (rad) off the way that it faces.
    pub fn shove(&mut self, speed: f32, heading: f32, aside: Vec3) -> Result<(), MeasureError> {
        self.shove_at(Bone::Chest, speed, heading, aside)
    }

    /// The same on any bone.
    pub fn shove_at(&mut self, bone: Bone, speed: f32, heading: f32, aside: Vec3) -> Result<(), MeasureError> {
        self.hit(bone, self.mass * speed, heading, aside, None)
    }

    /// Strikes a bone with `speed` (m/s) × its own mass.
    pub fn strike(&mut self, bone: Bone, speed: f32, heading: f32, aside: Vec3, cost: Option<f32>) -> Result<(), MeasureError> {
        self.hit(bone, self.bone_masses[bone.index()] * speed, heading, aside, cost)
    }

    fn hit(&mut self, bone: Bone, impulse: f32, heading: f32, aside: Vec3, cost: Option<f32>) -> Result<(), MeasureError> {
        let figure = self.world.figure(self.figure)?;
        let front = figure.place.rotation * rotation_from_yaw(heading) * Vec3::Z;
        let point = figure.bone(bone).translation + aside;
        let hit = Hit { point: Some(point), cost, ..Hit::new(self.figure, bone, front * impulse) };
        self.command(Command::Hit(hit))
    }

    /// The point (world, m) of a bone's skin that something meets which comes along a way at its middle: the middle where another bone is
    /// before it.
    pub fn surface(&self, bone: Bone, way: Vec3) -> Result<Vec3, MeasureError> {
        const OUTSIDE: f32 = 0.6;
        let middle = self.figure()?.bone(bone).translation;
        let met = self.world.raycast(middle - way * OUTSIDE, way, OUTSIDE);
        let own = met.filter(|hit| hit.figure == Some((self.figure, bone)));
        Ok(own.map_or(middle, |hit| hit.point))
    }

    /// Share of a bone's muscle that blows have left it, %.
    pub fn muscle_pct(&self, bone: Bone) -> Result<f64, MeasureError> {
        Ok(100.0 * f64::from(self.figure()?.motion()?.muscles.left(bone)))
    }

    /// What a behaviour of the figure keeps.
    pub fn state(&self, behaviour: &str) -> Result<Value, MeasureError> {
        let state = self.scripts.as_ref().map_or(Ok(Value::Nil), |scripts| scripts.state(self.figure, behaviour));
        state.map_err(|error| MeasureError::Script(error.to_string()))
    }

    /// Seconds that have passed.
    pub fn time(&self) -> f64 {
        (self.kept.frames.len() - 1) as f64 / self.kept.step_hz
    }

    /// The poses so far.
    pub fn kept(&self) -> &Kept {
        &self.kept
    }
}

/// A box of a size (m) that never moves, as dry as the ground.
pub fn fixed(name: &str, size: Vec3, pose: Rigid) -> ObjectSpec {
    ObjectSpec {
        name: name.to_owned(),
        shape: Shape::Box(size),
        kind: BodyKind::Fixed,
        pose,
        mass: 0.0,
        friction: DRY,
        restitution: 0.0,
        grips: Default::default(),
        params: Default::default(),
    }
}

/// A slab whose top goes through the origin.
pub fn ground_of(setting: &Setting<'_>) -> ObjectSpec {
    let tilt = rotation_from_vector(Vec3::NEG_Z * setting.slope);
    let slab = fixed("ground", Vec3::new(80.0, 1.0, 80.0), Rigid::new(tilt, tilt * (Vec3::Y * -0.5)));
    ObjectSpec { friction: setting.friction, ..slab }
}

fn frame_of(figure: &Figure, rise: f32) -> Frame {
    let outside = figure.solved.contacts.iter().filter(|contact| matches!(contact.other, Touched::Object(_)));
    Frame {
        touching: outside.filter_map(|contact| Bone::from_index(contact.body)).collect(),
        strain: strain(figure),
        ground: -rise * figure.bone(Bone::Pelvis).translation.x,
        bodies: Bone::ALL.map(|bone| figure.bone(bone)),
        target: figure.target.bodies,
        drawn: figure.drawn.bodies,
        bent: figure.bent(),
        drawn_bent: figure.drawn_bent(),
        contacts: figure.solved.contacts.iter().map(|contact| contact.point).collect(),
        opening: figure.solved.joints.iter().map(|joint| f64::from(joint.separation)).fold(0.0, f64::max),
    }
}

/// Torque of the joint that is nearest to its budget, as a share of it: of more where a behaviour tenses the muscle.
fn strain(figure: &Figure) -> f64 {
    let Ok(ragdoll) = &figure.model.ragdoll else { return 0.0 };
    let tensed = |child: usize| figure.claims.weakened(Bone::ALL[child]).max(1.0);
    let budgets = ragdoll.topology.joints.iter().map(|joint| ragdoll.budgets[joint.child] * tensed(joint.child));
    figure.solved.joints.iter().zip(budgets).map(|(joint, budget)| f64::from(joint.torque / budget)).fold(0.0, f64::max)
}
