//! Room 4, DRIVE: claims and the target become what the solver is told.
