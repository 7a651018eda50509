//! The box man as its file has it: a person's shape, and clips in which nothing slides, locks or jumps.

mod man;

use glam::Vec3;
use man::{Man, Moved, World};

/// How a clip is looked at: four moments a key, so also between keys.
const MOMENTS_A_SECOND: f32 = 240.0;

/// A sole this near to the ground stands on it (m): less than a tenth of the height of a shoe.
const STANDING: f32 = 0.002;

const CLIPS: [&str; 6] = ["Idle", "Walk", "Run", "Bow", "Look", "Wave"];

fn moments<'a>(man: &'a Man, clip: &str) -> Vec<World<'a>> {
    let count = (man.seconds(clip) * MOMENTS_A_SECOND).round() as usize;
    (0..=count).map(|moment| man.pose(clip, moment as f32 / MOMENTS_A_SECOND)).collect()
}

#[test]
fn joints_have_the_home_names_and_hang_together() {
    let man = Man::load();
    let chain = |names: &[&str]| {
        for pair in names.windows(2) {
            assert_eq!(man.parent(pair[1]), Some(pair[0]), "{} hangs from {}", pair[1], pair[0]);
        }
    };
    chain(&["Hips", "Spine", "Chest", "Neck", "Head"]);
    for side in ["L", "R"] {
        let on = |name: &str| format!("{name}{side}");
        chain(&["Chest", &on("Shoulder"), &on("Arm"), &on("Forearm"), &on("Hand")]);
        chain(&["Hips", &on("Thigh"), &on("Shin"), &on("Foot")]);
    }
    assert_eq!(man.parent("Hips"), None);
    assert_eq!(man.clips(), CLIPS);
}

#[test]
fn it_is_a_person_of_175_cm_standing_on_the_ground_and_facing_z() {
    let man = Man::load();
    let rest = man.rest();
    let skin = man.skin(&rest, "");
    let (low, high) = skin.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), at| (low.min(*at), high.max(*at)));
    assert!((high.y - low.y - 1.75).abs() < 0.01, "{} m tall", high.y - low.y);
    assert!(low.y.abs() < 1e-4, "soles at {}", low.y);
    assert!((low.x + high.x).abs() < 1e-4, "left and right are alike");
    assert!(rest.at("FootL").x > 0.0, "left is +X");
    let toes = man.skin(&rest, "FootL").iter().map(|at| at.z).fold(f32::MIN, f32::max);
    assert!(toes - rest.at("FootL").z > 0.15, "toes point to +Z");
}

#[test]
fn every_clip_ends_in_the_pose_it_began_with() {
    let man = Man::load();
    for (clip, metres_a_second) in [("Walk", 1.35), ("Run", 3.2), ("Idle", 0.0), ("Bow", 0.0), ("Look", 0.0), ("Wave", 0.0)] {
        let travel = Vec3::Z * (metres_a_second * man.seconds(clip));
        let (first, last) = (man.pose(clip, 0.0), man.pose(clip, man.seconds(clip)));
        for (name, from, to) in man.joints().map(|name| (name, first.matrix(name), last.matrix(name))) {
            let gap = (to.w_axis.truncate() - from.w_axis.truncate() - travel).length();
            assert!(gap < 1e-3, "{clip}: {name} is {gap} m off");
            assert!(to.x_axis.abs_diff_eq(from.x_axis, 1e-4) && to.y_axis.abs_diff_eq(from.y_axis, 1e-4), "{clip}: {name}");
        }
    }
}

#[test]
fn a_planted_foot_does_not_slide_or_sink() {
    let man = Man::load();
    for clip in CLIPS {
        let moments = moments(&man, clip);
        for foot in ["FootL", "FootR"] {
            let soles: Vec<Vec<Vec3>> = moments.iter().map(|world| man.skin(world, foot)).collect();
            let stands = soles.iter().filter(|sole| sole.iter().any(|at| at.y < STANDING)).count();
            assert!(4 * stands > moments.len(), "{clip}: {foot} stands for {stands} moments of {}", moments.len());
            for vertex in 0..soles[0].len() {
                let mut spot: Option<Vec3> = None;
                for at in soles.iter().map(|sole| sole[vertex]) {
                    assert!(at.y > -0.005, "{clip}: {foot} is {} m under the ground", -at.y);
                    if at.y > STANDING {
                        spot = None;
                        continue;
                    }
                    let slid = (at - *spot.get_or_insert(at)).with_y(0.0).length();
                    assert!(slid < 0.01, "{clip}: {foot} slides by {slid} m");
                }
            }
        }
    }
}

#[test]
fn knees_and_elbows_neither_lock_nor_bend_backwards() {
    let man = Man::load();
    for clip in CLIPS {
        for world in moments(&man, clip) {
            for (upper, lower, end, sign) in [("Thigh", "Shin", "Foot", 1.0), ("Arm", "Forearm", "Hand", -1.0)] {
                for side in ["L", "R"] {
                    let [from, hinge, to] = [upper, lower, end].map(|name| world.at(&format!("{name}{side}")));
                    let axis = world.matrix(&format!("{upper}{side}")).x_axis.truncate() * sign;
                    let bend = (hinge - from).cross(to - hinge).dot(axis).atan2((hinge - from).dot(to - hinge));
                    assert!((0.03..2.4).contains(&bend), "{clip}: {lower}{side} is bent by {bend} rad");
                }
            }
        }
    }
}

#[test]
fn no_joint_jumps() {
    let man = Man::load();
    for (clip, most_deg) in [("Idle", 1.0), ("Walk", 15.0), ("Run", 15.0), ("Bow", 1.0), ("Look", 5.0), ("Wave", 5.0)] {
        for (name, turn) in man.largest_turns(clip) {
            assert!(turn.to_degrees() < most_deg, "{clip}: {name} turns by {}° in a key", turn.to_degrees());
        }
    }
}

#[test]
fn gestures_move_only_what_they_need() {
    let man = Man::load();
    let turns = |names: &[&str]| names.iter().map(|name| (name.to_string(), Moved::Turned)).collect::<Vec<_>>();
    assert_eq!(man.moved("Look"), turns(&["Neck", "Head"]));
    assert_eq!(man.moved("Wave"), turns(&["ArmR", "ForearmR", "HandR"]));
    assert_eq!(man.moved("Bow"), turns(&["Spine", "Chest"]));
    let named = |clip: &str| man.moved(clip).into_iter().map(|(name, _)| name).collect::<std::collections::BTreeSet<_>>();
    assert!(named("Idle").is_superset(&named("Walk")), "who stands after walking does not do so in mid-stride");
}

#[test]
fn the_chest_bows_by_15_degrees() {
    let man = Man::load();
    let upright = |world: &World| world.matrix("Chest").y_axis.truncate();
    let most = moments(&man, "Bow").iter().map(|world| upright(world).angle_between(Vec3::Y)).fold(0.0, f32::max);
    assert!((most.to_degrees() - 15.0).abs() < 0.1, "{}°", most.to_degrees());
}
