//! Lists of a document that end the reading once they are too long: a byte or two of JSON may become hundreds in memory.

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

/// How the message begins that a list is refused with, before its limit.
pub(super) const TOO_LONG: &str = "a list longer than";

/// A list of up to `MOST` elements.
#[derive(Debug)]
pub(super) struct List<T, const MOST: usize>(Vec<T>);

impl<T, const MOST: usize> Default for List<T, MOST> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T, const MOST: usize> Deref for List<T, MOST> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for List<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Elements(PhantomData))
    }
}

struct Elements<T, const MOST: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for Elements<T, MOST> {
    type Value = List<T, MOST>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of up to {MOST}")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = seq.next_element()? {
            if list.len() == MOST {
                return Err(A::Error::custom(format!("{TOO_LONG} {MOST}")));
            }
            list.push(element);
        }
        Ok(List(list))
    }
}
