//! `pile`: sixteen figures in a heap lie still in nobody, weigh what they weigh, and cost what a figure may.

use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::options::{MeasureError, Options};
use crate::scene::{Moment, Scene};
use crate::subject::Subject;
use crate::table::{Bound, Row, least, most, share};
use cpu_time::ThreadTime;
use simrun_sim::id::key_of;
use simrun_sim::solve::boundary::Touched;
use simrun_sim::space::Vec3;
use simrun_sim::{Mode, Room};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "pile",
    about: "sixteen limp figures in a heap are not in one another, come to rest, weigh what they weigh, and cost what they may",
    rows: &[
        ("depth_mm", "how deep anybody is in somebody else, or in the ground"),
        ("self_depth_mm", "how deep a body is in another of the same figure"),
        ("still_s", "when nothing stirs any more"),
        ("turn_mean_radps", "turn rate of all bones, mean"),
        ("pelvis_mmps", "the fastest pelvis"),
        ("support_pct", "what the ground bears, of what they weigh"),
        ("fell_through", "share of the runs in which a body is under the ground"),
        ("cpu_us", "processor time a figure and step, on this machine"),
    ],
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many.
const USUAL_RUNS: usize = 4;
/// Figures in a heap.
const FIGURES: usize = 16;
/// Seconds from which on nothing may be in another (the last has met the heap well before), and seconds in all.
const SETTLED: f32 = 3.0;
const WATCHED: f32 = 8.0;
/// The second in which it is said how much they still stir.
const STIRRING: [f32; 2] = [5.0, 6.0];
/// Standing in a cluster: metres from one to the next, and the shove (m/s) toward the middle.
const CLOSE: f32 = 0.65;
const SHOVE: f32 = 1.5;
/// Dropped two by two: metres between the two, and from one layer to the next.
const BESIDE: f32 = 0.8;
const LAYER: f32 = 0.45;
const DRY: f32 = 0.9;

struct Found {
    depth_mm: f64,
    peak_mm: f64,
    self_mm: f64,
    still_s: f64,
    turn_radps: f64,
    pelvis_mmps: f64,
    support_pct: f64,
    lost: bool,
    solve_us: f64,
    step_us: f64,
}

/// Takes the measure.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| one(subject, options, variation))?;
    let worst = |value: fn(&Found) -> f64| most(runs.iter().map(value));
    let (low, high) = (least(runs.iter().map(|run| run.support_pct)), worst(|run| run.support_pct));
    let support = if 100.0 - low > high - 100.0 { low } else { high };
    let row = Row::new;
    let rows = vec![
        row("depth_mm", "from 3 s on", "mm", worst(|run| run.depth_mm), Bound::AtMost(20.0)),
        row("depth_mm", "at any time", "mm", worst(|run| run.peak_mm), Bound::Reported),
        row("self_depth_mm", "from 3 s on", "mm", worst(|run| run.self_mm), Bound::Reported),
        row("still_s", "from then on", "s", worst(|run| run.still_s), Bound::AtMost(5.0)),
        row("turn_mean_radps", "second 5 to 6", "rad/s", worst(|run| run.turn_radps), Bound::AtMost(0.05)),
        row("pelvis_mmps", "second 5 to 6, fastest", "mm/s", worst(|run| run.pelvis_mmps), Bound::AtMost(20.0)),
        row("support_pct", "of the weight, last second", "%", support, Bound::Within(97.0, 103.0)),
        row("fell_through", "the ground", "", share(runs.iter().map(|run| run.lost)), Bound::Exactly(0.0)),
        row("cpu_us", "solving, a figure and step", "µs", worst(|run| run.solve_us), Bound::AtMost(40.0)),
        row("cpu_us", "all of a figure's step", "µs", worst(|run| run.step_us), Bound::Reported),
    ];
    Ok((runs.len(), rows))
}

