//! What scripts keep survives: in the same VM, in a new one, and whatever has become of their files.

use super::{Stage, shipped};
use simrun_script::Scripts;
use simrun_sim::command::Switch;
use simrun_sim::{Command, World, WorldSettings};

/// A behaviour with everything that a state may hold, timers, a listener and random numbers.
const KEEPER: &str = r#"
local random = require("@std/random")
local keeper = { params = { pace = { default = 1, unit = "", min = 0, max = 9, doc = "How fast it counts." } } }
function keeper.start(fig, state)
	state.stream = random.stream(3)
	state.list = { 1, "two", vector.create(1, 2, 3), { deep = { true } } }
	state.me = fig
	state.bones = { [Bone.head] = 0.5 }
	state.struck = 0
	sim.on("struck", "struck")
	sim.every(0.1, "tick", 2)
	sim.after(0.55, "late", vector.create(0, 1, 0))
end
function keeper.struck(_fig, state, _event)
	state.struck += 1
end
function keeper.tick(_fig, state, by)
	state.ticks = (state.ticks or 0) + by
end
function keeper.late(_fig, state, up)
	state.up = up
	sim.after(0.25, "late", up * 2)
end
function keeper.step(fig, state, dt, p)
	state.count = (state.count or 0) + p.pace * dt
	state.draw = math.random() + random.number(state.stream)
	motion.bend(fig, Bone.head, vector.create(0, state.draw * 0.2, 0))
	if state.ticks and state.ticks % 14 == 0 then
		motion.hit(fig, Bone.chest, nil, vector.create(3 * state.draw, 0, 9))
	end
end
return keeper
"#;

fn stage() -> Stage {
    let mut stage = Stage::with(&[("keeper", KEEPER)]);
    stage.add("ben", &["keeper"]);
    stage
}

/// Hashes of the simulation and of the scripts after each of so many steps.
fn go_on(world: &mut World, scripts: &mut Scripts, steps: usize) -> Vec<(u64, u64)> {
    let hashes = (0..steps).map(|_| {
        world.step(scripts);
        (world.last_hashes().all(), scripts.script_hash())
    });
    let hashes = hashes.collect();
    assert_eq!(scripts.problems(), []);
    hashes
}

#[test]
fn a_restored_script_goes_on_as_if_nothing_had_been() {
    for at in [1, 7, 33, 60] {
        let mut stage = stage();
        stage.step(at);
        let (world, scripts) = (stage.world.snapshot(), stage.scripts.snapshot().expect("plain data"));
        let straight = go_on(&mut stage.world, &mut stage.scripts, 600);

        stage.world.restore(&world).expect("back");
        assert_eq!(stage.scripts.restore(&mut stage.world, &scripts).expect("back"), 0);
        assert_eq!(go_on(&mut stage.world, &mut stage.scripts, 600), straight, "in the same VM from step {at}");

        let mut fresh = World::new(WorldSettings::default());
        fresh.restore(&world).expect("in a new world");
        let mut reborn = stage.scripts.rebuilt().expect("a new VM");
        reborn.restore(&mut fresh, &scripts).expect("in a new VM");
        assert_eq!(go_on(&mut fresh, &mut reborn, 600), straight, "in a new VM from step {at}");
    }
}

#[test]
fn the_file_may_have_gone_or_gone_bad() {
    let mut stage = stage();
    stage.step(20);
    let (world, scripts) = (stage.world.snapshot(), stage.scripts.snapshot().expect("plain data"));
    let straight = go_on(&mut stage.world, &mut stage.scripts, 60);
    stage.texts.write("keeper", "return {");
    stage.world.restore(&world).expect("back");
    stage.scripts.restore(&mut stage.world, &scripts).expect("from the text that was loaded");
    assert_eq!(go_on(&mut stage.world, &mut stage.scripts, 60), straight);
}

/// What one VM forgets, no script may have known: a new VM every ten steps changes no bit.
#[test]
fn amnesia_changes_no_bit() {
    let run = |amnesia: bool| {
        let mut stage = Stage::new();
        for (name, text) in shipped() {
            stage.texts.write(&name, &text);
        }
        stage.texts.write("keeper", KEEPER);
        stage.add("ann", &["protective_fall", "writhe", "keeper"]);
        let ann = stage.world.find_figure("ann").expect("ann");
        stage.world.command(Command::SetSwitch { figure: ann, switch: Switch::Writhing(3.0) }).expect("a switch");
        assert_eq!(stage.scripts.start(&mut stage.world, Some("street")), []);
        let mut hashes = Vec::new();
        for step in 0..600 {
            if amnesia && step % 10 == 0 {
                let kept = stage.scripts.snapshot().expect("plain data");
                stage.scripts = stage.scripts.rebuilt().expect("a new VM");
                stage.scripts.restore(&mut stage.world, &kept).expect("restored");
            }
            hashes.extend(go_on(&mut stage.world, &mut stage.scripts, 1));
        }
        hashes
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn what_no_snapshot_can_hold_is_named() {
    for (text, named) in [
        ("state.f = function() end", "state.f is a function"),
        ("state.a = {} state.b = state.a", "is a table that stands elsewhere too"),
        ("state.a = setmetatable({}, { __index = {} })", "state.a has a metatable"),
        ("state.a = {} state.a.a = state.a", "holds itself"),
    ] {
        let script = format!("return {{ start = function(fig, state) {text} end }}");
        let mut stage = Stage::with(&[("bad", &script)]);
        stage.step(1);
        let problems = stage.problems();
        assert!(problems.len() == 1 && problems[0].contains(named), "{text}: {problems:?}");
    }
}

#[test]
fn closures_of_the_prompt_are_dropped_and_counted() {
    let mut stage = stage();
    stage.eval("sim.every(0.1, function() print('tick') end)");
    stage.eval("sim.on('struck', function() end)");
    let (world, scripts) = (stage.world.snapshot(), stage.scripts.snapshot().expect("plain data"));
    stage.step(20);
    stage.world.restore(&world).expect("back");
    assert_eq!(stage.scripts.restore(&mut stage.world, &scripts).expect("back"), 2);
}
