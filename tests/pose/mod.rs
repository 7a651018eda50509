//! Room 1, SAMPLE: clips become the target pose.

mod animator;
