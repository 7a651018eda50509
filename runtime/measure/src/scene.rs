//! Several figures and things in a world, watched by their poses alone as they run.

use crate::depth::{Solid, depth};
use crate::kept;
use crate::options::{MeasureError, Options};
use crate::subject::Subject;
use crate::table::most;
use simrun_sim::figure::{BONES, Bone, Ragdoll};
use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::space::{Quat, Rigid, Vec3, rotation_from_vector, rotation_from_yaw};
use simrun_sim::{
    Command, FigureHandle, FigureSpec, Hit, Mode, MotionRecord, Nobody, ObjectHandle, ObjectSpec, World, WorldSettings,
};
use std::f32::consts::FRAC_PI_2;

/// Bodies of a figure that are nearer than this at rest (m) may touch: they are not looked at.
const APART: f64 = 0.01;
/// Below this (m) a body has fallen through the ground.
const UNDER: f32 = -0.6;

/// A run in progress.
#[derive(Debug)]
pub struct Scene<'a> {
    subject: &'a Subject,
    pub world: World,
    anchor: f32,
    figures: Vec<FigureHandle>,
    things: Vec<ObjectHandle>,
    /// Pairs of a figure's own bodies that are apart at rest.
    apart: Vec<(usize, usize)>,
    before: Poses,
}

/// Where everything is.
#[derive(Clone, Debug, Default)]
struct Poses {
    figures: Vec<[Rigid; BONES]>,
    things: Vec<Rigid>,
}

/// What one step shows.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Turn rate of all figures' bones by the differences of their poses, mean (rad/s).
    pub turn: f64,
    /// The fastest pelvis, bone and thing that moves (m/s), and that thing's fastest turn (rad/s), the same way.
    pub pelvis: f64,
    pub bone: f64,
    pub thing: f64,
    pub thing_turn: f64,
    /// How deep anything is in something else (m).
    pub depth: f64,
    /// How deep a figure's body is in another of its own (m).
    pub self_depth: f64,
    /// A body is under the ground, or nowhere.
    pub lost: bool,
}

impl Moment {
    /// Nobody stirs: bones turn by less than 0.05 rad/s on the average, nothing goes faster than 2 cm/s.
    pub fn is_still(&self) -> bool {
        self.turn < 0.05 && self.pelvis < 0.02 && self.thing < 0.02 && self.thing_turn < 0.05
    }
}

impl<'a> Scene<'a> {
    /// Level ground of this friction and nobody on it.
    pub fn new(subject: &'a Subject, options: &Options, seed: u64, friction: f32) -> Result<Self, MeasureError> {
        let settings = WorldSettings { seed, sleep: false, ..WorldSettings::default() };
        let solver = options.solver.make(settings.gravity);
        let world = World::with_solver(settings, solver);
        let apart = apart_at_rest(subject.ragdoll());
        let anchor = options.anchor;
        let mut scene = Self { subject, world, anchor, figures: Vec::new(), things: Vec::new(), apart, before: Poses::default() };
        let middle = Rigid::new(Quat::IDENTITY, Vec3::Y * -0.5);
        scene.add_box("ground", Vec3::new(80.0, 1.0, 80.0), middle, None, friction)?;
        Ok(scene)
    }

    /// Puts a box in; one without a mass never moves.
    pub fn add_box(
        &mut self,
        name: &str,
        size: Vec3,
        pose: Rigid,
        mass: Option<f32>,
        friction: f32,
    ) -> Result<ObjectHandle, MeasureError> {
        let handle = self.world.reserve_object(name)?;
        let spec = ObjectSpec {
            name: name.to_owned(),
            shape: Shape::Box(size),
            kind: if mass.is_some() { BodyKind::Dynamic } else { BodyKind::Fixed },
            pose,
            mass: mass.unwrap_or(0.0),
            friction,
            restitution: 0.0,
            grips: Default::default(),
            params: Default::default(),
        };
        self.world.command(Command::AddObject { handle, spec: Box::new(spec) })?;
        self.things.push(handle);
        self.before = self.poses()?;
        Ok(handle)
    }

