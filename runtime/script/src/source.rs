//! Where scripts come from: the program's [`Sources`], and the library that is embedded.

/// The text of a script or a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// As messages name it: `scripts/street.luau`. Two sources with one path are the same module.
    pub path: String,
    /// Luau text; bytecode is refused.
    pub text: String,
}

/// Why there is no source: one line with what was looked for and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SourceError(pub String);

/// Where the text of scripts is read from. The script host opens no files.
pub trait Sources {
    /// The behaviour or scene script of a name, without folder or ending.
    ///
    /// # Errors
    /// Nothing of that name, or it cannot be read.
    fn behaviour(&self, name: &str) -> Result<Source, SourceError>;

    /// What `require(request)` means in the file whose path is `from`. Requests that begin with `@std/` never get here.
    ///
    /// # Errors
    /// Nothing there, a path that leaves the folder of scripts, or it cannot be read.
    fn module(&self, from: &str, request: &str) -> Result<Source, SourceError>;

    /// The names of all behaviours, for messages and completion.
    fn names(&self) -> Vec<String>;
}

/// Modules of the standard library, by what follows `@std/`.
const EMBEDDED: [(&str, &str); 6] = [
    ("easing", include_str!("../../../stdlib/easing.luau")),
    ("legs", include_str!("../../../stdlib/legs.luau")),
    ("random", include_str!("../../../stdlib/random.luau")),
    ("sorted_pairs", include_str!("../../../stdlib/sorted_pairs.luau")),
    ("springs", include_str!("../../../stdlib/springs.luau")),
    ("vectors", include_str!("../../../stdlib/vectors.luau")),
];

/// What a standard module's request begins with.
pub(crate) const STD: &str = "@std/";

/// The names of the standard modules, as `require` takes them after `@std/`.
pub fn standard_modules() -> impl Iterator<Item = &'static str> {
    EMBEDDED.iter().map(|(name, _)| *name)
}

/// A module of the standard library.
pub(crate) fn standard(name: &str) -> Result<Source, SourceError> {
    let found = EMBEDDED.iter().find(|(known, _)| *known == name);
    let (name, text) = found.ok_or_else(|| {
        let known: Vec<String> = standard_modules().map(|known| format!("{STD}{known}")).collect();
        SourceError(format!("there is no '{STD}{name}'; the standard modules are {}", known.join(", ")))
    })?;
    Ok(Source { path: format!("stdlib/{name}.luau"), text: (*text).to_owned() })
}
