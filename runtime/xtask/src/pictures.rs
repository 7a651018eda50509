//! `cargo xtask pictures`: the README's pictures, drawn by the commands that it names.

use crate::ci::run_command;
use std::path::Path;

/// A strip: what of a scene, and where it is put.
struct Picture {
    scene: &'static str,
    figure: &'static str,
    from: &'static str,
    to: &'static str,
    file: &'static str,
    more: &'static [&'static str],
}

const STREET: &str = "scenes/street.json";
const SHOVES: &str = "scenes/shoves.json";

const CAMP: &str = "scenes/camp.json";
const CLINIC: &str = "scenes/clinic.json";

const PICTURES: &[Picture] = &[
    Picture { scene: STREET, figure: "ann", from: "3.6", to: "5.6", file: "scenes/street.png", more: &[] },
    Picture { scene: SHOVES, figure: "back", from: "1", to: "1.7", file: "scenes/shoves-back.png", more: &[] },
    Picture { scene: SHOVES, figure: "forward", from: "1", to: "1.7", file: "scenes/shoves-forward.png", more: &[] },
    Picture { scene: SHOVES, figure: "side", from: "1", to: "1.7", file: "scenes/shoves-side.png", more: &[] },
    Picture { scene: SHOVES, figure: "stagger", from: "1", to: "2.3", file: "scenes/shoves-stagger.png", more: &[] },
    Picture {
        scene: SHOVES,
        figure: "stagger",
        from: "1",
        to: "2.1",
        file: "scenes/shoves-ankles.png",
        more: &["--ankles", "--set", "floor.stagger=2.4"],
    },
    Picture { scene: CAMP, figure: "ann", from: "2.9", to: "5.3", file: "scenes/camp.png", more: &[] },
    Picture { scene: CAMP, figure: "ann", from: "12", to: "14.6", file: "scenes/camp-eat.png", more: &[] },
    Picture { scene: CLINIC, figure: "crawler", from: "4", to: "6", file: "scenes/clinic.png", more: &[] },
];

/// Draws every picture, at `root`.
///
/// # Errors
/// A picture that could not be drawn.
pub fn run(root: &Path) -> Result<(), String> {
    PICTURES.iter().try_for_each(|picture| {
        let Picture { scene, figure, from, to, file, more } = picture;
        let strip = ["cargo", "run", "--release", "-q", "--", "strip", scene];
        run_command(root, &[&strip[..], &["--figure", figure, "--from", from, "--to", to, "-o", file], more].concat())
    })
}