    /// Puts a figure in, which steps nowhere.
    pub fn add_figure(&mut self, position: Vec3, yaw: f32, mode: Mode) -> Result<FigureHandle, MeasureError> {
        let name = format!("figure {:02}", self.figures.len());
        let handle = self.world.reserve_figure(&name)?;
        let motion = MotionRecord { mode, anchor: self.anchor, stepping: false, ..MotionRecord::default() };
        let spec = FigureSpec { position, yaw, motion: Some(motion), ..FigureSpec::new(&name, self.subject.model.clone()) };
        self.world.command(Command::Spawn { handle, spec: Box::new(spec) })?;
        self.figures.push(handle);
        self.before = self.poses()?;
        Ok(handle)
    }

    /// Lays a figure down on its back or face, its pelvis at a point.
    pub fn lay(&mut self, figure: FigureHandle, at: Vec3, yaw: f32, on_face: bool) -> Result<(), MeasureError> {
        let standing = self.poses_of(figure)?;
        let over = if on_face { FRAC_PI_2 } else { -FRAC_PI_2 };
        let turn = rotation_from_yaw(yaw) * rotation_from_vector(Vec3::X * over);
        let middle = standing[0].translation;
        let bodies = standing.map(|pose| Rigid::new(turn, at) * Rigid::new(pose.rotation, pose.translation - middle));
        self.world.command(Command::SetBodies { figure, bodies: Box::new(bodies) })?;
        self.before = self.poses()?;
        Ok(())
    }

    /// Strikes a chest with a velocity (m/s) × the figure's mass.
    pub fn shove(&mut self, figure: FigureHandle, velocity: Vec3) -> Result<(), MeasureError> {
        let impulse = velocity * self.subject.ragdoll().mass;
        Ok(self.world.command(Command::Hit(Hit::new(figure, Bone::Chest, impulse)))?)
    }

    /// One step, and what it shows.
    pub fn step(&mut self) -> Result<Moment, MeasureError> {
        self.world.step(&mut Nobody);
        let before = std::mem::take(&mut self.before);
        self.before = self.poses()?;
        Ok(self.moment(&before))
    }

    /// So many seconds, and what their steps show.
    pub fn run(&mut self, seconds: f32) -> Result<Vec<Moment>, MeasureError> {
        (0..(seconds / self.world.dt()).round() as usize).map(|_| self.step()).collect()
    }

    /// Kilograms of all figures.
    pub fn mass(&self) -> f64 {
        f64::from(self.subject.ragdoll().mass) * self.figures.len() as f64
    }

    fn poses_of(&self, figure: FigureHandle) -> Result<[Rigid; BONES], MeasureError> {
        let figure = self.world.figure(figure)?;
        Ok(Bone::ALL.map(|bone| figure.bone(bone)))
    }

    fn poses(&self) -> Result<Poses, MeasureError> {
        let figures = self.figures.iter().map(|figure| self.poses_of(*figure)).collect::<Result<_, _>>()?;
        let things = self.things.iter().map(|thing| Ok(self.world.object(*thing)?.pose));
        Ok(Poses { figures, things: things.collect::<Result<_, MeasureError>>()? })
    }

    fn moment(&self, before: &Poses) -> Moment {
        let hz = 1.0 / f64::from(self.world.dt());
        let pairs = || before.figures.iter().flatten().zip(self.before.figures.iter().flatten());
        let things = || before.things.iter().zip(&self.before.things);
        let speed = |(from, to): (&Rigid, &Rigid)| from.translation.as_dvec3().distance(to.translation.as_dvec3()) * hz;
        let turn = |(from, to): (&Rigid, &Rigid)| kept::turn(from.rotation, to.rotation) * hz;
        let (depth, self_depth) = self.depths();
        Moment {
            turn: pairs().map(turn).sum::<f64>() / pairs().count() as f64,
            pelvis: most(pairs().step_by(BONES).map(speed)),
            bone: most(pairs().map(speed)),
            thing: most(things().map(speed)),
            thing_turn: most(things().map(turn)),
            depth,
            self_depth,
            lost: pairs().any(|(_, to)| to.translation.y < UNDER || !to.is_finite()),
        }
    }

