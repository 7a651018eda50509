//! An image of a script host: all that another one needs to go on as this one would, also in another thread.

use crate::host::Host;
use crate::library::{Reading, Texts};
use crate::problem::{Problem, ScriptError};
use crate::scripts::Scripts;
use crate::snapshot::ScriptSnapshot;
use crate::source::{Source, SourceError, Sources};
use simrun_sim::World;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The texts that are loaded and what scripts keep, as plain data. Texts are shared, not copied, until one changes.
#[derive(Clone, Debug)]
pub struct ScriptImage {
    pub(crate) texts: Arc<Texts>,
    pub(crate) snapshot: ScriptSnapshot,
    pub(crate) seed: u64,
}

impl ScriptImage {
    /// A host with a VM of its own that stands where this image was taken, and has no other texts than this one. `world` is the one
    /// that goes with it.
    ///
    /// # Errors
    /// The VM does not start, or a script's top level does not run again.
    pub fn grow(&self, host: Rc<RefCell<dyn Host>>, world: &mut World) -> Result<Scripts, ScriptError> {
        let mut scripts = Scripts::new(Rc::new(Nothing), host, self.seed)?;
        scripts.loader.keep_to_known_texts();
        scripts.become_image(world, self)?;
        Ok(scripts)
    }

    /// Bytes that it holds, texts not counted.
    #[must_use]
    pub fn size(&self) -> usize {
        postcard::to_allocvec(&self.snapshot).map_or(0, |bytes| bytes.len())
    }
}

/// The texts that are loaded at one time. Cheap to keep: they are shared, not copied.
#[derive(Clone, Debug, Default)]
pub struct LoadedTexts(Arc<Texts>);

impl LoadedTexts {
    /// The text at a path, as [`Source::path`](crate::Source) has it.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.all().find(|source| source.path == path).map(|source| source.text.as_str())
    }

    /// The texts that others lack or have otherwise, by path.
    #[must_use]
    pub fn that_differ(&self, others: &Self) -> Vec<Source> {
        if Arc::ptr_eq(&self.0, &others.0) {
            return Vec::new();
        }
        let paths = self.0.that_differ(&others.0);
        self.0.distinct().filter(|source| paths.contains(&source.path)).cloned().collect()
    }
}

impl Scripts {
    /// The texts that are loaded now.
    #[must_use]
    pub fn loaded_texts(&self) -> LoadedTexts {
        LoadedTexts(Arc::clone(&self.shared.library.borrow().texts))
    }

    /// The host as it stands between two steps. A state that is no plain data counts as none; see [`Scripts::snapshot`].
    #[must_use]
    pub fn image(&self) -> ScriptImage {
        let texts = Arc::clone(&self.shared.library.borrow().texts);
        ScriptImage { texts, snapshot: self.capture(None).0, seed: self.shared.seed() }
    }

    /// Goes on from an image, with its texts. Returns how many callbacks of the prompt were dropped.
    ///
    /// # Errors
    /// A script whose top level does not run again: nothing has changed.
    pub fn become_image(&mut self, world: &mut World, image: &ScriptImage) -> Result<usize, ScriptError> {
        let before = std::mem::replace(&mut self.shared.library.borrow_mut().texts, Arc::clone(&image.texts));
        self.restore(world, &image.snapshot).inspect_err(|_| self.shared.library.borrow_mut().texts = before)
    }

    /// Swaps every script whose text is another in an image to that text, states kept or migrated as a reload does.
    ///
    /// # Errors
    /// A text that does not go: none is swapped.
    pub fn take_texts_of(&mut self, world: &mut World, image: &ScriptImage) -> Result<(), Problem> {
        let changed = image.texts.that_differ(&self.shared.library.borrow().texts);
        if changed.is_empty() {
            return Ok(());
        }
        let shared = Rc::clone(&self.shared);
        shared.lend(world, || {
            let before = shared.library.borrow().clone();
            shared.library.borrow_mut().texts = Arc::clone(&image.texts);
            let loader = Rc::clone(&self.loader);
            let swap = loader.reading(Reading::Known, || self.prepare(&[], changed));
            let swap = swap.inspect_err(|_| *shared.library.borrow_mut() = before)?;
            self.commit(swap);
            Ok(())
        })
    }
}

/// No texts but those that an image brings.
struct Nothing;

impl Sources for Nothing {
    fn behaviour(&self, name: &str) -> Result<Source, SourceError> {
        Err(SourceError(format!("'{name}' was not loaded when this was kept")))
    }

    fn module(&self, _: &str, request: &str) -> Result<Source, SourceError> {
        self.behaviour(request)
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}
