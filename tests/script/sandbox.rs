//! What a script cannot do, and what is the same on every system.

use super::Stage;

#[test]
fn a_runaway_loop_is_stopped_and_named() {
    let mut stage = Stage::with(&[("spin", "return { step = function() while true do end end }")]);
    stage.step(1);
    let problems = stage.problems();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("scripts/spin.luau:1: stopped after 100000 safepoints"), "{}", problems[0]);
    assert!(problems[0].ends_with("(figure 'ann')"), "{}", problems[0]);
}

#[test]
fn a_runaway_that_catches_its_own_stop_is_stopped() {
    let text = "return { step = function() while true do pcall(function() while true do end end) end end }";
    let mut stage = Stage::with(&[("spin", text)]);
    stage.step(2);
    let problems = stage.problems();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("scripts/spin.luau:1: stopped after"), "{}", problems[0]);
}

#[test]
fn a_runaway_at_the_top_level_does_not_hang_the_start() {
    let mut stage = Stage::with(&[("spin", "while true do end")]);
    let problems = stage.scripts.start(&mut stage.world, None);
    assert_eq!(problems.len(), 1);
}

#[test]
fn memory_is_bounded() {
    let mut stage = Stage::new();
    assert!(stage.error("string.rep('x', 1e9)").contains("memory"));
    assert_eq!(stage.value("1 + 1"), "2");
}

/// Holds on to more and more until memory runs out.
const HOARD: &str = "for i = 1, 4000 do held[i] = string.rep('y', 100000) .. i end";

#[test]
fn out_of_memory_at_the_prompt_costs_the_prompt_its_variables() {
    let mut stage =
        Stage::with(&[("counts", "return { step = function(_, state) state.n = (state.n or 0) + 1 print(state.n) end }")]);
    stage.step(1);
    for line in [format!("held = {{}} {HOARD}"), format!("held = {{}} sim.every(1, function() return held end) {HOARD}")] {
        let said = stage.error(&line);
        assert!(said.starts_with("out of memory") && said.ends_with("the prompt's variables and timers are gone"), "{said}");
        assert!(!said.contains('\n'));
        assert_eq!(stage.value("1 + 1"), "2");
        assert_eq!(stage.value("held == nil and type(require)"), "\"function\"");
    }
    // Caught, it is held until the next line that needs room.
    stage.eval(&format!("held = {{}} pcall(function() {HOARD} end)"));
    stage.step(1);
    assert_eq!(stage.problems(), [""; 0]);
    assert_eq!(stage.printed(), ["1", "2"]);
    stage.eval("string.rep('x', 1e8)");
    assert_eq!(stage.value("#string.rep('x', 1e8)"), "100000000");
}

#[test]
fn a_behaviour_out_of_memory_is_off_and_the_others_go_on() {
    let in_state = format!("return {{ step = function(_, held) {HOARD} end }}");
    let in_script = format!("local held = {{}} return {{ step = function() {HOARD} end }}");
    for hoards in [in_state, in_script] {
        let counts = "return { step = function() print(#string.rep('x', 2e7)) end }";
        let mut stage = Stage::with(&[("hoards", &hoards), ("counts", counts)]);
        stage.step(3);
        let problems = stage.problems();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains("out of memory"), "{problems:?}");
        assert_eq!(stage.printed(), ["20000000"; 3]);
        stage.texts.write("hoards", "return { step = function() print('mended') end }");
        stage.scripts.reload(&mut stage.world, "hoards");
        stage.step(1);
        assert_eq!(stage.printed()[3..], ["mended", "20000000"]);
    }
}

#[test]
fn a_scene_script_out_of_memory_is_off_and_behaviours_go_on() {
    let counts = "return { step = function() print(#string.rep('x', 2e7)) end }";
    let mut stage = Stage::with(&[("counts", counts)]);
    stage.texts.write("street", &format!("local held = {{}} return {{ step = function() {HOARD} end }}"));
    assert_eq!(stage.scripts.start(&mut stage.world, Some("street")), []);
    stage.step(3);
    assert_eq!(stage.problems(), ["street: out of memory: all scripts together may hold 256 MiB"]);
    assert_eq!(stage.printed(), ["20000000"; 3]);
    stage.texts.write("street", "return { step = function() print('mended') end }");
    stage.scripts.reload(&mut stage.world, "street");
    stage.step(1);
    assert_eq!(stage.printed()[3..], ["mended", "20000000"]);
}

