//! What lines ask of figures, now and in the past.

use super::Session;
use simrun_scene::did_you_mean;
use simrun_script::why;
use simrun_sim::{Happening, World};

impl Session {
    /// Why a figure does what it does, or did at a time (s of simulation): a reason a line.
    pub(super) fn why(&self, name: &str, time: Option<f64>) -> Result<String, String> {
        let Some(time) = time else { return of(&self.world, name) };
        let step = (time * f64::from(self.world.settings().step_hz)).round() as u64;
        let first = self.past.first_step().unwrap_or(self.world.step_index());
        if !(first..=self.world.step_index()).contains(&step) {
            let [first, now] = [first as f64 * f64::from(self.world.dt()), self.world.time()];
            return Err(format!("{time} s is not kept; accepted: {first:.2} to {now:.2} s"));
        }
        if step == self.world.step_index() {
            return of(&self.world, name);
        }
        let mut world = World::hollow();
        world.restore(&self.spot_at(step)?.moment.world).map_err(|error| error.to_string())?;
        of(&world, name)
    }

    /// What a person would otherwise hear of in the report alone: whose numbers went bad in the last step.
    pub(super) fn frozen(&self) -> Vec<String> {
        let said = self.world.events().iter().filter_map(|event| match event.what {
            Happening::Poisoned(figure) => self.world.figure(figure).ok().map(|figure| {
                format!(
                    "{}: its numbers went beyond all measure in step {}; it is frozen until its mode is set",
                    figure.name, event.step
                )
            }),
            Happening::ObjectPoisoned(object) => self.world.object(object).ok().map(|object| {
                format!("{}: its numbers went beyond all measure in step {}; it stands where it was", object.name, event.step)
            }),
            _ => None,
        });
        said.collect()
    }
}

fn of(world: &World, name: &str) -> Result<String, String> {
    let figure = world.find_figure(name).and_then(|figure| world.figure(figure).ok());
    figure.map(|figure| why(world, figure)).ok_or_else(|| {
        let names: Vec<&str> = world.figures().map(|figure| figure.name.as_str()).collect();
        let meant = did_you_mean(name, names.iter().copied());
        format!("there is no such figure; there are: {}{meant}", names.join(", "))
    })
}
