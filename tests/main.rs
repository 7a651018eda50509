//! The one test binary, in rooms named like the corridor's.

mod figure;
mod pose;
mod scene;
mod simrun;
mod support;
