//! What is drawn, and how.

use super::encode;
use super::glyphs;
use super::moment::{Moment, Solid};
use simrun_sim::figure::Bone;
use simrun_sim::space::{Quat, Vec3, rotation_from_yaw};
use std::f32::consts::FRAC_PI_2;
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

/// Red, green, blue, cover.
pub(super) type Ink = [u8; 4];

pub(super) const INK: Ink = [70, 74, 82, 255];
const PAPER: Ink = [252, 252, 250, 255];
const GROUND: Ink = [150, 150, 145, 255];
const EARTH: Ink = [236, 235, 230, 255];
const TARGET: Ink = [176, 182, 192, 90];
const TRUNK: Ink = [96, 104, 120, 255];
const LEFT: Ink = [62, 118, 190, 255];
const RIGHT: Ink = [224, 136, 52, 255];
const HELD: Ink = [128, 84, 52, 255];
const CONTACT: Ink = [206, 40, 52, 255];
const SUPPORT: Ink = [56, 158, 92, 255];
const CAPTURE: Ink = [152, 60, 170, 255];
/// Those that say something: no picture loses one, however little of it there is.
const INKS: [Ink; 10] = [INK, PAPER, GROUND, TRUNK, LEFT, RIGHT, HELD, CONTACT, SUPPORT, CAPTURE];

/// Metres between the ground's marks.
const MARKS: f32 = 0.25;

/// A way of looking: a turn that brings what is to the right in the picture to +X and what is near to +Z.
pub(super) struct View(Quat);

impl View {
    /// The figure looks to the right.
    pub(super) fn from_the_side(yaw: f32) -> Self {
        Self(rotation_from_yaw(FRAC_PI_2 - yaw))
    }

    /// The figure looks out of the picture.
    pub(super) fn from_the_front(yaw: f32) -> Self {
        Self(rotation_from_yaw(-yaw))
    }

    /// How far right a point is (m).
    pub(super) fn across(&self, point: Vec3) -> f32 {
        (self.0 * point).x
    }

    fn near(&self, point: Vec3) -> f32 {
        (self.0 * point).z
    }

    /// How far left and right of its pelvis a figure reaches (m).
    pub(super) fn reach(&self, moment: &Moment) -> (f32, f32) {
        let middle = self.across(moment.pelvis);
        moment.points().fold((0.0_f32, 0.0_f32), |(left, right), (point, radius)| {
            let at = self.across(point) - middle;
            (left.min(at - radius), right.max(at + radius))
        })
    }
}

impl Moment {
    /// Points that the bodies reach, with how far they reach around them.
    fn points(&self) -> impl Iterator<Item = (Vec3, f32)> + '_ {
        self.bodies.iter().flat_map(|(_, solid)| match solid {
            Solid::Capsule { a, b, radius } => vec![(*a, *radius), (*b, *radius)],
            Solid::Hull(corners) => corners.iter().map(|corner| (*corner, 0.0)).collect(),
        })
    }

    /// How high it reaches over the ground (m).
    pub(super) fn rise(&self) -> f32 {
        self.points().map(|(point, radius)| point.y + radius - self.ground).fold(0.0, f32::max)
    }
}

/// Where in the canvas one moment is drawn.
pub(super) struct Frame<'a> {
    pub(super) view: &'a View,
    /// Pixels a metre.
    pub(super) scale: f32,
    /// Pixel and metre of the picture's middle.
    pub(super) middle: (f32, f32),
    /// Pixel and metre of the ground.
    pub(super) ground: (f32, f32),
    /// Left and right edge (pixels).
    pub(super) sides: (f32, f32),
}

impl Frame<'_> {
    fn at(&self, point: Vec3) -> (f32, f32) {
        let x = self.middle.0 + (self.view.across(point) - self.middle.1) * self.scale;
        (x, self.ground.0 - (point.y - self.ground.1) * self.scale)
    }
}

/// The picture being drawn.
pub(super) struct Canvas(Pixmap);

