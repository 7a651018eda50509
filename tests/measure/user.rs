//! Measures of one's own.

use super::row;
use simrun_measure::sweep::{Better, Search, SweepOptions, sweep};
use simrun_measure::{Conditions, Options, Table, explain, run};
use std::path::PathBuf;

/// How far a push at the head bends the neck, and whether the figure stands after.
const NOD: &str = r#"
local params = { speed = { default = 1, min = 0, max = 3, unit = "m/s", doc = "Of the head." } }

local function start(_fig, state)
	state.nod, state.stood, state.draw = 0, true, math.random()
end

local function step(fig, state, _dt, p)
	if not state.struck and sim.time() >= 0.5 then
		state.struck = true
		motion.hit(fig, Bone.head, vector.create(0, 0, 5 * p.speed))
	end
	state.nod = math.max(state.nod, vector.magnitude(figure.rotation(fig, Bone.head) - figure.rotation(fig, Bone.chest)))
	state.stood = state.stood and motion.phase(fig) == "standing"
end

return {
	params = params, start = start, step = step,
	about = "a push at the head bends the neck and leaves the figure standing",
	runs = 3, seconds = 1.5,
	figure = { behaviours = { "protective_fall" }, stepping = false },
	rows = {
		{ name = "nod_rad", way = "1 m/s", unit = "rad", of = "nod", over = "most", at_least = 0.02, at_most = 1.5, says = "the most that the neck bends" },
		{ name = "stood", exactly = 1, says = "share of the runs in which it stands" },
		{ name = "draw", over = "median", says = "a number that the seed decides" },
	},
}
"#;

struct File(tempfile::TempDir);

impl File {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("nod.luau"), text).expect("a file");
        Self(folder)
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("nod.luau")
    }

    fn options(&self, seed: u64) -> Options {
        Options { seed, ..Options::new(&self.path().display().to_string()) }
    }
}

fn taken(options: &Options) -> Table {
    run(options).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_file_is_a_measure() {
    let file = File::new(NOD);
    let table = taken(&file.options(71));
    assert_eq!((table.runs, table.rows.len()), (3, 3), "{table}");
    assert!(table.ok, "{table}");
    let nod = row(&table, "nod_rad", "1 m/s");
    assert_eq!((nod.unit.as_str(), nod.held_to.to_string().as_str()), ("rad", "0.02 to 1.5"));
    // Everything that a measure can be asked, it can be asked.
    let harder = Options { set: vec![("speed".to_owned(), 3.0)], runs: Some(2), ..file.options(71) };
    assert!(row(&taken(&harder), "nod_rad", "1 m/s").measured > nod.measured);
    let heavy = Conditions { mass: "110".parse().ok(), ..Conditions::default() };
    assert_ne!(taken(&Options { conditions: heavy, ..file.options(71) }).rows, table.rows);
    assert_eq!(taken(&Options { jobs: 1, ..file.options(71) }), table);
    assert_ne!(row(&taken(&file.options(72)), "draw", "").measured, row(&table, "draw", "").measured);
    let told = explain(&file.path().display().to_string()).expect("it loads");
    assert!(told.contains("nod: a push at the head") && told.contains("the most that the neck bends"), "{told}");
}

#[test]
fn a_file_is_swept_too() {
    let file = File::new(NOD);
    let options = SweepOptions {
        measured: Options { runs: Some(1), ..file.options(75) },
        wanted: vec!["speed=0..3:3".parse().expect("a parameter")],
        search: Search::Grid,
        rows: vec!["nod_rad".parse().expect("a row")],
        better: vec![Better::More],
        out: None,
    };
    let sweep = sweep(&options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((sweep.best[0].set["speed"], sweep.best[2].set["speed"]), (3.0, 0.0), "{sweep}");
}

#[test]
fn the_measure_that_the_readme_shows_holds() {
    let readme = include_str!("../../README.md");
    let begins = readme.find("-- nod.luau:").expect("it is shown");
    let text = readme[begins..].split("```").next().expect("it ends");
    let table = taken(&File::new(text).options(74));
    assert!(table.ok && table.rows.len() == 2, "{table}");
}

#[test]
fn a_row_that_does_not_hold_fails_and_one_that_nobody_kept_does_too() {
    let file = File::new(&NOD.replace("exactly = 1", "exactly = 0"));
    let table = taken(&file.options(73));
    assert!(!table.ok && !row(&table, "stood", "").ok, "{table}");
    let file = File::new(&NOD.replace("of = \"nod\"", "of = \"nood\""));
    let table = taken(&file.options(73));
    assert!(row(&table, "nod_rad", "1 m/s").measured.is_nan() && !table.ok, "{table}");
}

#[test]
fn what_is_wrong_with_a_file_is_told_with_its_place() {
    let refused = |from: &str, to: &str| run(&File::new(&NOD.replace(from, to)).options(1)).expect_err("refused").to_string();
    for (from, to, told) in [
        ("over = \"most\"", "over = \"max\"", "nod.luau: rows[1]: over is \"max\"; accepted: mean, median, most, least, sum"),
        ("seconds = 1.5", "seconds = 0", "nod.luau: seconds is 0; accepted: 0.02 to 3600"),
        ("stepping = false", "steping = false", "nod.luau: figure has no 'steping'; accepted: mode, clip, behaviours, stepping"),
        (
            "seconds = 1.5",
            "second = 1.5",
            "nod.luau has no 'second'; accepted: about, runs, seconds, figure, rows (did you mean \"seconds\"?)",
        ),
        ("\"protective_fall\"", "\"protect\"", "there is no behaviour 'protect' here; there are: brace, catch_step, crawl"),
        ("\"protective_fall\"", "7", "nod.luau: figure: behaviours is "),
        ("rows = {", "rows = 7 or {", "nod.luau: rows is a number; accepted: a list"),
        ("exactly = 1", "exactly = 1, at_most = 2", "no at_least and at_most beside it"),
        ("math.random()", "error(\"oh\")", "oh"),
        ("return {", "return {{", "nod.luau"),
    ] {
        let said = refused(from, to);
        assert!(said.contains(told), "{told}\nis missing from\n{said}");
    }
    let script = Options { script: Some("x.luau".into()), ..File::new(NOD).options(1) };
    assert!(run(&script).expect_err("refused").to_string().contains("neither --script nor --headings"));
    let plot = Options { plot: Some("x.svg".into()), ..File::new(NOD).options(1) };
    assert!(run(&plot).expect_err("refused").to_string().contains("a measure of one's own takes no --plot"));
    assert!(taken(&File::new(&NOD.replace("{ \"protective_fall\" }", "{}")).options(1)).rows.len() == 3);
    assert!(run(&Options::new("nowhere.luau")).expect_err("refused").to_string().starts_with("nowhere.luau: "));
}
