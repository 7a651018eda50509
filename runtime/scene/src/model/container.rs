//! GLB chunks, and the bytes of buffers wherever they lie.

use super::document::Document;
use super::{Fault, LARGEST_FILE};
use std::borrow::Cow;
use std::io;

/// A buffer's bytes; `None` for one without bytes of its own.
pub(super) type Buffer<'a> = Option<Cow<'a, [u8]>>;

/// What a file is made of before anything is decoded.
pub(super) struct Container<'a> {
    pub json: &'a [u8],
    pub binary: Option<&'a [u8]>,
}

/// Splits a GLB into its chunks; anything that does not begin as one is taken for the JSON of a .gltf.
pub(super) fn split(bytes: &[u8]) -> Result<Container<'_>, Fault> {
    if !bytes.starts_with(b"glTF") {
        let json = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let first = json.iter().find(|byte| !byte.is_ascii_whitespace());
        return match first {
            Some(b'{') => Ok(Container { json, binary: None }),
            Some(_) => Err(Fault::not_gltf("neither")),
            None => Err(Fault::not_gltf("empty")),
        };
    }
    let version = word(bytes, 4, "the GLB's version")?;
    if version != 2 {
        return Err(Fault::new("the GLB's version", version, 2));
    }
    let length = word(bytes, 8, "the GLB's length")?;
    let Some(mut rest) = usize::try_from(length).ok().and_then(|length| bytes.get(12..length)) else {
        return Err(Fault::new("the GLB's length", format!("{length} bytes"), format!("12 to the file's {}", bytes.len())));
    };
    let (mut json, mut binary) = (None, None);
    while !rest.is_empty() {
        let place = if json.is_none() { "the GLB's first chunk" } else { "a GLB chunk" };
        let length = word(rest, 0, place)?;
        let kind = word(rest, 4, place)?.to_le_bytes();
        let body = &rest[8..];
        let Some(chunk) = usize::try_from(length).ok().and_then(|length| body.get(..length)) else {
            return Err(Fault::new(place, format!("{length} bytes long"), format!("what the file still has, {}", body.len())));
        };
        match (&kind, json.is_none()) {
            (b"JSON", true) => json = Some(chunk),
            (_, true) => return Err(Fault::new(place, "not JSON", "the JSON chunk")),
            (b"BIN\0", false) if binary.is_none() => binary = Some(chunk),
            // Later chunks of other kinds are an extension's.
            _ => {}
        }
        rest = &body[chunk.len()..];
    }
    let json = json.ok_or_else(|| Fault::new("the GLB", "without chunks", "a JSON chunk"))?;
    Ok(Container { json, binary })
}

fn word(bytes: &[u8], at: usize, place: &str) -> Result<u32, Fault> {
    let cut = || Fault::new(place, "cut off", "a whole number of 4 bytes");
    bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes).ok_or_else(cut)
}

/// The bytes of every buffer; `None` for one without bytes of its own, which an extension may fill and nothing here may use.
pub(super) fn buffers<'a>(
    document: &Document,
    binary: Option<&'a [u8]>,
    external: &dyn Fn(&str) -> io::Result<Vec<u8>>,
) -> Result<Vec<Buffer<'a>>, Fault> {
    let mut out = Vec::with_capacity(document.buffers.len());
    let mut total = 0;
    for (index, buffer) in document.buffers.iter().enumerate() {
        let place = format!("buffers[{index}]");
        let bytes = match (&buffer.uri, binary) {
            (None, Some(binary)) if index == 0 => Cow::Borrowed(binary),
            (None, _) => {
                out.push(None);
                continue;
            }
            (Some(uri), _) => match uri.strip_prefix("data:") {
                Some(data) => {
                    let bytes = embedded(data).ok_or_else(|| Fault::new(format!("{place}.uri"), "not base64", "base64 data"))?;
                    Cow::Owned(bytes)
                }
                None => {
                    let path = relative(uri)
                        .map_err(|found| Fault::new(format!("{place}.uri"), found, "a relative path in the model's folder"))?;
                    Cow::Owned(external(&path).map_err(|error| {
                        Fault::new(format!("{place}.uri"), format!("'{path}' ({error})"), "a file in the model's folder")
                    })?)
                }
            },
        };
        if (bytes.len() as u64) < buffer.byte_length {
            let place = format!("{place}.byteLength");
            return Err(Fault::new(place, buffer.byte_length, format!("up to the {} bytes there are", bytes.len())));
        }
        total += bytes.len() as u64;
        if total > LARGEST_FILE {
            return Err(Fault::too_much(place, format!("byte {total} of all buffers"), LARGEST_FILE));
        }
        out.push(Some(bytes));
    }
    Ok(out)
}

/// A uri as a relative path that does not leave its folder.
fn relative(uri: &str) -> Result<String, String> {
    let path = percent_decoded(uri).ok_or_else(|| format!("'{uri}', which is not UTF-8"))?;
    // A colon is a scheme or a drive, a backslash a separator elsewhere.
    if path.is_empty() || path.contains([':', '\\', '\0']) || path.starts_with('/') || path.split('/').any(|part| part == "..") {
        return Err(format!("'{path}'"));
    }
    Ok(path)
}

fn percent_decoded(uri: &str) -> Option<String> {
    String::from_utf8(percent_bytes(uri)).ok()
}

fn percent_bytes(uri: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let hex = |at: usize| after.get(at).and_then(|digit| char::from(*digit).to_digit(16));
        if let (b'%', Some(high), Some(low)) = (byte, hex(0), hex(1)) {
            // Two digits: below 256.
            out.push((high * 16 + low) as u8);
            rest = &after[2..];
        } else {
            out.push(byte);
            rest = after;
        }
    }
    out
}

/// The bytes of a data uri, after its `data:`: base64, or characters as they are with `%` before the others.
fn embedded(data: &str) -> Option<Vec<u8>> {
    let (kind, text) = data.split_once(',')?;
    if !kind.ends_with(";base64") {
        return Some(percent_bytes(text));
    }
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for digit in text.trim_end_matches('=').bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            // The low eight bits above what is left over.
            out.push((bits >> count & 0xff) as u8);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_with_and_without_padding() {
        assert_eq!(embedded("application/octet-stream;base64,AQID"), Some(vec![1, 2, 3]));
        assert_eq!(embedded(";base64,AQI="), Some(vec![1, 2]));
        assert_eq!(embedded(";base64,A*=="), None);
        assert_eq!(embedded("application/gltf-buffer,0%ff"), Some(vec![b'0', 0xff]));
    }

    #[test]
    fn a_uri_cannot_leave_the_folder() {
        for uri in ["../a.bin", "a/../../b.bin", "/etc/passwd", "%2e%2e/a.bin", "file:///a", "c:\\a", "https://a/b", ""] {
            assert!(relative(uri).is_err(), "{uri}");
        }
        assert_eq!(relative("a%20b/c.bin").as_deref(), Ok("a b/c.bin"));
    }
}