impl Canvas {
    pub(super) fn new(width: u32, height: u32) -> Option<Self> {
        let mut pixels = Pixmap::new(width, height)?;
        let [red, green, blue, cover] = PAPER;
        pixels.fill(Color::from_rgba8(red, green, blue, cover));
        Some(Self(pixels))
    }

    pub(super) fn png(&self) -> Result<Vec<u8>, String> {
        encode::png(&self.0, &INKS.map(|[red, green, blue, _]| [red, green, blue]))
    }

    /// One moment, the ground under it and what is told by marks.
    pub(super) fn moment(&mut self, moment: &Moment, frame: &Frame<'_>) {
        self.ground(frame);
        let mut target: Vec<(Ink, &Solid)> = moment.target.iter().map(|(_, solid)| (TARGET, solid)).collect();
        let bodies = moment.bodies.iter().map(|(bone, solid)| (ink_of(*bone), solid));
        let mut bodies: Vec<(Ink, &Solid)> = bodies.chain(moment.held.iter().map(|solid| (HELD, solid))).collect();
        for solids in [&mut target, &mut bodies] {
            solids.sort_by(|a, b| nearness(a.1, frame.view).total_cmp(&nearness(b.1, frame.view)));
        }
        for (ink, solid) in target {
            self.solid(solid, frame, ink, 0.0);
        }
        for (ink, solid) in bodies {
            // A rim of paper keeps limbs apart where they cross.
            self.solid(solid, frame, PAPER, 1.5);
            self.solid(solid, frame, ink, 0.0);
        }
        self.marks(moment, frame);
    }

    fn ground(&mut self, frame: &Frame<'_>) {
        let ((left, right), level) = (frame.sides, frame.ground.0);
        let earth = [(left, level), (right, level), (right, level + 7.0), (left, level + 7.0)];
        self.fill(&earth, EARTH);
        self.line(&[(left, level), (right, level)], 1.2, GROUND);
        let metre = |pixel: f32| (pixel - frame.middle.0) / frame.scale + frame.middle.1;
        let (first, last) = ((metre(left) / MARKS).ceil() as i32, (metre(right) / MARKS).floor() as i32);
        for mark in first..=last {
            let x = frame.middle.0 + (mark as f32 * MARKS - frame.middle.1) * frame.scale;
            let long = if mark % 4 == 0 { 7.0 } else { 3.5 };
            self.line(&[(x, level), (x, level + long)], 1.0, GROUND);
        }
    }

    fn marks(&mut self, moment: &Moment, frame: &Frame<'_>) {
        let level = frame.ground.0;
        let ends = moment.support.iter().map(|point| frame.at(*point).0);
        let (left, right) = ends.fold((f32::MAX, f32::MIN), |(left, right), x| (left.min(x), right.max(x)));
        if left < right {
            self.line(&[(left, level + 3.5), (right, level + 3.5)], 4.0, SUPPORT);
        }
        for (point, weights) in &moment.contacts {
            self.dot(frame.at(*point), 2.0 + 3.0 * weights.clamp(0.0, 2.0).sqrt(), CONTACT);
        }
        let (x, y) = (frame.at(moment.capture_point).0, level + 3.5);
        let (first, last) = (frame.sides.0 + 7.0, frame.sides.1 - 7.0);
        if x < first {
            self.fill(&[(first - 6.0, y), (first + 3.0, y - 5.0), (first + 3.0, y + 5.0)], CAPTURE);
        } else if x > last {
            self.fill(&[(last + 6.0, y), (last - 3.0, y - 5.0), (last - 3.0, y + 5.0)], CAPTURE);
        } else {
            self.diamond((x, y));
        }
    }

    fn diamond(&mut self, (x, y): (f32, f32)) {
        self.fill(&[(x - 5.0, y), (x, y - 6.0), (x + 5.0, y), (x, y + 6.0)], CAPTURE);
    }

