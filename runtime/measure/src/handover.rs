//! `handover`: members of a horde become figures where and as they are drawn, and go back so, nobody lost.

use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::options::{MeasureError, Options};
use crate::stage::{Setting, ground_of};
use crate::subject::Subject;
use crate::table::{Bound, Row, most, share};
use simrun_sim::crowd::{Whereabouts, node_poses};
use simrun_sim::handover::Strike;
use simrun_sim::space::{Rigid, Vec3, rotation_from_yaw, rotation_vector};
use simrun_sim::{
    Bone, Command, Figure, FigureHandle, Happening, HordeCommand, HordeSpec, Mode, MotionRecord, Nobody, PoolSpec, World,
    WorldSettings,
};
use std::f32::consts::PI;
use std::sync::Arc;

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "handover",
    about: "a struck member of a horde becomes a figure as it is drawn, falls, gets up, and goes back so; nobody is lost",
    rows: &[
        (
            "hand_over_mm",
            "how far a bone is from the pose bank's as a figure takes a member, at ten phases, worst, × 1.75 m / height",
        ),
        ("give_back_mm", "the same as a member goes back, of those who were felled"),
        ("give_back_deg", "how far a bone is turned from the bank's then, worst"),
        ("down_m", "how low the pelvis came, of the felled that stayed highest, × 1.75 m / height"),
        ("back", "share of the felled that are back in the horde within 12 s, by themselves"),
        ("back_s", "how long the slowest of those took (s)"),
        ("refused", "share of the runs in which a full pool refuses a strike while all of it falls"),
        ("reused", "share of the runs in which, of figures that stand over a shove, the farthest gives up its member"),
        ("lies", "share of the killed that lie limp a second before their time to go"),
        ("gone", "share of the killed that are taken away at their time, their members dead"),
        ("miscounted", "steps after which a member was lost, or two figures' at once"),
        ("same_bits", "share of the runs that come to the same bits a second time"),
    ],
    slopes: true,
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many.
const USUAL_RUNS: usize = 12;
/// Members, and figures of the pool.
const MEMBERS: usize = 48;
const FIGURES: usize = 4;
/// Distance between two members (m).
const APART: f32 = 2.0;
/// From how far over the middle of a slope (m) its ground is looked for: at its edge it is lower and higher.
const OVER: f32 = 20.0;
/// What fells (m/s of the body): the specification's 400 N·s on its 138.5 kg; and what a figure stands, its 40 N·s.
const FELLS: f32 = 2.89;
const STANDS: f32 = 0.29;
/// Seconds in which the felled are to be back.
const BACK_WITHIN: f64 = 12.0;
/// When all of them fall (s), and when those that were shoved still stand over it.
const FALLING_AT: f64 = 0.5;
const STANDING_AT: f64 = 0.3;
/// Seconds to despawn: the one that is set, and the one that a pool has.
const DESPAWN: f32 = 3.0;
const USUAL_DESPAWN: f32 = 10.0;

struct Found {
    idling_mm: f64,
    walking_mm: f64,
    felled: Felled,
    same_bits: bool,
    refused: bool,
    reused: bool,
    killed: [Killed; 2],
    back_without_getting_up: usize,
}

struct Felled {
    down_m: f64,
    /// Seconds of each that is back.
    back: Vec<f64>,
    gap_mm: f64,
    gap_deg: f64,
    miscounted: usize,
    refused: bool,
    hash: u64,
}

#[derive(Clone, Copy)]
struct Killed {
    lies: bool,
    gone: bool,
}

