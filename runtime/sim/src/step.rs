//! One step of the corridor: seven calls.
