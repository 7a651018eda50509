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
        stage.scripts.reload(&mut stage.world, &["hoards"]);
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
    stage.scripts.reload(&mut stage.world, &["street"]);
    stage.step(1);
    assert_eq!(stage.printed()[3..], ["mended", "20000000"]);
}

/// What a scene script prints when its step runs a body.
fn printed_by_a_script(body: &str) -> Vec<String> {
    let mut stage = Stage::new();
    stage.texts.write("street", &format!("return {{ step = function() {body} end }}"));
    assert_eq!(stage.scripts.start(&mut stage.world, Some("street")), [], "{body}");
    stage.step(1);
    assert_eq!(stage.problems(), [""; 0], "{body}");
    stage.printed()
}

#[test]
fn what_reaches_outside_is_not_there() {
    let mut stage = Stage::new();
    for name in [
        "getfenv",
        "setfenv",
        "loadstring",
        "load",
        "loadfile",
        "dofile",
        "newproxy",
        "collectgarbage",
        "gcinfo",
        "os",
        "io",
        "debug",
        "package",
        "ffi",
        "jit",
        "shared",
        "script",
        "math.randomseed",
        "string.dump",
    ] {
        assert_eq!(stage.value(&format!("{name} == nil")), "true", "{name}");
        assert_eq!(printed_by_a_script(&format!("print({name} == nil)")), ["true"], "{name}");
        if !name.contains('.') {
            assert_eq!(printed_by_a_script(&format!("print(_G.{name} == nil)")), ["true"], "{name}");
        }
    }
}

#[test]
fn shared_tables_cannot_be_written() {
    let mut stage = Stage::new();
    for line in [
        "motion.lean = nil",
        "math.sin = print",
        "math.sin = nil",
        "Bone.tail = 13",
        "Part.tail = 13",
        "string.rep = nil",
        "string.foo = 1",
        "vector.x = 1",
        "vector.zero = vector.create(1, 1, 1)",
        "table.insert = nil",
        "coroutine.wrap = nil",
        "buffer.create = nil",
        "_G.print = nil",
        "function string.foo() end",
        "rawset(math, 'sin', print)",
        "table.clear(math)",
        "getmetatable('').__index = nil",
        "setmetatable(math, {})",
    ] {
        let error = stage.error(line);
        assert!(["readonly", "index nil", "protected"].iter().any(|word| error.contains(word)), "{line}: {error}");
        let caught = format!("local ok = pcall(function() {line} end) print(ok)");
        assert_eq!(printed_by_a_script(&caught), ["false"], "{line}");
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
    let writes = "secret = 42 function helper() end print = nil
        return { step = function() secret = 43 local module = require('./module') end }";
    let reads = "return { step = function() print(secret == nil, helper == nil, type(print), require('./module').seen()) end }";
    let mut stage = Stage::with(&[("writes", writes), ("reads", reads)]);
    stage.texts.write("module", "hidden = true return { seen = function() return secret == nil end }");
    stage.eval("secret = 44");
    stage.step(2);
    assert_eq!(stage.problems(), [""; 0]);
    assert_eq!(stage.printed(), ["true true function true"; 2]);
    assert_eq!(stage.value("secret"), "44");
    assert_eq!(stage.value("hidden == nil and helper == nil"), "true");
}

type Unary = fn(f64) -> f64;

/// Ours and the C library's, by name, and where inputs lie.
const UNARY: [(&str, Unary, Unary, [f64; 2]); 13] = [
    ("math.sin", libm::sin, f64::sin, [-50.0, 50.0]),
    ("math.cos", libm::cos, f64::cos, [-50.0, 50.0]),
    ("math.tan", libm::tan, f64::tan, [-50.0, 50.0]),
    ("math.asin", libm::asin, f64::asin, [-1.0, 1.0]),
    ("math.acos", libm::acos, f64::acos, [-1.0, 1.0]),
    ("math.atan", libm::atan, f64::atan, [-50.0, 50.0]),
    ("math.sinh", libm::sinh, f64::sinh, [-5.0, 5.0]),
    ("math.cosh", libm::cosh, f64::cosh, [-5.0, 5.0]),
    ("math.tanh", libm::tanh, f64::tanh, [-5.0, 5.0]),
    ("math.exp", libm::exp, f64::exp, [-20.0, 20.0]),
    ("math.log10", libm::log10, f64::log10, [0.01, 50.0]),
    ("math.log", libm::log, f64::ln, [0.01, 50.0]),
    ("(function(x) return math.log(x, 2) end)", libm::log2, f64::log2, [0.01, 50.0]),
];

type Binary = fn(f64, f64) -> f64;

const BINARY: [(&str, Binary, Binary); 3] = [
    ("math.atan2", libm::atan2, f64::atan2),
    ("math.pow", libm::pow, f64::powf),
    ("math.log", |x, base| libm::log(x) / libm::log(base), |x, base| x.ln() / base.ln()),
];

/// Inputs at even steps.
fn inputs([low, high]: [f64; 2]) -> impl Iterator<Item = f64> {
    (0..20_000).map(move |index| low + (high - low) * (f64::from(index) + 0.37) / 20_000.0)
}

/// What a call gives, to the bit: with literal arguments, which a compiler would work out by itself, and with ones that it cannot know.
fn bits_of(function: &str, args: &[f64], native: bool) -> [u64; 2] {
    let literal: Vec<String> = args.iter().map(|arg| format!("{arg:?}")).collect();
    let literal = literal.join(", ");
    let mut stage = Stage::new();
    stage.scripts.set_native(native);
    let text = format!(
        "return {{ step = function(state) print(string.format('%.17g', {function}({literal})))
         local args = {{ {literal} }} print(string.format('%.17g', {function}(args[1], args[2]))) end }}"
    );
    stage.texts.write("street", &text);
    assert_eq!(stage.scripts.start(&mut stage.world, Some("street")), []);
    stage.step(1);
    let printed = stage.printed();
    [0, 1].map(|line| printed[line].parse::<f64>().expect("a number").to_bits())
}

