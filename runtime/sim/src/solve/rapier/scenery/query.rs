//! Questions about where things are.

use super::super::{cast, to_pose};
use super::Scenery;
use crate::solve::boundary::{self, BodyKind, BodyState, Gap, RayContact, Touched};
use crate::solve::detected::FigureAt;
use crate::space::{Rigid, Vec3};
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::parry::query;
use rapier3d::prelude::*;

/// What comes first of what a ray meets at one distance: objects, then the lower key, then the lower body.
type Rank = (u8, u64, usize);

impl Scenery {
    /// The first thing within `reach` (m) that a ray meets; with `fixed_only`, the first that never moves. Of several at one distance,
    /// an object before a figure, then the lower key.
    pub(crate) fn raycast(
        &self,
        figures: &[FigureAt<'_>],
        from: Vec3,
        direction: Vec3,
        reach: f32,
        fixed_only: bool,
    ) -> Option<RayContact> {
        let ray = Ray::new(from, direction.normalize_or_zero());
        let mut best: Option<(Rank, RayContact)> = None;
        let mut meet = |shape: &dyn Shape, pose: &Pose, what: Touched, rank: Rank| {
            let Some(hit) = shape.cast_ray_and_get_normal(pose, &ray, reach, true) else { return };
            let nearer = |(known, contact): &(Rank, RayContact)| (hit.time_of_impact, rank) < (contact.distance, *known);
            if best.as_ref().is_none_or(nearer) {
                best = Some((rank, RayContact { distance: hit.time_of_impact, normal: hit.normal, what }));
            }
        };
        for thing in self.objects.along(&ray, reach).filter_map(|slot| self.objects.thing(slot)) {
            if !fixed_only || thing.kind == BodyKind::Fixed {
                meet(&*thing.shape, &thing.pose, Touched::Object(thing.key), (0, thing.key, 0));
            }
        }
        for at in figures.iter().filter(|_| !fixed_only) {
            let Some(forms) = self.figures.get(&at.key).filter(|forms| forms.bodies == at.bodies.len()) else { continue };
            for form in &forms.forms {
                let state = &at.bodies[form.body];
                // Balls first: most forms are nowhere near the ray.
                let to = state.pose.translation - from;
                let along = to.dot(ray.dir).clamp(0.0, reach);
                if (to - ray.dir * along).length_squared() <= form.reach * form.reach {
                    let pose = to_pose(state.pose) * form.place;
                    meet(&*form.shape, &pose, Touched::Figure(at.key, form.body), (1, at.key, form.body));
                }
            }
        }
        best.map(|(_, contact)| contact)
    }

    /// How far (m) forms, each placed in the world, can go straight down together before one of them meets an object other than `but`,
    /// and which.
    pub(crate) fn cast_down(&self, forms: &[(&boundary::Shape, Rigid)], reach: f32, but: Option<u64>) -> Option<(f32, u64)> {
        let things = self
            .objects
            .bodies
            .keys()
            .filter(|key| but != Some(**key))
            .filter_map(|key| self.objects.thing(self.objects.slot(*key)?));
        cast::down(things.map(|thing| (thing.key, &*thing.shape, thing.pose)), forms, reach)
    }

    /// The body of a figure that is nearest to an object, if any is within `margin` (m). `bodies` is where the figure's are.
    pub(crate) fn gap(&self, figure: u64, bodies: &[BodyState], object: u64, margin: f32) -> Option<Gap> {
        let forms = self.figures.get(&figure).filter(|forms| forms.bodies == bodies.len())?;
        let thing = self.objects.thing(self.objects.slot(object)?)?;
        let bounds = thing.shape.compute_aabb(&thing.pose).loosened(margin);
        let mut nearest: Option<Gap> = None;
        for form in &forms.forms {
            let pose = to_pose(bodies[form.body].pose) * form.place;
            // Boxes first: most figures are nowhere near.
            if !bounds.intersects(&form.shape.compute_aabb(&pose)) {
                continue;
            }
            let Ok(Some(found)) = query::contact(&pose, &*form.shape, &thing.pose, &*thing.shape, margin) else { continue };
            let distance = found.dist.max(0.0);
            if nearest.is_none_or(|known| distance < known.distance) {
                nearest = Some(Gap { body: form.body, distance, on_body: found.point1, on_object: found.point2 });
            }
        }
        nearest
    }
}
