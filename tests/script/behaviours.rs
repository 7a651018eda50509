//! Behaviours on figures, the scene script, events and timers.

use super::{Stage, figure};
use simrun_sim::command::Switch;
use simrun_sim::{Bone, Command, Value};

const COUNTS: &str = "return {
    start = function(fig, state) state.steps = 0 end,
    step = function(fig, state, dt) state.steps += 1 if state.steps == 3 then error('enough') end end,
}";
const PRINTS: &str = "return { step = function(fig, state, dt, p) print(fig:name(), p.tuck) end,
    params = { tuck = { default = 0.8, unit = 'rad', min = 0, max = 1.5, doc = 'Turn of the head.' } } }";

#[test]
fn a_behaviour_that_raises_is_off_and_said_once() {
    let mut stage = Stage::with(&[("counts", COUNTS), ("prints", PRINTS)]);
    stage.step(10);
    assert_eq!(stage.problems(), ["scripts/counts.luau:3: enough (figure 'ann')"]);
    assert_eq!(stage.printed().len(), 10, "the other one goes on");
}

#[test]
fn what_a_failed_behaviour_claimed_is_released() {
    let text = "return { step = function(fig, state) motion.limp(fig, Bone.head) state.n = (state.n or 0) + 1
        if state.n == 2 then error('no') end end }";
    let mut stage = Stage::with(&[("claims", text)]);
    stage.step(1);
    assert_eq!(stage.value("ann:owner('head')"), "\"claims\"");
    stage.step(1);
    assert_eq!(stage.value("ann:owner('head') == nil"), "true");
}

#[test]
fn a_missing_script_is_said_once_for_all_figures() {
    let mut stage = Stage::new();
    stage.add("ann", &["nowhere"]);
    stage.add("bob", &["nowhere"]);
    stage.step(3);
    assert_eq!(stage.problems(), ["nowhere: there is no script 'nowhere'"]);
}

#[test]
fn parameters_reach_the_step_and_are_checked() {
    let mut stage = Stage::with(&[("prints", PRINTS)]);
    stage.step(1);
    stage.value("ann:param('prints', 'tuck')");
    stage.eval("ann:set_param('prints', 'tuck', 0.25)");
    stage.step(1);
    assert_eq!(stage.printed(), ["ann 0.8", "ann 0.25"]);
    let error = stage.error("ann:set_param('prints', 'tuck', 9)");
    assert_eq!(error, "scene.set_param: the parameter 'tuck' is 9; accepted: a number from 0 to 1.5 rad");
    let error = stage.error("ann:set_param('prints', 'tick', 1)");
    assert!(error.contains("did you mean 'tuck'?"), "{error}");
}

#[test]
fn a_parameter_out_of_range_keeps_its_default_and_is_said() {
    let mut stage = Stage::new();
    stage.texts.write("prints", PRINTS);
    let mut spec = figure("ann", &["prints"]);
    spec.behaviours[0].params.insert("tuck".to_owned(), Value::Number(7.0));
    let handle = stage.world.reserve_figure("ann").expect("a free name");
    stage.world.command(Command::Spawn { handle, spec: Box::new(spec) }).expect("a good figure");
    stage.step(2);
    assert_eq!(stage.printed(), ["ann 0.8", "ann 0.8"]);
    assert_eq!(stage.problems(), ["prints: the parameter 'tuck' is 7; accepted: a number from 0 to 1.5 rad (figure 'ann')"]);
}

#[test]
fn described_parameters_are_read_without_a_figure() {
    let mut stage = Stage::new();
    stage.texts.write("prints", PRINTS);
    let docs = stage.scripts.described_params("prints").expect("it loads");
    assert_eq!((docs[0].name.as_str(), docs[0].default, docs[0].unit.as_str(), docs[0].max), ("tuck", 0.8, "rad", 1.5));
}

#[test]
fn a_function_in_a_state_is_refused_by_its_key() {
    let text = "return { start = function(fig, state) state.memory = { seen = { print } } end }";
    let mut stage = Stage::with(&[("hoards", text)]);
    stage.step(1);
    let problems = stage.problems();
    assert!(problems[0].contains("state.memory.seen[1] is a function; accepted: numbers"), "{problems:?}");
}

#[test]
fn a_switch_turns_the_behaviour_of_its_name() {
    let text =
        "return { step = function(fig, state) state.n = (state.n or 0) + 1 print(state.n) motion.limp(fig, Bone.head) end }";
    let mut stage = Stage::with(&[("protective_fall", text)]);
    let ann = stage.world.find_figure("ann").expect("ann");
    let switch = |on| Command::SetSwitch { figure: ann, switch: Switch::Protective(on) };
    stage.step(2);
    stage.world.command(switch(false)).expect("a switch");
    stage.step(2);
    assert!(stage.world.figure(ann).expect("ann").claims.holder(Bone::Head).is_none());
    stage.world.command(switch(true)).expect("a switch");
    stage.step(1);
    assert_eq!(stage.printed(), ["1", "2", "1"], "off, then anew");
}

