//! Blocks of a recording's bytes: length, payload, check. Each is checked by itself, so that a damaged one is named.

use super::recording::RecordingError;
use serde::de::DeserializeOwned;

/// What a recording begins with.
pub(super) const MAGIC: &[u8; 16] = b"simrun recording";
/// The form that is written. Another number is another form: it is refused, not guessed at.
pub(super) const VERSION: u32 = 4;
/// The most that one block may unpack to (bytes): a snapshot of a thousand figures is a tenth of it.
const MOST_UNPACKED: usize = 1 << 28;
/// Bytes of a block's check.
const CHECK: usize = 4;

/// Appends a block. `index` counts blocks from 0: two that have changed places fail their checks.
pub(super) fn put_block(out: &mut Vec<u8>, index: u64, payload: &[u8]) {
    put_varint(out, payload.len() as u64);
    out.extend(payload);
    out.extend(check(index, payload));
}

fn check(index: u64, payload: &[u8]) -> [u8; CHECK] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&index.to_le_bytes()).update(payload);
    let hash = hasher.finalize();
    std::array::from_fn(|byte| hash.as_bytes()[byte])
}

/// A whole number, seven bits a byte, the low ones first.
pub(super) fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a whole number off the front.
pub(super) fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Blocks one after another.
pub(super) struct Blocks<'a> {
    whole: usize,
    rest: &'a [u8],
    index: u64,
}

impl<'a> Blocks<'a> {
    /// Of what follows magic and version, `before` bytes into the file.
    pub(super) fn new(rest: &'a [u8], before: usize) -> Self {
        Self { whole: rest.len() + before, rest, index: 0 }
    }

    /// Bytes into the file.
    pub(super) fn at(&self) -> usize {
        self.whole - self.rest.len()
    }

    /// The next block; `None` where the file ends, also in the middle of a block. `what` names it if it is damaged.
    pub(super) fn next(&mut self, what: impl Fn() -> String) -> Result<Option<&'a [u8]>, RecordingError> {
        let at = self.at();
        let mut rest = self.rest;
        let length = take_varint(&mut rest).and_then(|length| usize::try_from(length).ok());
        let Some(length) = length.filter(|length| length.checked_add(CHECK).is_some_and(|whole| whole <= rest.len())) else {
            return Ok(None);
        };
        let (payload, rest) = rest.split_at(length);
        let (found, rest) = rest.split_at(CHECK);
        if found != check(self.index, payload) {
            return Err(RecordingError::Damaged { what: what(), at });
        }
        self.rest = rest;
        self.index += 1;
        Ok(Some(payload))
    }

    /// Whether nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

/// Plain data in memory: nothing of it can fail to be written.
pub(super) fn write<T: serde::Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap_or_default()
}

/// Reads plain data that must fill `bytes` to the end.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => Err(format!("{} bytes too many", rest.len())),
        Err(error) => Err(error.to_string()),
    }
}

/// Packs bytes.
pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    lz4_flex::compress_prepend_size(bytes)
}

/// Unpacks bytes; what would grow past all measure is refused before it is given room.
pub(super) fn unpack(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let (size, _) = lz4_flex::block::uncompressed_size(bytes).map_err(|error| error.to_string())?;
    // Four bits of a token stand for at most 255 bytes each.
    if size > MOST_UNPACKED || size / 255 > bytes.len() {
        return Err(format!("unpacks to {size} bytes; accepted: {MOST_UNPACKED}"));
    }
    lz4_flex::decompress_size_prepended(bytes).map_err(|error| error.to_string())
}
