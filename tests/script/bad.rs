//! Bad scripts, a test each: every one is stopped by its name, at the same safepoint interpreted and native, and again in a second
//! run.

use super::Stage;
use simrun_script::Problem;

/// What came of a script that steps twice: what was said, and the hash of how far it got (it counts in its state).
fn outcome(name: &str, text: &str, native: bool) -> (Vec<Problem>, u64) {
    let mut stage = Stage::new();
    stage.scripts.set_native(native);
    stage.texts.write(name, text);
    stage.texts.write("two", "return { other = require('./three') }");
    stage.texts.write("three", "return { other = require('./two') }");
    stage.texts.write("one", "return { own = require('./one') }");
    stage.add("ann", &[name]);
    stage.step(2);
    (stage.scripts.problems(), stage.scripts.script_hash())
}

/// Runs a script interpreted and native, each twice: one problem, the same each time.
fn stopped(name: &str, text: &str, says: &str) {
    let first = outcome(name, text, false);
    let [problem] = first.0.as_slice() else { panic!("{name}: {:?}", first.0) };
    assert_eq!(problem.script, name);
    assert!(problem.message.contains(says), "{name}: {problem}");
    assert!(!problem.to_string().contains('\n'), "{name}: {problem}");
    for native in [false, true, true] {
        assert_eq!(outcome(name, text, native), first, "{name}, native {native}");
    }
}

/// A step that counts how far it gets, within which a body runs.
fn step(body: &str) -> String {
    format!(
        "local function count(state) state.n = (state.n or 0) + 1 end
         return {{ step = function(fig, state) {body} end }}"
    )
}

