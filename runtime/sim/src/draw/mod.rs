//! Room 6, DRAW: target and bodies become what is shown, with the fades of each hand-over.

use crate::figure::BONES;
use crate::figure::rig::Transform;
use crate::space::Rigid;

/// What is shown: neither what the animation asks nor quite where the bodies are while a hand-over fades.
#[derive(Clone, Debug, Default)]
pub struct DrawnPose {
    /// World from figure: the frame of `locals`.
    pub place: Rigid,
    /// Local transforms of the rig's nodes.
    pub locals: Vec<Transform>,
    /// World from bone, drawn.
    pub bodies: [Rigid; BONES],
}
