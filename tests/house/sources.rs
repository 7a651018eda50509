//! The repository's source files, for tests about them.

use std::path::{Path, PathBuf};

/// A file's path from the root, with forward slashes, and its text.
pub struct Source {
    pub path: String,
    pub text: String,
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every file with an extension in a folder and the folders in it, by name; none where the folder does not exist.
pub fn sources(folder: &str, extension: &str) -> Vec<Source> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).into_iter().flatten().flatten() {
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                let text = std::fs::read_to_string(entry.path()).expect("a source file is text");
                found.push(Source { path: path.to_string_lossy().replace('\\', "/"), text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Whether a word stands in a line of code on its own, not as a part of a longer name.
pub fn is_word(code: &str, word: &str) -> bool {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|piece| piece == word)
}

#[test]
fn a_word_is_found_only_whole() {
    assert!(is_word("use std::{fs, io};", "fs"));
    assert!(!is_word("#![forbid(unsafe_code)]", "unsafe"));
}
