//! The prompt: values, incomplete lines, completion, help.

use super::Stage;
use simrun_script::Eval;

#[test]
fn values_are_shown_as_a_person_reads_them() {
    let mut stage = Stage::with(&[]);
    for (line, shown) in [
        ("1 + 1", "2"),
        ("1 / 3", "0.33333"),
        ("'a' .. 'b'", "\"ab\""),
        ("vector.create(1, 0, 2.5)", "(1.00, 0.00, 2.50)"),
        ("{ 1, 2, x = { y = true } }", "{ 1, 2, x = { y = true } }"),
        ("{}", "{}"),
        ("1, 2", "1\t2"),
        ("nil", "nil"),
        ("ann:name()", "\"ann\""),
        ("{ ann }", "{ ann }"),
    ] {
        assert_eq!(stage.value(line), shown, "{line}");
    }
    assert!(stage.value("ann").starts_with("ann: powered, standing, at (0.0"), "{}", stage.value("ann"));
    assert!(stage.value("car").starts_with("car: kinematic, at (0.00, 0.70, -30.00)"));
}

#[test]
fn statements_last_from_line_to_line() {
    let mut stage = Stage::new();
    assert_eq!(stage.eval("function twice(x) return x * factor end"), Eval::Nothing);
    assert_eq!(stage.eval("factor = 2"), Eval::Nothing);
    assert_eq!(stage.value("twice(4)"), "8");
    assert_eq!(stage.eval("factor = 3"), Eval::Nothing);
    assert_eq!(stage.value("twice(4)"), "12", "a later line changes what an earlier one refers to");
}

#[test]
fn a_line_that_goes_on_asks_for_more() {
    let mut stage = Stage::new();
    for line in ["for i = 1, 3 do", "function f()", "print(1,", "x = {", "if true then", "1 +"] {
        assert_eq!(stage.eval(line), Eval::Incomplete, "{line}");
    }
    assert_eq!(stage.eval("for i = 1, 3 do\nend"), Eval::Nothing);
    assert!(matches!(stage.eval("x = = 1"), Eval::Error(_)));
}

#[test]
fn errors_are_one_line_without_the_vms_wording() {
    let mut stage = Stage::with(&[]);
    for (line, said) in [
        ("error('no')", "no"),
        ("nothing.x", "attempt to index nil with 'x'; there is no 'nothing'"),
        ("an:lean()", "attempt to index nil with 'lean'; there is no 'an'; did you mean 'ann'?"),
        ("local x = 1; prnt(x)", "attempt to call a nil value; there is no 'prnt'; did you mean 'print'?"),
        ("ann:hit('chst', vector.create(0, 0, 1))", "motion.hit: bone: found \"chst\"; did you mean 'chest'? Accepted: pelvis"),
        ("ann:hit('chest', 5)", "motion.hit: impulse: found 5; accepted: a vector"),
        ("ann:hit('chest')", "motion.hit: impulse: found nothing; accepted: a vector"),
        ("ann:hit('chest', 5, vector.create(0, 0, 1))", "motion.hit: point: found 5; accepted: a vector"),
        ("ann:hit('chest', vector.create(0 / 0, 0, 0))", "motion.hit: impulse: found vector(NaN"),
        ("ann:set_strength(0 / 0)", "motion.set_strength: strength: found NaN; accepted: a finite number"),
        ("ann:laen()", "figures and objects have no method 'laen'; did you mean 'lean'?"),
        ("motion.lean(car)", "motion.lean: figure: found car; accepted: a figure"),
        ("Bone.chst", "Bone has no 'chst'; did you mean 'chest'?"),
        ("motion.phse(ann)", "motion has no 'phse'; did you mean 'phase'?"),
        ("sim.nothing_like_it", "sim has no 'nothing_like_it'"),
        ("motion.plant(ann)", "motion.plant is not built yet"),
        (
            "ann:set_mode('limpp')",
            "motion.set_mode: mode: found \"limpp\"; did you mean 'limp'? Accepted: animated, powered, limp",
        ),
        ("physics.near(car, -1)", "physics.near: margin: found -1; accepted: 0 or more"),
        ("physics.raycast(ann:position(), vector.create(0, -1, 0), -1)", "physics.raycast: reach: found -1; accepted: 0 or more"),
        (
            "ann:declare('acting')",
            "motion.declare: phase: found \"acting\"; did you mean 'falling'? Accepted: standing, stepping",
        ),
        ("ann:set_mode(motion.GETTING_UP)", "motion.set_mode: mode: found 3; accepted: animated, powered, limp"),
        ("ann:play('Wlak')", "figure.play: the model of 'ann' has no clip 'Wlak'; did you mean 'Walk'?"),
        ("car:param('sped')", "scene.param: the object 'car' has no parameter 'sped'; did you mean 'speed'?"),
        ("sim.on('stuck', print)", "sim.on: event: found \"stuck\"; did you mean 'struck'?"),
        ("ann:aim('head', vector.create(0, 0, 0), { prio = 1 })", "motion.aim: there is no option 'prio'"),
        ("require('@std/vector')", "require(\"@std/vector\"): there is no '@std/vector'"),
    ] {
        let error = stage.error(line);
        assert!(error.starts_with(said), "{line}: {error}");
        assert!(!error.contains('\n'), "{line}: {error}");
    }
}

