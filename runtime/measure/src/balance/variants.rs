//! Shoves that nothing was tuned on: those of the grid, each given otherwise or to a figure that does something else.

use super::{Shove, settled};
use crate::ensemble::Variation;
use crate::kept::Kept;
use crate::options::MeasureError;
use crate::stage::{Setting, Stage};
use crate::table::{Bound, Row};
use simrun_sim::figure::Bone;

/// What is otherwise than on the grid.
struct Variant {
    way: &'static str,
    clip: Option<&'static str>,
    slope_deg: f32,
    give: fn(&mut Stage, &Shove) -> Result<(), MeasureError>,
    stood: fn(&Kept) -> bool,
}

const PLAIN: Variant =
    Variant { way: "", clip: None, slope_deg: 0.0, give: |stage, shove| shove.give(stage), stood: Kept::stands };
const VARIANTS: [Variant; 6] = [
    Variant { way: "spread over 0.15 s", give: spread, ..PLAIN },
    Variant { way: "at the pelvis", give: at_the_pelvis, ..PLAIN },
    Variant { way: "a second, half as hard", give: twice, ..PLAIN },
    Variant { way: "moving arms", clip: Some("Wave"), ..PLAIN },
    Variant { way: "on a slope of 5°", slope_deg: 5.0, ..PLAIN },
    // Who treads where it stands is never still.
    Variant { way: "walking clip", clip: Some("Walk"), stood: Kept::stays_up, ..PLAIN },
];
/// Of as many shoves in a row one is given each variant: two variants a shove, and a table takes twice as long and not four times.
const ONE_OF: usize = 3;
/// Seconds over which a shove is spread, and after which the second one follows.
const SPREAD: f64 = 0.15;
const SECOND_AFTER: f64 = 1.0;

/// Whether a figure stands after the variants that one shove was given; `None`: it was not.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stood([Option<bool>; VARIANTS.len()]);

impl Stood {
    /// Gives the shove of a case of the grid in two of the ways: over all angles and speeds each way comes as often.
    pub fn take(setting: &Setting<'_>, shove: &Shove, case: usize, variation: &mut Variation) -> Result<Self, MeasureError> {
        let mut stood = Self::default();
        for (index, variant) in VARIANTS.iter().enumerate().filter(|(index, _)| index % ONE_OF == case % ONE_OF) {
            let mut setting = Setting { clip: variant.clip, phase: variation.phase(), ..*setting };
            if variant.slope_deg != 0.0 {
                (setting.slope, setting.yaw) = (variant.slope_deg.to_radians(), variation.yaw());
            }
            let stage = settled(&setting, |stage| (variant.give)(stage, shove))?;
            stood.0[index] = Some((variant.stood)(stage.kept()));
        }
        Ok(stood)
    }

    /// A row a variant that any shove was given: who stands, of as many as stand after the same shoves on the grid.
    pub fn rows<'a>(runs: impl Iterator<Item = (bool, &'a Self)> + Clone) -> Vec<Row> {
        let row = |(index, variant): (usize, &Variant)| {
            let taken = || runs.clone().filter_map(move |(plain, stood)| Some((plain, stood.0[index]?)));
            let (plain, otherwise) = (taken().filter(|(plain, _)| *plain).count(), taken().filter(|(_, own)| *own).count());
            let percent = 100.0 * otherwise as f64 / plain as f64;
            (taken().count() > 0).then(|| Row::new("variant_stand", variant.way, "%", percent, Bound::AtLeast(95.0)))
        };
        VARIANTS.iter().enumerate().filter_map(row).collect()
    }
}

fn at_the_pelvis(stage: &mut Stage, shove: &Shove) -> Result<(), MeasureError> {
    stage.shove_at(Bone::Pelvis, shove.speed, shove.heading, shove.aside)
}

fn spread(stage: &mut Stage, shove: &Shove) -> Result<(), MeasureError> {
    let steps = (SPREAD * stage.kept().step_hz).round().max(1.0);
    for _ in 0..steps as usize {
        stage.shove(shove.speed / steps as f32, shove.heading, shove.aside)?;
        stage.run(SPREAD / steps)?;
    }
    Ok(())
}

fn twice(stage: &mut Stage, shove: &Shove) -> Result<(), MeasureError> {
    shove.give(stage)?;
    stage.run(SECOND_AFTER)?;
    stage.shove(shove.speed / 2.0, shove.heading, shove.aside)
}
