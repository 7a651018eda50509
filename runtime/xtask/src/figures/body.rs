//! The box man's skin: chamfered boxes, each bound to one joint.

use super::skeleton::{CHEST, HEAD, HIPS, NECK, SIDES, SKELETON, SPINE, Side};
use glam::DVec3;

/// How far the boxes' edges are cut (m).
const CHAMFER: f64 = 0.01;

/// Vertices of a skin, in the figure's frame, and its triangles.
#[derive(Default)]
pub struct Mesh {
    pub positions: Vec<DVec3>,
    pub normals: Vec<DVec3>,
    /// Linear red, green and blue in 0..=255.
    pub colours: Vec<[u8; 3]>,
    /// The joint that a vertex is bound to.
    pub joints: Vec<usize>,
    pub triangles: Vec<[usize; 3]>,
}

const SKIN: [u8; 3] = [168, 110, 80];
const HAIR: [u8; 3] = [28, 18, 12];
const SHIRT: [u8; 3] = [36, 84, 130];
const TROUSERS: [u8; 3] = [34, 36, 44];
const SHOES: [u8; 3] = [14, 12, 11];

/// One end of a box: the middle of a rectangle, and half its sides along X and along the box's other square axis (m).
type End = ([f64; 3], [f64; 2]);

/// The box man.
#[must_use]
pub fn mesh() -> Mesh {
    let mut mesh = Mesh::default();
    // Trunk and head stand on the middle line; every piece reaches a little into the next.
    mesh.upright(HIPS, TROUSERS, ([0.0, 0.86, -0.005], [0.172, 0.097]), ([0.0, 1.04, 0.0], [0.15, 0.095]));
    mesh.upright(SPINE, SHIRT, ([0.0, 1.02, 0.0], [0.138, 0.088]), ([0.0, 1.23, 0.0], [0.145, 0.095]));
    mesh.upright(CHEST, SHIRT, ([0.0, 1.2, 0.0], [0.148, 0.1]), ([0.0, 1.45, -0.01], [0.175, 0.1]));
    mesh.upright(NECK, SKIN, ([0.0, 1.43, -0.012], [0.05, 0.055]), ([0.0, 1.58, 0.0], [0.05, 0.055]));
    mesh.upright(HEAD, SKIN, ([0.0, 1.535, 0.02], [0.062, 0.085]), ([0.0, 1.7, 0.015], [0.076, 0.095]));
    mesh.upright(HEAD, HAIR, ([0.0, 1.68, 0.0], [0.08, 0.1]), ([0.0, 1.75, 0.0], [0.07, 0.09]));
    mesh.upright(HEAD, HAIR, ([0.0, 1.58, -0.07], [0.066, 0.025]), ([0.0, 1.7, -0.072], [0.08, 0.028]));
    mesh.upright(HEAD, SKIN, ([0.0, 1.6, 0.11], [0.014, 0.022]), ([0.0, 1.65, 0.108], [0.011, 0.015]));
    for side in &SIDES {
        mesh.side(side);
    }
    mesh
}

impl Mesh {
    fn side(&mut self, side: &Side) {
        let x = |x: f64| side.sign * x;
        let at = |joint: usize| SKELETON[joint].at.to_array();
        let [shoulder, elbow, wrist] = [side.arm, side.forearm, side.hand].map(at);
        let [hip, knee, ankle] = [side.thigh, side.shin, side.foot].map(at);
        let above = |[x, y, z]: [f64; 3], by: f64| [x, y + by, z];

        self.upright(side.shoulder, SHIRT, ([x(0.1), 1.36, -0.005], [0.07, 0.075]), ([x(0.105), 1.465, -0.005], [0.065, 0.06]));
        self.upright(side.arm, SHIRT, (above(elbow, -0.025), [0.04, 0.043]), (above(shoulder, 0.04), [0.05, 0.056]));
        self.upright(side.forearm, SKIN, (above(wrist, -0.01), [0.028, 0.032]), (above(elbow, 0.02), [0.038, 0.041]));
        // A hand 18 cm long, its palm towards the thigh; the thumb shows which way is ahead.
        self.upright(side.hand, SKIN, ([x(0.34), 0.69, 0.035], [0.012, 0.036]), ([x(0.311), 0.875, 0.023], [0.02, 0.041]));
        self.upright(side.hand, SKIN, ([x(0.316), 0.775, 0.083], [0.012, 0.014]), ([x(0.306), 0.845, 0.055], [0.015, 0.018]));

        self.upright(side.thigh, TROUSERS, (above(knee, -0.035), [0.056, 0.062]), (above(hip, 0.02), [0.072, 0.088]));
        self.upright(side.shin, TROUSERS, (above(ankle, -0.01), [0.042, 0.048]), (above(knee, 0.035), [0.054, 0.06]));
        // The sole's flat underside goes from 5.5 cm behind the ankle to 18 cm ahead of it: the edges that a step rolls over.
        let (heel, toe) = (ankle[2] - 0.065, ankle[2] + 0.19);
        let [heel, toe] = [([x(0.1), 0.048, heel], [0.04, 0.048]), ([x(0.105), 0.024, toe], [0.045, 0.024])];
        self.piece(side.foot, SHOES, heel, toe, DVec3::Y);
    }