#[test]
fn commands_at_the_prompt_apply_at_once() {
    let mut stage = Stage::with(&[]);
    stage.eval("ann:set_strength(0.5)");
    assert_eq!(stage.value("ann:strength()"), "0.5");
    stage.eval("ann:point('head', vector.create(0, 0, 1))");
    assert_eq!(stage.value("ann:owner('head')"), "\"prompt\"");
}

#[test]
fn the_prompt_may_register_closures() {
    let mut stage = Stage::new();
    stage.eval("sim.every(1 / 60, function() print('tick') end)");
    stage.step(3);
    assert_eq!(stage.printed(), ["tick", "tick"]);
}

#[test]
fn completion_knows_modules_methods_names_and_bones() {
    let mut stage = Stage::with(&[]);
    stage.eval("mine = { first = 1, second = 2 }");
    let complete = |line: &str| {
        let (start, found) = stage.scripts.complete(&stage.world, line, line.len());
        (start, found.into_iter().map(|candidate| candidate.text).collect::<Vec<_>>())
    };
    assert_eq!(complete("motion.set_st"), (7, vec!["set_stepping".to_owned(), "set_strength".to_owned()]));
    assert_eq!(complete("print(ann:lea"), (10, vec!["lean".to_owned(), "lean_direction".to_owned()]));
    assert_eq!(complete("x = an"), (4, vec!["and".to_owned(), "ann".to_owned()]));
    assert_eq!(complete("ann:hit(\"che"), (9, vec!["chest".to_owned()]));
    assert_eq!(complete("ann:play('Wal").1, ["Walk"]);
    assert_eq!(complete("Bone.thigh_"), (5, vec!["thigh_l".to_owned(), "thigh_r".to_owned()]));
    assert_eq!(complete("mine.s"), (5, vec!["second".to_owned()]));
    assert_eq!(complete("motion.phas").1, ["phase", "phase_time"]);
    assert_eq!(complete("motion.POW"), (7, vec!["POWERED".to_owned()]));
    assert_eq!(complete("car:pu").1, ["put"]);
    assert!(complete("ann:pu").1.is_empty(), "a figure has no method of an object");
    assert_eq!(complete("Part.arm_").1, ["arm_l", "arm_r"]);
    assert_eq!(complete("sim.on('tou").1, ["touched"]);
}

