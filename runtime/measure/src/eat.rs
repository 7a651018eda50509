//! `eat`: figures that sit take a bowl or a cup from beside them, eat or drink from it, and stand up without it.

use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::kept::Frame;
use crate::options::{MeasureError, Options};
use crate::sit::log;
use crate::stage::{Setting, Stage};
use crate::subject::Subject;
use crate::table::{Bound, Row, most, share};
use crate::ways;
use simrun_sim::acts::sit_spot;
use simrun_sim::figure::{Bone, Build, Ragdoll};
use simrun_sim::keyed::{mouth, palm};
use simrun_sim::motion::ActKind;
use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::space::{Rigid, Vec3, angle_between, rotation_from_yaw};
use simrun_sim::{Command, Mode, ObjectHandle, ObjectSpec};
use std::f32::consts::{PI, TAU};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "eat",
    about: "figures that sit take a bowl or a cup, eat or drink from it, put it down and stand up",
    rows: &[
        ("took", "share of the runs in which it has the item before its mouth as often as it is told to"),
        ("palms_cm", "how far any palm that holds the item is from its grip at most, bites or sips and all"),
        ("carry_cm", "how far the nearest palm is from its grip at most while the item moves, taken up and put down"),
        ("bowl_cm", "how far the item's opening is from the mouth at a bite's top, at most"),
        ("rim_cm", "how far its rim is from the mouth at a sip's top, at most"),
        ("tip_deg", "how far it is tipped toward the face there, at least"),
        ("free_cm", "how far the free hand is from its thigh at most, sipping"),
        ("bite_cm", "how far the free palm is from the mouth at a bite's top, at most"),
        ("toes_mm", "how far the balls of the feet slide at most, from sitting down to standing: of the bodies"),
        ("turn_deg", "the most that a drawn bone turns in a step, from sitting down to a second after it stands"),
        ("falls_cm", "how far the item falls once it is put down, at most"),
        ("own_mode", "share of the runs in which it stands in its own mode a second after, without the item"),
    ],
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many: four of each case.
const USUAL_RUNS: usize = 12;
/// What is held, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Case {
    /// A bowl in both hands.
    Bowl,
    /// A bowl in one hand; the other one takes the bites.
    Bites,
    /// A cup in one hand.
    Cup,
}
const CASES: [(Case, &str); 3] = [(Case::Bowl, "a bowl in both hands"), (Case::Bites, "a bowl in one"), (Case::Cup, "a cup")];
/// How much taller or smaller a figure is made, and its item with it.
const SIZES: [f32; 2] = [0.9, 1.1];
/// Heights of seats (m) for a person of 1.75 m.
const SEATS: [f32; 2] = [0.38, 0.55];
const PERSON: f32 = 1.75;
/// Where the item lies on the seat (m to the side of the hips, which are 0.2 m wide to either side, and ahead), for that person.
const ASIDE: [f32; 2] = [0.3, 0.34];
const AHEAD: [f32; 2] = [-0.05, 0.05];
/// Bites or sips.
const TIMES: usize = 2;
/// How far from the mouth (m) an item counts as before it.
const AT_MOUTH: f64 = 0.3;
/// Speed (m/s) from which an item is carried, and moments for which it lies where it has been put down.
const MOVES: f64 = 0.05;
const LIES: usize = 20;
/// Seconds in which it settles on the log, and in which each thing is done at most.
const SETTLE: f64 = 0.5;
const DOWN: f64 = 3.0;
const TAKES: f64 = 5.0;
const BITE: f64 = 6.0;
const UP: f64 = 8.0;
const AFTER: f64 = 1.0;

struct Found {
    case: Case,
    took: bool,
    palms: f64,
    carry: f64,
    bowl: f64,
    rim: f64,
    tip: f64,
    free: f64,
    bite: f64,
    toes: f64,
    turn: f64,
    falls: f64,
    own: bool,
}

fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| one(subject, options, variation))?;
    let mut rows = Vec::new();
    for (case, way) in CASES {
        let found: Vec<&Found> = runs.iter().filter(|run| run.case == case).collect();
        if found.is_empty() {
            continue;
        }
        let worst = |value: fn(&Found) -> f64| most(found.iter().map(|found| value(found)));
        let all = |is: fn(&Found) -> bool| 100.0 * share(found.iter().map(|found| is(found)));
        let mut row = |name, unit, measured, bound| rows.push(Row::new(name, way, unit, measured, bound));
        row("took", "%", all(|found| found.took), Bound::Exactly(100.0));
        row("palms_cm", "cm", worst(|found| found.palms), Bound::AtMost(3.0));
        row("carry_cm", "cm", worst(|found| found.carry), Bound::AtMost(3.0));
        match case {
            Case::Bowl => row("bowl_cm", "cm", worst(|found| found.bowl), Bound::AtMost(13.0)),
            Case::Bites => {
                row("bowl_cm", "cm", worst(|found| found.bowl), Bound::AtMost(13.0));
                row("bite_cm", "cm", worst(|found| found.bite), Bound::AtMost(6.0));
            }
            Case::Cup => {
                row("rim_cm", "cm", worst(|found| found.rim), Bound::AtMost(6.0));
                row("tip_deg", "°", -worst(|found| -found.tip), Bound::AtLeast(40.0));
                row("free_cm", "cm", worst(|found| found.free), Bound::AtMost(12.0));
            }
        }
        row("toes_mm", "mm", worst(|found| found.toes), Bound::AtMost(5.0));
        row("turn_deg", "° a step", worst(|found| found.turn), Bound::AtMost(6.0));
        row("falls_cm", "cm", worst(|found| found.falls), Bound::AtMost(5.0));
        row("own_mode", "%", all(|found| found.own), Bound::Exactly(100.0));
    }
    Ok((runs.len(), rows))
}

