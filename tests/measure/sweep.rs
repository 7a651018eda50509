//! Sweeps: what they find, keep and refuse.

use simrun_measure::Options;
use simrun_measure::sources::Folder as Scripts;
use simrun_measure::sweep::{Better, Choice, Search, Sweep, SweepOptions, Wanted, sweep};
use std::path::PathBuf;

/// A behaviour whose one parameter that matters is how far it lets the muscles go once it falls.
const SCRIPT: &str = r#"
local params = {
	hold = { default = 0.4, min = 0.2, max = 1, doc = "Share of the muscle." },
	idle = { default = 0.5, min = 0, max = 1, doc = "Nothing." },
	open = { default = 1, doc = "A number without a range." },
}
local function step(fig, _state, _dt, p)
	if motion.phase(fig) ~= "standing" then
		motion.hold_shape(fig, p.hold)
	end
end
return { params = params, step = step }
"#;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder"));
        std::fs::write(folder.at("mine.luau"), SCRIPT).expect("a file");
        // What startles moves bones too.
        std::fs::write(folder.at("startle.luau"), "return { step = function() end }").expect("a file");
        folder
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn options(&self, wanted: &[&str], search: Search) -> SweepOptions {
        SweepOptions {
            measured: Options {
                runs: Some(1),
                seed: 51,
                script: Some(self.at("mine.luau")),
                scripts: Some(Scripts::at(self.0.path())),
                ..Options::new("falls")
            },
            wanted: wanted.iter().map(|text| text.parse().expect("a parameter")).collect(),
            search,
            rows: vec!["peak_radps".parse().expect("a row")],
            better: vec![Better::Less],
            out: None,
        }
    }
}

