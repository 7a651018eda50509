//! Figures whose feet hang from ankles of their own, at the boundary: what is said of twelve bodies becomes what the solver is told of its
//! fourteen, and what it says of those becomes what is known of the twelve and of two bent feet.

use super::boundary::{BodySet, BodyState, FigureInput, FigureOutput, JointTarget, Pull, Touched};
use crate::figure::{Ankles, BONES, Bone, SHINS};
use crate::space::{Quat, Rigid, Vec3};
use serde::{Deserialize, Serialize};

/// How fast (rad/s) a foot that is shown otherwise than it is, or than the animation has it, comes there: 3° a step at 60 Hz, where 6° are seen.
const FADES: f32 = 3.0;

/// The feet of a figure that has ankles; left and right.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Feet {
    /// How far each is bent at its ankle (rad): 0 as at rest, positive with the toes down.
    pub bent: [f32; 2],
    /// The same as shown.
    pub drawn: [f32; 2],
    /// Whether each was shown as the animation has it, and how far (rad) it was shown from there, or from where it was.
    followed: [bool; 2],
    off: [f32; 2],
    /// What each ankle's muscle shall do: DRIVE writes it anew each step.
    #[serde(skip, default = "slack")]
    pub(crate) asked: [JointTarget; 2],
    #[serde(skip)]
    input: FigureInput,
    #[serde(skip)]
    solved: FigureOutput,
}

fn slack() -> [JointTarget; 2] {
    [JointTarget { rotation: Quat::IDENTITY, velocity: Vec3::ZERO, pull: Pull::Servo(1.0), budget: 0.0 }; 2]
}

impl Feet {
    /// Feet that are bent so far (rad).
    pub(crate) fn new(bent: [f32; 2]) -> Self {
        Self {
            bent,
            drawn: bent,
            followed: [false; 2],
            off: [0.0; 2],
            asked: slack(),
            input: FigureInput::default(),
            solved: FigureOutput::default(),
        }
    }

    /// What the solver is told, and where it says what came of it.
    pub(super) fn told(&mut self, ankles: &Ankles, input: &FigureInput) -> (&FigureInput, &mut FigureOutput) {
        let told = &mut self.input;
        told.clone_from(input);
        told.joints.extend(self.asked);
        // What pulls a shin pulls its foot too: left to its ankle alone, one that has caught its toes stands on them.
        for index in 0..told.anchors.len() {
            if let Some(side) = Bone::from_index(told.anchors[index].body).and_then(Ankles::side_of) {
                let [shin, foot] = ankles.split(side, &told.anchors[index], self.asked[side].rotation);
                told.anchors[index] = shin;
                told.anchors.push(foot);
            }
        }
        told.teleport = input.teleport.as_ref().map(|bodies| ankles.to_solver(bodies, self.bent));
        for bodies in [&mut told.self_contacts, &mut told.fixed_contacts] {
            *bodies = with_feet(*bodies);
        }
        (told, &mut self.solved)
    }

    /// Takes what the solver said, as it is of the twelve; `false` where its numbers went bad.
    pub(super) fn heard(&mut self, ankles: &Ankles, solved: &mut FigureOutput) -> bool {
        if !self.solved.bodies.iter().all(BodyState::is_sound) {
            return false;
        }
        let Some((bodies, bent)) = ankles.of_solver(&self.solved.bodies) else { return true };
        solved.clone_from(&self.solved);
        self.bent = bent;
        solved.bodies.clear();
        solved.bodies.extend(bodies);
        solved.joints.truncate(BONES - 1);
        solved.contacts.iter_mut().for_each(|contact| contact.body = bone_of(contact.body).index());
        // A shin's and its foot's stand together, as they would of one body.
        solved.contacts.sort_by_key(|contact| contact.body);
        true
    }

    /// Shows them as they are, or as the animation has those that follow it, with a fade from the one to the other.
    pub(crate) fn show(&mut self, follows: [bool; 2], animation: [f32; 2], dt: f32) {
        for side in [0, 1] {
            let to = if follows[side] { animation[side] } else { self.bent[side] };
            if follows[side] != self.followed[side] {
                self.off[side] = self.drawn[side] - to;
            }
            self.off[side] -= self.off[side].clamp(-FADES * dt, FADES * dt);
            (self.drawn[side], self.followed[side]) = (to + self.off[side], follows[side]);
        }
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.bent.iter().chain(&self.drawn).chain(&self.off).all(|angle| angle.abs() < 7.0)
    }
}

fn with_feet(bodies: BodySet) -> BodySet {
    (0..2).filter(|side| bodies.has(SHINS[*side].index())).fold(bodies, |bodies, side| bodies.with(BONES + side))
}

/// The bone that a solver's body is, or is the foot of.
pub(crate) fn bone_of(body: usize) -> Bone {
    Bone::from_index(body).unwrap_or_else(|| SHINS[(body - BONES).min(1)])
}

/// What is touched, as it is of the twelve.
pub(super) fn touched(other: Touched) -> Touched {
    match other {
        Touched::Figure(key, body) => Touched::Figure(key, bone_of(body).index()),
        Touched::Object(_) => other,
    }
}

/// Where the solver's bodies are, of bodies at rest there.
pub(crate) fn poses(ankles: Option<&Ankles>, feet: Option<&Feet>, bodies: &[Rigid; BONES]) -> Vec<Rigid> {
    let Some(ankles) = ankles else { return bodies.to_vec() };
    let still: Vec<_> = bodies.iter().map(|pose| (*pose, Vec3::ZERO, Vec3::ZERO)).collect();
    let bent = feet.map_or([0.0; 2], |feet| feet.bent);
    ankles.to_solver(&still, bent).into_iter().map(|(pose, ..)| pose).collect()
}
