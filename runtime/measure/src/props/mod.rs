//! `props`: things and figures together. Crates dropped on those who lie, one who is shoved on a cart, one felled on stairs and one over
//! a kerb sink into nothing and come to rest, and a throw keeps its momentum.

mod free;

use crate::catalogue::Measure;
use crate::ensemble::{self, Variation};
use crate::options::{MeasureError, Options};
use crate::scene::{Moment, Scene};
use crate::subject::Subject;
use crate::table::{Bound, Row, most, share};
use simrun_sim::space::{Quat, Rigid, Vec3};
use simrun_sim::{Command, FigureHandle, Mode};

/// See [`Measure`].
pub const MEASURE: Measure = Measure {
    name: "props",
    about: "crates, carts, stairs and kerbs: what meets figures neither sinks into them nor throws them about",
    rows: &[
        ("sunk_mm", "how deep anything is in anything else once it has come to rest"),
        ("sunk_peak_mm", "the same at any time"),
        ("bone_mps", "the fastest bone"),
        ("prop_mps", "the fastest thing"),
        ("still", "share of the runs in which nothing stirs at the end"),
        ("fell_through", "share of the runs in which anything is under the ground"),
        ("met", "share of the runs in which the two met at all"),
        ("momentum_pct", "momentum that the meeting makes or loses"),
        ("spin_pct", "angular momentum that it makes or loses"),
    ],
    take: rows,
    ..Measure::PLAIN
};

/// Runs, where nobody says how many.
const USUAL_RUNS: usize = 4;
/// Seconds that are watched, and of which the last is the end, when everything has settled.
const WATCHED: f32 = 8.0;
const END: f32 = 1.0;
const DRY: f32 = 0.9;

/// Edge (m) of a crate, and how high (m) it is let go over those who lie.
const CRATE: f32 = 0.4;
const DROP: f32 = 1.0;
/// Seconds in which a limp figure comes to lie, and in which one that stands settles.
const LIES: f32 = 2.0;
const STANDS: f32 = 1.0;
/// A cart is a plain box: its size (m), mass (kg), and the friction of the ground under it, for the slipperier surface decides.
const CART: Vec3 = Vec3::new(1.2, 0.2, 0.8);
const CART_MASS: f32 = 40.0;
const CASTERS: f32 = 0.05;
/// The shove on the cart, and the one that fells (m/s).
const SHOVE: f32 = 0.8;
const FELLING: f32 = 2.0;
/// Steps of the stairs, and their height and depth (m).
const STEPS: usize = 5;
const RISE: f32 = 0.17;
const TREAD: f32 = 0.28;
const STAIRS_WIDE: f32 = 3.0;
/// Height of a kerb (m), and how far before the figure it is.
const KERB: f32 = 0.15;
const KERB_AHEAD: f32 = 0.6;