/// Takes the measure.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| one(subject, options, variation))?;
    let worst = |value: fn(&Found) -> f64| most(runs.iter().map(value));
    let of = |value: fn(&Found) -> bool| share(runs.iter().map(value));
    let felled = (runs.len() * FIGURES) as f64;
    let back = |value: fn(&Found) -> usize| runs.iter().map(value).sum::<usize>() as f64 / felled;
    let row = Row::new;
    let rows = vec![
        row("hand_over_mm", "idling", "mm", worst(|run| run.idling_mm), Bound::AtMost(2.0)),
        row("hand_over_mm", "walking", "mm", worst(|run| run.walking_mm), Bound::AtMost(2.0)),
        row("give_back_mm", "felled", "mm", worst(|run| run.felled.gap_mm), Bound::AtMost(10.0)),
        row("give_back_deg", "felled", "°", worst(|run| run.felled.gap_deg), Bound::AtMost(1.0)),
        row("down_m", "felled", "m", worst(|run| run.felled.down_m), Bound::AtMost(0.4)),
        row("back", "felled", "", back(|run| run.felled.back.len()), Bound::Exactly(1.0)),
        row(
            "back_s",
            "felled",
            "s",
            most(runs.iter().flat_map(|run| run.felled.back.iter().copied())),
            Bound::AtMost(BACK_WITHIN),
        ),
        row("back", "who do not get up (control)", "", back(|run| run.back_without_getting_up), Bound::Exactly(0.0)),
        row("refused", "a fifth while four fall", "", of(|run| run.refused && run.felled.refused), Bound::Exactly(1.0)),
        row("reused", "a fifth while four stand", "", of(|run| run.reused), Bound::Exactly(1.0)),
        row("lies", "killed, 3 s", "", of(|run| run.killed[0].lies), Bound::Exactly(1.0)),
        row("gone", "killed, 3 s", "", of(|run| run.killed[0].gone), Bound::Exactly(1.0)),
        row("lies", "killed, as usual", "", of(|run| run.killed[1].lies), Bound::Exactly(1.0)),
        row("gone", "killed, as usual", "", of(|run| run.killed[1].gone), Bound::Exactly(1.0)),
        row("miscounted", "felled", "", worst(|run| run.felled.miscounted as f64), Bound::Exactly(0.0)),
        row("same_bits", "felled", "", of(|run| run.same_bits), Bound::Exactly(1.0)),
    ];
    Ok((runs.len(), rows))
}

fn one(subject: &Subject, options: &Options, variation: &mut Variation) -> Result<Found, MeasureError> {
    let (yaw, seed) = (variation.yaw(), variation.seed());
    let headings: [f32; FIGURES] = std::array::from_fn(|_| variation.any_heading() + variation.between(-PI, PI));
    let field = Field { subject, options, yaw, seed };
    let felled = felled(&field, &headings, 1.0)?;
    let again = self::felled(&field, &headings, 1.0)?;
    Ok(Found {
        idling_mm: handed_over(&field, "Idle")?,
        walking_mm: handed_over(&field, "Walk")?,
        same_bits: felled.hash == again.hash,
        refused: felled.refused,
        felled,
        reused: reused(&field)?,
        killed: [killed(&field, Some(DESPAWN))?, killed(&field, None)?],
        back_without_getting_up: self::felled(&field, &headings, 0.0)?.back.len(),
    })
}

/// What a run's worlds have in common.
struct Field<'a> {
    subject: &'a Subject,
    options: &'a Options,
    yaw: f32,
    seed: u64,
}

impl Field<'_> {
    /// A horde on a slab, in rows, before a pool.
    fn world(&self, clip: &str, figures: usize, get_up: f32) -> Result<World, MeasureError> {
        let settings = WorldSettings { seed: self.seed, sleep: false, ..WorldSettings::default() };
        let solver = self.options.solver.make(settings.gravity);
        let mut world = World::with_solver(settings, solver);
        let ground = world.reserve_object("ground")?;
        let spec = ground_of(&Setting::standing(self.subject, self.options));
        world.command(Command::AddObject { handle: ground, spec: Box::new(spec) })?;
        let usual = PoolSpec::new(figures);
        let motion = MotionRecord { anchor: self.options.anchor, get_up, ..usual.motion.clone() };
        let spec = HordeSpec {
            yaw: self.yaw,
            speed: (clip == "Idle").then_some(0.0),
            grounded: true,
            pool: Some(PoolSpec { motion, ..usual }),
            ..HordeSpec::new(HORDE, Arc::clone(&self.subject.model), clip, MEMBERS)
        };
        tell(&mut world, HordeCommand::Add(Box::new(spec)))?;
        let place = |member: usize| {
            let at = Vec3::new((member % 8) as f32 * APART - 7.0, 0.0, (member / 8) as f32 * APART - 6.0);
            at.with_y(world.ground_under(at + Vec3::Y * OVER).unwrap_or_default()).to_array()
        };
        let phases = (0..MEMBERS).map(|member| ((member % 10) as f32 + 0.37) / 10.0).collect();
        let positions = (0..MEMBERS).map(place).collect();
        tell(&mut world, HordeCommand::SetColumns { positions, headings: vec![], phases, tints: vec![] })?;
        Ok(world)
    }

    /// Strikes a member with a speed of the body (m/s), along a yaw (rad) off the way that it faces.
    fn strike(
        &self,
        world: &mut World,
        member: u32,
        speed: f32,
        heading: f32,
        kills: bool,
    ) -> Result<Option<FigureHandle>, MeasureError> {
        let Some(figure) = world.taker(HORDE, member)? else { return Ok(None) };
        let place = world.horde(HORDE)?.place(member as usize).unwrap_or_default();
        let ragdoll = self.subject.ragdoll();
        let point = place.point(ragdoll.rest[Bone::Chest.index()].translation);
        let impulse = place.rotation * rotation_from_yaw(heading) * Vec3::Z * (speed * ragdoll.mass);
        tell(world, HordeCommand::Strike(Strike { member, figure, point, impulse, kills }))?;
        Ok(Some(figure))
    }

    /// What a length (m) is of a figure of 1.75 m, in mm.
    fn millimetres(&self, metres: f32) -> f64 {
        f64::from(metres) * 1000.0 * 1.75 / f64::from(self.subject.ragdoll().height)
    }
}

