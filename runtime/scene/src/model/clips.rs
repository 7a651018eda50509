//! Animation clips.

use super::Fault;
use super::accessor::Accessors;
use super::document::{self, Document, Sampler};
use super::nodes::Order;
use simrun_sim::figure::clip::{Channel, Clip, Interpolation, Track};
use std::collections::BTreeSet;

pub(super) fn decode(document: &Document, accessors: &Accessors<'_>, order: &Order) -> Result<Vec<Clip>, Fault> {
    let clips = document.animations.iter().enumerate();
    clips.map(|(index, animation)| clip(index, animation, accessors, order)).collect()
}

fn clip(index: usize, animation: &document::Animation, accessors: &Accessors<'_>, order: &Order) -> Result<Clip, Fault> {
    let place = format!("animations[{index}]");
    let mut tracks: Vec<Track> = Vec::new();
    let mut moved = BTreeSet::new();
    for (at, file) in animation.channels.iter().enumerate() {
        let place = format!("{place}.channels[{at}]");
        let Some(sampler) = animation.samplers.get(file.sampler) else {
            let accepted = format!("one of {}", animation.samplers.len());
            return Err(Fault::new(format!("{place}.sampler"), file.sampler, accepted));
        };
        let channel = match file.target.path.as_str() {
            "translation" => Channel::Translation,
            "rotation" => Channel::Rotation,
            "scale" => Channel::Scale,
            // Morph weights, and what extensions move.
            _ => continue,
        };
        let Some(node) = file.target.node else { continue };
        let node = order.of(node, &format!("{place}.target.node"))?;
        // The first of two that move the same thing counts.
        if moved.insert((node, channel as u8)) {
            let place = format!("animations[{index}].samplers[{}]", file.sampler);
            tracks.push(track(node, channel, sampler, accessors, &place)?);
        }
    }
    let name = if animation.name.is_empty() { format!("clip_{index}") } else { animation.name.clone() };
    let duration = tracks.iter().filter_map(|track| track.times.last()).copied().fold(0.0, f32::max);
    Ok(Clip { name, duration, tracks })
}

fn track(node: usize, channel: Channel, sampler: &Sampler, accessors: &Accessors<'_>, place: &str) -> Result<Track, Fault> {
    let interpolation = match sampler.interpolation.as_deref() {
        None | Some("LINEAR") => Interpolation::Linear,
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::CubicSpline,
        Some(other) => {
            let found = format!("\"{other}\"");
            return Err(Fault::new(format!("{place}.interpolation"), found, "\"LINEAR\", \"STEP\" or \"CUBICSPLINE\""));
        }
    };
    let times = accessors.floats(sampler.input, "SCALAR", &format!("{place}.input"))?;
    let first_bad = times.windows(2).position(|pair| pair[0] > pair[1]);
    if times.first().is_none_or(|first| *first < 0.0) || first_bad.is_some() {
        let found = first_bad.map_or("empty or below 0".to_owned(), |at| format!("{} s, then {} s", times[at], times[at + 1]));
        return Err(Fault::new(format!("{place}.input"), found, "times from 0 s, ascending, at least one"));
    }
    let (form, width) = if channel == Channel::Rotation { ("VEC4", 4) } else { ("VEC3", 3) };
    let values = accessors.floats(sampler.output, form, &format!("{place}.output"))?;
    let a_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    if values.len() != times.len() * a_key * width {
        let accepted = format!("{a_key} a key, {}", times.len() * a_key);
        return Err(Fault::new(format!("{place}.output"), format!("{} long", values.len() / width), accepted));
    }
    let mut track = Track { node, channel, interpolation, times, values };
    drop_repeated(&mut track, a_key * width);
    if channel == Channel::Rotation {
        normalize(&mut track, place)?;
    }
    Ok(track)
}

/// Of several keys at one time, as some exporters write them, the last counts.
fn drop_repeated(track: &mut Track, numbers_a_key: usize) {
    if track.times.windows(2).all(|pair| pair[0] < pair[1]) {
        return;
    }
    let keys: Vec<usize> = (0..track.times.len()).filter(|key| track.times.get(key + 1) != Some(&track.times[*key])).collect();
    track.values = keys.iter().flat_map(|key| &track.values[key * numbers_a_key..(key + 1) * numbers_a_key]).copied().collect();
    track.times = keys.iter().map(|key| track.times[*key]).collect();
}

/// Brings rotation keys to length 1; tangents stay as they are.
fn normalize(track: &mut Track, place: &str) -> Result<(), Fault> {
    let cubic = track.interpolation == Interpolation::CubicSpline;
    for (at, key) in track.values.chunks_exact_mut(4).enumerate() {
        if cubic && at % 3 != 1 {
            continue;
        }
        let length = key.iter().map(|value| value * value).sum::<f32>().sqrt();
        if !(1.0e-3..1.0e3).contains(&length) {
            return Err(Fault::new(format!("{place}.output, key {at}"), format!("of length {length}"), "a unit quaternion"));
        }
        // Only what is off by more than rounding: a sound file's keys keep their bits.
        if (length - 1.0).abs() > 1.0e-4 {
            key.iter_mut().for_each(|value| *value /= length);
        }
    }
    Ok(())
}
