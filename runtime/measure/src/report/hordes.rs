//! What became of hordes.

use serde::Serialize;
use simrun_sim::crowd::Whereabouts;
use simrun_sim::{Event, Happening, Horde, World};
use std::collections::BTreeMap;

/// What became of a horde.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HordeReport {
    /// Its name.
    pub name: String,
    /// Members in it at the end.
    pub members_in: usize,
    /// Members that are figures at the end.
    pub members_out: usize,
    /// Members that have been killed.
    pub dead: usize,
    /// How often a member became a figure.
    pub handed_over: usize,
    /// How often one went back.
    pub returned: usize,
    /// How many killed ones were taken away.
    pub despawned: usize,
    /// Steps after which a member was lost, or two figures' at once.
    pub miscounted: usize,
}

/// Hordes under observation, by name.
#[derive(Debug, Default)]
pub(super) struct Hordes(BTreeMap<String, HordeReport>);

impl Hordes {
    pub fn look(&mut self, world: &World) {
        for horde in world.hordes() {
            let report = self.of(&horde.name);
            let count = |which: Whereabouts| horde.members().whereabouts().iter().filter(|own| **own == which).count();
            (report.members_in, report.members_out) = (count(Whereabouts::In), count(Whereabouts::Out));
            report.dead = count(Whereabouts::Dead);
            report.miscounted += usize::from(!adds_up(horde));
        }
    }

    pub fn event(&mut self, event: &Event) {
        match &event.what {
            Happening::HandedOver { horde, .. } => self.of(horde).handed_over += 1,
            Happening::Returned { horde, .. } => self.of(horde).returned += 1,
            Happening::Despawned { horde, .. } => self.of(horde).despawned += 1,
            _ => {}
        }
    }

    pub fn reports(&self) -> Vec<HordeReport> {
        self.0.values().cloned().collect()
    }

    fn of(&mut self, name: &str) -> &mut HordeReport {
        self.0.entry(name.to_owned()).or_insert_with(|| HordeReport { name: name.to_owned(), ..HordeReport::default() })
    }
}

/// Whether each member that is out is one figure's, and no other is.
fn adds_up(horde: &Horde) -> bool {
    let slots = horde.pool().map(|pool| pool.slots()).unwrap_or_default();
    let mut taken: Vec<u32> = slots.iter().filter_map(|slot| slot.stage.member()).collect();
    taken.sort_unstable();
    let whereabouts = horde.members().whereabouts();
    let out = whereabouts.iter().enumerate().filter(|(_, own)| **own == Whereabouts::Out);
    let owned = |member: usize| taken.binary_search(&(member as u32)).is_ok();
    let apart = taken.is_sorted_by(|a, b| a < b);
    let gone = taken.iter().all(|member| whereabouts.get(*member as usize).is_some_and(|own| *own != Whereabouts::In));
    apart && gone && out.into_iter().all(|(member, _)| owned(member))
}