    /// A solid's outline, `rim` pixels larger.
    fn solid(&mut self, solid: &Solid, frame: &Frame<'_>, ink: Ink, rim: f32) {
        match solid {
            Solid::Capsule { a, b, radius } => {
                self.line(&[frame.at(*a), frame.at(*b)], 2.0 * (radius * frame.scale + rim), ink);
            }
            Solid::Hull(corners) => {
                let outline = hull(&corners.iter().map(|corner| frame.at(*corner)).collect::<Vec<_>>());
                self.fill(&outline, ink);
                if rim > 0.0 {
                    let closed: Vec<(f32, f32)> = outline.iter().chain(outline.first()).copied().collect();
                    self.line(&closed, 2.0 * rim, ink);
                }
            }
        }
    }

    /// What the colours mean, right-aligned.
    pub(super) fn legend(&mut self, right: f32, top: f32, height: f32) {
        let entries = [
            ("CAPTURE POINT", CAPTURE),
            ("SUPPORT", SUPPORT),
            ("CONTACT", CONTACT),
            ("HELD", HELD),
            ("RIGHT", RIGHT),
            ("LEFT", LEFT),
            ("TRUNK", TRUNK),
            ("TARGET", [TARGET[0], TARGET[1], TARGET[2], 160]),
        ];
        let mut at = right;
        for (name, ink) in entries {
            at -= glyphs::width(name, height);
            self.text(name, (at, top), height, INK);
            let middle = top + 0.5 * height;
            self.line(&[(at - 18.0, middle), (at - 12.0, middle)], 8.0, ink);
            at -= 40.0;
        }
    }

    pub(super) fn text(&mut self, text: &str, at: (f32, f32), height: f32, ink: Ink) {
        for points in glyphs::lines(text, at, height) {
            self.line(&points, height * 0.16, ink);
        }
    }

    fn line(&mut self, points: &[(f32, f32)], width: f32, ink: Ink) {
        let Some(path) = path(points, false) else { return };
        let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        self.0.stroke_path(&path, &paint(ink), &stroke, Transform::identity(), None);
    }

    fn fill(&mut self, points: &[(f32, f32)], ink: Ink) {
        if let Some(path) = path(points, true) {
            self.0.fill_path(&path, &paint(ink), FillRule::Winding, Transform::identity(), None);
        }
    }

    fn dot(&mut self, (x, y): (f32, f32), radius: f32, ink: Ink) {
        if let Some(path) = PathBuilder::from_circle(x, y, radius) {
            self.0.fill_path(&path, &paint(ink), FillRule::Winding, Transform::identity(), None);
        }
    }
}

fn path(points: &[(f32, f32)], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let ((x, y), rest) = points.split_first()?;
    builder.move_to(*x, *y);
    for (x, y) in rest {
        builder.line_to(*x, *y);
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

fn paint([red, green, blue, cover]: Ink) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, cover);
    paint
}

fn ink_of(bone: Bone) -> Ink {
    match bone {
        Bone::Pelvis | Bone::Spine | Bone::Chest | Bone::Head => TRUNK,
        Bone::UpperArmL | Bone::ForearmL | Bone::ThighL | Bone::ShinL => LEFT,
        Bone::UpperArmR | Bone::ForearmR | Bone::ThighR | Bone::ShinR => RIGHT,
    }
}

/// How near a solid's middle is.
fn nearness(solid: &Solid, view: &View) -> f32 {
    match solid {
        Solid::Capsule { a, b, .. } => view.near((*a + *b) * 0.5),
        Solid::Hull(corners) => view.near(corners.iter().sum::<Vec3>() / corners.len().max(1) as f32),
    }
}

/// The convex outline of some points (Andrew's monotone chain).
fn hull(points: &[(f32, f32)]) -> Vec<(f32, f32)> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let turn = |o: (f32, f32), a: (f32, f32), b: (f32, f32)| (a.0 - o.0) * (b.1 - o.1) - (a.1 - o.1) * (b.0 - o.0);
    let mut out: Vec<(f32, f32)> = Vec::new();
    for pass in 0..2 {
        let start = out.len();
        for index in 0..sorted.len() {
            let point = if pass == 0 { sorted[index] } else { sorted[sorted.len() - 1 - index] };
            while out.len() >= start + 2 && turn(out[out.len() - 2], out[out.len() - 1], point) <= 0.0 {
                out.pop();
            }
            out.push(point);
        }
        out.pop();
    }
    out
}
