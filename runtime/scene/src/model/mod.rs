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
mod nodes;
mod skins;

use accessor::Accessors;
use document::Document;
use simrun_sim::figure::Rig;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Largest model file and external buffer (bytes): larger ones are a mistake, or meant to fill the memory.
const LARGEST_FILE: u64 = 512 << 20;

/// Why a model was not loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A file that cannot be read.
    #[error("{path}: {source}")]
    Read {
        /// Which.
        path: String,
        /// As the system says it.
        source: io::Error,
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
    },
}

/// A value that is not what it should be, before the model's name is known.
#[derive(Debug)]
struct Fault {
    place: String,
    found: String,
    accepted: String,
}

impl Fault {
    fn new(place: impl Into<String>, found: impl ToString, accepted: impl ToString) -> Self {
        Self { place: place.into(), found: found.to_string(), accepted: accepted.to_string() }
    }

    fn of(self, model: &str) -> ModelError {
        let Self { place, found, accepted } = self;
        ModelError::Bad { model: model.to_owned(), place, found, accepted }
    }
}

/// Loads a model file with the buffers beside it. The rig is named after the file.
///
/// # Errors
/// A file that cannot be read, or is no sound model.
pub fn load(path: &Path) -> Result<Rig, ModelError> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let bytes = read(path).map_err(|source| ModelError::Read { path: path.display().to_string(), source })?;
    decode(&name, &bytes, &|uri| read(&inside(folder, uri)?))
}

/// Decodes a model. `buffer` is asked for the bytes of an external buffer by its relative path, with `/` between its parts.
///
/// # Errors
/// Bytes that are no sound model: the place, what was found and what is accepted.
pub fn decode(name: &str, bytes: &[u8], buffer: &dyn Fn(&str) -> io::Result<Vec<u8>>) -> Result<Rig, ModelError> {
    let container = container::split(bytes).map_err(|fault| fault.of(name))?;
    let document: Document = serde_json::from_slice(container.json).map_err(|error| ModelError::Json {
        model: name.to_owned(),
        line: error.line(),
        column: error.column(),
        // serde_json says the place again, after its last " at ".
        message: error.to_string().rsplit_once(" at ").map_or_else(String::new, |(message, _)| message.to_owned()),
    })?;
    if let Some(extension) = document.unsupported() {
        return Err(ModelError::Extension { model: name.to_owned(), extension: extension.to_owned() });
    }
    rig(name, &document, container.binary, buffer).map_err(|fault| fault.of(name))
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

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let size = std::fs::metadata(path)?.len();
    if size > LARGEST_FILE {
        let message = format!("{size} bytes; accepted: up to {LARGEST_FILE}");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    std::fs::read(path)
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