    /// How deep anything is in something else, and in itself, at worst (m).
    fn depths(&self) -> (f64, f64) {
        let figures: Vec<Vec<Vec<Solid>>> =
            self.before.figures.iter().map(|poses| solids_of(self.subject.ragdoll(), poses)).collect();
        let things: Vec<(Solid, bool)> = self
            .things
            .iter()
            .zip(&self.before.things)
            .filter_map(|(thing, pose)| {
                let object = self.world.object(*thing).ok()?;
                Some((Solid::of_shape(*pose, &object.shape)?, object.kind == BodyKind::Fixed))
            })
            .collect();
        let mut deepest = f64::NEG_INFINITY;
        for (index, figure) in figures.iter().enumerate() {
            for one in figure.iter().flatten() {
                let others = figures[index + 1..].iter().flatten().flatten().chain(things.iter().map(|(solid, _)| solid));
                deepest = others.map(|other| depth(one, other)).fold(deepest, f64::max);
            }
        }
        for (index, (one, one_fixed)) in things.iter().enumerate() {
            let others = things[index + 1..].iter().filter(|(_, fixed)| !(*fixed && *one_fixed));
            deepest = others.map(|(other, _)| depth(one, other)).fold(deepest, f64::max);
        }
        let own = figures.iter().flat_map(|figure| self.apart.iter().map(move |(a, b)| between(&figure[*a], &figure[*b])));
        (deepest, own.fold(f64::NEG_INFINITY, f64::max))
    }
}

fn solids_of(ragdoll: &Ragdoll, poses: &[Rigid; BONES]) -> Vec<Vec<Solid>> {
    let bodies = ragdoll.topology.bodies.iter().zip(poses);
    bodies.map(|(def, pose)| def.shapes.iter().filter_map(|shape| Solid::of(*pose, shape)).collect()).collect()
}

fn between(one: &[Solid], two: &[Solid]) -> f64 {
    one.iter().flat_map(|one| two.iter().map(move |two| depth(one, two))).fold(f64::NEG_INFINITY, f64::max)
}

fn apart_at_rest(ragdoll: &Ragdoll) -> Vec<(usize, usize)> {
    let solids = solids_of(ragdoll, &ragdoll.rest);
    let pairs = (0..BONES).flat_map(|one| (one + 1..BONES).map(move |two| (one, two)));
    let jointed =
        |(one, two): (usize, usize)| ragdoll.topology.joints.iter().any(|joint| (joint.parent, joint.child) == (one, two));
    pairs.filter(|pair| !jointed(*pair) && between(&solids[pair.0], &solids[pair.1]) < -APART).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the first step shows of figures laid at these heights over the same place.
    fn first(heights: &[f32], seen: impl FnOnce(Moment)) -> Result<(), MeasureError> {
        let subject = Subject::boxman()?;
        let mut scene = Scene::new(&subject, &Options::new("pile"), 1, 0.9)?;
        for height in heights {
            let figure = scene.add_figure(Vec3::ZERO, 0.0, Mode::Limp)?;
            scene.lay(figure, Vec3::Y * *height, 0.5, true)?;
        }
        seen(scene.step()?);
        Ok(())
    }

    #[test]
    fn figures_in_each_other_and_in_the_ground_are_seen() -> Result<(), MeasureError> {
        first(&[1.0, 3.0], |apart| assert!(apart.depth < 0.0 && !apart.lost, "{apart:?}"))?;
        first(&[1.0, 1.15], |within| assert!(within.depth > 0.04, "{within:?}"))?;
        first(&[0.0], |sunk| assert!(sunk.depth > 0.08, "{sunk:?}"))?;
        first(&[-1.5], |under| assert!(under.lost, "{under:?}"))
    }

    #[test]
    fn a_fall_is_as_fast_as_a_fall() -> Result<(), MeasureError> {
        let subject = Subject::boxman()?;
        let mut scene = Scene::new(&subject, &Options::new("pile"), 1, 0.9)?;
        let figure = scene.add_figure(Vec3::ZERO, 0.0, Mode::Limp)?;
        scene.lay(figure, Vec3::Y * 20.0, 0.0, false)?;
        let moments = scene.run(1.0)?;
        let pelvis = moments[moments.len() - 1].pelvis;
        assert!((pelvis - 9.81).abs() < 0.3 && !moments[30].is_still(), "{pelvis}");
        Ok(())
    }
}