const HORDE: &str = "crowd";

fn tell(world: &mut World, command: HordeCommand) -> Result<(), MeasureError> {
    Ok(world.command(Command::Horde { horde: HORDE.to_owned(), command })?)
}

fn run(world: &mut World, seconds: f64) {
    (0..(seconds * f64::from(world.settings().step_hz)).round() as usize).for_each(|_| world.step(&mut Nobody));
}

/// World from node, of a member as it is drawn.
fn member(world: &World, member: usize) -> Result<Vec<Rigid>, MeasureError> {
    let horde = world.horde(HORDE)?;
    let (mut pose, place) = (Vec::new(), horde.place(member).unwrap_or_default());
    if let Some(bank) = horde.bank() {
        bank.pose(horde.members().phases()[member], &mut pose);
    }
    Ok(pose.into_iter().map(|node| place * node).collect())
}

/// World from node, of a figure as it is drawn, or was last.
fn figure(world: &World, figure: FigureHandle) -> Result<Vec<Rigid>, MeasureError> {
    let figure = world.figure(figure)?;
    Ok(node_poses(&figure.model, &figure.drawn.locals).into_iter().map(|node| figure.drawn.place * node).collect())
}

/// How far the nodes of two poses are apart at most (m, rad).
fn gap(one: &[Rigid], other: &[Rigid]) -> (f32, f32) {
    one.iter().zip(other).fold((0.0, 0.0), |(way, turn): (f32, f32), (one, other)| {
        let turned = rotation_vector(one.rotation * other.rotation.conjugate()).length();
        (way.max(one.translation.distance(other.translation)), turn.max(turned))
    })
}

/// How far bones are from the bank's where ten members at ten phases are handed over (mm).
fn handed_over(field: &Field<'_>, clip: &str) -> Result<f64, MeasureError> {
    let mut world = field.world(clip, 10, 1.0)?;
    let mut worst = 0.0_f32;
    for index in 0..10 {
        let before = member(&world, index)?;
        let Some(taker) = field.strike(&mut world, index as u32, 0.0, 0.0, false)? else { return Ok(f64::NAN) };
        worst = worst.max(gap(&before, &figure(&world, taker)?).0);
    }
    Ok(field.millimetres(worst))
}