macro_rules! bad {
    ($($name:ident: $says:literal, $body:expr;)*) => {
        $(#[test] fn $name() { stopped(stringify!($name), &step($body), $says); })*
        const BAD: &[(&str, &str)] = &[$((stringify!($name), $body)),*];
    };
}

bad! {
    loops: "stopped after 100000 safepoints", "while true do count(state) end";
    loops_bare: "stopped after 100000 safepoints", "while true do end";
    loops_in_pcall: "stopped after 100000 safepoints",
        "while true do pcall(function() while true do count(state) end end) count(state) end";
    loops_in_coroutine: "stopped after 100000 safepoints",
        "coroutine.wrap(function() while true do count(state) end end)()";
    loops_between_coroutines: "stopped after 100000 safepoints",
        "while true do local c = coroutine.create(function() while true do count(state) end end) coroutine.resume(c) end";
    loops_in_index: "stopped after 100000 safepoints",
        "local t = setmetatable({}, { __index = function() while true do count(state) end end }) return t.x";
    loops_in_add: "stopped after 100000 safepoints",
        "local t = setmetatable({}, { __add = function() while true do count(state) end end }) return t + 1";
    loops_in_tostring: "stopped after 100000 safepoints",
        "print(`{setmetatable({}, { __tostring = function() while true do count(state) end end })}`)";
    loops_in_sort: "stopped after 100000 safepoints",
        "table.sort({ 3, 1, 2 }, function() while true do count(state) end end)";
    loops_in_gsub: "stopped after 100000 safepoints",
        "string.gsub('abc', '%a', function() while true do count(state) end end)";
    sorts_without_order: "stopped after 100000 safepoints",
        "local t = table.create(50000, 1) table.sort(t, function(a, b) count(state) return math.sin(state.n) > 0 end)";
    grows_a_table: "stopped after 100000 safepoints", "local t = {} while true do table.insert(t, #t) count(state) end";
    repeats_too_much: "resulting string too large", "string.rep('x', 2 ^ 31) count(state) string.rep('xy', 2 ^ 30)";
    repeats_beyond_memory: "out of memory", "count(state) string.rep('x', 2 ^ 29)";
    recurses: "stack overflow", "local function f() count(state) return 1 + f() end return f()";
    recurses_in_xpcall: "stopped after 100000 safepoints",
        "local function f() count(state) while true do xpcall(f, f) end end f()";
    recurses_in_tostring: "error in error handling",
        "local t = setmetatable({}, { __tostring = function(t) count(state) return tostring(t) end }) return tostring(t)";
    backtracks: "stopped after 100000 safepoints",
        "count(state) return string.find(string.rep('a', 200), string.rep('a*', 30) .. 'b')";
    backtracks_in_pcall: "stopped after 100000 safepoints",
        "while true do count(state) pcall(string.match, string.rep('a', 200), string.rep('a*', 30) .. 'b') end";
    balances_a_long_text: "stopped after 100000 safepoints", "count(state) return string.find(string.rep('(', 1e7), '%b()')";
    walks_a_long_set: "stopped after 100000 safepoints",
        "count(state) return string.find(string.rep('a', 1e6), '[' .. string.rep('b', 1e6) .. ']')";
    searches_plainly: "stopped after 100000 safepoints",
        "count(state) return string.find(string.rep('a', 1e7), string.rep('a', 5e6) .. 'b', 1, true)";
    matches_again_and_again: "stopped after 100000 safepoints",
        "for _ in string.gmatch(string.rep('(', 1e6), '%b()') do count(state) end";
    replaces_in_a_long_text: "stopped after 100000 safepoints",
        "count(state) return string.gsub(string.rep('(', 1e6), '%b()', 'x')";
    pattern_that_ends_early: "malformed pattern (ends with '%')", "count(state) return string.find('a', '%')";
    pattern_that_stays_open: "malformed pattern (missing ']')", "count(state) return string.match('a', '[a')";
    pattern_of_captures: "too many captures", "count(state) return string.match('a', string.rep('()', 40))";
    raises: "on purpose", "count(state) error('on purpose')";
    raises_a_table: "raised a table; accepted: text", "count(state) error({ 1 })";
    raises_a_function: "raised a function; accepted: text", "count(state) error(count)";
    raises_what_has_no_text: "", "error(setmetatable({}, { __tostring = function() count(state) error('again') end }))";
    raises_what_loops: "", "error(setmetatable({}, { __tostring = function() while true do count(state) end end }))";
    raises_nothing: "nil", "count(state) error(nil)";
}

#[test]
fn bad_scripts_side_by_side_are_stopped_one_by_one() {
    let mut stage = Stage::new();
    let cheap = ["loops", "recurses", "backtracks", "pattern_that_stays_open", "raises"];
    let mut names: Vec<&str> = BAD.iter().map(|(name, _)| *name).filter(|name| cheap.contains(name)).collect();
    for (name, body) in BAD {
        stage.texts.write(name, &step(body));
    }
    stage.texts.write("good", "return { step = function() print('well') end }");
    names.push("good");
    stage.add("ann", &names);
    stage.step(3);
    let stopped: Vec<String> = stage.scripts.problems().into_iter().map(|problem| problem.script).collect();
    names.pop();
    assert_eq!(stopped, names);
    assert_eq!(stage.printed(), ["well"; 3]);
}

#[test]
fn long_work_between_safepoints_ends_by_the_clock() {
    // 100 MB a call and 100,000 calls: minutes.
    let (problems, _) = outcome("fills", &step("local b = buffer.create(1e8) while true do buffer.fill(b, 0, 7) end"), true);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(problems[0].at, Some(("scripts/fills.luau".to_owned(), 2)));
    assert!(problems[0].message.starts_with("stopped after 5 s: "), "{problems:?}");
}

#[test]
fn circles_of_requires_are_named() {
    for (text, circle) in [
        ("return { step = require('./one').step }", "scripts/one.luau → scripts/one.luau"),
        ("return { step = require('./two').step }", "scripts/two.luau → scripts/three.luau → scripts/two.luau"),
    ] {
        stopped("starts", text, &format!("require goes round in a circle: {circle}"));
    }
}

#[test]
fn a_state_of_what_is_no_plain_data_is_named() {
    for (value, says) in [
        ("print", "state.kept is a function"),
        ("{ deep = { print } }", "state.kept.deep[1] is a function"),
        ("coroutine.create(print)", "state.kept is a thread"),
        ("buffer.create(8)", "state.kept is a buffer"),
        ("state", "state.kept holds itself"),
    ] {
        let text = format!("return {{ start = function(fig, state) state.n = 1 state.kept = {value} end }}");
        stopped("keeps", &text, says);
    }
}

#[test]
fn bytecode_is_no_source() {
    // What Luau's compiler makes of `return {}` begins with the version of its bytecode, a number below any letter.
    for version in 3..=9_u8 {
        let text = format!("{}\u{1}\0\0\u{1}", char::from(version));
        stopped("binary", &text, "");
    }
}

#[test]
fn patterns_of_everyday_cost_what_they_did() {
    let mut stage = Stage::new();
    for (line, shown) in [
        ("('left hand'):find('hand')", "6\t9"),
        ("('left hand'):find('(%a+) (%a+)')", "1\t9\t\"left\"\t\"hand\""),
        ("string.find('a+b', '+', 1, true)", "2\t2"),
        ("('x = 3'):match('(%w+)%s*=%s*(%w+)')", "\"x\"\t\"3\""),
        ("string.match(1234, '2(.)')", "\"3\""),
        ("('hello'):gsub('l', { l = 'L' })", "\"heLLo\"\t2"),
        ("('hello'):gsub('l', function(c) return c:upper() end, 1)", "\"heLlo\"\t1"),
        (
            "(function() local n = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do n[k] = v end return n.a .. n.b end)()",
            "\"12\"",
        ),
        ("('none'):match('x') == nil", "true"),
        // What a long text makes a safepoint cost ends with the call, also where it fails.
        (
            "(function() local long = string.rep('a', 1e4) string.find(long, '[b]') pcall(string.find, long, '[b')
              for _ in string.gmatch(long, 'b') do end for i = 1, 5e5 do end return 'goes on' end)()",
            "\"goes on\"",
        ),
        ("#string.gsub(string.rep('word ', 2000), '%a+', '%0%0')", "18000"),
    ] {
        assert_eq!(stage.value(line), shown, "{line}");
    }
    assert!(stage.error("string.find('a')").contains("missing argument #2"), "{}", stage.error("string.find('a')"));
}