fn swept(options: &SweepOptions) -> Sweep {
    sweep(options).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_grid_finds_what_matters_and_what_does_not() {
    let folder = Folder::new();
    let sweep = swept(&folder.options(&["hold=0.2..1:2", "idle=0..1:2"], Search::Grid));
    assert_eq!((sweep.trials, sweep.best.len(), sweep.front.len()), (4, 4, 0));
    assert!(sweep.best.windows(2).all(|pair| pair[0].score <= pair[1].score), "{sweep}");
    assert!(sweep.as_is.set.is_empty() && sweep.as_is.score[0].is_finite());
    let effect = |param: &str| sweep.sensitivity.iter().find(|one| one.param == param).expect("it is swept").effect;
    assert!(effect("hold") > 0.99 && effect("idle") < 0.01, "{sweep}");
    let text = sweep.to_string();
    assert!(text.contains("peak_radps: the less, the better") && text.contains("what peak_radps depends on"), "{text}");
}

#[test]
fn trials_that_are_kept_are_not_taken_again() {
    let folder = Folder::new();
    let out = folder.at("trials.jsonl");
    let options = SweepOptions { out: Some(out.clone()), ..folder.options(&["hold=0.2..1:2"], Search::Grid) };
    let first = swept(&options);
    let kept = std::fs::read_to_string(&out).expect("trials");
    assert_eq!(kept.lines().count(), 4, "a head, the behaviour as it stands, two trials");
    // Cut off in its last line, as where the power went.
    std::fs::write(&out, &kept[..kept.len() - 40]).expect("a file");
    assert_eq!(swept(&options), first);
    assert_eq!(std::fs::read_to_string(&out).expect("trials"), kept);
    // What is there is believed: another number in the file is another result.
    let changed = kept.replace(
        "\"name\":\"peak_radps\",\"way\":\"back\",\"measured\":",
        "\"name\":\"peak_radps\",\"way\":\"back\",\"measured\":9",
    );
    std::fs::write(&out, changed).expect("a file");
    assert!(swept(&options).best[0].score[0] > first.best[0].score[0]);
    let other = SweepOptions { measured: Options { seed: 52, ..options.measured.clone() }, ..options.clone() };
    let told = sweep(&other).expect_err("refused").to_string();
    assert!(told.contains("trials.jsonl:1: these are trials of another sweep: seed is not the same"), "{told}");
    std::fs::write(&out, "once upon a time\n").expect("a file");
    assert!(sweep(&options).expect_err("refused").to_string().contains("no trials of a sweep are kept here"));
}

#[test]
fn two_rows_are_traded() {
    let folder = Folder::new();
    let rows: Vec<Choice> = ["peak_radps:back", "head_mps:back"].map(|row| row.parse().expect("a row")).to_vec();
    let sweep = swept(&SweepOptions { rows, ..folder.options(&["hold=0.2..1"], Search::Random(4)) });
    assert_eq!(sweep.rows, ["peak_radps:back", "head_mps:back"]);
    assert!(!sweep.front.is_empty() && sweep.front[0].score == sweep.best[0].score, "{sweep}");
    for pair in sweep.front.windows(2) {
        assert!(pair[0].score[0] <= pair[1].score[0] && pair[0].score[1] >= pair[1].score[1], "{sweep}");
    }
}

#[test]
fn without_rows_the_fewest_failures_win_and_a_seed_decides_the_draws() {
    let folder = Folder::new();
    let options = SweepOptions { rows: Vec::new(), better: Vec::new(), ..folder.options(&["hold", "idle"], Search::Cmaes(3)) };
    let sweep = swept(&options);
    assert_eq!((sweep.rows[0].as_str(), sweep.trials), ("failed_rows", 6), "a generation of two parameters is six");
    assert!(sweep.best.iter().all(|one| (one.score[0].floor() as usize) == one.failed), "{sweep}");
    assert_eq!(swept(&options), sweep);
}

#[test]
fn what_cannot_be_swept_is_told_before_a_trial() {
    let folder = Folder::new();
    let refused = |options: SweepOptions| sweep(&options).expect_err("refused").to_string();
    let grid = |wanted: &str| refused(folder.options(&[wanted], Search::Grid));
    assert!(grid("hole=0..1:3").contains("no parameter 'hole'; it has: hold, idle, open"), "{}", grid("hole=0..1:3"));
    assert!(grid("hold=0..1:3").contains("hold=0..1; accepted: within 0.2..1"), "{}", grid("hold=0..1:3"));
    assert!(grid("hold=0.2..1").contains("hold=0.2..1:5"), "{}", grid("hold=0.2..1"));
    assert!(grid("open").contains("without a range"), "{}", grid("open"));
    assert!(refused(folder.options(&["hold", "hold"], Search::Random(3))).contains("each parameter once"));
    assert!(refused(folder.options(&["hold"], Search::Random(0))).contains("0 trials; accepted: 1 to"));
    let rows = |row: &str| {
        let rows = vec![row.parse().expect("a row")];
        refused(SweepOptions { rows, better: Vec::new(), ..folder.options(&["hold"], Search::Random(1)) })
    };
    assert!(rows("head").contains("'falls' has no row 'head'; it has: protected_slower, "), "{}", rows("head"));
    assert!(rows("head_mps:bak").contains("its ways are: back, forward"), "{}", rows("head_mps:bak"));
    assert!(rows("ties").contains("accepted: --better more or less"), "{}", rows("ties"));
    let rest = SweepOptions { measured: Options::new("rest"), ..folder.options(&[], Search::Random(1)) };
    assert!(refused(rest).contains("carry no behaviour"));
    for wrong in ["", "=1..2", "a=2..1", "a=1", "a=1..2:1", "a=1..x"] {
        assert!(wrong.parse::<Wanted>().is_err(), "{wrong}");
    }
}

#[test]
fn generations_are_finished_and_it_is_said() {
    let folder = Folder::new();
    let sweep = swept(&folder.options(&["hold"], Search::Cmaes(2)));
    let text = sweep.to_string();
    assert!(text.contains("cmaes, 4 trials: 2 rounded up to 1 generations of 4") && sweep.trials == 4, "{text}");
    let one = swept(&folder.options(&["idle=0..1"], Search::Random(1)));
    assert!(one.to_string().ends_with("  idle       –       –\n") && one.sensitivity[0].effect.is_nan(), "{one}");
}
