//! What is asked of figures at the prompt, and what is said without being asked.

use super::{binary, simrun};
use std::process::Command;

fn seen(scene: &str, lines: &str) -> String {
    let ran = simrun(&[scene, "--headless", "--seconds", "2", "--report=json"], lines);
    assert!(ran.code.is_some_and(|code| code < 2), "{}", ran.stderr);
    ran.stderr
}

#[test]
fn why_is_asked_of_now_and_of_the_past_and_changes_nothing() {
    let said = seen("scenes/shoves.json", ":at 1.9 :why back\n:at 1.9 :why back 1.2\n:at 1.9 :why back 9\n:at 1.9 :why bakc\n");
    for part in [
        "back is powered, landed",
        "1.02 s struck at the chest, 3.20 m/s from ahead",
        "landed because its pelvis was on the ground",
        // Of the past, as it was then.
        "back is powered, falling since 1.08 s",
        ":why back: 9 s is not kept; accepted: 0.00 to 1.90 s",
        ":why bakc: there is no such figure; there are: forward, side, back, stagger (did you mean \"back\"?)",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let (_, then) = said.split_once("falling since").expect("the past");
    assert!(!then.split(":why").next().expect("it").contains("landed"), "{then}");
    let hash = |lines: &str| {
        let ran = simrun(&["scenes/shoves.json", "--headless", "--seconds", "2", "--report=json"], lines);
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one document");
        (report["sim_hash"].clone(), report["script_hash"].clone())
    };
    assert_eq!(hash(":at 1.5 :why back\n:at 1.7 :why side 1.05\n:at 1.8 print(why(scene.find('forward'), 1.4))\n"), hash(""));
}

#[test]
fn a_figure_that_goes_beyond_all_measure_is_told_of_at_once() {
    let said = seen("scenes/street.json", ":at 0.5 ann:hit('forearm_l', vector.create(0, 0, 1e6))\n:at 0.6 print('later')\n");
    let told = said.find("ann: its numbers went beyond all measure in step 30; it is frozen until its mode is set");
    assert!(told.is_some_and(|told| said.find("later").is_some_and(|later| told < later)), "{said}");
}

#[test]
fn what_a_line_cannot_wait_for_is_told_plainly_and_shortly() {
    let said = seen(
        "scenes/street.json",
        "pcall(sim.advance, 3)\nsim.advance(1e300)\n:rewind 1e300\nsim.rewind(1e300)\nsim.advance(2)\n",
    );
    for part in [
        "sim.advance: a line has to wait for it, and cannot within pcall",
        "sim.advance: steps: found 1.0000e300; accepted: 1 to 216000",
        ":rewind 1e300: accepted: seconds, 0 to 86400",
        "sim.rewind: seconds: found 1.0000e300; accepted: 0 to 86400",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(said.lines().all(|line| line.len() < 200), "{said}");
}

#[test]
fn a_measure_takes_the_scripts_that_lie_where_it_is_run_and_says_so() {
    let folder = super::street();
    let file = folder.path().join("scripts/catch_step.luau");
    let measured = || {
        let args = ["measure", "heading", "--runs", "1", "--json"];
        let ran = Command::new(binary()).args(args).current_dir(folder.path().join("scenes")).output().expect("it runs");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        (serde_json::from_slice::<serde_json::Value>(&ran.stdout).unwrap_or_default(), said)
    };
    assert_eq!(measured().0["behaviours"], serde_json::json!(["scripts/catch_step.luau"]));
    // It may require what lies beside it.
    std::fs::write(folder.path().join("scripts/mine.luau"), "return { name = 'mine' }\n").expect("a file");
    std::fs::write(&file, "local mine = require('./mine')\nreturn { step = function() error(mine.name .. ' ran') end }\n")
        .expect("a file");
    let (_, said) = measured();
    assert!(said.contains("scripts/catch_step.luau:2: mine ran"), "{said}");
    std::fs::remove_file(&file).expect("it was there");
    assert_eq!(measured().0["behaviours"], serde_json::json!(["scripts/catch_step.luau as shipped"]));
    let here = simrun(&["measure", "heading", "--runs", "1"], "");
    assert!(here.stdout.contains("\n  with scripts/catch_step.luau\n"), "{}", here.stdout);
}
