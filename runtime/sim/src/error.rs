//! Errors of the simulation: what was asked for that cannot be.

use crate::figure::NoRagdoll;

/// Why a command or a query was refused. Nothing is half applied.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A handle whose figure is gone.
    #[error("the figure '{name}' is gone")]
    StaleFigure {
        /// The name it had, or the handle where the name is not known any more.
        name: String,
    },
    /// A handle whose object is gone.
    #[error("the object '{name}' is gone")]
    StaleObject {
        /// The name it had, or the handle.
        name: String,
    },
    /// A name that stands twice.
    #[error("there is already a figure, object or horde named '{0}'")]
    NameTaken(String),
    /// A name that no report could show.
    #[error("the name is {found}; accepted: {accepted}")]
    Name {
        /// How it begins, what cannot be shown escaped.
        found: String,
        /// What a name may be.
        accepted: String,
    },
    /// A figure without an active ragdoll was asked for motion.
    #[error("the figure '{0}' has no active ragdoll: give it a \"motion\" record")]
    NoMotion(String),
    /// A model that no ragdoll fits.
    #[error("the figure '{figure}' gets no ragdoll: {why}")]
    NotHumanoid {
        /// Which.
        figure: String,
        /// What is missing.
        why: NoRagdoll,
    },
    /// A name that is no horde's.
    #[error("there is no horde '{name}'; there is: {known}")]
    UnknownHorde {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// A horde whose members are never handed over.
    #[error("the horde '{0}' has no pool: give it \"pool\" figures")]
    NoPool(String),
    /// A second pool.
    #[error("the horde '{0}' has a pool already")]
    HasPool(String),
    /// A figure that belongs to another pool, or to none.
    #[error("the figure is none of the pool of '{0}'; accepted: the one that `taker` names")]
    NotOfThePool(String),
    /// A figure that waits in its pool was asked to do something.
    #[error("the figure '{0}' is parked in its horde's pool; accepted: a figure that a member has become")]
    Parked(String),
    /// A figure of a pool was to be taken out.
    #[error("the figure '{0}' belongs to its horde's pool; it goes with the horde")]
    Pooled(String),
    /// A clip that the model does not have.
    #[error("the model of '{figure}' has no clip '{clip}'; it has: {known}")]
    UnknownClip {
        /// Which figure.
        figure: String,
        /// What was asked for.
        clip: String,
        /// What there is.
        known: String,
    },
    /// A number that is not finite, or out of its range.
    #[error("{what} is {found}; accepted: {accepted}")]
    Number {
        /// Which number.
        what: String,
        /// Its value.
        found: String,
        /// The range.
        accepted: String,
    },
    /// A snapshot that cannot be restored.
    #[error("the snapshot cannot be restored: {0}")]
    Snapshot(String),
    /// A mode that is got to, not set.
    #[error("the mode '{0}' is got to, not set; accepted: animated, powered, limp")]
    ModeNotSet(&'static str),
    /// A phase that is got to, not declared.
    #[error("the phase '{0}' is got to, not declared; accepted: standing, stepping, staggering, falling, landed, caught, lying")]
    PhaseNotDeclared(&'static str),
    /// Something that a figure cannot do as things are.
    #[error("'{figure}' cannot {what}: {why}")]
    Act {
        /// Who.
        figure: String,
        /// What was asked for.
        what: String,
        /// Why not, and what would do.
        why: String,
    },
    /// A name that is no object's.
    #[error("there is no object '{name}'; there is: {known}")]
    UnknownObject {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// A grip that an item does not have.
    #[error("'{item}' has no grip '{grip}'; it has: {known}")]
    UnknownGrip {
        /// Which item.
        item: String,
        /// What was asked for.
        grip: String,
        /// What there is.
        known: String,
    },
    /// What somebody holds was to be moved.
    #[error("'{by}' holds '{item}'; accepted: once it has let go")]
    Held {
        /// What.
        item: String,
        /// Who.
        by: String,
    },
    /// A behaviour that the figure does not have.
    #[error("the figure '{figure}' has no behaviour '{behaviour}'; it has: {known}")]
    UnknownBehaviour {
        /// Which figure.
        figure: String,
        /// What was asked for.
        behaviour: String,
        /// What there is.
        known: String,
    },
}

impl std::fmt::Display for NoRagdoll {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.why, self.nearest) {
            (Some(why), _) => write!(f, "{why}"),
            (None, Some(scheme)) => {
                write!(f, "nearest naming is {scheme:?}, which lacks {}", self.missing.join(", "))
            }
            (None, None) => write!(f, "no node is named as a person's bones are; missing: {}", self.missing.join(", ")),
        }
    }
}