#[test]
fn what_reaches_outside_is_not_there() {
    let mut stage = Stage::new();
    for name in [
        "getfenv",
        "setfenv",
        "loadstring",
        "newproxy",
        "collectgarbage",
        "gcinfo",
        "os",
        "io",
        "debug",
        "package",
        "math.randomseed",
    ] {
        assert_eq!(stage.value(&format!("{name} == nil")), "true", "{name}");
    }
}

#[test]
fn shared_tables_cannot_be_written() {
    let mut stage = Stage::new();
    for line in ["motion.lean = nil", "math.sin = print", "Bone.tail = 13", "string.rep = nil"] {
        assert!(stage.error(line).contains("readonly"), "{line}");
    }
}

#[test]
fn bytecode_is_refused() {
    // Luau's bytecode begins with its version.
    let mut stage = Stage::with(&[("binary", "\u{6}\u{3}garbage")]);
    assert_eq!(stage.scripts.start(&mut stage.world, None).len(), 1);
}

#[test]
fn one_scripts_globals_are_not_the_others() {
    let writes = "secret = 42 return { step = function() secret = 43 end }";
    let reads = "return { step = function() print(secret == nil) end }";
    let mut stage = Stage::with(&[("writes", writes), ("reads", reads)]);
    stage.step(2);
    assert_eq!(stage.problems(), [""; 0]);
    assert_eq!(stage.printed(), ["true", "true"]);
    assert_eq!(stage.value("secret == nil"), "true");
}

#[test]
fn maths_is_libms_to_the_bit() {
    let mut stage = Stage::new();
    let x = 0.7312_f64;
    let expected: [(&str, f64); 8] = [
        ("math.sin(x)", libm::sin(x)),
        ("math.cos(x)", libm::cos(x)),
        ("math.tan(x)", libm::tan(x)),
        ("math.atan2(x, 0.3)", libm::atan2(x, 0.3)),
        ("math.exp(x)", libm::exp(x)),
        ("math.log(x)", libm::log(x)),
        ("math.pow(x, 1.7)", libm::pow(x, 1.7)),
        ("math.acos(x)", libm::acos(x)),
    ];
    for (call, value) in expected {
        // Within a function, as a behaviour calls it: the compiler would use its own builtin there.
        let line = format!("(function() local x = 0.7312 return string.format('%.17g', {call}) end)()");
        let shown = stage.value(&line);
        assert_eq!(shown.trim_matches('"').parse::<f64>().map(f64::to_bits), Ok(value.to_bits()), "{call}: {shown}");
    }
}

#[test]
fn random_numbers_are_the_same_in_every_run() {
    let draw = || Stage::new().value("{ math.random(), math.random(6), sim.random() }");
    assert_eq!(draw(), draw());
}

#[test]
fn no_address_is_shown() {
    let mut stage = Stage::new();
    assert_eq!(stage.value("tostring({})"), "\"table\"");
    assert_eq!(stage.value("`{({})} {print}`"), "\"table function\"");
    assert_eq!(stage.value("string.format('%s %d', {}, 3)"), "\"table 3\"");
}

#[test]
fn a_caught_error_is_text() {
    let mut stage = Stage::with(&[]);
    let caught = stage.value("select(2, pcall(motion.lean, 3))");
    assert_eq!(caught, "\"motion.lean: figure: found 3; accepted: a figure\"");
    assert_eq!(stage.value("select(2, pcall(error, { code = 7 })).code"), "7");
}

#[test]
fn printing_is_bounded() {
    let mut stage = Stage::with(&[("chatter", "return { step = function() for i = 1, 500 do print(i) end end }")]);
    stage.step(2);
    let printed = stage.printed();
    assert_eq!(printed.len(), 100 + 1 + 100);
    assert_eq!(printed[100], "400 more lines were printed in one step and dropped");
}