/// Four are struck, and watched until they are back.
fn felled(field: &Field<'_>, headings: &[f32; FIGURES], get_up: f32) -> Result<Felled, MeasureError> {
    let mut world = field.world("Idle", FIGURES, get_up)?;
    let mut lowest = [(FigureHandle::default(), f32::MAX); FIGURES];
    for (index, heading) in headings.iter().enumerate() {
        if let Some(taker) = field.strike(&mut world, struck(index), FELLS, *heading, false)? {
            lowest[index].0 = taker;
        }
    }
    let (mut back, mut worst, mut miscounted, mut refused) = (Vec::new(), (0.0_f32, 0.0_f32), 0, false);
    let dt = f64::from(world.dt());
    let falling_at = (FALLING_AT / dt).round() as u64;
    for step in 1..=(BACK_WITHIN / dt).round() as u64 {
        world.step(&mut Nobody);
        for (taker, lowest) in &mut lowest {
            let taker = world.figure(*taker)?;
            if !taker.is_parked() {
                *lowest = lowest.min(pelvis_height(&world, taker));
            }
        }
        if step == falling_at {
            refused = world.taker(HORDE, 47)?.is_none();
        }
        for event in world.events() {
            if let Happening::Returned { member: number, figure: taker, .. } = event.what {
                back.push(step as f64 * dt);
                let (way, turn) = gap(&figure(&world, taker)?, &member(&world, number as usize)?);
                worst = (worst.0.max(way), worst.1.max(turn));
            }
        }
        miscounted += usize::from(!adds_up(&world)?);
    }
    let nobody = back.is_empty();
    let highest = lowest.iter().map(|(_, lowest)| *lowest).fold(0.0, f32::max);
    Ok(Felled {
        down_m: field.millimetres(highest) / 1000.0,
        gap_mm: if nobody { f64::NAN } else { field.millimetres(worst.0) },
        gap_deg: if nobody { f64::NAN } else { f64::from(worst.1.to_degrees()) },
        back,
        miscounted,
        refused,
        hash: world.sim_hash(),
    })
}

/// How high (m) its pelvis is over the ground.
fn pelvis_height(world: &World, figure: &Figure) -> f32 {
    let pelvis = figure.bone(Bone::Pelvis).translation;
    pelvis.y - world.ground_under(pelvis).unwrap_or_default()
}

/// Members that stand apart from each other: nobody falls over another.
const fn struck(index: usize) -> u32 {
    [9, 14, 33, 38][index]
}

fn adds_up(world: &World) -> Result<bool, MeasureError> {
    let horde = world.horde(HORDE)?;
    let count = |which: Whereabouts| horde.members().whereabouts().iter().filter(|own| **own == which).count();
    let slots = horde.pool().map(|pool| pool.slots()).unwrap_or_default();
    let mut taken: Vec<u32> = slots.iter().filter_map(|slot| slot.stage.member()).collect();
    let out = taken.len();
    taken.sort_unstable();
    taken.dedup();
    Ok(taken.len() == out && count(Whereabouts::Out) == out && count(Whereabouts::In) + out == MEMBERS)
}

/// Whether of four that stand over a shove the farthest gives up its member to a fifth.
fn reused(field: &Field<'_>) -> Result<bool, MeasureError> {
    let mut world = field.world("Idle", FIGURES, 1.0)?;
    for index in 0..FIGURES {
        field.strike(&mut world, struck(index), STANDS, 0.0, false)?;
    }
    run(&mut world, STANDING_AT);
    // From the corner of the last one the first is the farthest.
    let farthest = world.horde(HORDE)?.figure_of(struck(0));
    let taker = field.strike(&mut world, 47, FELLS, 0.0, false)?;
    let whereabouts = world.horde(HORDE)?.members().whereabouts();
    Ok(taker == farthest && taker.is_some() && whereabouts[struck(0) as usize] == Whereabouts::In)
}

/// One is killed, and watched until it is gone.
fn killed(field: &Field<'_>, despawn: Option<f32>) -> Result<Killed, MeasureError> {
    let mut world = field.world("Idle", FIGURES, 1.0)?;
    if let Some(seconds) = despawn {
        tell(&mut world, HordeCommand::SetDespawn(seconds))?;
    }
    let seconds = f64::from(despawn.unwrap_or(USUAL_DESPAWN));
    let Some(taker) = field.strike(&mut world, 9, FELLS, 0.0, true)? else { return Ok(Killed { lies: false, gone: false }) };
    run(&mut world, seconds - 1.0);
    let body = world.figure(taker)?;
    let low = field.millimetres(pelvis_height(&world, body)) < 400.0;
    let lies = !body.is_parked() && body.mode() == Mode::Limp && low;
    // The step in which the time comes, and one for rounding.
    let two_steps = 2.0 * f64::from(world.dt());
    run(&mut world, 1.0 + two_steps);
    let gone = world.figure(taker)?.is_parked() && world.horde(HORDE)?.members().whereabouts()[9] == Whereabouts::Dead;
    Ok(Killed { lies, gone })
}
