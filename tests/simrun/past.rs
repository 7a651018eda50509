//! Back in time, the same again, futures side by side.

use super::{Ran, simrun};
use serde_json::Value;

/// Hashes of a run's end, of simulation and scripts.
fn hashes(ran: &Ran) -> (String, String) {
    // 1 where a line was refused, as some here are meant to be.
    assert!(matches!(ran.code, Some(0 | 1)), "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).expect("one document");
    let hash = |name: &str| report[name].as_str().expect("a hash").to_owned();
    (hash("sim_hash"), hash("script_hash"))
}

fn run(scene: &str, seconds: &str, more: &[&str], lines: &str) -> Ran {
    let mut args = vec![scene, "--headless", "--seconds", seconds, "--report=json"];
    args.extend(more);
    simrun(&args, lines)
}

/// A blow of 150 N·s at half a second.
const BLOW: &str = ":at 0.5 ann:hit('chest', nil, vector.create(0, 0, 150))\n";

/// The names of all scenes here, and of each one's first figure.
fn scenes() -> Vec<(String, Option<String>)> {
    let files =
        std::fs::read_dir(super::repository().join("scenes")).expect("there are scenes").flatten().map(|entry| entry.path());
    let mut scenes: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|ending| ending == "json") && !file.ends_with("scene.schema.json"))
        .map(|file| {
            let text = std::fs::read_to_string(&file).expect("it is there");
            let scene: Value = serde_json::from_str(&text).expect("JSON");
            (file.display().to_string(), scene["figures"][0]["name"].as_str().map(str::to_owned))
        })
        .collect();
    scenes.sort();
    scenes
}

#[test]
fn who_goes_back_comes_to_the_same_bits() {
    let scenes = scenes();
    assert!(scenes.len() >= 6, "{scenes:?}");
    // Long runs of two of them, on both seeds; the others take turns.
    let long = |scene: &str| ["street.json", "shoves.json"].iter().any(|name| scene.ends_with(name));
    let runs = scenes.iter().enumerate().flat_map(|(place, (scene, figure))| {
        let (seeds, seconds, times): (&[_], _, _) =
            if long(scene) { (&["1", "7"], "5", 13) } else { (&["1", "7"][place % 2..][..1], "3.5", 10) };
        seeds.iter().map(move |seed| (scene, figure, *seed, seconds, times))
    });
    for (place, (scene, figure, seed, seconds, times)) in runs.enumerate() {
        let more = ["--seed", seed];
        let blow = figure.as_ref().map(|figure| BLOW.replace("ann", &format!("scene.find('{figure}')"))).unwrap_or_default();
        let straight = hashes(&run(scene, seconds, &more, &blow));
        // Weyl's sequence of the golden section: spread over the interval, and no two alike.
        let unit = |index: usize| (index as f64 * 0.618_033_988_749_895 + place as f64 * 0.37).fract();
        let mut lines = blow;
        let end: f64 = seconds.parse().expect("a number");
        for index in 0..times {
            // Three in the impact itself.
            let at = if index < 3 { 0.55 + 0.1 * unit(index) } else { 1.0 + (end - 1.0) * unit(index - 3) };
            // The blow is not asked for again: what is gone back over is after it.
            let back = (at - 0.52) * unit(7 * index + 3);
            lines += &format!(":at {at} :rewind {back}\n");
        }
        assert_eq!(hashes(&run(scene, seconds, &more, &lines)), straight, "{scene}, seed {seed}");
    }
}

#[test]
fn a_blow_before_the_first_step_is_given_once_again() {
    let speed = "ann:velocity('chest').z\n";
    let lines = format!("ann:hit('chest', nil, vector.create(0, 0, 20))\n:step 3\n{speed}:again\n{speed}");
    let ran = simrun(&["scenes/street.json", "--headless", "--seconds", "1", "--report"], &lines);
    let said: Vec<&str> = ran.stdout.lines().filter(|line| line.parse::<f64>().is_ok()).collect();
    assert!(matches!(said[..], [once, again] if once == again), "{}", ran.stdout);
}