fn one(subject: &Subject, options: &Options, variation: &mut Variation) -> Result<Found, MeasureError> {
    let mut scene = Scene::new(subject, options, variation.seed(), DRY)?;
    if variation.index.is_multiple_of(2) {
        cluster(&mut scene, variation)?
    } else {
        layers(&mut scene, variation)?
    }
    // Time of this thread: what else runs on the machine is not in it.
    scene.world.set_clock(|| ThreadTime::now().as_duration());
    let steps = (WATCHED / scene.world.dt()).round() as usize;
    let second = (1.0 / scene.world.dt()).round() as usize;
    let mut moments: Vec<Moment> = Vec::with_capacity(steps);
    let (mut solve, mut all, mut support) = (0.0, 0.0, 0.0);
    for step in 0..steps {
        moments.push(scene.step()?);
        let profile = scene.world.profile();
        solve += profile.rooms[Room::Solve as usize].as_secs_f64();
        all += profile.rooms.iter().map(|room| room.as_secs_f64()).sum::<f64>();
        if step >= steps - second {
            support += from_ground(&scene);
        }
    }
    let step_at = |time: f32| (time / scene.world.dt()).round() as usize;
    let settled = &moments[step_at(SETTLED)..];
    let [from, to] = STIRRING.map(step_at);
    let stirring = &moments[from..to];
    let each = 1.0e6 / (FIGURES * steps) as f64;
    let stirred = moments.iter().rposition(|moment| !moment.is_still()).map_or(0, |step| step + 1);
    let gravity = f64::from(scene.world.settings().gravity.length());
    Ok(Found {
        depth_mm: 1.0e3 * most(settled.iter().map(|moment| moment.depth)),
        peak_mm: 1.0e3 * most(moments.iter().map(|moment| moment.depth)),
        self_mm: 1.0e3 * most(settled.iter().map(|moment| moment.self_depth)),
        still_s: stirred as f64 * f64::from(scene.world.dt()),
        turn_radps: stirring.iter().map(|moment| moment.turn).sum::<f64>() / stirring.len() as f64,
        pelvis_mmps: 1.0e3 * most(stirring.iter().map(|moment| moment.pelvis)),
        support_pct: 100.0 * support / (scene.mass() * gravity * second as f64 * f64::from(scene.world.dt())),
        lost: moments.iter().any(|moment| moment.lost),
        solve_us: solve * each,
        step_us: all * each,
    })
}

/// Close together, facing any way, limp and shoved toward the middle.
fn cluster(scene: &mut Scene<'_>, variation: &mut Variation) -> Result<(), MeasureError> {
    for index in 0..FIGURES {
        let place = |along: usize| (along as f32 - 1.5) * CLOSE;
        let at = Vec3::new(place(index % 4), 0.0, place(index / 4));
        let figure = scene.add_figure(at, variation.yaw(), Mode::Limp)?;
        scene.shove(figure, -at.normalize_or_zero() * SHOVE * variation.speed())?;
    }
    Ok(())
}

/// Lying in the air two by two, each layer turned its own way, on its backs or faces.
fn layers(scene: &mut Scene<'_>, variation: &mut Variation) -> Result<(), MeasureError> {
    for layer in 0..FIGURES / 2 {
        let yaw = variation.yaw();
        let aside = Vec3::new(yaw.cos(), 0.0, -yaw.sin()) * (0.5 * BESIDE);
        for side in [-1.0, 1.0] {
            let at = aside * side + variation.aside() + Vec3::Y * (0.4 + LAYER * layer as f32);
            let figure = scene.add_figure(Vec3::ZERO, 0.0, Mode::Limp)?;
            scene.lay(figure, at, yaw, variation.yaw() > 0.0)?;
        }
    }
    Ok(())
}

/// Upward impulse of the ground in the last step (N·s): on level ground friction has no part in it.
fn from_ground(scene: &Scene<'_>) -> f64 {
    let Some(ground) = scene.world.find_object("ground").map(key_of) else { return f64::NAN };
    let contacts = scene.world.figures().flat_map(|figure| &figure.solved.contacts);
    let of_ground = contacts.filter(|contact| contact.other == Touched::Object(ground));
    of_ground.map(|contact| f64::from(contact.impulse * contact.normal.y)).sum()
}
