//! Model files (.glb, .gltf) decoded to a [`Rig`]: nodes, skins and clips, which is what a figure needs. Materials, images, cameras
//! and morph targets are passed over.
//!
//! The JSON is read with serde into the few fields of [`document`], not with the `gltf` crate, which refuses valid files (a
//! channel without a node, an accessor without a view) and accepts node cycles and indices out of range. Here every index, view
//! and number is checked where it is used, and nothing recurses.

mod accessor;
mod clips;
mod container;
mod document;
mod list;
mod nodes;
mod skins;

use crate::code::Code;
use crate::file::{Unread, read};
use crate::problem::Problem;
use accessor::Accessors;
use document::Document;
use simrun_sim::figure::Rig;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Largest model file and external buffer (bytes): larger ones are a mistake, or meant to fill the memory.
const LARGEST_FILE: u64 = 256 << 20;
/// Largest JSON of a model (bytes). A model that carries its buffers as text has a few megabytes of them.
const LARGEST_JSON: usize = 64 << 20;

/// Why a model was not loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A file that cannot be read.
    #[error("{path}: {source}")]
    Read {
        /// Which.
        path: String,
        /// Why.
        source: Unread,
    },
    /// JSON that does not parse, or that lacks what every glTF has.
    #[error("{model}: line {line}, column {column} of the JSON: {message}")]
    Json {
        /// The file's name.
        model: String,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// A file that needs an extension which is not read.
    #[error("{model}: needs the extension {extension}, which is not supported; export it without")]
    Extension {
        /// The file's name.
        model: String,
        /// As glTF names it.
        extension: String,
    },
    /// A value that is not what it should be.
    #[error("{model}: {place} is {found}; accepted: {accepted}")]
    Bad {
        /// The file's name.
        model: String,
        /// Path in the JSON, or part of the container.
        place: String,
        /// What stands there.
        found: String,
        /// What may stand there.
        accepted: String,
        /// What kind of problem.
        code: Code,
    },
}

impl ModelError {
    /// As a problem of the file.
    #[must_use]
    pub fn problem(self, file: &Path) -> Problem {
        let told = |code, found: String, accepted: String| Problem::new(code, file, found, accepted);
        match self {
            Self::Read { source: Unread { code, found, accepted }, .. } => told(code, found, accepted),
            Self::Json { line, column, message, .. } if file.extension().is_some_and(|kind| kind == "gltf") => {
                Problem { at: Some((line, column)), ..told(Code::ModelSyntax, message, "a glTF 2.0 document".to_owned()) }
            }
            Self::Json { line, column, message, .. } => {
                let found = format!("line {line}, column {column} of the JSON: {message}");
                told(Code::ModelSyntax, found, "a glTF 2.0 document".to_owned())
            }
            Self::Extension { extension, .. } => {
                let found = format!("needs the extension {extension}, which is not supported");
                told(Code::Extension, found, "a model exported without it".to_owned())
            }
            Self::Bad { place, found, accepted, code, .. } => Problem { path: place, ..told(code, found, accepted) },
        }
    }

    /// Without the file's name.
    #[must_use]
    pub fn refused(self) -> Unread {
        let (code, found, accepted) = match self {
            Self::Read { source, path } => {
                let Unread { code, found, accepted } = source;
                return Unread { code, found: format!("\"{path}\": {found}"), accepted };
            }
            Self::Json { model, line, column, message } => (
                Code::ModelSyntax,
                format!("{model}: line {line}, column {column} of the JSON: {message}"),
                "a glTF 2.0 document".to_owned(),
            ),
            Self::Extension { model, extension } => {
                (Code::Extension, format!("{model} needs the extension {extension}"), "a model exported without it".to_owned())
            }
            Self::Bad { model, place, found, accepted, code } => (code, format!("{model}: {place} is {found}"), accepted),
        };
        Unread { code, found, accepted }
    }
}

/// A value that is not what it should be, before the model's name is known.
#[derive(Debug)]
struct Fault {
    place: String,
    found: String,
    accepted: String,
    code: Code,
}

impl Fault {
    fn new(place: impl Into<String>, found: impl ToString, accepted: impl ToString) -> Self {
        Self { place: place.into(), found: found.to_string(), accepted: accepted.to_string(), code: Code::Damaged }
    }

    /// More of something than a model can have.
    fn too_much(place: impl Into<String>, found: impl ToString, most: impl std::fmt::Display) -> Self {
        Self { code: Code::TooMuch, ..Self::new(place, found, format!("up to {most}")) }
    }

    /// Neither a GLB nor a glTF document.
    fn not_gltf(found: &str) -> Self {
        Self { code: Code::NotGltf, ..Self::new("the file", found, "a GLB (beginning with 'glTF') or a JSON object") }
    }

