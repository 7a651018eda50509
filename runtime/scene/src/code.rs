//! The codes of problems: stable names that a program can tell apart where a person reads the message.

use std::fmt;

/// What kind of problem it is. The codes of scenes, models, scripts and the command line stand together here; they do not change
/// from one version to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// `file/not-found`
    NotFound,
    /// `file/not-a-file`
    NotAFile,
    /// `file/too-large`
    TooLarge,
    /// `file/unreadable`
    Unreadable,
    /// `file/not-utf8`
    NotUtf8,
    /// `file/empty`
    Empty,
    /// `file/outside`
    Outside,
    /// `file/unknown-kind`
    UnknownKind,
    /// `scene/syntax`
    SceneSyntax,
    /// `scene/too-deep`
    TooDeep,
    /// `scene/unknown-field`
    UnknownField,
    /// `scene/missing-field`
    MissingField,
    /// `scene/wrong-type`
    WrongType,
    /// `scene/unknown-variant`
    UnknownVariant,
    /// `scene/duplicate-key`
    DuplicateKey,
    /// `scene/name`
    Name,
    /// `scene/range`
    Range,
    /// `scene/conflict`
    Conflict,
    /// `scene/too-many`
    TooMany,
    /// `scene/unknown-script`
    UnknownScript,
    /// `scene/unknown-param`
    UnknownParam,
    /// `scene/param-range`
    ParamRange,
    /// `scene/unknown-clip`
    UnknownClip,
    /// `scene/no-ragdoll`
    NoRagdoll,
    /// `scene/refused`
    Refused,
    /// `scene/doubtful`
    Doubtful,
    /// `model/not-gltf`
    NotGltf,
    /// `model/syntax`
    ModelSyntax,
    /// `model/extension`
    Extension,
    /// `model/damaged`
    Damaged,
    /// `model/too-much`
    TooMuch,
    /// `script/syntax`
    ScriptSyntax,
    /// `script/load`
    ScriptLoad,
    /// `script/pow`
    ScriptPow,
    /// `script/unknown-name`
    ScriptUnknownName,
    /// `script/undeclared`
    ScriptUndeclared,
    /// `recording/foreign`
    ForeignRecording,
    /// `recording/version`
    RecordingVersion,
    /// `recording/damaged`
    DamagedRecording,
    /// `recording/cut`
    CutRecording,
    /// `recording/nonsense`
    NonsenseRecording,
    /// A session's test in another form.
    TestForm,
    /// `usage/set-form`
    SetForm,
    /// `usage/set-unknown`
    SetUnknown,
    /// `usage/set-range`
    SetRange,
    /// `usage/set-ambiguous`
    SetAmbiguous,
    /// `usage/argument`
    Argument,
}

impl Code {
    /// Every code, in the order of [`Code::listing`].
    pub const ALL: [Self; 47] = [
        Self::NotFound,
        Self::NotAFile,
        Self::TooLarge,
        Self::Unreadable,
        Self::NotUtf8,
        Self::Empty,
        Self::Outside,
        Self::UnknownKind,
        Self::SceneSyntax,
        Self::TooDeep,
        Self::UnknownField,
        Self::MissingField,
        Self::WrongType,
        Self::UnknownVariant,
        Self::DuplicateKey,
        Self::Name,
        Self::Range,
        Self::Conflict,
        Self::TooMany,
        Self::UnknownScript,
        Self::UnknownParam,
        Self::ParamRange,
        Self::UnknownClip,
        Self::NoRagdoll,
        Self::Refused,
        Self::Doubtful,
        Self::NotGltf,
        Self::ModelSyntax,
        Self::Extension,
        Self::Damaged,
        Self::TooMuch,
        Self::ScriptSyntax,
        Self::ScriptLoad,
        Self::ScriptPow,
        Self::ScriptUnknownName,
        Self::ScriptUndeclared,
        Self::ForeignRecording,
        Self::RecordingVersion,
        Self::DamagedRecording,
        Self::CutRecording,
        Self::NonsenseRecording,
        Self::TestForm,
        Self::SetForm,
        Self::SetUnknown,
        Self::SetRange,
        Self::SetAmbiguous,
        Self::Argument,
    ];

