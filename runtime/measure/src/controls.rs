//! Controls that must fail: what holds for a figure must not hold where nothing could stand.

use crate::ensemble::Variation;
use crate::options::MeasureError;
use crate::stage::{Setting, Stage};
use crate::table::{Bound, Row, share};
use simrun_sim::Command;
use simrun_sim::figure::BONES;
use simrun_sim::space::{Rigid, Vec3, rotation_from_vector};

/// Runs of a large ensemble that take the controls: a fault in them is in all.
const TAKEN: usize = 8;
/// Seconds in which a figure settles first.
const SETTLE: f64 = 1.0;
/// Friction of wet ice, and the shove (m/s) that fells a figure on it.
const ICE: f32 = 0.02;
const ICE_SHOVE: f32 = 0.8;
/// How high (m) and how far over (rad) the figure of the third control is let go.
const LIFT: f32 = 0.3;
const TILT_DEG: f32 = 30.0;
/// Lean (degrees) at which it must still be when it lands: what turned it 5° was no mere hand's swing.
const LANDS_DEG: f64 = 25.0;

/// What the rows say.
pub const EXPLAINED: [(&str, &str); 3] = [
    ("control_no_muscle", "share of the runs in which a figure without muscle collapses: all must"),
    ("control_ice", "share of the runs in which a shove of 0.8 m/s on ice fells: all must"),
    ("control_air", "share of the runs in which one let go leaning in the air lands leaning: all must"),
];

/// What the controls of one run came to.
#[derive(Clone, Copy, Debug)]
pub struct Controls {
    collapsed: bool,
    slipped: bool,
    landed_leaning: bool,
}

impl Controls {
    /// Takes them.
    pub fn take(setting: &Setting<'_>, variation: &mut Variation) -> Result<Self, MeasureError> {
        Ok(Self {
            collapsed: without_muscle(setting)?,
            slipped: on_ice(setting, variation)?,
            landed_leaning: let_go_in_the_air(setting, variation)?,
        })
    }

    /// Takes them in the first runs of an ensemble.
    pub fn of_few(setting: &Setting<'_>, variation: &mut Variation) -> Result<Option<Self>, MeasureError> {
        if variation.index < TAKEN { Self::take(setting, variation).map(Some) } else { Ok(None) }
    }

    /// Their rows.
    pub fn rows<'a>(runs: impl Iterator<Item = &'a Self> + Clone) -> [Row; 3] {
        let row = |index: usize, way, failed: fn(&Self) -> bool| {
            let (name, _) = EXPLAINED[index];
            Row::new(name, way, "", share(runs.clone().map(failed)), Bound::Exactly(1.0))
        };
        [
            row(0, "strength 0", |run| run.collapsed),
            row(1, "friction 0.02", |run| run.slipped),
            row(2, "let go 30° over", |run| run.landed_leaning),
        ]
    }
}

/// Without muscle a figure collapses: its pelvis is under half its height within 3 s.
fn without_muscle(setting: &Setting<'_>) -> Result<bool, MeasureError> {
    let mut stage = Stage::new(setting)?;
    let figure = stage.handle();
    stage.command(Command::SetStrength { figure, strength: 0.0 })?;
    stage.run(3.0)?;
    let kept = stage.kept();
    Ok(kept.frames.iter().any(|frame| kept.height(frame) < 0.5))
}

/// On ice a shove fells a figure within 4 s.
fn on_ice(setting: &Setting<'_>, variation: &mut Variation) -> Result<bool, MeasureError> {
    let mut stage = Stage::new(&Setting { friction: ICE, ..*setting })?;
    stage.run(SETTLE)?;
    // Not toward a corner of its soles: that far out they hold up even a statue.
    let heading = if variation.index % 4 < 2 { variation.fore_and_aft() } else { variation.sideways() };
    stage.shove(ICE_SHOVE * variation.speed(), heading, variation.aside())?;
    stage.run(4.0)?;
    let kept = stage.kept();
    Ok(kept.frames.iter().any(|frame| kept.is_down(frame)))
}

/// Let go in the air, leaning, a figure lands leaning: nothing up there rights it.
fn let_go_in_the_air(setting: &Setting<'_>, variation: &mut Variation) -> Result<bool, MeasureError> {
    let mut stage = Stage::new(setting)?;
    stage.run(SETTLE)?;
    let figure = stage.handle();
    let standing = stage.kept().at(SETTLE).bodies;
    let heading = variation.any_heading();
    let axis = Vec3::new(heading.cos(), 0.0, -heading.sin());
    let tilted = tilted(&standing, axis * TILT_DEG.to_radians());
    stage.command(Command::SetBodies { figure, bodies: Box::new(tilted) })?;
    stage.run(2.0)?;
    let kept = stage.kept();
    // The first step in the air still has the contacts of the ground that the figure was lifted from.
    let air = &kept.frames[(SETTLE * kept.step_hz).round() as usize + 1..];
    // The lean of the last step in the air: in the next one the ground has already turned what it met.
    let landing = air.windows(2).find(|pair| !pair[1].contacts.is_empty());
    Ok(landing.is_some_and(|pair| pair[0].lean().to_degrees() >= LANDS_DEG))
}

/// A pose turned about a level axis through the ground under it, and lifted.
fn tilted(bodies: &[Rigid; BONES], turn: Vec3) -> [Rigid; BONES] {
    let foot = Vec3::new(bodies[0].translation.x, 0.0, bodies[0].translation.z);
    let up = Rigid::new(rotation_from_vector(turn), Vec3::ZERO);
    let pose = bodies.map(|body| up * Rigid::new(body.rotation, body.translation - foot));
    // A sole's far end goes down as the figure tilts: 0.2 m of it at 30° takes 0.1 m.
    let sunk = 0.2 * turn.length().sin();
    pose.map(|body| Rigid::new(body.rotation, body.translation + foot + Vec3::Y * (LIFT + sunk)))
}
