//! The one test binary, in rooms named like the corridor's.

mod figure;
mod pose;
mod script;
mod support;
