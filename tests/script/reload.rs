//! Reload is a transaction.

use super::Stage;
use simrun_script::ReloadOutcome;

const OLD: &str = "return { step = function(fig, state) state.n = (state.n or 0) + 1 print('old', state.n) end }";
const NEW: &str = "return { step = function(fig, state) state.n = (state.n or 0) + 1 print('new', state.n) end }";

fn reload(stage: &mut Stage, name: &str) -> ReloadOutcome {
    stage.scripts.reload(&mut stage.world, &[name])
}

fn swapped(figures: usize, dependants: &[&str]) -> ReloadOutcome {
    ReloadOutcome::Swapped { figures, dependants: dependants.iter().map(|name| (*name).to_owned()).collect() }
}

#[test]
fn state_outlives_a_reload() {
    let mut stage = Stage::with(&[("counts", OLD)]);
    stage.add("bob", &["counts"]);
    stage.step(1);
    stage.texts.write("counts", NEW);
    assert_eq!(reload(&mut stage, "counts"), swapped(2, &[]));
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
        ("return { stp = function() end }", "counts: does nothing: its table has neither step nor start; it has stp; "),
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
    assert_eq!(reload(&mut stage, "deeper"), swapped(1, &["user"]));
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
    assert_eq!(reload(&mut stage, "counts"), swapped(2, &["late"]));
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

/// What compiles and runs at its top level, and goes wrong within ten steps.
#[test]
fn what_goes_wrong_in_its_trial_is_refused() {
    let counted = |then: &str| {
        format!("return {{ step = function(fig, state) state.m = (state.m or 0) + 1\nif state.m == 3 then {then} end end }}")
    };
    for (wrong, said) in [
        ("error('at the third')", "scripts/counts.luau:2: at the third"),
        ("motion.bend(fig, 'head', vector.create(0 / 0, 0, 0))", "scripts/counts.luau:2: motion.bend: "),
        ("motion.hit(fig, 'head', nil, vector.create(1e6, 0, 0))", "goes beyond all measure"),
        ("while true do end", "safepoints"),
        ("state.f = print", "state.f is a function"),
    ] {
        let mut stage = Stage::with(&[("counts", OLD)]);
        stage.step(1);
        let before = (stage.world.sim_hash(), stage.scripts.script_hash());
        stage.texts.write("counts", &counted(wrong));
        let ReloadOutcome::Kept { error } = reload(&mut stage, "counts") else { panic!("{wrong} was taken") };
        assert!(error.contains(said) && !error.contains('\n'), "{error}");
        assert_eq!((stage.world.sim_hash(), stage.scripts.script_hash()), before, "a trial leaves no trace");
        stage.step(1);
        assert_eq!(stage.printed(), ["old 1", "old 2"]);
        // What would go wrong later than a trial lasts is taken.
        stage.texts.write("counts", &counted(wrong).replace("== 3", "== 300"));
        assert_eq!(reload(&mut stage, "counts"), swapped(1, &[]));
    }
}

#[test]
fn two_files_that_only_go_together_are_swapped_together() {
    let user = |word: &str| format!("local words = require('./words') return {{ step = function() print(words.{word}()) end }}");
    let mut stage = Stage::with(&[("user", &user("one"))]);
    stage.texts.write("words", "return { one = function() return 1 end }");
    stage.step(1);
    stage.texts.write("words", "return { two = function() return 2 end }");
    stage.texts.write("user", &user("two"));
    for alone in ["words", "user"] {
        assert!(matches!(reload(&mut stage, alone), ReloadOutcome::Kept { .. }), "{alone} goes alone");
    }
    stage.step(1);
    assert_eq!(stage.scripts.reload(&mut stage.world, &["words", "user"]), swapped(1, &[]));
    stage.step(1);
    assert_eq!(stage.printed(), ["1", "1", "2"]);
}

#[test]
fn a_file_that_nobody_uses_is_read_all_the_same() {
    let mut stage = Stage::with(&[("counts", OLD)]);
    stage.step(1);
    stage.texts.write("other", "return {");
    let ReloadOutcome::Kept { error } = reload(&mut stage, "other") else { panic!("taken") };
    assert!(error.starts_with("scripts/other.luau:1: "), "{error}");
    stage.texts.write("other", OLD);
    assert_eq!(reload(&mut stage, "other"), ReloadOutcome::Unused);
}
