//! The one test binary, in rooms named like the corridor's.

mod boxman;
mod figure;
mod house;
mod pose;
mod support;