#[test]
fn a_behaviour_hears_of_blows_on_its_own_figure_alone() {
    let text = "return { start = function() sim.on('struck', 'on_struck') end,
        on_struck = function(fig, state, event) print(fig:name(), event.bone, event.impulse) end }";
    let mut stage = Stage::with(&[("listens", text)]);
    stage.add("bob", &[]);
    stage.step(1);
    stage.eval("ann:hit('chest', vector.create(0, 0, 20))");
    stage.eval("bob:hit('chest', vector.create(0, 0, 20))");
    stage.step(2);
    assert_eq!(stage.problems(), [""; 0]);
    assert_eq!(stage.printed(), ["ann chest (0.00, 0.00, 20.00)"]);
}

#[test]
fn the_scene_script_starts_steps_and_keeps_time() {
    let text = "return {
        start = function(state) state.n = 0 sim.after(0.05, 'later', scene.find('car'), 'x') sim.every(0.1, 'again') end,
        step = function(state, dt) state.n += 1 end,
        later = function(state, car, word) print(state.n, car:name(), word) end,
        again = function(state) print('again', state.n) end,
    }";
    let mut stage = Stage::new();
    stage.texts.write("street", text);
    assert_eq!(stage.scripts.start(&mut stage.world, Some("street")), []);
    stage.step(13);
    assert_eq!(stage.problems(), [""; 0]);
    assert_eq!(stage.printed(), ["3 car x", "again 6", "again 12"]);
}

#[test]
fn only_the_name_of_a_function_of_its_table_is_a_callback_of_a_script() {
    for (call, arguments) in [("sim.on", "'struck', "), ("sim.after", "1, "), ("sim.every", "1, "), ("sim.off", "'struck', ")] {
        for (target, says) in [
            ("function() end", "found a function; accepted: the name of a function in the script's table"),
            ("print", "found a function; accepted: the name of a function in the script's table"),
            ("nil", if call == "sim.off" { "" } else { "found nothing; accepted: the name of a function in the script's table" }),
            ("{}", "found a table; accepted: the name of a function in the script's table"),
            ("'on_struk'", "the table of 'closes' has no function 'on_struk'; did you mean 'on_struck'?"),
            ("'params'", "the table of 'closes' has no function 'params'"),
            ("'on_struck'", ""),
        ] {
            let text = format!(
                "return {{ params = {{}}, on_struck = function() end, start = function() {call}({arguments}{target}) end }}"
            );
            let mut stage = Stage::with(&[("closes", &text)]);
            stage.step(1);
            let problems = stage.problems();
            assert_eq!(problems.len(), usize::from(!says.is_empty()), "{call} {target}: {problems:?}");
            assert!(says.is_empty() || problems[0].contains(&format!("{call}: ")) && problems[0].contains(says), "{problems:?}");

            let mut stage = Stage::new();
            stage.texts.write("closes", &text);
            let problems = stage.scripts.start(&mut stage.world, Some("closes"));
            assert_eq!(problems.len(), usize::from(!says.is_empty()), "{call} {target}: {problems:?}");
            assert!(says.is_empty() || problems[0].message.contains(says), "{problems:?}");
        }
    }
}

#[test]
fn a_script_reaches_no_world_while_it_loads() {
    let mut stage = Stage::with(&[("eager", "motion.lean(scene.find('ann')) return {}")]);
    stage.step(1);
    let problems = stage.problems();
    assert!(problems[0].contains("scene.find: not while a script loads"), "{problems:?}");
}

#[test]
fn a_figure_made_and_removed_by_script_takes_its_callbacks_along() {
    let mut stage = Stage::new();
    stage.step(1);
    stage.eval("bob = scene.spawn('bob', { model = 'boxman.glb' })");
    stage.step(1);
    assert!(stage.value("bob").starts_with("bob: powered"));
    stage.eval("scene.destroy(bob)");
    stage.step(1);
    assert_eq!(stage.error("bob:lean()").as_str().split(':').next(), Some("motion.lean"));
}

#[test]
fn two_runs_have_the_same_hashes() {
    let run = || {
        let text =
            "return { step = function(fig, state) state.x = (state.x or 0) + math.random() state.at = fig:position('head') end }";
        let mut stage = Stage::with(&[("draws", text)]);
        stage.step(5);
        (stage.scripts.script_hash(), stage.world.sim_hash())
    };
    assert_eq!(run(), run());
}

#[test]
fn timers_that_double_end_at_a_bound() {
    let text = "local m = {}
        function m.start(fig, state) sim.after(0, 'tick') end
        function m.tick(fig, state) sim.after(0, 'tick') sim.after(0, 'tick') end
        return m";
    let mut stage = Stage::with(&[("doubles", text)]);
    stage.step(40);
    let problems = stage.problems();
    assert!(problems.len() == 1 && problems[0].contains("4096 timers wait already"), "{problems:?}");
}

#[test]
fn a_name_that_no_report_could_show_is_refused() {
    let mut stage = Stage::new();
    for name in ["''", "'a\\nb'", "string.rep('x', 300)"] {
        let told = stage.error(&format!("scene.spawn({name}, {{ model = 'boxman.glb' }})"));
        assert!(told.contains("the name is"), "{told}");
    }
}