    fn of(self, model: &str) -> ModelError {
        let Self { place, found, accepted, code } = self;
        ModelError::Bad { model: model.to_owned(), place, found, accepted, code }
    }
}

/// Loads a model file with the buffers beside it. The rig is named after the file.
///
/// # Errors
/// A file that cannot be read, or is no sound model.
pub fn load(path: &Path) -> Result<Rig, ModelError> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let bytes = read(path, LARGEST_FILE).map_err(|source| ModelError::Read { path: path.display().to_string(), source })?;
    decode(&name, &bytes, &|uri| read(&inside(folder, uri)?, LARGEST_FILE).map_err(io::Error::other))
}

/// Decodes a model. `buffer` is asked for the bytes of an external buffer by its relative path, with `/` between its parts.
///
/// # Errors
/// Bytes that are no sound model: the place, what was found and what is accepted.
pub fn decode(name: &str, bytes: &[u8], buffer: &dyn Fn(&str) -> io::Result<Vec<u8>>) -> Result<Rig, ModelError> {
    let container = container::split(bytes).map_err(|fault| fault.of(name))?;
    if container.json.len() > LARGEST_JSON {
        let fault = Fault::too_much("the JSON", format!("{} bytes", container.json.len()), format!("{LARGEST_JSON} bytes"));
        return Err(fault.of(name));
    }
    let document = document(container.json).map_err(|error| unread(name, &error))?;
    if let Some(extension) = document.unsupported() {
        return Err(ModelError::Extension { model: name.to_owned(), extension: extension.to_owned() });
    }
    rig(name, &document, container.binary, buffer).map_err(|fault| fault.of(name))
}

/// What serde says of the JSON.
fn unread(name: &str, error: &serde_json::Error) -> ModelError {
    // serde_json says the place again, after its last " at ".
    let message = error.to_string().rsplit_once(" at ").map_or_else(String::new, |(message, _)| message.to_owned());
    let (line, column) = (error.line(), error.column());
    match message.strip_prefix(list::TOO_LONG) {
        Some(most) => Fault::too_much(format!("line {line}, column {column} of the JSON"), &message, most.trim()).of(name),
        None => ModelError::Json { model: name.to_owned(), line, column, message },
    }
}

/// Largest JSON that is read a second time (bytes), as values that are each much larger than in text.
const LARGEST_READ_TWICE: usize = 4 << 20;

/// Reads the JSON. Some exporters write whole numbers as `1.0`, which glTF allows and serde does not.
fn document(json: &[u8]) -> Result<Document, serde_json::Error> {
    serde_json::from_slice(json).or_else(|error: serde_json::Error| {
        if json.len() > LARGEST_READ_TWICE || !error.to_string().contains("floating point") {
            return Err(error);
        }
        let mut value = serde_json::from_slice(json)?;
        whole(&mut value);
        serde_json::from_value(value).map_err(|_| error)
    })
}

/// Writes whole numbers without a point. JSON from a text is at most 128 levels deep.
fn whole(value: &mut serde_json::Value) {
    use serde_json::Value;
    match value {
        Value::Array(list) => list.iter_mut().for_each(whole),
        Value::Object(entries) => entries.values_mut().for_each(whole),
        Value::Number(number) => {
            let exact = number.as_f64().filter(|number| number.fract() == 0.0 && (0.0..9.0e15).contains(number));
            if let (Some(exact), false) = (exact, number.is_u64()) {
                *value = Value::from(exact as u64);
            }
        }
        _ => {}
    }
}

fn rig(
    name: &str,
    document: &Document,
    binary: Option<&[u8]>,
    buffer: &dyn Fn(&str) -> io::Result<Vec<u8>>,
) -> Result<Rig, Fault> {
    document.check_version()?;
    let buffers = container::buffers(document, binary, buffer)?;
    let accessors = Accessors::new(document, &buffers);
    let (nodes, order) = nodes::decode(document)?;
    let skins = skins::decode(document, &accessors, &order)?;
    let clips = clips::decode(document, &accessors, &order)?;
    Ok(Rig { name: name.to_owned(), nodes, skins, clips })
}

/// A path in a folder that links do not lead out of.
fn inside(folder: &Path, uri: &str) -> io::Result<PathBuf> {
    let outside = || io::Error::new(io::ErrorKind::PermissionDenied, format!("'{uri}' leaves the model's folder"));
    if !Path::new(uri).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(outside());
    }
    let folder = folder.canonicalize()?;
    let path = folder.join(uri).canonicalize()?;
    if path.starts_with(&folder) { Ok(path) } else { Err(outside()) }
}
