//! `require` and the standard library.

use super::Stage;

/// Tests written in Luau: each file returns a table of functions, and each function is one test.
const FILES: [(&str, &str); 4] = [
    ("vectors", include_str!("lua/vectors.luau")),
    ("springs", include_str!("lua/springs.luau")),
    ("easing", include_str!("lua/easing.luau")),
    ("streams", include_str!("lua/streams.luau")),
];

#[test]
fn the_standard_library_passes_its_own_tests() {
    for (name, text) in FILES {
        let mut stage = Stage::new();
        stage.texts.write("tests", text);
        let lines = stage.value(
            "(function()
                local failures = {}
                for name, test in require('tests') do
                    local ok, problem = pcall(test)
                    if not ok then table.insert(failures, name .. ': ' .. tostring(problem)) end
                end
                return failures
            end)()",
        );
        assert_eq!(lines, "{}", "{name}");
    }
}

#[test]
fn legs_take_a_landing_up_and_stand_whatever_their_clip() {
    let lands = "
        local legs = require('@std/legs')
        local function step(fig, state)
            local ground = legs.ground(fig)
            local apart = vector.dot(ground.ankles[1] - ground.ankles[2], ground.left)
            local hip = legs.hip(fig, ground, legs.both[1])
            state.landing = state.landing or { leg = 1, spot = ground.ankles[1], give = 0, share = 1 }
            local over = legs.bear(fig, ground, state.landing, nil, 0.4)
            print(apart > 0.1, hip.y > 0.8, hip.x > 0.05, motion.owner(fig, Bone.thigh_l), motion.owner(fig, Bone.thigh_r), over)
        end
        return { step = step }";
    let mut stage = Stage::with(&[("lands", lands)]);
    stage.step(3);
    assert_eq!(stage.problems(), [""; 0]);
    let held = "true true true lands lands";
    assert_eq!(stage.printed(), [format!("{held} false"), format!("{held} false"), format!("{held} true")]);
}

#[test]
fn a_circle_of_requires_is_named() {
    let mut stage = Stage::with(&[("a", "require('./b') return {}")]);
    stage.texts.write("b", "return { require('./c') }");
    stage.texts.write("c", "return { require('./b') }");
    stage.step(1);
    let problems = stage.problems();
    let circle = "require goes round in a circle: scripts/b.luau → scripts/c.luau → scripts/b.luau";
    assert!(problems[0].contains(circle), "{problems:?}");
}

#[test]
fn a_module_is_shared_and_cannot_be_written() {
    let user = "local m = require('./m') return { step = function() m.x = 1 end }";
    let mut stage = Stage::with(&[("user", user)]);
    stage.texts.write("m", "return { x = 0 }");
    stage.step(1);
    assert!(stage.problems()[0].contains("readonly"));
}

#[test]
fn a_module_that_is_not_there_is_said_in_one_line() {
    let mut stage = Stage::with(&[("user", "local m = require('../../etc/passwd') return {}")]);
    stage.step(1);
    let problems = stage.problems();
    let said = "scripts/user.luau:1: require(\"../../etc/passwd\"): there is no script '../../etc/passwd'";
    assert_eq!(problems, [said]);
}