#[test]
fn an_error_every_step_leaves_memory_and_log_flat() {
    let mut stage = Stage::new();
    let text = "return { step = function(state, dt)
        state.n = (state.n or 0) + 1
        pcall(error, 'caught ' .. state.n)
        pcall(motion.lean, state.n)
        pcall(string.rep, 'x', 2 ^ 31)
        local ok, why = pcall(scene.find, { state.n })
        if state.n % 1000 == 0 then print(why) end
        if state.n > 10 then error('at last ' .. state.n) end
    end }";
    stage.texts.write("street", &text.replace("if state.n > 10 then error('at last ' .. state.n) end", ""));
    stage.texts.write("boss", text);
    assert_eq!(stage.scripts.start(&mut stage.world, Some("street")), []);
    stage.step(1000);
    let before = stage.scripts.memory();
    stage.step(100_000);
    let after = stage.scripts.memory();
    // Less than a byte an error: the VM takes memory in pages of 16 KiB, and now and then needs one more.
    assert!(after <= before + 4 * 16 * 1024, "{before} bytes, then {after}");
    assert_eq!(stage.problems(), [""; 0]);
    assert_eq!(stage.printed().len(), 101);

    // Not caught, it is told once, and the script is off.
    let mut stage = Stage::new();
    stage.texts.write("boss", text);
    assert_eq!(stage.scripts.start(&mut stage.world, Some("boss")), []);
    stage.step(1000);
    assert_eq!(stage.problems(), ["scripts/boss.luau:8: at last 11"]);
}
