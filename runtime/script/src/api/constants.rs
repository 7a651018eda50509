//! Numbers by name: modes and parts in `motion`, bones in `Bone`, parts in `Part`.

use simrun_sim::{Bone, Mode, Part};

/// A constant of the API.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constant {
    /// The table that holds it.
    pub(crate) home: &'static str,
    pub(crate) name: &'static str,
    pub(crate) value: usize,
    /// One line.
    pub(crate) doc: &'static str,
}

/// The tables of nothing but constants, and what they are for.
pub(crate) const TABLES: [(&str, &str); 2] = [
    ("Bone", "the bones' numbers: where a bone is asked for, its name does too"),
    ("Part", "the parts' numbers, as in motion.PART_HEAD"),
];

const MODES: [(&str, &str); 5] = [
    ("ANIMATED", "its animation drives it"),
    ("POWERED", "its muscles drive it"),
    ("LIMP", "nothing drives it"),
    ("GETTING_UP", "it gets up; got to, not set"),
    ("ACTING", "it sits, lies down or stands up by itself; got to, not set"),
];
const PARTS: [(&str, &str); 6] = [
    ("PART_HEAD", "head"),
    ("PART_SPINE", "trunk"),
    ("PART_ARM_L", "left arm"),
    ("PART_ARM_R", "right arm"),
    ("PART_LEG_L", "left leg"),
    ("PART_LEG_R", "right leg"),
];

/// Every constant, table by table.
pub(crate) fn constants() -> impl Iterator<Item = Constant> {
    let modes = MODES.into_iter().zip(Mode::ALL);
    let modes = modes.map(|((name, doc), mode)| Constant { home: "motion", name, value: mode as usize, doc });
    let parts = PARTS.into_iter().zip(Part::ALL);
    let parts = parts.map(|((name, doc), part)| Constant { home: "motion", name, value: part as usize, doc });
    // From 1, so that a table by bone is a list.
    let bones = Bone::ALL.into_iter();
    let bones = bones.map(|bone| Constant { home: "Bone", name: bone.name(), value: bone.index() + 1, doc: "" });
    let short = PARTS.into_iter().zip(Part::ALL);
    let short = short.map(|((_, doc), part)| Constant { home: "Part", name: part.name(), value: part as usize, doc });
    modes.chain(parts).chain(bones).chain(short)
}
