//! Accessors read to flat arrays, every byte's place checked first.

use super::Fault;
use super::container::Buffer;
use super::document::{Accessor, Document};
use std::cell::Cell;

/// Most numbers that all accessors of a model are read to, each time that one is used: an accessor without a view is all zeros and
/// costs the file nothing, and one with a view can be used again and again. A library of 200 clips has a few million.
const MOST_NUMBERS: u64 = 1 << 25;
/// What an accessor counts for beside its numbers: the lists that it is read into.
const OVERHEAD: u64 = 32;

/// How components lie in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: u32, place: &str) -> Result<Self, Fault> {
        Ok(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return Err(Fault::new(format!("{place}.componentType"), code, "5120, 5121, 5122, 5123, 5125 or 5126")),
        })
    }

    const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The value at the start of `bytes`, which hold it, as a double: exact for each of the types.
    fn read(self, bytes: &[u8]) -> f64 {
        match self {
            Self::I8 => f64::from(i8::from_le_bytes([bytes[0]])),
            Self::U8 => f64::from(bytes[0]),
            Self::I16 => f64::from(i16::from_le_bytes([bytes[0], bytes[1]])),
            Self::U16 => f64::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            Self::U32 => f64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            Self::F32 => f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        }
    }

    /// What a normalised integer is divided by (glTF 2.0, 3.6.2.2).
    const fn unit(self) -> f64 {
        match self {
            Self::I8 => 127.0,
            Self::U8 => 255.0,
            Self::I16 => 32767.0,
            Self::U16 => 65535.0,
            Self::U32 | Self::F32 => 1.0,
        }
    }
}

/// A document's accessors with the bytes they look into.
pub(super) struct Accessors<'a> {
    document: &'a Document,
    buffers: &'a [Buffer<'a>],
    /// Numbers that may still be read.
    left: Cell<u64>,
}

impl<'a> Accessors<'a> {
    pub fn new(document: &'a Document, buffers: &'a [Buffer<'a>]) -> Self {
        Self { document, buffers, left: Cell::new(MOST_NUMBERS) }
    }

    /// Counts numbers that the memory is to hold for `user`.
    pub fn spend(&self, numbers: u64, user: &str) -> Result<(), Fault> {
        let left = self.left.get().checked_sub(numbers);
        self.left
            .set(left.ok_or_else(|| Fault::too_much(user, format!("{numbers} numbers more"), format!("{MOST_NUMBERS} in all")))?);
        Ok(())
    }

    /// How many elements an accessor claims to have.
    pub fn count(&self, index: usize, user: &str) -> Result<u64, Fault> {
        self.find(index, user).map(|accessor| accessor.count)
    }

    /// Finite numbers of an accepted type (`"VEC3"`, …); normalised integers become fractions.
    pub fn floats(&self, index: usize, form: &str, user: &str) -> Result<Vec<f32>, Fault> {
        let accessor = self.find(index, user)?;
        let component = Component::of(accessor.component_type, &place(index))?;
        let values = self.values(index, accessor, form)?;
        // The most negative integer stands for −1 too.
        let fraction = |value: f64| (value / component.unit()).max(-1.0) as f32;
        let normalized = accessor.normalized && component != Component::F32;
        let out: Vec<f32> = values.into_iter().map(|value| if normalized { fraction(value) } else { value as f32 }).collect();
        match out.iter().position(|value| !value.is_finite()) {
            Some(at) => Err(Fault::new(format!("{user} (accessors[{index}], number {at})"), out[at], "a finite number")),
            None => Ok(out),
        }
    }

    /// Unsigned whole numbers.
    pub fn integers(&self, index: usize, form: &str, user: &str) -> Result<Vec<u32>, Fault> {
        let accessor = self.find(index, user)?;
        let component = Component::of(accessor.component_type, &place(index))?;
        if !matches!(component, Component::U8 | Component::U16 | Component::U32) {
            let place = format!("{}.componentType", place(index));
            return Err(Fault::new(place, accessor.component_type, "5121, 5123 or 5125, unsigned whole numbers"));
        }
        Ok(self.values(index, accessor, form)?.into_iter().map(|value| value as u32).collect())
    }

    fn find(&self, index: usize, user: &str) -> Result<&'a Accessor, Fault> {
        let accessors = &self.document.accessors;
        accessors.get(index).ok_or_else(|| Fault::new(user, format!("accessor {index}"), format!("one of {}", accessors.len())))
    }

