//! Values under handles of index and generation, saved and loaded to the bit.
//!
//! `slotmap::SlotMap` forgets in which order slots came free when it is saved: a figure spawned after a restore would get another
//! handle than one spawned in the run that went on. Here that order is part of what is saved.

use serde::{Deserialize, Serialize};
use slotmap::{Key, KeyData};
use std::marker::PhantomData;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Slot<V> {
    /// How many values it has lost.
    generation: u32,
    value: Option<V>,
}

/// Values under keys that go stale when a value is taken out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Slots<K, V> {
    slots: Vec<Slot<V>>,
    /// Empty slots, the one to be filled next at the end.
    free: Vec<u32>,
    key: PhantomData<K>,
}

impl<K, V> Default for Slots<K, V> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new(), key: PhantomData }
    }
}

impl<K: Key, V> Slots<K, V> {
    pub(crate) fn insert(&mut self, value: V) -> K {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, value: None });
            self.slots.len() as u32 - 1
        });
        let slot = &mut self.slots[index as usize];
        slot.value = Some(value);
        key(index, slot.generation)
    }

    pub(crate) fn remove(&mut self, key: K) -> Option<V> {
        let slot = self.slot_mut(key)?;
        let value = slot.value.take()?;
        slot.generation += 1;
        self.free.push(parts(key).0);
        Some(value)
    }

    pub(crate) fn get(&self, key: K) -> Option<&V> {
        let (index, generation) = parts(key);
        self.slots.get(index as usize).filter(|slot| slot.generation == generation)?.value.as_ref()
    }

    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.slot_mut(key)?.value.as_mut()
    }

    pub(crate) fn contains(&self, key: K) -> bool {
        self.get(key).is_some()
    }

    /// In the order of the slots.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.slots.iter().filter_map(|slot| slot.value.as_ref())
    }

    /// In the order of the slots.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.slots.iter_mut().filter_map(|slot| slot.value.as_mut())
    }

    /// Whether the free slots are exactly the empty ones, and no generation is the last: what comes out of a file may be anything.
    pub(crate) fn is_sound(&self) -> bool {
        let mut empty = vec![false; self.slots.len()];
        let fresh =
            self.free.iter().all(|index| empty.get_mut(*index as usize).is_some_and(|seen| !std::mem::replace(seen, true)));
        let counted = self.slots.iter().all(|slot| slot.generation < u32::MAX / 4);
        fresh && counted && self.slots.iter().zip(empty).all(|(slot, empty)| slot.value.is_none() == empty)
    }

    fn slot_mut(&mut self, key: K) -> Option<&mut Slot<V>> {
        let (index, generation) = parts(key);
        self.slots.get_mut(index as usize).filter(|slot| slot.generation == generation)
    }
}

// slotmap's keys count slots from 1 and generations in odd numbers; ours are their own, packed the same way.

fn key<K: From<KeyData>>(index: u32, generation: u32) -> K {
    K::from(KeyData::from_ffi((u64::from(generation * 2 + 1) << 32) | u64::from(index + 1)))
}

fn parts(key: impl Key) -> (u32, u32) {
    let bits = key.data().as_ffi();
    ((bits as u32).wrapping_sub(1), (bits >> 33) as u32)
}

#[cfg(test)]
mod tests {
    use super::Slots;
    use crate::id::FigureHandle;

    #[test]
    fn a_stale_key_finds_nothing() {
        let mut slots: Slots<FigureHandle, u8> = Slots::default();
        let old = slots.insert(1);
        assert_eq!(slots.remove(old), Some(1));
        let new = slots.insert(2);
        assert_ne!(old, new);
        assert_eq!(slots.remove(old), None);
        assert_eq!((slots.get(old), slots.get(new)), (None, Some(&2)));
    }

    #[test]
    fn slots_come_free_in_the_same_order_after_a_round_trip() {
        let mut slots: Slots<FigureHandle, u8> = Slots::default();
        let keys: Vec<FigureHandle> = (0..5).map(|value| slots.insert(value)).collect();
        for index in [3, 0, 4] {
            slots.remove(keys[index]);
        }
        let bytes = postcard::to_allocvec(&slots).expect("saved");
        let mut loaded: Slots<FigureHandle, u8> = postcard::from_bytes(&bytes).expect("loaded");
        assert!(loaded.is_sound());
        for value in 10..16 {
            assert_eq!(slots.insert(value), loaded.insert(value));
        }
    }
}
