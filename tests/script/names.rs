//! Every name that scripts are promised: there, or saying in one line that it is not built yet.

use super::Stage;
use simrun_script::docs;
use simrun_sim::command::ObjectSpec;
use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::space::{Rigid, Vec3};
use simrun_sim::{Command, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The names of a module.
struct Module {
    /// Empty for functions without a module.
    name: &'static str,
    /// Promised and there.
    bound: &'static str,
    /// Promised for later.
    later: &'static str,
    /// There beyond what was promised.
    more: &'static str,
}

const MODULES: &[Module] = &[
    Module {
        name: "motion",
        bound: "set_mode mode hit set_strength strength set_recovery set_part_strength set_part_mode set_protective falling landed lying down \
                set_stepping steps_taken staggering set_writhing writhing set_hit_reaction set_muscles get_up set_get_up acting sit sit_spot sitting seated \
                stand_up lie_down lie_spot lying_down hold hold_cup holding let_go eat eating drink mouth phase declare aim \
                clear_aim clear_aims reach hold_shape weaken release claim owner lean fall_direction capture_point support feet com \
                contacts torque budget assist why",
        later: "on_figure on_skeleton active_ragdoll from_record swing_foot plant within_cone",
        more: "drinking part_strength part_mode muscle muscle_left muscles look looks_at tip palm protective writhing_seconds phase_time lean_direction capture_outside com_velocity \
               pelvis_height trunk_speed bearing load target_rotation target_position turn_rate axis point bend pose limp tense note",
    },
    Module {
        name: "figure",
        bound: "play stop clips bones position rotation velocity pose set_pose facing move_to humanoid_scheme",
        later: "",
        more: "name mass place",
    },
    Module {
        name: "physics",
        bound: "remove impulse set_velocity raycast contacts gravity",
        later: "add overlap",
        more: "put kind near pass_through bone_mass",
    },
    Module {
        name: "handover",
        bound: "pool_new set_horde set_facing set_colors outs strike kill set_settle set_on_return set_despawn set_on_despawn \
                is_dead renumber",
        later: "",
        more: "",
    },
    Module {
        name: "crowd",
        bound: "columns bake step step_out",
        later: "",
        more: "all count position bone heading set_goal set_speed set_clearance drop remove",
    },
    Module {
        name: "sim",
        bound: "time step dt pause resume advance speed mark rewind again fork snapshot restore on off after every random seed",
        later: "",
        more: "paused reload keep",
    },
    Module { name: "scene", bound: "find all spawn destroy save", later: "", more: "figures objects params param set_param" },
    Module { name: "draw", bound: "", later: "line point text", more: "" },
    Module { name: "", bound: "params help why assist", later: "watch", more: "print" },
];

const CONSTANTS: &str = "motion.ANIMATED motion.POWERED motion.LIMP motion.GETTING_UP motion.ACTING motion.PART_HEAD motion.PART_SPINE \
                         motion.PART_ARM_L motion.PART_ARM_R motion.PART_LEG_L motion.PART_LEG_R Bone.chest Part.arm_l";

impl Module {
    fn path(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_owned() } else { format!("{}.{name}", self.name) }
    }

    fn built(&self) -> BTreeSet<String> {
        let names = self.bound.split_whitespace().chain(self.more.split_whitespace());
        names.map(|name| self.path(name)).collect()
    }

    fn missing(&self) -> BTreeSet<String> {
        self.later.split_whitespace().map(|name| self.path(name)).collect()
    }
}

/// A scene of which every example speaks: ann and bob with a protective fall, the car, a crate, a bowl by ann, a cup by bob, a stool behind ann, a crowd with a pool,
/// walkers without.
fn stage() -> Stage {
    let fall = "return { params = { tuck = { default = 0.8, max = 1.2 } }, step = function() end }";
    let mut stage = Stage::with(&[("protective_fall", fall)]);
    stage.add("bob", &[]);
    for (name, kind, size, at) in [
        ("bowl", BodyKind::Dynamic, Vec3::new(0.16, 0.07, 0.16), Vec3::new(0.5, 0.04, 0.5)),
        ("crate", BodyKind::Dynamic, Vec3::ONE, Vec3::new(3.0, 0.5, 3.0)),
        ("cup", BodyKind::Dynamic, Vec3::new(0.08, 0.1, 0.08), Vec3::new(-2.5, 0.05, 0.5)),
        ("stool", BodyKind::Fixed, Vec3::new(0.5, 0.45, 0.4), Vec3::new(0.0, 0.225, -0.45)),
    ] {
        let handle = stage.world.reserve_object(name).expect("a free name");
        let spec = ObjectSpec {
            name: name.to_owned(),
            shape: Shape::Box(size),
            kind,
            pose: Rigid { translation: at, ..Rigid::IDENTITY },
            mass: 10.0,
            friction: 0.9,
            restitution: 0.0,
            grips: ["handle", "left", "right"].map(|grip| (grip.to_owned(), Vec3::ZERO)).into(),
            params: BTreeMap::from([("speed".to_owned(), Value::Number(1.0))]),
        };
        stage.world.command(Command::AddObject { handle, spec: Box::new(spec) }).expect("a good object");
    }
    for (name, pool) in [("crowd", Some(simrun_sim::PoolSpec::new(2))), ("walkers", None)] {
        let spec = simrun_sim::HordeSpec { pool, ..simrun_sim::HordeSpec::new(name, crate::support::boxman(), "Walk", 20) };
        let command = simrun_sim::HordeCommand::Add(Box::new(spec));
        stage.world.command(Command::Horde { horde: name.to_owned(), command }).expect("a good horde");
    }
    stage.step(1);
    stage.eval("bob:move_to(vector.create(-3, 0, 0))");
    stage.step(1);
    stage
}

