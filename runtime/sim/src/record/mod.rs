//! Room 7, RECORD: hashes and frames of what happened.