fn one(subject: &Subject, options: &Options, variation: &mut Variation) -> Result<Found, MeasureError> {
    let (case, _) = CASES[variation.index % CASES.len()];
    let height = subject.ragdoll().height * variation.between(SIZES[0], SIZES[1]);
    let subject = subject.built(Build { height: Some(height), ankles: options.conditions.ankles, ..Build::default() })?;
    let ragdoll = subject.ragdoll();
    let size = ragdoll.height / PERSON;
    let (facing, seed) = (variation.yaw(), variation.seed());
    let mode = if (variation.index / CASES.len()).is_multiple_of(2) { Mode::Powered } else { Mode::Animated };
    let phase = variation.phase();
    let mut stage = Stage::new(&Setting { mode, seed, phase, ..Setting::standing(&subject, options) })?;
    let top = variation.between(SEATS[0], SEATS[1]) * size;
    let seat = Vec3::Y * top;
    let (pose, shape) = log(top, false, facing, size);
    stage.add(ways::fixed("log", shape, pose))?;
    let spot = sit_spot(stage.world(), stage.handle(), seat, facing)?;
    stage.command(Command::MoveTo { figure: stage.handle(), position: spot.position, yaw: Some(spot.yaw) })?;

    // The cup lies on its hand's side.
    let side = if case == Case::Cup || variation.between(0.0, 1.0) < 0.5 { 1 } else { 0 };
    let aside = variation.between(ASIDE[0], ASIDE[1]) * if side == 0 { 1.0 } else { -1.0 };
    let lies = rotation_from_yaw(facing) * Vec3::new(aside, 0.0, variation.between(AHEAD[0], AHEAD[1])) * size + seat;
    let thing = Thing::of(case, side, size, lies, variation.between(-PI, PI));
    let item = stage.add(thing.spec.clone())?;
    stage.run(SETTLE)?;

    let stood = stage.kept().frames.len() - 1;
    let mut run = Run { stage, item, poses: Vec::new(), let_go: None };
    run.command(Command::Sit { figure: run.stage.handle(), seat, facing })?;
    run.until(DOWN, |figure| figure.motion.as_ref().is_some_and(|motion| motion.stays(ActKind::Sit)))?;
    let sat = run.poses.len();
    let grips = thing.gripped.map(|grip| grip.map(|(name, _)| name.to_owned()));
    run.command(Command::Hold { figure: run.stage.handle(), item, grips })?;
    run.for_seconds(TAKES)?;
    let held = run.poses.len();
    for _ in 0..TIMES {
        let figure = run.stage.handle();
        run.command(if case == Case::Cup { Command::Drink(figure) } else { Command::Eat(figure) })?;
        run.for_seconds(BITE)?;
    }
    let done = run.poses.len();
    run.command(Command::StandUp(run.stage.handle()))?;
    run.until(UP, |figure| figure.mode() != Mode::Acting)?;
    run.for_seconds(AFTER)?;

    let (frames, step_hz) = (&run.stage.kept().frames, run.stage.kept().step_hz);
    let moments: Vec<Moment<'_>> =
        frames[stood + 1..].iter().zip(&run.poses).map(|(frame, item)| Moment { frame, item: *item }).collect();
    let ate = &moments[held..done];
    let off = |moment: &Moment<'_>, side: usize| thing.gripped[side].map(|(_, grip)| moment.off_grip(ragdoll, side, grip));
    let at_top = |moment: &&Moment<'_>| moment.opening(ragdoll, &thing) < AT_MOUTH;
    let tipped = ate.iter().max_by(|one, other| one.tip().total_cmp(&other.tip()));
    let times = ate.windows(2).filter(|pair| !at_top(&&pair[0]) && at_top(&&pair[1])).count();
    let least = |of: &dyn Fn(&Moment<'_>) -> f64| -most(ate.chunks(ate.len().div_ceil(TIMES)).map(|bite| -most_of(bite, of)));
    let rests =
        done + moments[done..].windows(LIES).position(|lying| speeds(lying, step_hz).all(|speed| speed < MOVES)).unwrap_or(0);
    let last = frames.last().map_or(f64::NAN, Frame::lean);
    let figure = run.stage.figure()?;
    let own = figure.mode() == mode && figure.motion()?.holds().is_none() && last < 0.1;
    Ok(Found {
        case,
        took: times == TIMES,
        palms: 100.0 * most(ate.iter().flat_map(|moment| (0..2).filter_map(|side| off(moment, side)))),
        carry: 100.0
            * carried(&moments[sat..rests], step_hz, &|moment| {
                (0..2).filter_map(|side| off(moment, side)).fold(f64::MAX, f64::min)
            }),
        bowl: 100.0 * least(&|moment| moment.opening(ragdoll, &thing)),
        rim: tipped.map_or(f64::NAN, |moment| 100.0 * moment.rim(ragdoll, &thing)),
        tip: tipped.map_or(f64::NAN, |moment| moment.tip().to_degrees()),
        free: 100.0 * most(ate.iter().map(|moment| moment.off_thigh(ragdoll, 1 - side))),
        bite: 100.0 * least(&|moment| moment.to_mouth(ragdoll, 1 - side)),
        toes: most(moments.iter().map(|moment| ways::toes(ragdoll, &frames[stood].bodies, &moment.frame.bodies))),
        turn: ways::worst_turn(&frames[stood..]),
        falls: 100.0 * run.let_go.map_or(f64::NAN, |let_go| fallen(&moments[let_go..])),
        own,
    })
}

/// The least of some moments, the other way round.
fn most_of(moments: &[Moment<'_>], of: &dyn Fn(&Moment<'_>) -> f64) -> f64 {
    -most(moments.iter().map(|moment| -of(moment)))
}

/// The most of moments at which the item moves as it is carried.
fn carried(moments: &[Moment<'_>], step_hz: f64, of: &dyn Fn(&Moment<'_>) -> f64) -> f64 {
    most(moments[1..].iter().zip(speeds(moments, step_hz)).filter(|(_, speed)| *speed > MOVES).map(|(moment, _)| of(moment)))
}

/// How fast the item moves (m/s) from each moment to the next.
fn speeds(moments: &[Moment<'_>], step_hz: f64) -> impl Iterator<Item = f64> {
    moments.windows(2).map(move |pair| step_hz * f64::from(pair[0].item.translation.distance(pair[1].item.translation)))
}

/// How far (m) it comes to lie under where it is in the first of some moments.
fn fallen(moments: &[Moment<'_>]) -> f64 {
    let height = |moment: Option<&Moment<'_>>| moment.map_or(f64::NAN, |moment| f64::from(moment.item.translation.y));
    let falls = height(moments.first()) - height(moments.last());
    // What is not known is not none.
    if falls < 0.0 { 0.0 } else { falls }
}

/// What is held.
struct Thing {
    spec: ObjectSpec,
    /// Name and place of the grip in each hand.
    gripped: [Option<(&'static str, Vec3)>; 2],
    radius: f32,
    height: f32,
}

impl Thing {
    fn of(case: Case, side: usize, size: f32, lies: Vec3, yaw: f32) -> Self {
        let (radius, height) = if case == Case::Cup { (0.04 * size, 0.1 * size) } else { (0.08 * size, 0.07 * size) };
        let grips = match case {
            Case::Cup => vec![("handle", Vec3::X * (radius + 0.02 * size))],
            _ => vec![("left", Vec3::X * radius), ("right", Vec3::NEG_X * radius)],
        };
        let mut gripped = [None; 2];
        match case {
            Case::Bowl => gripped = [Some(grips[0]), Some(grips[1])],
            _ => gripped[side] = Some(*grips.get(side).unwrap_or(&grips[0])),
        }
        let pose = Rigid::new(rotation_from_yaw(yaw), lies + Vec3::Y * (0.5 * height + 0.001));
        let shape = Shape::Cylinder { height, radius };
        let grips = grips.into_iter().map(|(name, at)| (name.to_owned(), at)).collect();
        let spec = ObjectSpec { kind: BodyKind::Dynamic, mass: 0.4, grips, ..ways::fixed("item", shape, pose) };
        Self { spec, gripped, radius, height }
    }
}

/// A run, and where the item was after each step.
struct Run {
    stage: Stage,
    item: ObjectHandle,
    poses: Vec<Rigid>,
    /// The last of these in whose step the figure let go of it.
    let_go: Option<usize>,
}

impl Run {
    fn command(&mut self, command: Command) -> Result<(), MeasureError> {
        self.stage.command(command)
    }

    fn until(&mut self, seconds: f64, is: impl Fn(&simrun_sim::Figure) -> bool) -> Result<(), MeasureError> {
        let ends = self.stage.time() + seconds;
        while self.stage.time() < ends && !is(self.stage.figure()?) {
            let held = self.holds()?;
            self.stage.run(1.0 / self.stage.kept().step_hz)?;
            if held && !self.holds()? {
                self.let_go = Some(self.poses.len());
            }
            self.poses.push(self.stage.world().object(self.item)?.pose);
        }
        Ok(())
    }

    fn holds(&self) -> Result<bool, MeasureError> {
        Ok(self.stage.figure()?.motion()?.holds().is_some())
    }

    fn for_seconds(&mut self, seconds: f64) -> Result<(), MeasureError> {
        self.until(seconds, |_| false)
    }
}

/// A figure as it is drawn, and its item.
struct Moment<'a> {
    frame: &'a Frame,
    item: Rigid,
}

impl Moment<'_> {
    fn off_grip(&self, ragdoll: &Ragdoll, side: usize, grip: Vec3) -> f64 {
        f64::from(palm(ragdoll, &self.frame.drawn, side).distance(self.item.point(grip)))
    }

    fn to_mouth(&self, ragdoll: &Ragdoll, side: usize) -> f64 {
        f64::from(palm(ragdoll, &self.frame.drawn, side).distance(mouth(ragdoll, &self.frame.drawn)))
    }

    /// From the middle of the item's top to the mouth (m).
    fn opening(&self, ragdoll: &Ragdoll, thing: &Thing) -> f64 {
        f64::from(self.item.point(Vec3::Y * (0.5 * thing.height)).distance(mouth(ragdoll, &self.frame.drawn)))
    }

    /// From the nearest point of its rim to the mouth (m).
    fn rim(&self, ragdoll: &Ragdoll, thing: &Thing) -> f64 {
        const POINTS: usize = 64;
        let point = |index: usize| {
            let around = rotation_from_yaw(index as f32 / POINTS as f32 * TAU) * Vec3::Z * thing.radius;
            self.item.point(around.with_y(0.5 * thing.height)).distance(mouth(ragdoll, &self.frame.drawn))
        };
        f64::from((0..POINTS).map(point).fold(f32::MAX, f32::min))
    }

    /// How far it is tipped toward the face (rad); less than 0 away from it.
    fn tip(&self) -> f64 {
        let up = self.item.rotation * Vec3::Y;
        let front = self.frame.drawn[Bone::Head.index()].rotation * Vec3::Z;
        f64::from(angle_between(up, Vec3::Y) * -up.dot(front).signum())
    }

    /// From a hand's skin to its thigh's (m).
    fn off_thigh(&self, ragdoll: &Ragdoll, side: usize) -> f64 {
        let [hand, thigh] = [[Bone::ForearmL, Bone::ThighL], [Bone::ForearmR, Bone::ThighR]][side]
            .map(|bone| ways::solids(ragdoll, &self.frame.drawn, self.frame.drawn_bent, &[bone]));
        -ways::deepest(&hand, &thigh)
    }
}