/// The registered functions as the manual's tables have them: those that are built, and the others.
fn registered() -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut built, mut missing) = (BTreeSet::new(), BTreeSet::new());
    let mut module = String::new();
    for line in docs::reference().lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            module = if heading == "without a module" { String::new() } else { format!("{heading}.") };
        } else if let Some((path, _)) = line.strip_prefix("| `").and_then(|row| row.split_once('(')) {
            built.insert(path.to_owned());
        } else if let Some(names) = line.strip_prefix("Not built yet: ") {
            missing.extend(names.split('`').skip(1).step_by(2).map(|name| format!("{module}{name}")));
        }
    }
    (built, missing)
}

#[test]
fn every_name_is_registered_and_no_other_is() {
    let (built, missing) = registered();
    let all = |of: fn(&Module) -> BTreeSet<String>| MODULES.iter().flat_map(of).collect::<BTreeSet<_>>();
    assert_eq!(built, all(Module::built));
    assert_eq!(missing, all(Module::missing));
    let mut stage = Stage::new();
    for name in CONSTANTS.split_whitespace() {
        assert_eq!(stage.value(&format!("type({name})")), "\"number\"", "{name}");
    }
}

#[test]
fn what_is_not_built_says_so_in_one_line() {
    let mut stage = stage();
    for module in MODULES {
        for path in module.missing() {
            assert_eq!(stage.error(&format!("{path}(ann, 1)")), format!("{path} is not built yet"));
            assert!(stage.value(&format!("help({path})")).starts_with(&format!("{path}: not built yet\n")), "{path}");
        }
    }
}

/// What `help` gives as an example.
fn example(stage: &mut Stage, path: &str) -> String {
    let help = stage.value(&format!("help(\"{path}\")"));
    let example = help.lines().find_map(|line| line.strip_prefix("e.g. "));
    example.unwrap_or_else(|| panic!("{path} has no example: {help}")).to_owned()
}

#[test]
fn every_example_runs() {
    for path in MODULES.iter().flat_map(Module::built) {
        let mut stage = stage();
        let example = example(&mut stage, &path);
        let name = path.rsplit('.').next().unwrap_or(&path);
        assert!(example.contains(name), "{path}: {example}");
        // Callbacks by name are for scripts: the prompt has no table to name a function of.
        if ["sim.on", "sim.after", "sim.every", "handover.set_on_return", "handover.set_on_despawn"].contains(&path.as_str()) {
            let script = format!(
                "local function f() end
                 return {{ on_struck = f, second_blow = f, look_around = f, back = f, gone = f, start = function()
                     local ann = scene.find('ann') {example} end }}"
            );
            stage.texts.write("street", &script);
            assert_eq!(stage.scripts.start(&mut stage.world, Some("street")), [], "{example}");
        } else if let simrun_script::Eval::Error(why) = stage.eval(&example) {
            panic!("{example}: {why}");
        }
        stage.step(2);
        assert_eq!(stage.problems(), [""; 0], "{example}");
    }
}

#[test]
fn events_carry_what_help_says() {
    let mut stage = stage();
    stage.eval("heard = {}");
    let events = ["struck", "phase", "mode", "touched", "spawned", "destroyed"];
    for event in events {
        stage.eval(&format!("sim.on('{event}', function(event) heard[event.name] = event end)"));
    }
    stage.eval("scene.spawn('cat', { model = 'boxman' })");
    stage.eval("ann:hit('chest', vector.create(0, 0, 90), nil, nil, 3, car)");
    stage.eval("ann:hit('chest', nil, vector.create(0, 0, 90), nil, 3, car) ann:set_mode('limp')");
    stage.step(90);
    stage.eval("scene.destroy(bob)");
    stage.step(2);
    for event in events {
        let help = stage.value(&format!("help('{event}')"));
        let told: BTreeSet<&str> = help.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
        let keys = stage.value(&format!(
            "(function() local keys = {{}} for key in heard['{event}'] do table.insert(keys, key) end return table.concat(keys, ' ') end)()"
        ));
        let carried: BTreeSet<&str> = keys.trim_matches('"').split_whitespace().collect();
        let known: BTreeSet<&str> = told.iter().map(|name| name.trim_end_matches('?')).collect();
        assert!(carried.is_subset(&known), "{event} carries {carried:?}; help says {told:?}");
        let always: BTreeSet<&str> = told.iter().copied().filter(|name| !name.ends_with('?')).collect();
        assert!(always.is_subset(&carried), "{event} carries {carried:?}; help says {told:?}");
    }
}