/// Sets a case up and lets it happen: what is watched begins when it returns.
type Set = fn(&mut Scene<'_>, &mut Variation) -> Result<(), MeasureError>;

struct Case {
    way: &'static str,
    /// Of the ground.
    friction: f32,
    /// Something in it moves beside the figure.
    movable: bool,
    set: Set,
}

const CASES: [Case; 7] = [
    Case { way: "a crate of 1 kg", friction: DRY, movable: true, set: |scene, variation| crate_on_figure(scene, variation, 1.0) },
    Case { way: "a crate of 5 kg", friction: DRY, movable: true, set: |scene, variation| crate_on_figure(scene, variation, 5.0) },
    Case {
        way: "a crate of 20 kg",
        friction: DRY,
        movable: true,
        set: |scene, variation| crate_on_figure(scene, variation, 20.0),
    },
    Case {
        way: "a crate of 80 kg",
        friction: DRY,
        movable: true,
        set: |scene, variation| crate_on_figure(scene, variation, 80.0),
    },
    Case { way: "on a cart, 0.8 m/s", friction: CASTERS, movable: true, set: on_cart },
    Case { way: "felled on stairs", friction: DRY, movable: false, set: on_stairs },
    Case { way: "felled over a kerb", friction: DRY, movable: false, set: over_kerb },
];

/// What became of a case.
struct Found {
    sunk_mm: f64,
    peak_mm: f64,
    bone_mps: f64,
    thing_mps: f64,
    still: bool,
    lost: bool,
}

/// Takes the measure.
fn rows(subject: &Subject, options: &Options) -> Result<(usize, Vec<Row>), MeasureError> {
    let runs = ensemble::take(subject, options, USUAL_RUNS, |subject, variation| {
        let cases: Result<Vec<Found>, MeasureError> = CASES.iter().map(|case| one(case, subject, options, variation)).collect();
        Ok((cases?, free::collide(subject, options, variation)))
    })?;
    let mut rows = Vec::new();
    for (index, &Case { way, movable, .. }) in CASES.iter().enumerate() {
        let found = || runs.iter().map(|(cases, _)| &cases[index]);
        rows.extend([
            Row::new("sunk_mm", way, "mm", most(found().map(|run| run.sunk_mm)), Bound::AtMost(10.0)),
            Row::new("sunk_peak_mm", way, "mm", most(found().map(|run| run.peak_mm)), Bound::Reported),
            Row::new("bone_mps", way, "m/s", most(found().map(|run| run.bone_mps)), Bound::AtMost(12.0)),
            Row::new("still", way, "", share(found().map(|run| run.still)), Bound::Exactly(1.0)),
            Row::new("fell_through", way, "", share(found().map(|run| run.lost)), Bound::Exactly(0.0)),
        ]);
        if movable {
            let fastest = most(found().map(|run| run.thing_mps));
            rows.push(Row::new("prop_mps", way, "m/s", fastest, Bound::AtMost(8.0)));
        }
    }
    let way = "thrown at a crate of 20 kg";
    let free = || runs.iter().map(|(_, free)| free);
    rows.extend([
        Row::new("met", way, "", share(free().map(|run| run.met)), Bound::Exactly(1.0)),
        Row::new("momentum_pct", way, "%", most(free().map(|run| run.momentum_pct)), Bound::AtMost(1.0)),
        Row::new("spin_pct", way, "%", most(free().map(|run| run.spin_pct)), Bound::AtMost(1.0)),
    ]);
    Ok((runs.len(), rows))
}

fn one(case: &Case, subject: &Subject, options: &Options, variation: &mut Variation) -> Result<Found, MeasureError> {
    let mut scene = Scene::new(subject, options, variation.seed(), case.friction)?;
    (case.set)(&mut scene, variation)?;
    let moments = scene.run(WATCHED)?;
    let end = &moments[moments.len() - (END / scene.world.dt()).round() as usize..];
    Ok(Found {
        sunk_mm: 1.0e3 * most(end.iter().map(|moment| moment.depth)),
        peak_mm: 1.0e3 * most(moments.iter().map(|moment| moment.depth)),
        bone_mps: most(moments.iter().map(|moment| moment.bone)),
        thing_mps: most(moments.iter().map(|moment| moment.thing)),
        still: end.iter().all(Moment::is_still),
        lost: moments.iter().any(|moment| moment.lost),
    })
}

/// A crate turned any way falls on the pelvis of one who lies.
fn crate_on_figure(scene: &mut Scene<'_>, variation: &mut Variation, mass: f32) -> Result<(), MeasureError> {
    let figure = scene.add_figure(Vec3::ZERO, 0.0, Mode::Limp)?;
    scene.lay(figure, Vec3::Y * 0.3, variation.yaw(), variation.index.is_multiple_of(2))?;
    scene.run(LIES)?;
    let pelvis = scene.world.figure(figure)?.bone(simrun_sim::Bone::Pelvis).translation;
    let at = pelvis + variation.aside() + Vec3::Y * (DROP + 0.5 * CRATE);
    scene.add_box("crate", Vec3::splat(CRATE), Rigid::new(variation.rotation(), at), Some(mass), DRY)?;
    Ok(())
}

/// One who stands on a cart is shoved.
fn on_cart(scene: &mut Scene<'_>, variation: &mut Variation) -> Result<(), MeasureError> {
    scene.add_box("cart", CART, level(Vec3::Y * (0.5 * CART.y)), Some(CART_MASS), DRY)?;
    let figure = scene.add_figure(Vec3::Y * CART.y, variation.near(0.0), Mode::Powered)?;
    scene.run(STANDS)?;
    let heading = variation.any_heading();
    scene.shove(figure, Vec3::new(heading.sin(), 0.0, heading.cos()) * SHOVE)
}

/// At the top of five steps down, felled.
fn on_stairs(scene: &mut Scene<'_>, variation: &mut Variation) -> Result<(), MeasureError> {
    for step in 0..STEPS {
        // The topmost is a landing to stand on.
        let (height, deep) = (RISE * (STEPS - step) as f32, if step == 0 { 1.2 } else { TREAD });
        let front = 0.3 + TREAD * step as f32;
        let size = Vec3::new(STAIRS_WIDE, height, deep);
        let at = Vec3::new(0.0, 0.5 * height, front - 0.5 * deep);
        scene.add_box(&format!("step {step}"), size, level(at), None, DRY)?;
    }
    let figure = scene.add_figure(Vec3::Y * (RISE * STEPS as f32), variation.near(0.0), Mode::Powered)?;
    fell(scene, figure, variation)
}

/// Ahead of one who is felled forwards.
fn over_kerb(scene: &mut Scene<'_>, variation: &mut Variation) -> Result<(), MeasureError> {
    let size = Vec3::new(4.0, KERB, 2.0);
    scene.add_box("kerb", size, level(Vec3::new(0.0, 0.5 * KERB, KERB_AHEAD + 0.5 * size.z)), None, DRY)?;
    let figure = scene.add_figure(Vec3::ZERO, variation.near(0.0), Mode::Powered)?;
    fell(scene, figure, variation)
}

/// Goes limp and is shoved ahead, along +Z.
fn fell(scene: &mut Scene<'_>, figure: FigureHandle, variation: &mut Variation) -> Result<(), MeasureError> {
    scene.run(STANDS)?;
    scene.world.command(Command::SetMode { figure, mode: Mode::Limp })?;
    scene.shove(figure, Vec3::Z * FELLING * variation.speed())
}

fn level(at: Vec3) -> Rigid {
    Rigid::new(Quat::IDENTITY, at)
}
