//! Detection, guests and the scenery's memory.

mod grounds;
mod guests;
mod order;
mod whole;

use super::Scenery;
use crate::solve::boundary::{
    BodyDef, BodyKind, BodySet, BodyState, JointDef, JointKind, ObjectDef, PlacedShape, Shape, Topology, Touched,
};
use crate::solve::detected::{Detected, FigureAt, NearPoint};
use crate::space::{Quat, Rigid, Vec3};

const DT: f32 = 1.0 / 60.0;
const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);

fn body_of(shape: Shape) -> BodyDef {
    let shapes = vec![PlacedShape { shape, body_from_shape: Rigid::IDENTITY, friction: 0.8 }];
    BodyDef { mass: 5.0, principal_inertia: Vec3::ONE, inertia_frame: Quat::IDENTITY, shapes }
}

/// Bodies of these forms; the joints between them hold them 1 m apart along X at rest.
fn chain_of(shapes: &[Shape]) -> Topology {
    let at = |x: f32| Rigid::new(Quat::IDENTITY, Vec3::X * x);
    let joint = |child: usize| JointDef {
        parent: child - 1,
        child,
        parent_from_joint: at(0.5),
        child_from_joint: at(-0.5),
        kind: JointKind::Weld,
    };
    Topology { bodies: shapes.iter().cloned().map(body_of).collect(), joints: (1..shapes.len()).map(joint).collect() }
}

fn thing(shape: Shape, kind: BodyKind, at: Vec3) -> ObjectDef {
    ObjectDef { shape, kind, pose: Rigid::new(Quat::IDENTITY, at), mass: 10.0, friction: 0.5, restitution: 0.2 }
}

fn crate_at(at: Vec3) -> ObjectDef {
    thing(Shape::Box(Vec3::splat(0.5)), BodyKind::Dynamic, at)
}

fn ground() -> ObjectDef {
    thing(Shape::Box(Vec3::new(40.0, 1.0, 40.0)), BodyKind::Fixed, Vec3::Y * -0.5)
}

fn still(at: Vec3) -> BodyState {
    BodyState { pose: Rigid::new(Quat::IDENTITY, at), ..BodyState::default() }
}

fn flying(at: Vec3, linear: Vec3) -> BodyState {
    BodyState { linear, ..still(at) }
}

fn figure(key: u64, bodies: &[BodyState]) -> FigureAt<'_> {
    FigureAt { key, bodies, self_contacts: BodySet::ALL, fixed_contacts: BodySet::ALL, pass_through: &[] }
}

fn detect(scenery: &mut Scenery, figures: &[FigureAt<'_>]) -> Detected {
    let mut out = Detected::default();
    scenery.detect(DT, figures, &mut out);
    let orders: Vec<_> = out.points.iter().map(order_of).collect();
    assert!(orders.is_sorted(), "points are out of order");
    assert!(orders.windows(2).all(|pair| pair[0] != pair[1]), "two points of a pair have one id");
    out
}

/// The points of one figure's body beside one object.
fn beside(shape: Shape, state: BodyState, object: &ObjectDef) -> Vec<NearPoint> {
    let mut scenery = Scenery::new(GRAVITY);
    scenery.add_figure(1, &chain_of(&[shape]));
    scenery.add_object(2, object);
    let points = detect(&mut scenery, &[figure(1, &[state])]).points;
    for point in &points {
        let along = (point.on_one - point.on_two).dot(point.normal);
        assert!((along - point.distance).abs() < 1.0e-4, "{point:?}");
        assert!((point.normal.length() - 1.0).abs() < 1.0e-4, "{point:?}");
    }
    points
}

/// The order of points: by figure and body, guests after all figures; then by what they are near, figures before objects.
fn order_of(point: &NearPoint) -> ((u8, u64, usize), (u8, u64, usize), u64) {
    let rank = |what: Touched| match what {
        Touched::Figure(key, body) => (0, key, body),
        Touched::Object(key) => (1, key, 0),
    };
    (rank(point.one), rank(point.two), point.id)
}
