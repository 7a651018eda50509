//! The settings of a motion record by name: told of, read and set as a behaviour's parameters are.

use super::MotionRecord;
use crate::command::{Command, Switch};
use crate::id::FigureHandle;
use crate::value::Value;

/// A setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// As scenes name it.
    pub name: &'static str,
    /// One line.
    pub doc: &'static str,
    /// What it is.
    pub kind: SettingKind,
    read: fn(&MotionRecord) -> Value,
}

/// What a setting is.
#[derive(Clone, Copy, Debug)]
pub enum SettingKind {
    /// On or off.
    Switch(fn(bool) -> Switch),
    /// A number.
    Number {
        /// `s`; empty for a plain number.
        unit: &'static str,
        /// The least accepted.
        min: f32,
        /// The most accepted.
        max: f32,
        /// Makes the command that sets it.
        set: fn(FigureHandle, f32) -> Command,
    },
}

const fn switch(name: &'static str, doc: &'static str, make: fn(bool) -> Switch, read: fn(&MotionRecord) -> Value) -> Setting {
    Setting { name, doc, kind: SettingKind::Switch(make), read }
}

/// Every setting, in the order of the record. Parts have theirs beside these.
pub const SETTINGS: [Setting; 9] = [
    Setting {
        name: "strength",
        doc: "Share of every muscle.",
        kind: SettingKind::Number {
            unit: "",
            min: 0.0,
            max: 1.0,
            set: |figure, strength| Command::SetStrength { figure, strength },
        },
        read: |record| f64::from(record.strength).into(),
    },
    switch("protective", "Whether it protects itself as it falls.", Switch::Protective, |record| record.protective.into()),
    switch("stepping", "Whether it steps to catch itself.", Switch::Stepping, |record| record.stepping.into()),
    switch("hit_reaction", "Whether a hand goes to a wound.", Switch::HitReaction, |record| record.hit_reaction.into()),
    switch("muscles", "Whether its muscles are springs that give, in place of servos.", Switch::Muscles, |record| {
        record.muscles.into()
    }),
    Setting {
        name: "writhing",
        doc: "How long it writhes after it lands; 0 never.",
        kind: SettingKind::Number {
            unit: "s",
            min: 0.0,
            max: 600.0,
            set: |figure, seconds| Command::SetSwitch { figure, switch: Switch::Writhing(seconds) },
        },
        read: |record| f64::from(record.writhing).into(),
    },
    Setting {
        name: "get_up",
        doc: "How long it lies still before it gets up; 0 never.",
        kind: SettingKind::Number {
            unit: "s",
            min: 0.0,
            max: 600.0,
            set: |figure, seconds| Command::SetSwitch { figure, switch: Switch::GetUp(seconds) },
        },
        read: |record| f64::from(record.get_up).into(),
    },
    Setting {
        name: "recovery",
        doc: "The time in which muscle that a blow took comes back.",
        kind: SettingKind::Number {
            unit: "s",
            min: 0.01,
            max: 600.0,
            set: |figure, seconds| Command::SetRecovery { figure, seconds },
        },
        read: |record| f64::from(record.recovery).into(),
    },
    Setting {
        name: "anchor",
        doc: "Cap of the balance on the pelvis, as a multiple of mass × g × 1 m.",
        kind: SettingKind::Number {
            unit: "m·g·1 m",
            min: 0.0,
            max: 10.0,
            set: |figure, cap| Command::SetSwitch { figure, switch: Switch::Anchor(cap) },
        },
        read: |record| f64::from(record.anchor).into(),
    },
];

impl Setting {
    /// The setting of a name.
    #[must_use]
    pub fn of(name: &str) -> Option<&'static Self> {
        SETTINGS.iter().find(|known| known.name == name)
    }

    /// What it is in a record.
    #[must_use]
    pub fn value(&self, record: &MotionRecord) -> Value {
        (self.read)(record)
    }

    /// What it is where nobody says anything.
    #[must_use]
    pub fn default_value(&self) -> Value {
        self.value(&MotionRecord::default())
    }

    /// What sets it to a value; `None` for a value of another kind. Whether a number is within its range is checked with the command.
    #[must_use]
    pub fn command(&self, figure: FigureHandle, value: &Value) -> Option<Command> {
        match (self.kind, value) {
            (SettingKind::Switch(make), Value::Bool(on)) => Some(Command::SetSwitch { figure, switch: make(*on) }),
            (SettingKind::Number { set, .. }, Value::Number(number)) => Some(set(figure, *number as f32)),
            _ => None,
        }
    }

    /// What it can be set to, in words.
    #[must_use]
    pub fn accepted(&self) -> String {
        match self.kind {
            SettingKind::Switch(_) => "true, false".to_owned(),
            SettingKind::Number { unit: "", min, max, .. } => format!("a number from {min} to {max}"),
            SettingKind::Number { unit, min, max, .. } => format!("a number from {min} to {max} {unit}"),
        }
    }
}