    fn values(&self, index: usize, accessor: &Accessor, form: &str) -> Result<Vec<f64>, Fault> {
        let place = place(index);
        if accessor.form != form {
            return Err(Fault::new(format!("{place}.type"), format!("\"{}\"", accessor.form), format!("\"{form}\"")));
        }
        let width = width(form);
        self.spend(accessor.count.saturating_mul(width as u64).saturating_add(OVERHEAD), &format!("{place}.count"))?;
        let component = Component::of(accessor.component_type, &place)?;
        let mut out = match accessor.buffer_view {
            Some(view) => self.strided(&place, view, accessor.byte_offset, accessor.count, component, width)?,
            None => vec![0.0; accessor.count as usize * width],
        };
        if let Some(sparse) = &accessor.sparse {
            let place = format!("{place}.sparse");
            if sparse.count > accessor.count {
                return Err(Fault::new(format!("{place}.count"), sparse.count, format!("up to {}", accessor.count)));
            }
            let kind = Component::of(sparse.indices.component_type, &place)?;
            let at = self.strided(&place, sparse.indices.buffer_view, sparse.indices.byte_offset, sparse.count, kind, 1)?;
            let from =
                self.strided(&place, sparse.values.buffer_view, sparse.values.byte_offset, sparse.count, component, width)?;
            for (element, value) in at.into_iter().zip(from.chunks_exact(width)) {
                if !(0.0..accessor.count as f64).contains(&element) {
                    return Err(Fault::new(format!("{place}.indices"), element, format!("0 to {}", accessor.count - 1)));
                }
                let start = element as usize * width;
                out[start..start + width].copy_from_slice(value);
            }
        }
        Ok(out)
    }

    /// Elements of a view, `width` components each.
    fn strided(
        &self,
        place: &str,
        view: usize,
        offset: u64,
        count: u64,
        component: Component,
        width: usize,
    ) -> Result<Vec<f64>, Fault> {
        let bytes = self.view(place, view)?;
        let size = (component.size() * width) as u64;
        let stride = self.document.buffer_views[view].byte_stride.unwrap_or(size).max(size);
        // Every term may come near 2^64 in a bad file.
        let end = count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(size)?.checked_add(offset));
        if end.is_none_or(|end| end > bytes.len() as u64) {
            let found = format!("{count} elements of {stride} bytes from byte {offset}");
            return Err(Fault::new(place, found, format!("what fits into bufferViews[{view}], {} bytes", bytes.len())));
        }
        let mut out = Vec::with_capacity(count as usize * width);
        for element in 0..count as usize {
            let start = offset as usize + element * stride as usize;
            out.extend((0..width).map(|at| component.read(&bytes[start + at * component.size()..])));
        }
        Ok(out)
    }

    fn view(&self, user: &str, index: usize) -> Result<&'a [u8], Fault> {
        let views = &self.document.buffer_views;
        let Some(view) = views.get(index) else {
            return Err(Fault::new(user, format!("bufferView {index}"), format!("one of {}", views.len())));
        };
        let place = format!("bufferViews[{index}]");
        let Some(buffer) = self.buffers.get(view.buffer) else {
            let accepted = format!("one of {}", self.buffers.len());
            return Err(Fault::new(format!("{place}.buffer"), view.buffer, accepted));
        };
        let Some(buffer) = buffer else {
            let place = format!("buffers[{}]", view.buffer);
            return Err(Fault::new(place, "without a uri", "a uri, or the GLB's binary chunk for buffer 0"));
        };
        let end = view.byte_offset.checked_add(view.byte_length);
        end.and_then(|end| buffer.get(usize::try_from(view.byte_offset).ok()?..usize::try_from(end).ok()?)).ok_or_else(|| {
            let found = format!("{} bytes from byte {}", view.byte_length, view.byte_offset);
            Fault::new(place, found, format!("what fits into buffers[{}], {} bytes", view.buffer, buffer.len()))
        })
    }
}

fn place(index: usize) -> String {
    format!("accessors[{index}]")
}

/// Components of an element of a type that is asked for here.
fn width(form: &str) -> usize {
    match form {
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => 1,
    }
}
