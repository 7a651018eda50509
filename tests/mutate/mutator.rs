//! Mutations of files, the same ones each time.

use super::json;
use serde_json::Value;

/// A stream of random numbers: SplitMix64 (Steele, Lea and Flood 2014), which needs no more than a seed.
pub struct Random(u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `most`, which is above 0.
    pub fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }
}

/// Numbers that stand in for others.
pub const NUMBERS: [&str; 20] = [
    "0",
    "-0.0",
    "1",
    "-1",
    "0.5",
    "2147483647",
    "4294967295",
    "4294967296",
    "-2147483648",
    "65535",
    "65536",
    "18446744073709551615",
    "1e30",
    "-1e30",
    "1e38",
    "3.5e38",
    "1e300",
    "1e999",
    "1e-45",
    "5126",
];

/// Makes inputs of seeds.
pub struct Mutator {
    seeds: Vec<Vec<u8>>,
    /// The seeds are GLBs or glTF documents.
    models: bool,
    random: Random,
}

impl Mutator {
    pub fn new(seeds: Vec<Vec<u8>>, models: bool, seed: u64) -> Self {
        assert!(!seeds.is_empty(), "there are seeds");
        Self { seeds, models, random: Random(seed) }
    }

    /// The next input.
    pub fn input(&mut self) -> Vec<u8> {
        let seed = self.random.below(self.seeds.len());
        let mut bytes = self.seeds[seed].clone();
        // Half of all by structure: what is no JSON any more is refused at once and finds nothing.
        if self.random.below(2) == 0
            && let Some(mutated) = self.by_structure(&bytes)
        {
            bytes = mutated;
        }
        if self.random.below(3) > 0 {
            for _ in 0..=self.random.below(4) {
                self.by_bytes(&mut bytes);
            }
        }
        bytes
    }

    fn by_structure(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        if !self.models || !bytes.starts_with(b"glTF") {
            let mut value: Value = serde_json::from_slice(bytes).ok()?;
            (0..=self.random.below(3)).for_each(|_| json::mutate(&mut value, &mut self.random));
            return Some(self.numbers(value.to_string()).into_bytes());
        }
        let length = u32::from_le_bytes(bytes.get(12..16)?.try_into().ok()?) as usize;
        let mut value: Value = serde_json::from_slice(bytes.get(20..20 + length)?).ok()?;
        (0..=self.random.below(3)).for_each(|_| json::mutate(&mut value, &mut self.random));
        let mut text = self.numbers(value.to_string()).into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let rest = &bytes[20 + length..];
        let mut out = Vec::with_capacity(20 + text.len() + rest.len());
        out.extend(b"glTF\x02\0\0\0");
        out.extend(((20 + text.len() + rest.len()) as u32).to_le_bytes());
        out.extend((text.len() as u32).to_le_bytes());
        out.extend(b"JSON");
        out.extend(text);
        out.extend(rest);
        Some(out)
    }

    /// Now and then a number in a text becomes another, which JSON values cannot all hold.
    fn numbers(&mut self, text: String) -> String {
        if self.random.below(3) > 0 {
            return text;
        }
        let starts: Vec<usize> = text
            .match_indices(|c: char| c.is_ascii_digit())
            .map(|(at, _)| at)
            .filter(|at| *at > 0 && b":,[-".contains(&text.as_bytes()[at - 1]))
            .collect();
        let Some(start) = starts.get(self.random.below(starts.len())).copied() else { return text };
        let rest = &text[start..];
        let end = start + rest.find(|c: char| !(c.is_ascii_digit() || ".eE+-".contains(c))).unwrap_or(rest.len());
        let with = NUMBERS[self.random.below(NUMBERS.len())].trim_start_matches('-');
        format!("{}{with}{}", &text[..start], &text[end..])
    }

    fn by_bytes(&mut self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let at = self.random.below(bytes.len());
        let length = 1 + self.random.below((bytes.len() - at).min(64));
        match self.random.below(8) {
            0 | 1 => bytes[at] ^= 1 << self.random.below(8),
            2 => bytes[at] = self.random.next() as u8,
            3 => bytes.truncate(at),
            4 => drop(bytes.drain(at..at + length)),
            5 => {
                let piece = bytes[at..at + length].to_vec();
                bytes.splice(at..at, piece);
            }
            6 => {
                let other = self.random.below(self.seeds.len());
                let other = &self.seeds[other];
                let from = self.random.below(other.len());
                let most = 1 + self.random.below(256);
                let piece: Vec<u8> = other[from..].iter().copied().take(most).collect();
                bytes.splice(at..at, piece);
            }
            _ => {
                let with = [0, 0xff, 0x7f, 0x80][self.random.below(4)];
                bytes[at..(at + 4).min(at + length)].fill(with);
            }
        }
    }
}