#[test]
fn definitions_have_every_name_and_know_every_kind() {
    let definitions = docs::definitions();
    assert!(!definitions.contains("UnknownKind"), "{definitions}");
    for path in MODULES.iter().flat_map(Module::built) {
        let (module, name) = path.split_once('.').unwrap_or(("", &path));
        let declared = match module {
            "" => definitions.contains(&format!("\ndeclare function {name}(")),
            module => {
                let body = definitions.split(&format!("\ndeclare {module}: {{\n")).nth(1).expect("the module is declared");
                body.split("\n}").next().is_some_and(|body| body.contains(&format!("\t{name}: (")))
            }
        };
        assert!(declared, "{path}");
    }
    assert!(!definitions.contains("swing_foot"), "what is not built is not declared");
    // No keyword may name a parameter: a checker reads none of the file then.
    for word in [
        "and", "break", "do", "else", "end", "for", "function", "if", "in", "local", "nil", "not", "or", "repeat", "then",
        "until", "while",
    ] {
        assert!(!definitions.contains(&format!(" {word}: ")) && !definitions.contains(&format!("({word}: ")), "{word}");
    }
}

#[test]
fn figures_and_objects_have_their_own_contacts() {
    let mut stage = stage();
    // Both began in one place, and hop a little as they part.
    stage.step(60);
    assert_eq!(stage.value("ann:contacts()[1].object:name()"), "\"road\"");
    let touching = "(function() local all = {} for _, c in scene.find('road'):contacts() do all[c.figure:name()] = true end
        return all.ann and all.bob end)()";
    assert_eq!(stage.value(touching), "true");
    assert_eq!(stage.value("#car:contacts()"), "0");
    assert!(stage.error("physics.contacts(ann)").starts_with("physics.contacts: object: found ann; accepted: an object"));
}

#[test]
fn a_pose_read_is_a_pose_written() {
    let mut stage = stage();
    stage.step(5);
    stage.eval("pose = ann:pose()");
    assert_eq!(stage.value("#pose.positions == 12 and pose.positions[Bone.head] == ann:position('head')"), "true");
    stage.eval("ann:hit('chest', vector.create(0, 0, 200))");
    stage.step(30);
    assert_eq!(stage.value("vector.magnitude(ann:position('head') - pose.positions[Bone.head]) > 0.1"), "true");
    stage.eval("ann:set_pose(pose)");
    stage.step(1);
    assert_eq!(stage.value("vector.magnitude(ann:position('head') - pose.positions[Bone.head]) < 0.01"), "true");
    for (line, said) in [
        ("ann:set_pose(3)", "figure.set_pose: pose: found a number; accepted: a table as figure.pose gives it"),
        ("ann:set_pose({ positions = pose.positions })", "figure.set_pose: pose: rotations: accepted: a list of 12 vectors"),
        (
            "ann:set_pose({ positions = { vector.zero }, rotations = {} })",
            "figure.set_pose: pose: positions: accepted: a list of 12",
        ),
    ] {
        let error = stage.error(line);
        assert!(error.starts_with(said), "{line}: {error}");
    }
}

#[test]
fn a_claimed_bone_stays_as_it_was() {
    let mut stage = stage();
    stage.eval("ann:claim('forearm_r')");
    assert_eq!(stage.value("ann:owner('forearm_r')"), "\"prompt\"");
    let joint = |stage: &Stage| {
        let ann = stage.world.find_figure("ann").expect("ann");
        let figure = stage.world.figure(ann).expect("ann");
        figure.claims.iter().map(|claim| claim.want).collect::<Vec<_>>()
    };
    let first = joint(&stage);
    stage.step(10);
    stage.eval("ann:claim('forearm_r', { share = 0.5 })");
    assert_eq!(joint(&stage), first);
    assert!(stage.error("ann:claim('pelvis')").starts_with("motion.claim: bone: found pelvis"));
}

#[test]
fn assist_is_counted_while_muscles_drive() {
    let mut stage = stage();
    stage.step(30);
    assert_eq!(stage.value("assist(ann) > 0 and assist(ann) == motion.assist(ann) and assist(ann) == ann:assist()"), "true");
    assert_eq!(stage.value("why(ann) == ann:why()"), "true");
    assert!(stage.error("assist(car)").starts_with("motion.assist: figure: found car; accepted: a figure"));
}

#[test]
fn a_removed_object_is_gone() {
    let mut stage = stage();
    stage.eval("physics.remove(crate)");
    stage.step(1);
    assert_eq!(stage.value("scene.find('crate') == nil"), "true");
    assert!(stage.error("physics.remove(ann)").starts_with("physics.remove: object: found ann"));
}
