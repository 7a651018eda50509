//! The box man: a person of 1.75 m made of boxes, skinned, with six clips. The whole model is made here, in doubles and with
//! `libm`, so that every machine writes the same file.

mod arm;
mod body;
mod clip;
mod gait;
mod gesture;
mod glb;
mod leg;
mod skeleton;

/// Where the box man's file stands, from the root of the repository.
pub const BOXMAN: &str = "scenes/assets/boxman.glb";

/// The box man's file.
#[must_use]
pub fn boxman() -> Vec<u8> {
    let clips = [gesture::idle(), gait::WALK.clip(), gait::RUN.clip(), gesture::bow(), gesture::look(), gesture::wave_hand()];
    glb::write(&body::mesh(), &clips)
}

#[test]
fn the_committed_box_man_is_the_one_made_here() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(BOXMAN);
    let committed = std::fs::read(path).expect("the box man is committed");
    assert!(committed == boxman(), "{BOXMAN} differs: run `cargo xtask figures` and commit the file");
}
