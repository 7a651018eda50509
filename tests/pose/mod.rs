//! Room 1, SAMPLE.
