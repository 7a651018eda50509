//! A clip at a time: glTF's LINEAR, STEP and CUBICSPLINE interpolation (glTF 2.0, appendix C).

use crate::figure::clip::{Channel, Clip, Interpolation, Track};
use crate::figure::rig::Transform;
use crate::space::{Quat, Vec3};
use glam::Vec4;

/// What a track says at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// In the parent's units.
    Translation(Vec3),
    /// Unit.
    Rotation(Quat),
    /// Factor an axis.
    Scale(Vec3),
}

impl Value {
    /// Which channel it is of.
    #[must_use]
    pub const fn channel(&self) -> Channel {
        match self {
            Self::Translation(_) => Channel::Translation,
            Self::Rotation(_) => Channel::Rotation,
            Self::Scale(_) => Channel::Scale,
        }
    }

    /// A channel of a local transform.
    #[must_use]
    pub const fn read(local: &Transform, channel: Channel) -> Self {
        match channel {
            Channel::Translation => Self::Translation(local.translation),
            Channel::Rotation => Self::Rotation(local.rotation),
            Channel::Scale => Self::Scale(local.scale),
        }
    }

    /// Writes it into a local transform, of which it replaces `share` (0..=1; 1 all of it).
    pub fn blend_into(&self, local: &mut Transform, share: f32) {
        match *self {
            Self::Translation(to) if share < 1.0 => local.translation = local.translation.lerp(to, share),
            Self::Translation(to) => local.translation = to,
            Self::Rotation(to) if share < 1.0 => local.rotation = local.rotation.slerp(to, share).normalize(),
            Self::Rotation(to) => local.rotation = to,
            Self::Scale(to) if share < 1.0 => local.scale = local.scale.lerp(to, share),
            Self::Scale(to) => local.scale = to,
        }
    }
}

/// Writes what a clip says at a time (s, clamped to its keys) into local transforms; nodes and channels without a track keep
/// what they had.
pub fn sample(clip: &Clip, time: f32, locals: &mut [Transform]) {
    for track in &clip.tracks {
        if let Some(local) = locals.get_mut(track.node) {
            evaluate(track, time).blend_into(local, 1.0);
        }
    }
}

/// A track at a time (s, clamped to its keys).
#[must_use]
pub fn evaluate(track: &Track, time: f32) -> Value {
    let last = track.times.len().saturating_sub(1);
    // The first key after the time, so that a time on a key takes the key itself.
    let after = track.times.partition_point(|key| *key <= time);
    let value = if after == 0 {
        key(track, 0)
    } else if after > last || track.interpolation == Interpolation::Step {
        key(track, (after - 1).min(last))
    } else {
        between(track, after - 1, time)
    };
    match track.channel {
        Channel::Translation => Value::Translation(value.truncate()),
        Channel::Rotation => Value::Rotation(Quat::from_vec4(value).normalize()),
        Channel::Scale => Value::Scale(value.truncate()),
    }
}

/// Between a key and the next.
fn between(track: &Track, index: usize, time: f32) -> Vec4 {
    let span = track.times[index + 1] - track.times[index];
    let s = (time - track.times[index]) / span;
    if track.interpolation == Interpolation::CubicSpline {
        let (s2, s3) = (s * s, s * s * s);
        let out_tangent = triple(track, index, 2) * span;
        let in_tangent = triple(track, index + 1, 0) * span;
        return key(track, index) * (2.0 * s3 - 3.0 * s2 + 1.0)
            + out_tangent * (s3 - 2.0 * s2 + s)
            + key(track, index + 1) * (3.0 * s2 - 2.0 * s3)
            + in_tangent * (s3 - s2);
    }
    let (from, to) = (key(track, index), key(track, index + 1));
    if track.channel == Channel::Rotation {
        // glam's goes the shorter way round.
        return Quat::from_vec4(from).slerp(Quat::from_vec4(to), s).into();
    }
    from.lerp(to, s)
}

fn key(track: &Track, index: usize) -> Vec4 {
    if track.interpolation == Interpolation::CubicSpline { triple(track, index, 1) } else { vector(track, index) }
}

/// In-tangent (0), value (1) or out-tangent (2) of a cubic key.
fn triple(track: &Track, index: usize, part: usize) -> Vec4 {
    vector(track, index * 3 + part)
}

/// The `index`th group of numbers; w is 0 where there are three.
fn vector(track: &Track, index: usize) -> Vec4 {
    let width = track.channel.width();
    let mut out = [0.0; 4];
    if let Some(values) = track.values.get(index * width..(index + 1) * width) {
        out[..width].copy_from_slice(values);
    }
    Vec4::from_array(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(interpolation: Interpolation, times: &[f32], values: &[f32]) -> Track {
        Track { node: 0, channel: Channel::Translation, interpolation, times: times.to_vec(), values: values.to_vec() }
    }

    fn x_at(track: &Track, time: f32) -> f32 {
        match evaluate(track, time) {
            Value::Translation(at) => at.x,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn linear_is_clamped_at_both_ends() {
        let track = track(Interpolation::Linear, &[5.0, 6.0], &[1.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
        for (time, x) in [(0.0, 1.0), (5.0, 1.0), (5.5, 2.0), (6.0, 3.0), (9.0, 3.0)] {
            assert_eq!(x_at(&track, time), x, "at {time} s");
        }
    }

    #[test]
    fn step_holds_the_earlier_key() {
        let track = track(Interpolation::Step, &[0.0, 1.0], &[1.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
        assert_eq!(x_at(&track, 0.999), 1.0);
        assert_eq!(x_at(&track, 1.0), 3.0);
    }

    #[test]
    fn one_key_is_held_for_ever() {
        for interpolation in [Interpolation::Linear, Interpolation::Step] {
            let track = track(interpolation, &[2.0], &[7.0, 0.0, 0.0]);
            assert!([0.0, 2.0, 3.0].into_iter().all(|time| x_at(&track, time) == 7.0));
        }
    }

    /// The cubic x(t) = t³ − 2t + 1 over two keys a span of 2 apart, from its values and slopes at the keys.
    #[test]
    fn cubic_spline_matches_hermite() {
        let (x, slope) = (|t: f32| t * t * t - 2.0 * t + 1.0, |t: f32| 3.0 * t * t - 2.0);
        let keys: Vec<f32> =
            [1.0, 3.0].into_iter().flat_map(|t| [slope(t), 0.0, 0.0, x(t), 0.0, 0.0, slope(t), 0.0, 0.0]).collect();
        let track = track(Interpolation::CubicSpline, &[1.0, 3.0], &keys);
        for time in [1.0, 1.3, 2.0, 2.9, 3.0] {
            assert!((x_at(&track, time) - x(time)).abs() < 1.0e-4, "at {time} s");
        }
    }

    #[test]
    fn rotations_turn_the_shorter_way() {
        let (from, to) = (Quat::from_rotation_y(0.2), -Quat::from_rotation_y(0.6));
        let values = [from.to_array(), to.to_array()].concat();
        let track = Track { channel: Channel::Rotation, values, ..track(Interpolation::Linear, &[0.0, 1.0], &[]) };
        let Value::Rotation(middle) = evaluate(&track, 0.5) else { panic!() };
        assert!(middle.angle_between(Quat::from_rotation_y(0.4)) < 1.0e-3);
    }
}
