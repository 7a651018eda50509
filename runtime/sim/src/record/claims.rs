//! Changes of claims, packed: an arm that follows a fall changes three numbers a step, by a little.
//!
//! A figure's claims are written as they follow from those before: one byte a claim that has not changed, and for one that has, the
//! numbers that differ as the bits in which they do.

use super::format::{put_varint, take_varint};
use crate::decide::{Claim, Claims, Want};
use crate::figure::Bone;
use std::sync::Arc;

/// The claim stands in the list before: at the place after the one that was read last.
const KNOWN: u8 = 1;
/// Not there but at a place that follows: claims are gone, or the order changed.
const MOVED: u8 = 2;
/// Priority, share, blend or first step differ.
const TERMS: u8 = 4;
/// Numbers of what is wanted differ.
const NUMBERS: u8 = 8;
/// Its new terms have a blend-out: few have.
const BLENDS_OUT: u8 = 16;

/// Owners by number, in the order in which they were met.
#[derive(Clone, Debug, Default)]
pub(super) struct Owners(Vec<Arc<str>>);

/// Writes `after` as it follows from `before`.
pub(super) fn put(out: &mut Vec<u8>, owners: &mut Owners, before: &Claims, after: &Claims) {
    let old: Vec<&Claim> = before.iter().collect();
    put_varint(out, after.iter().count() as u64);
    let mut next = 0;
    for claim in after.iter() {
        let Some(at) = old.iter().position(|known| same(known, claim)) else {
            out.push(blends_out(claim));
            put_owner(out, owners, &claim.owner);
            out.push(claim.bone as u8);
            out.push(claim.want.numbers().0);
            put_terms(out, claim);
            put_numbers(out, &[0; 6], &bits(&claim.want));
            continue;
        };
        let known = old[at];
        let terms = terms_of(known) != terms_of(claim);
        let numbers = bits(&known.want) != bits(&claim.want);
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        out.push(KNOWN | flag(at != next, MOVED) | flag(terms, TERMS | blends_out(claim)) | flag(numbers, NUMBERS));
        if at != next {
            put_varint(out, at as u64);
        }
        if terms {
            put_terms(out, claim);
        }
        if numbers {
            put_numbers(out, &bits(&known.want), &bits(&claim.want));
        }
        next = at + 1;
    }
}

/// Reads what [`put`] wrote; `None` where it makes no sense.
pub(super) fn take(bytes: &mut &[u8], owners: &mut Owners, before: &Claims) -> Option<Claims> {
    let old: Vec<&Claim> = before.iter().collect();
    let count = take_varint(bytes)?;
    let mut claims = Vec::new();
    let mut next = 0;
    for _ in 0..count {
        let flags = take_byte(bytes)?;
        if flags & KNOWN == 0 {
            let owner = take_owner(bytes, owners)?;
            let bone = *Bone::ALL.get(usize::from(take_byte(bytes)?))?;
            let kind = take_byte(bytes)?;
            let mut claim = Claim::new(bone, Want::Limp, 0, owner);
            take_terms(bytes, flags, &mut claim)?;
            claim.want = want(kind, take_numbers(bytes, [0; 6])?)?;
            claims.push(claim);
            continue;
        }
        let at = if flags & MOVED == 0 { next } else { usize::try_from(take_varint(bytes)?).ok()? };
        let mut claim = Claim::clone(old.get(at)?);
        if flags & TERMS != 0 {
            take_terms(bytes, flags, &mut claim)?;
        }
        if flags & NUMBERS != 0 {
            claim.want = want(claim.want.numbers().0, take_numbers(bytes, bits(&claim.want))?)?;
        }
        claims.push(claim);
        next = at + 1;
    }
    Some(Claims::of(claims))
}

/// Whether a claim is the one before under new terms.
fn same(known: &Claim, claim: &Claim) -> bool {
    known.bone == claim.bone && known.owner == claim.owner && known.want.numbers().0 == claim.want.numbers().0
}

fn terms_of(claim: &Claim) -> (i32, [u32; 3], u64) {
    (claim.priority, [claim.share, claim.blend_in, claim.blend_out].map(f32::to_bits), claim.since_step)
}

fn blends_out(claim: &Claim) -> u8 {
    if claim.blend_out > 0.0 { BLENDS_OUT } else { 0 }
}

fn bits(want: &Want) -> [u32; 6] {
    want.numbers().1.map(f32::to_bits)
}

fn want(kind: u8, bits: [u32; 6]) -> Option<Want> {
    Want::from_numbers(kind, bits.map(f32::from_bits)).filter(Want::is_finite)
}

fn put_terms(out: &mut Vec<u8>, claim: &Claim) {
    // The sign moves to the lowest bit, so that a small number stays short.
    put_varint(out, u64::from(((claim.priority << 1) ^ (claim.priority >> 31)) as u32));
    out.extend(claim.share.to_le_bytes());
    out.extend(claim.blend_in.to_le_bytes());
    if claim.blend_out > 0.0 {
        out.extend(claim.blend_out.to_le_bytes());
    }
    put_varint(out, claim.since_step);
}

fn take_terms(bytes: &mut &[u8], flags: u8, claim: &mut Claim) -> Option<()> {
    let folded = u32::try_from(take_varint(bytes)?).ok()?;
    claim.priority = (folded >> 1) as i32 ^ -((folded & 1) as i32);
    claim.share = take_float(bytes)?;
    claim.blend_in = take_float(bytes)?;
    claim.blend_out = if flags & BLENDS_OUT == 0 { 0.0 } else { take_float(bytes)? };
    claim.since_step = take_varint(bytes)?;
    Some(())
}

/// A byte that says which numbers differ, then the bits of each that do: a number that moves a little keeps its high bits.
fn put_numbers(out: &mut Vec<u8>, before: &[u32; 6], after: &[u32; 6]) {
    let differ = |index: &usize| before[*index] != after[*index];
    out.push((0..6).filter(differ).fold(0, |mask, index| mask | 1 << index));
    (0..6).filter(differ).for_each(|index| put_varint(out, u64::from(before[index] ^ after[index])));
}

fn take_numbers(bytes: &mut &[u8], mut numbers: [u32; 6]) -> Option<[u32; 6]> {
    let mask = take_byte(bytes)?;
    for (index, number) in numbers.iter_mut().enumerate() {
        if mask & 1 << index != 0 {
            *number ^= u32::try_from(take_varint(bytes)?).ok()?;
        }
    }
    Some(numbers)
}

fn put_owner(out: &mut Vec<u8>, owners: &mut Owners, owner: &Arc<str>) {
    let known = owners.0.iter().position(|known| known == owner);
    put_varint(out, known.unwrap_or(owners.0.len()) as u64);
    if known.is_none() {
        owners.0.push(Arc::clone(owner));
        put_varint(out, owner.len() as u64);
        out.extend(owner.as_bytes());
    }
}

fn take_owner(bytes: &mut &[u8], owners: &mut Owners) -> Option<Arc<str>> {
    let index = usize::try_from(take_varint(bytes)?).ok()?;
    if index == owners.0.len() {
        let length = usize::try_from(take_varint(bytes)?).ok()?;
        let (name, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        owners.0.push(std::str::from_utf8(name).ok()?.into());
    }
    owners.0.get(index).cloned()
}

fn take_byte(bytes: &mut &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*first)
}

fn take_float(bytes: &mut &[u8]) -> Option<f32> {
    let (number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(f32::from_le_bytes(*number)).filter(|number| number.is_finite())
}