#[test]
fn a_horde_is_made_at_the_prompt() {
    let lines = "crowd.bake('mob', { model = 'assets/boxman.glb', clip = 'Walk', count = 5 })\n:step 1\nhandover.pool_new('mob', 2)\n\
                 :step 1\ncrowd.columns('mob').count\nscene.find('mob_2'):name()\n";
    let ran = simrun(&["scenes/street.json", "--headless", "--seconds", "1"], lines);
    assert!(ran.code == Some(0) && ran.stdout.contains("5\n\"mob_2\"\n"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn what_is_gone_back_over_has_not_been() {
    let quiet = hashes(&run("scenes/street.json", "2", &[], ""));
    let lines =
        format!("{BLOW}:at 0.5 ann:set_strength(0.3)\n:at 0.5 ann:aim('head', vector.create(0, 3, 9))\n:at 1.5 :rewind 1\n");
    assert_eq!(hashes(&run("scenes/street.json", "2", &[], &lines)), quiet);
}

/// A branch that was left is in no figure's report, nor in the scorecard; nor is it in a replay's.
#[test]
fn what_is_gone_back_over_is_not_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.rec").display().to_string();
    let counted = |ran: &Ran| {
        let mut report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("a report: {}", ran.stderr));
        // What balance gave is of all steps.
        let figures = report["figures"].as_array_mut().expect("figures");
        figures.iter_mut().for_each(|figure| figure["assist"] = Value::Null);
        (report["figures"].take(), report["scorecard"].take())
    };
    let straight = counted(&run("scenes/shoves.json", "3", &[], ""));
    let seconds = |card: &Value| card.as_object().expect("a card").values().filter_map(Value::as_f64).sum::<f64>();
    assert!(seconds(&straight.1) > 0.0, "there is something to count: {}", straight.1);
    let back = run("scenes/shoves.json", "3", &["--record", &file], ":step 170\n:rewind 2.5\n:step 100\n:rewind 1.5\n");
    assert_eq!(counted(&back), straight);
    assert_eq!(counted(&simrun(&["replay", &file, "--report", "json"], "")), straight);
}

#[test]
fn a_recording_of_a_run_that_went_back_comes_to_the_same_bits() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.rec").display().to_string();
    let lines = format!("{BLOW}:at 1.5 :rewind 1.25\n:at 1 :again\n:at 1.75 ann:hit('head', nil, vector.create(9, 0, 0))\n");
    let ran = run("scenes/street.json", "3", &["--record", &file], &lines);
    let (sim, _) = hashes(&ran);
    let replayed = simrun(&["replay", &file, "--check", "--report", "json"], "");
    assert_eq!(hashes(&replayed).0, sim, "{}", replayed.stderr);
    assert!(replayed.stderr.contains("come to the same bits"), "{}", replayed.stderr);
}