    /// As it is printed: `scene/unknown-field`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.said().0
    }

    /// What it means, in one line.
    #[must_use]
    pub const fn doc(self) -> &'static str {
        self.said().1
    }

    /// Every code and what it means, a line each.
    #[must_use]
    pub fn listing() -> String {
        Self::ALL.iter().map(|code| format!("{:<22} {}\n", code.name(), code.doc())).collect()
    }

    const fn said(self) -> (&'static str, &'static str) {
        match self {
            Self::NotFound => ("file/not-found", "nothing is at the path"),
            Self::NotAFile => ("file/not-a-file", "a folder, a device or a pipe stands where a file is read"),
            Self::TooLarge => ("file/too-large", "the file is larger than anything of its kind"),
            Self::Unreadable => ("file/unreadable", "the system does not let it be read"),
            Self::NotUtf8 => ("file/not-utf8", "text in another encoding than UTF-8"),
            Self::Empty => ("file/empty", "nothing is in the file"),
            Self::Outside => ("file/outside", "a path in a scene, model or script leaves the folder it must stay in"),
            Self::UnknownKind => ("file/unknown-kind", "neither a scene nor a script nor a model, by the file's ending"),
            Self::SceneSyntax => ("scene/syntax", "not JSON"),
            Self::TooDeep => ("scene/too-deep", "lists and objects in one another beyond what a scene can mean"),
            Self::UnknownField => ("scene/unknown-field", "a key that the format does not have"),
            Self::MissingField => ("scene/missing-field", "a key that must be there"),
            Self::WrongType => ("scene/wrong-type", "text for a number, a list for an object and so on"),
            Self::UnknownVariant => ("scene/unknown-variant", "a word that is none of those accepted: a mode, a shape, a body"),
            Self::DuplicateKey => ("scene/duplicate-key", "a key twice in one object"),
            Self::Name => ("scene/name", "a name that is empty or that something else has"),
            Self::Range => ("scene/range", "a number out of its range, or beyond what can be kept"),
            Self::Conflict => ("scene/conflict", "values that do not go together"),
            Self::TooMany => ("scene/too-many", "more problems, or more things, than are worth saying"),
            Self::UnknownScript => ("scene/unknown-script", "a script or behaviour that is not in scripts/"),
            Self::UnknownParam => ("scene/unknown-param", "a parameter that the behaviour's script does not describe"),
            Self::ParamRange => ("scene/param-range", "a parameter of another type, or out of the range that its script gives"),
            Self::UnknownClip => ("scene/unknown-clip", "a clip that the model does not have"),
            Self::NoRagdoll => ("scene/no-ragdoll", "motion for a model that is no humanoid"),
            Self::Refused => ("scene/refused", "the simulation does not take an object or figure"),
            Self::Doubtful => ("scene/doubtful", "a warning: what can be run, and is hardly meant"),
            Self::NotGltf => ("model/not-gltf", "neither a GLB nor a glTF document"),
            Self::ModelSyntax => ("model/syntax", "JSON of a model that does not parse or lacks what every glTF has"),
            Self::Extension => ("model/extension", "the model needs an extension that is not read"),
            Self::Damaged => ("model/damaged", "a value of a model that is not what it should be, or a file cut short"),
            Self::TooMuch => ("model/too-much", "more nodes, joints, clips, keys or vertices than a figure can have"),
            Self::ScriptSyntax => ("script/syntax", "a script that does not compile"),
            Self::ScriptLoad => ("script/load", "a script that raises as it loads, or whose table is no script's"),
            Self::ScriptPow => ("script/pow", "x ^ y with another exponent than 2, 3 or 0.5: not the same on every system"),
            Self::ScriptUnknownName => ("script/unknown-name", "a member that a table of the API does not have"),
            Self::ScriptUndeclared => ("script/undeclared", "a name that is assigned and declared nowhere"),
            Self::ForeignRecording => ("recording/foreign", "the file is no recording"),
            Self::RecordingVersion => ("recording/version", "the recording has a form that this version does not read"),
            Self::DamagedRecording => ("recording/damaged", "a byte of the recording is not the one that was written"),
            Self::CutRecording => ("recording/cut", "the recording ends before its first step"),
            Self::NonsenseRecording => ("recording/nonsense", "the recording contradicts itself"),
            Self::TestForm => ("test/form", "a session's test that is not as `simrun replay FILE --as-test NAME` writes it"),
            Self::SetForm => ("usage/set-form", "--set without NAME.PARAM=VALUE"),
            Self::SetUnknown => ("usage/set-unknown", "--set of a name or parameter that is not there"),
            Self::SetRange => ("usage/set-range", "--set to a value of another type or out of its range"),
            Self::SetAmbiguous => ("usage/set-ambiguous", "--set of a parameter that several scripts of the figure have"),
            Self::Argument => ("usage/argument", "another argument that cannot be used"),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn every_code_has_a_name_of_its_own() {
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "/-".contains(c);
        assert!(names.iter().all(|name| name.chars().all(plain)));
    }
}