    /// A box from its lower end to its upper end.
    fn upright(&mut self, joint: usize, colour: [u8; 3], lower: End, upper: End) {
        self.piece(joint, colour, lower, upper, DVec3::Z);
    }

    /// A box between two rectangles whose sides lie along X and `second`.
    fn piece(&mut self, joint: usize, colour: [u8; 3], from: End, to: End, second: DVec3) {
        let corner = |[i, j, k]: [usize; 3]| {
            let (middle, half) = if k == 0 { from } else { to };
            let sign = |bit: usize| if bit == 0 { -1.0 } else { 1.0 };
            DVec3::from_array(middle) + DVec3::X * (sign(i) * half[0]) + second * (sign(j) * half[1])
        };
        let middle = (DVec3::from_array(from.0) + DVec3::from_array(to.0)) / 2.0;
        let first = self.positions.len();
        // A vertex for each corner of each face, drawn in from the corner along the face's two edges. With the face's own normal,
        // the faces look flat and the cut edges round.
        let index = |at: [usize; 3], axis: usize| first + 3 * (at[0] + 2 * at[1] + 4 * at[2]) + axis;
        for place in 0..8 {
            let at = [place & 1, (place >> 1) & 1, place >> 2];
            let own = corner(at);
            let edges = [0, 1, 2].map(|axis| corner(across(at, axis)) - own);
            for axis in 0..3 {
                let [a, b] = [edges[(axis + 1) % 3], edges[(axis + 2) % 3]];
                let normal = a.cross(b).normalize();
                self.positions.push(own + CHAMFER * (a.normalize() + b.normalize()));
                self.normals.push(if normal.dot(own - middle) < 0.0 { -normal } else { normal });
                self.colours.push(colour);
                self.joints.push(joint);
            }
        }
        let loops = [[0, 0], [1, 0], [1, 1], [0, 1]];
        for axis in 0..3 {
            let [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
            let place = |along: usize, [v, w]: [usize; 2]| {
                let mut at = [0; 3];
                (at[axis], at[b], at[c]) = (along, v, w);
                at
            };
            for end in [0, 1] {
                self.polygon(middle, &loops.map(|bits| index(place(end, bits), axis)));
            }
            // The cut edge along this axis lies between the faces of the two other axes.
            for bits in loops {
                let [low, high] = [place(0, bits), place(1, bits)];
                self.polygon(middle, &[index(low, b), index(high, b), index(high, c), index(low, c)]);
            }
        }
        for place in 0..8 {
            let at = [place & 1, (place >> 1) & 1, place >> 2];
            self.polygon(middle, &[0, 1, 2].map(|axis| index(at, axis)));
        }
    }

    /// A convex polygon as triangles that face away from `middle`.
    fn polygon(&mut self, middle: DVec3, corners: &[usize]) {
        let [a, b, c] = [0, 1, 2].map(|corner| self.positions[corners[corner]]);
        let outward = (b - a).cross(c - a).dot(a - middle) > 0.0;
        for pair in corners[1..].windows(2) {
            let [second, third] = if outward { [pair[0], pair[1]] } else { [pair[1], pair[0]] };
            self.triangles.push([corners[0], second, third]);
        }
    }
}

/// The corner at the other end of the edge along an axis.
fn across(mut at: [usize; 3], axis: usize) -> [usize; 3] {
    at[axis] = 1 - at[axis];
    at
}