#[test]
fn maths_is_libms_to_the_bit() {
    let mut told = Vec::new();
    let mut check = |name: &str, args: &[f64], ours: f64, c: f64| {
        if ours.to_bits() != c.to_bits() {
            told.push(name.to_owned());
        }
        for native in [false, true] {
            assert_eq!(bits_of(name, args, native), [ours.to_bits(); 2], "{name} of {args:?}, native {native}");
        }
    };
    for (name, ours, c, range) in UNARY {
        // Where the two differ, so that it shows which is called.
        let x = inputs(range).find(|x| ours(*x).to_bits() != c(*x).to_bits()).unwrap_or(0.7312);
        check(name, &[x], ours(x), c(x));
    }
    for (name, ours, c) in BINARY {
        let differ = |x: &f64| ours(*x, 1.7).to_bits() != c(*x, 1.7).to_bits();
        let x = inputs([0.01, 50.0]).find(differ).unwrap_or(0.7312);
        check(name, &[x, 1.7], ours(x, 1.7), c(x, 1.7));
    }
    // On a system whose C library is libm's ancestor none would differ.
    if cfg!(target_env = "gnu") {
        assert!(told.len() >= 10, "only {told:?} differ from the C library's");
    }
}

#[test]
fn builtins_that_are_no_maths_are_replaced_too() {
    for native in [false, true] {
        let mut stage = Stage::new();
        stage.scripts.set_native(native);
        let text = "return { step = function()
            local t, x = {}, vector.create(1, 0, 0)
            print(tostring(t), string.format('%s', t), math.random() < 1, vector.angle(x, vector.create(0, 1, 0)) == math.pi / 2)
        end }";
        stage.texts.write("street", text);
        assert_eq!(stage.scripts.start(&mut stage.world, Some("street")), []);
        stage.step(1);
        assert_eq!(stage.printed(), ["table table true true"]);
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
