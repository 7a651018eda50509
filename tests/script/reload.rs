//! Reload is a transaction.

use super::Stage;
use simrun_script::ReloadOutcome;

const OLD: &str = "return { step = function(fig, state) state.n = (state.n or 0) + 1 print('old', state.n) end }";
const NEW: &str = "return { step = function(fig, state) state.n = (state.n or 0) + 1 print('new', state.n) end }";

fn reload(stage: &mut Stage, name: &str) -> ReloadOutcome {
    stage.scripts.reload(&mut stage.world, name)
}

#[test]
fn state_outlives_a_reload() {
    let mut stage = Stage::with(&[("counts", OLD)]);
    stage.add("bob", &["counts"]);
    stage.step(1);
    stage.texts.write("counts", NEW);
    assert_eq!(reload(&mut stage, "counts"), ReloadOutcome::Swapped { figures: 2 });
    stage.step(1);
    assert_eq!(stage.printed(), ["old 1", "old 1", "new 2", "new 2"]);
}

#[test]
fn a_broken_script_leaves_the_old_one_running() {
    for (broken, said) in [
        ("return {\n step = function(", "scripts/counts.luau:2: "),
        ("error('no')", "scripts/counts.luau:1: no"),
        ("return 3", "scripts/counts.luau:1: returns"),
        ("return { step = 3 }", "step is a"),
        ("return { params = { a = { defualt = 1 } } }", "did you mean 'default'?"),
        ("while true do end", "safepoints"),
        ("return { migrate = function(old) old.f = print return old end }", "state.f is a function"),
    ] {
        let mut stage = Stage::with(&[("counts", OLD)]);
        stage.step(1);
        stage.texts.write("counts", broken);
        let ReloadOutcome::Kept { error } = reload(&mut stage, "counts") else { panic!("{broken} was taken") };
        assert!(error.contains(said), "{error}");
        assert!(!error.contains('\n'), "{error}");
        stage.step(1);
        assert_eq!(stage.printed(), ["old 1", "old 2"]);
        assert_eq!(stage.problems(), [""; 0]);
    }
}

#[test]
fn a_changed_module_reaches_those_that_require_it() {
    let user = "local words = require('./words') return { step = function() print(words.said) end }";
    let mut stage = Stage::with(&[("user", user), ("apart", "return { step = function() end }")]);
    stage.texts.write("words", "return { said = require('./deeper') }");
    stage.texts.write("deeper", "return { text = 'one' }");
    stage.step(1);
    stage.texts.write("deeper", "return { text = 'two' }");
    assert_eq!(reload(&mut stage, "deeper"), ReloadOutcome::Swapped { figures: 1 });
    stage.step(1);
    assert_eq!(stage.printed(), ["{ text = \"one\" }", "{ text = \"two\" }"]);

    stage.texts.write("deeper", "return {");
    let ReloadOutcome::Kept { error } = reload(&mut stage, "deeper") else { panic!("taken") };
    assert!(error.starts_with("scripts/deeper.luau:1: "), "{error}");
    stage.step(1);
    assert_eq!(stage.printed().last().map(String::as_str), Some("{ text = \"two\" }"));
}

#[test]
fn a_repaired_behaviour_runs_again() {
    let mut stage = Stage::with(&[("counts", "return { step = function() error('no') end }"), ("late", "return {")]);
    stage.step(2);
    assert_eq!(stage.problems().len(), 2);
    stage.texts.write("counts", NEW);
    stage.texts.write("late", NEW);
    assert_eq!(reload(&mut stage, "counts"), ReloadOutcome::Swapped { figures: 2 });
    stage.step(1);
    assert_eq!(stage.printed(), ["new 1", "new 1"]);
}

#[test]
fn migrate_is_given_the_old_state() {
    let mut stage = Stage::with(&[("counts", OLD)]);
    stage.step(2);
    let text = "return { migrate = function(old) return { count = old.n * 10 } end,
        step = function(fig, state) print(state.count, state.n == nil) end }";
    stage.texts.write("counts", text);
    reload(&mut stage, "counts");
    stage.step(1);
    assert_eq!(stage.printed().last().map(String::as_str), Some("20 true"));
}

#[test]
fn a_scene_script_keeps_its_state_and_its_timers() {
    let text = |word: &str| {
        format!(
            "return {{ start = function(state) state.n = 0 sim.every(1 / 60, 'tick') end,
                tick = function(state) state.n += 1 print('{word}', state.n) end }}"
        )
    };
    let mut stage = Stage::new();
    stage.texts.write("street", &text("old"));
    stage.scripts.start(&mut stage.world, Some("street"));
    stage.step(2);
    stage.texts.write("street", &text("new"));
    reload(&mut stage, "street");
    stage.step(1);
    assert_eq!(stage.printed(), ["old 1", "new 2"]);
}
