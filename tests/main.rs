//! The one test binary, in rooms named like the corridor's.

mod boxman;
mod crowd;
mod decide;
mod draw;
mod figure;
mod handover;
mod house;
mod measure;
mod motion;
mod mutate;
mod pose;
mod record;
mod scene;
mod script;
mod sense;
mod simrun;
mod solve;
mod support;
