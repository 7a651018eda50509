//! Hordes of a scene: what the file says of one, and what is needed to make it.

use crate::check::{FAR, LONG, behaviours, motion, vector, within};
use crate::code::Code;
use crate::format::{Acts, Behaviour, Figure, Motion, is_zero};
use crate::models::Models;
use crate::param::to_values;
use crate::problem::Flaw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use simrun_sim::crowd::MOST_MEMBERS;
use simrun_sim::handover::MOST_FIGURES;
use simrun_sim::space::Vec3;
use simrun_sim::{Behaviour as Carried, HordeSpec, Model, MotionRecord, PoolSpec};
use std::sync::Arc;

/// A horde: members without bodies that play one clip, and the figures that the struck ones become.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with name, model, clip and count")]
pub struct Horde {
    /// Unique among hordes, objects and figures.
    #[schemars(length(min = 1))]
    pub name: String,
    /// A .glb or .gltf file, relative to the scene's folder and inside it.
    pub model: String,
    /// The clip that its members play, looping.
    pub clip: String,
    /// How many members, up to 1,000,000.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub count: usize,
    /// World, m: the middle of the area that they are spread over, at the height of the ground that they walk on.
    #[serde(default)]
    #[schemars(inner(range(min = -10000, max = 10000)))]
    pub position: [f32; 3],
    /// Full extents of that area along X and Z (m); 5 m² a member if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(inner(range(min = 0, max = 10000))))]
    pub area: Option<[f32; 2]>,
    /// Which way they face: turn about +Y from +Z (degrees). Those who roam face any way.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = -360, max = 360))]
    pub yaw_deg: f32,
    /// m/s; the clip's own if it does not say, 0 for one that stays in place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 30))]
    pub speed: Option<f32>,
    /// Distance that they keep from each other (m); 0 for none.
    #[serde(default = "clearance")]
    #[schemars(range(min = 0, max = 100))]
    pub clearance: f32,
    /// Whether those who have arrived find a new goal in the area.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub roams: bool,
    /// Whether they go up and down with the fixed ground, and are put on it, within 50 m of their height. On level ground they need not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub grounded: bool,
    /// World, m: where they all go at first; without one they walk on as they face.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<[f32; 3]>,
    /// How many figures struck members can become at a time, up to 1000; 0 for none.
    #[serde(default, skip_serializing_if = "is_none")]
    #[schemars(range(min = 0, max = 1000))]
    pub pool: usize,
    /// How those figures' motion stands; without it they get up after a second. The mode is the hand-over's affair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
    /// Scripts that they carry, in the order in which they run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub behaviours: Vec<Behaviour>,
    /// The clip that they play while they are on their muscles; without one the horde's goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stance: Option<String>,
    /// Seconds that one stands well before its member goes back.
    #[serde(default = "settle")]
    #[schemars(range(min = 0, max = 600))]
    pub settle: f32,
    /// Seconds that a killed one lies before it is taken away; 0 for ever.
    #[serde(default = "despawn")]
    #[schemars(range(min = 0, max = 86400))]
    pub despawn: f32,
}

/// Nine tenths of a metre: people in a crowd keep their shoulders apart.
const fn clearance() -> f32 {
    0.9
}

fn settle() -> f32 {
    PoolSpec::new(1).settle
}

fn despawn() -> f32 {
    PoolSpec::new(1).despawn
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_none(count: &usize) -> bool {
    *count == 0
}

impl Horde {
    /// A figure as one of its pool: what both have in common is checked and made in one place.
    fn figure(&self) -> Figure {
        Figure {
            name: self.name.clone(),
            model: self.model.clone(),
            position: self.position,
            yaw_deg: self.yaw_deg,
            clip: Some(self.clip.clone()),
            clip_time: 0.0,
            root_motion: true,
            holds: None,
            motion: (self.pool > 0).then(|| self.motion.unwrap_or_else(|| Motion::from(&PoolSpec::new(1).motion))),
            look_at: None,
            acts: Acts::default(),
            behaviours: self.behaviours.clone(),
        }
    }
}

/// What is needed to make one; flaws are added to the list.
pub(crate) fn spec(
    horde: &Horde,
    at: &str,
    models: &mut Models,
    instead: Option<Arc<Model>>,
    flaws: &mut Vec<Flaw>,
) -> Option<HordeSpec> {
    let figure = models.figure(&horde.figure(), at, instead, flaws)?;
    if let Some(stance) = &horde.stance {
        crate::models::clip(&figure.model, stance, &format!("{at}stance"), flaws);
    }
    let usual = HordeSpec::new(&horde.name, Arc::clone(&figure.model), &horde.clip, horde.count);
    Some(HordeSpec {
        position: figure.position,
        area: horde.area.unwrap_or(usual.area),
        yaw: figure.yaw,
        speed: horde.speed,
        clearance: horde.clearance,
        roams: horde.roams,
        grounded: horde.grounded,
        goal: horde.goal.map(Vec3::from_array),
        pool: (horde.pool > 0).then(|| pool(horde)),
        ..usual
    })
}

/// What is needed to make its pool.
pub(crate) fn pool(horde: &Horde) -> PoolSpec {
    let usual = PoolSpec::new(horde.pool);
    let carried = |behaviour: &Behaviour| Carried { script: behaviour.script.clone(), params: to_values(&behaviour.params) };
    PoolSpec {
        motion: horde.motion.as_ref().map_or(usual.motion, MotionRecord::from),
        behaviours: horde.behaviours.iter().map(carried).collect(),
        stance: horde.stance.clone(),
        settle: horde.settle,
        despawn: horde.despawn,
        count: horde.pool,
    }
}

/// Every flaw of one horde; `at` ends in a dot, or is empty.
pub(crate) fn check(flaws: &mut Vec<Flaw>, at: &str, horde: &Horde) {
    for (path, found, most) in [("count", horde.count, MOST_MEMBERS), ("pool", horde.pool, MOST_FIGURES)] {
        if found > most {
            flaws.push(Flaw::new(Code::TooMany, format!("{at}{path}"), found.to_string(), format!("up to {most}")));
        }
    }
    vector(flaws, &format!("{at}position"), horde.position, FAR, "m");
    for (axis, extent) in horde.area.iter().flatten().enumerate() {
        within(flaws, &format!("{at}area[{axis}]"), *extent, 0.0..=FAR, "m");
    }
    within(flaws, &format!("{at}yaw_deg"), horde.yaw_deg, -360.0..=360.0, "degrees");
    if let Some(speed) = horde.speed {
        within(flaws, &format!("{at}speed"), speed, 0.0..=30.0, "m/s");
    }
    within(flaws, &format!("{at}clearance"), horde.clearance, 0.0..=100.0, "m");
    if let Some(goal) = horde.goal {
        vector(flaws, &format!("{at}goal"), goal, FAR, "m");
    }
    within(flaws, &format!("{at}settle"), horde.settle, 0.0..=600.0, "s");
    within(flaws, &format!("{at}despawn"), horde.despawn, 0.0..=LONG, "s");
    if let Some(motion) = &horde.motion {
        self::motion(flaws, &format!("{at}motion."), motion);
    }
    behaviours(flaws, at, &horde.behaviours);
}