#[test]
fn functions_are_offered_with_their_signatures() {
    let mut stage = Stage::with(&[]);
    stage.eval("someone = ann");
    let complete = |line: &str| {
        let (_, found) = stage.scripts.complete(&stage.world, line, line.len());
        found.into_iter().map(|one| (one.text, one.shown, one.doc)).collect::<Vec<_>>()
    };
    let one = |text: &str, shown: &str, doc: &str| vec![(text.to_owned(), shown.to_owned(), doc.to_owned())];
    let lean = "→ rad. Angle between the pelvis's up and its target's.";
    assert_eq!(complete("motion.lean")[..1], one("lean", "lean(figure)", lean));
    assert_eq!(complete("ann:lean")[..1], one("lean", "lean()", lean));
    assert_eq!(
        complete("motion.set_part_s"),
        one("set_part_strength", "set_part_strength(figure, part, strength)", "A lasting share of one part's muscle: an injury.",)
    );
    assert_eq!(complete("someone:set_part_s")[0].1, "set_part_strength(part, strength)");
    assert_eq!(complete("draw.lin"), one("line", "line", "not built yet"));
    assert_eq!(complete("motion.GETT"), one("GETTING_UP", "GETTING_UP", "it gets up; got to, not set"));
}

#[test]
fn help_knows_constants_events_and_handles() {
    let mut stage = Stage::with(&[]);
    assert!(stage.value("help(Bone)").contains("Bone.pelvis = 1, Bone.spine = 2"), "{}", stage.value("help(Bone)"));
    assert!(
        stage.value("help(motion)").starts_with("motion.ANIMATED = 0, motion.POWERED = 1"),
        "{}",
        stage.value("help(motion)")
    );
    assert!(stage.value("help('struck')").starts_with("the event struck: A blow landed"), "{}", stage.value("help('struck')"));
    assert!(stage.value("help('struck')").contains("closing_speed?   number; m/s"), "{}", stage.value("help('struck')"));
    assert!(stage.error("help('stuck')").contains("did you mean 'struck'?"));
    let (figure, object) = (stage.value("help(ann)"), stage.value("help(car)"));
    assert!(figure.contains("motion.hit(") && !figure.contains("physics.put("), "{figure}");
    assert!(object.contains("physics.put(") && !object.contains("motion.hit("), "{object}");
    assert!(
        stage.value("help()").contains("draw     lines, points and text on the page (not built yet)"),
        "{}",
        stage.value("help()")
    );
}

#[test]
fn help_lists_every_function() {
    let mut stage = Stage::with(&[]);
    let overview = stage.value("help()");
    for module in ["motion", "figure", "physics", "sim", "scene"] {
        assert!(overview.contains(module));
        let listed = stage.value(&format!("help(\"{module}\")"));
        let names = stage.value(&format!(
            "(function() local n = {{}} for k, v in {module} do if type(v) == 'function' then table.insert(n, k) end end
              return table.concat(n, '\\n') end)()"
        ));
        for name in names.lines() {
            let missing = listed.lines().last().and_then(|line| line.strip_prefix("not built yet: ")).unwrap_or_default();
            let is_missing = missing.split(", ").any(|one| one == name);
            assert_ne!(listed.contains(&format!("{module}.{name}(")), is_missing, "{module}.{name}");
            let refused = is_missing && stage.error(&format!("{module}.{name}()")).ends_with("is not built yet");
            assert_eq!(refused, is_missing, "{module}.{name}");
        }
    }
    let hit = stage.value("help(motion.hit)");
    assert!(hit.starts_with("motion.hit(figure, bone, point?, impulse"), "{hit}");
    assert_eq!(stage.value("help(\"hit\")"), hit);
    assert_eq!(stage.value("help(motion.plant)"), "motion.plant: not built yet\nKeeps a foot where it stands.");
    assert!(!overview.contains("watch("), "{overview}");
    assert!(stage.error("help(\"motion.hti\")").contains("did you mean 'motion.hit'?"));
}