#[test]
fn the_same_again_is_the_same() {
    let straight = hashes(&run("scenes/street.json", "3", &[], BLOW));
    let ran = run("scenes/street.json", "3", &[], &format!("{BLOW}:at 2.5 :again\n"));
    assert_eq!(hashes(&ran), straight);
    // The car has run into somebody at 1.9 s.
    assert!(ran.stderr.contains("again from 1.400 s, 1.100 s: the same to the bit\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("\n  cleo  fell yes, head "), "{}", ran.stderr);
    let marked = format!("{BLOW}:at 0.4 :mark shove\n:at 2.5 print(sim.again('shove'))\n:at 2.5 sim.again('shvoe')\n");
    let ran = run("scenes/street.json", "3", &[], &marked);
    assert_eq!(hashes(&ran), straight);
    assert!(ran.stderr.contains("again from 0.400 s, 2.100 s: the same to the bit"), "{}", ran.stderr);
    assert!(ran.stderr.contains("there is no mark \"shvoe\"; there are: shove"), "{}", ran.stderr);
}

#[test]
fn a_future_that_is_kept_is_the_one_that_was_run() {
    let blow = |size: &str| format!("ann:hit('chest', nil, vector.create(0, 0, {size}))");
    let straight = hashes(&run("scenes/street.json", "3", &[], &format!(":at 0.5 {}\n", blow("300"))));
    let fork = format!(":at 0.5 futures = sim.fork({{ 0, 60, 300 }}, function(size) {} end, 1.5)\n", blow("size"));
    let shown = ":at 0.5 for i, f in futures do print(i, f.value, f.figures.ann.fell, f.hash) end\n";
    let ran = run("scenes/street.json", "3", &[], &format!("{fork}{shown}:at 0.5 sim.keep(3)\n:at 0.5 sim.keep(4)\n"));
    assert_eq!(hashes(&ran), straight, "it is the present, at its end");
    assert!(ran.stderr.contains("1 0 false ") && ran.stderr.contains("3 300 true "), "{}", ran.stderr);
    assert!(ran.stderr.contains("there is no future 4; accepted: 1 to 3"), "{}", ran.stderr);
    let left = run("scenes/street.json", "3", &[], &format!("{fork}{shown}"));
    assert_eq!(hashes(&left), hashes(&run("scenes/street.json", "3", &[], "")), "the present knows nothing of its futures");
}

#[test]
fn a_line_goes_on_where_it_has_gone_to() {
    let lines = "sim.advance(30)
kept = sim.snapshot() ann:hit('chest', nil, vector.create(0, 0, 300)) sim.advance(90) fell = ann:falling() or ann:down()
fell, sim.restore(kept), sim.step(), ann:falling() or ann:down()
sim.advance(30) sim.rewind(0.25) return sim.time()
sim.rewind(99)
sim.restore(7)
";
    let ran = run("scenes/street.json", "2", &[], lines);
    let expected = ["true\t0.5\t30\tfalse", "0.75", "sim.rewind", "there is no snapshot 7; there are: 1"];
    for line in expected {
        assert!(ran.stderr.contains(line), "{line}: {}", ran.stderr);
    }
}

/// The end of a run of the street that was recorded; the recording comes to the same bits.
fn recorded(seconds: &str, lines: &str) -> (Ran, (String, String)) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.rec").display().to_string();
    let ran = run("scenes/street.json", seconds, &["--record", &file], lines);
    let hashes = hashes(&ran);
    let replayed = simrun(&["replay", &file, "--check"], "");
    assert!(replayed.stderr.contains("come to the same bits"), "{}", replayed.stderr);
    (ran, hashes)
}

#[test]
fn what_has_been_in_a_future_that_is_kept_can_be_gone_back_to() {
    let straight = hashes(&run("scenes/street.json", "3", &[], ":at 0.5 ann:hit('chest', vector.create(0, 0, 300))\n"));
    let quiet = hashes(&run("scenes/street.json", "3", &[], ""));
    let fork = ":at 0.5 sim.fork({ 0, 300 }, function(size) ann:hit('chest', vector.create(0, 0, size)) end, 1.5)\n:at 0.5 sim.keep(2)\n";
    for (back, end) in [("0.4", &straight), ("1.3", &straight), ("2.2", &quiet)] {
        let (ran, hashes) = recorded("3", &format!("{fork}:at 2.6 :rewind {back}\n"));
        assert_eq!(hashes, *end, "{back} s: {}", ran.stderr);
    }
    // The car has not come by then: the last blow is the future's own.
    let (ran, _) = recorded("2", &format!("{}:at 1.5 :again\n", fork.replace("1.5)", "1)")));
    assert!(ran.stderr.contains("again from 0.000 s, 1.500 s: the same to the bit"), "{}", ran.stderr);
}

#[test]
fn what_was_asked_before_a_mark_in_its_step_is_not_lost() {
    let asked = "ben:set_strength(0.4) ann:hit('chest', vector.create(0, 0, 300))\n";
    let after = "ann:set_strength(0.6)\n";
    let straight = hashes(&run("scenes/street.json", "2", &[], &format!("{asked}{after}")));
    let lines = format!("{asked}:mark shove\n{after}:step 60\nprint(sim.again('shove'))\nprint(sim.again())\n:rewind 0.5\n");
    let (ran, hashes) = recorded("2", &lines);
    assert_eq!(hashes, straight);
    assert_eq!(ran.stderr.matches("again from 0.000 s, 1.000 s: the same to the bit").count(), 2, "{}", ran.stderr);
}

#[test]
fn a_snapshot_of_what_was_left_begins_a_past_of_its_own() {
    let weak = ":at 0.8 ann:set_strength(0.5)\n";
    let straight = hashes(&run("scenes/street.json", "3", &[], weak));
    let (ran, hashes) = recorded(
        "3",
        &format!(
            "{weak}:at 1 kept = sim.snapshot()\n:at 1.2 :rewind 0.7\n:at 1.3 ann:hit('chest', vector.create(0, 0, 300))\n\
             :at 1.4 sim.restore(kept) return sim.rewind(0.25)\n:at 1.5 print(sim.rewind(0.25))\n:at 1.6 :rewind 0.6\n"
        ),
    );
    assert_eq!(hashes, straight, "{}", ran.stderr);
    assert!(ran.stderr.contains("0.25 s: no more than 0.000 s are kept"), "{}", ran.stderr);
    assert!(ran.stderr.contains("\n1.25\n"), "{}", ran.stderr);
}
