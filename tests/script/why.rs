//! `why` says what led to what a figure does, with its times: held against what the world told of the same run.

use super::shipped::stage;
use super::{Eval, Stage};
use crate::support::add_box;
use simrun_sim::motion::Thresholds;
use simrun_sim::solve::boundary::{BodyKind, Shape};
use simrun_sim::space::Vec3;
use simrun_sim::{Command, Event, FigureHandle, Happening, ObjectSpec, Phase, Rigid, Switch};

/// A line of `why`: a time (s) and what came about.
type Said = (f64, String);

/// A figure that was shoved at 0.5 s from behind, by a speed (m/s), with all that the world told of it since.
struct Run {
    stage: Stage,
    ann: FigureHandle,
    heard: Vec<Event>,
}

impl Run {
    fn new(behaviours: &[&str]) -> Self {
        let mut stage = stage();
        stage.add("ann", behaviours);
        let ann = stage.world.find_figure("ann").expect("ann");
        Self { stage, ann, heard: Vec::new() }
    }

    fn shoved(behaviours: &[&str], speed: f64, seconds: f64) -> Self {
        let mut run = Self::new(behaviours);
        run.step(0.5);
        run.stage.eval(&format!("ann:hit('chest', vector.create(0, 0, {speed} * ann:mass()))"));
        run.step(seconds);
        run
    }

    fn step(&mut self, seconds: f64) {
        for _ in 0..(seconds * 60.0).round() as usize {
            self.stage.step(1);
            self.heard.extend(self.stage.world.events().iter().cloned());
        }
    }

    fn why(&mut self) -> Vec<Said> {
        said(&self.stage.value("why(ann)"))
    }

    /// When a phase was entered, as the world told of it (s).
    fn entered(&self, phase: Phase) -> Vec<f64> {
        let entered = |event: &&Event| matches!(event.what, Happening::PhaseChanged { figure, to, .. } if figure == self.ann && to == phase);
        self.heard.iter().filter(entered).map(|event| event.step as f64 / 60.0).collect()
    }
}

fn said(text: &str) -> Vec<Said> {
    let line = |line: &str| {
        let (time, what) = line.split_once(" s ")?;
        Some((time.parse().ok()?, what.to_owned()))
    };
    text.lines().filter_map(line).collect()
}

/// Whether a cause is told of, at its time (s), to two steps.
fn tells(said: &[Said], time: f64, words: &str) -> Result<(), String> {
    let told = said.iter().any(|(at, what)| what.contains(words) && (at - time).abs() < 2.0 / 60.0);
    if told { Ok(()) } else { Err(format!("\"{words}\" at {time:.2} s is not among {said:#?}")) }
}

fn assert_tells(said: &[Said], time: f64, words: &str) {
    tells(said, time, words).unwrap_or_else(|why| panic!("{why}"));
}

/// The number in front of some words.
fn number(said: &[Said], before: &str) -> f64 {
    let (_, line) = said.iter().find(|(_, what)| what.contains(before)).unwrap_or_else(|| panic!("{before}: {said:#?}"));
    let head = line.split(before).next().expect("words").trim_end();
    head.rsplit(' ').next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{line}"))
}

#[test]
fn a_push_that_balance_takes_is_told_with_how_far_it_went() {
    for (speed, outside) in [(0.5, 0.0..0.05), (1.2, 0.1..0.5)] {
        let mut run = Run::shoved(&["catch_step", "protective_fall"], speed, 2.0);
        let why = run.why();
        assert_tells(&why, 0.5, &format!("struck at the chest, {speed:.2} m/s from behind"));
        let swayed = why.iter().any(|(_, what)| what.contains("off the soles"));
        let most = if swayed { number(&why, " m off the soles") } else { 0.0 };
        assert!(outside.contains(&most), "{speed}: {why:#?}");
        assert!(why.iter().all(|(_, what)| !what.contains("stepped") && !what.contains("fell")), "{why:#?}");
    }
}

#[test]
fn a_push_that_takes_steps_is_told_with_who_steps_and_when() {
    let mut run = Run::shoved(&["catch_step", "protective_fall"], 2.2, 3.0);
    let stepped = run.entered(Phase::Stepping);
    assert!(!stepped.is_empty() && run.entered(Phase::Falling).is_empty(), "it steps and stands");
    let why = run.why();
    assert_tells(&why, 0.5, "struck at the chest, 2.20 m/s from behind");
    for time in stepped {
        assert_tells(&why, time, "stepped because catch_step: ");
        assert_tells(&why, time, " foot, capture point ");
        assert_tells(&why, time, " m off the soles (trigger 0.50)");
    }
    assert!(number(&why, " m off the soles") > 0.5, "{why:#?}");
    assert!(why.iter().all(|(_, what)| !what.contains("fell")), "{why:#?}");
}

#[test]
fn a_fall_is_told_with_the_lean_that_made_it_one_and_all_that_came_of_it() {
    let words = [
        (Phase::Falling, "fell because it leaned"),
        (Phase::Landed, "landed because"),
        (Phase::Caught, "caught itself because"),
        (Phase::Lying, "lay because"),
    ];
    let mut told = [0; 4];
    let mut fallen = |behaviours: &[&str]| {
        let mut run = Run::shoved(behaviours, 3.0, 4.0);
        let why = run.why();
        assert_tells(&why, 0.5, "struck at the chest, 3.00 m/s from behind");
        for (count, (phase, words)) in told.iter_mut().zip(words) {
            for time in run.entered(phase) {
                assert_tells(&why, time, words);
                *count += 1;
            }
        }
        (run, why)
    };
    fallen(&[]);
    let (mut run, why) = fallen(&["protective_fall"]);
    assert!(told.iter().all(|count| *count > 0), "{told:?} of {words:?}");
    let fell = run.entered(Phase::Falling)[0];
    assert_tells(&why, fell, "protective_fall: it falls");
    let most = f64::from(Thresholds::default().falling_lean.to_degrees());
    let (_, line) = why.iter().find(|(_, what)| what.starts_with("fell because")).expect("the fall");
    assert!(line.ends_with(&format!("past {most:.0}°")), "{line}");
    assert_tells(&why, fell, "protective_fall took the head, spine, chest, the left arm, the right arm");
    // As of a moment in the past, what came later is not known.
    let then = said(&run.stage.value(&format!("why(ann, {fell})")));
    assert_tells(&then, fell, "fell because it leaned");
    assert!(then.iter().all(|(time, _)| *time <= fell + 0.01), "{then:#?}");
}

#[test]
fn asked_at_a_blow_it_tells_nothing_of_what_was_over_before() {
    let mut run = Run::shoved(&["catch_step", "protective_fall"], 0.5, 5.0);
    run.stage.eval("ann:hit('chest', vector.create(0, 0, 0.8 * ann:mass()))");
    run.step(1.0);
    let second = said(&run.stage.value("why(ann)"));
    let (time, _) = second.iter().find(|(_, what)| what.contains("struck")).expect("a blow");
    assert!((time - 5.5).abs() < 2.0 / 60.0, "{second:#?}");
    for moment in [*time, time + 1.0 / 60.0] {
        let then = said(&run.stage.value(&format!("why(ann, {moment})")));
        assert_tells(&then, 5.5, "struck at the chest, 0.80 m/s from behind");
        assert!(then.iter().all(|(told, _)| *told > 5.4), "{moment}: {then:#?}");
    }
}

#[test]
fn who_is_told_to_sit_and_to_stand_up_says_so() {
    let mut run = Run::new(&[]);
    add_box(&mut run.stage.world, "bench", Vec3::new(2.0, 0.45, 0.4), Vec3::new(0.0, 0.225, -0.15), BodyKind::Fixed, 0.0);
    run.stage.eval("spot = ann:sit_spot(vector.create(0, 0.45, 0), 0) ann:move_to(spot.position, spot.yaw)");
    run.step(0.5);
    run.stage.eval("ann:sit(vector.create(0, 0.45, 0), 0)");
    run.step(3.0);
    let why = run.why();
    assert_tells(&why, 0.5, "it was told to sit down");
    assert!(why.iter().all(|(_, what)| !what.contains("stand up")), "{why:#?}");
    run.stage.eval("ann:stand_up()");
    run.step(1.0);
    let why = run.why();
    assert_tells(&why, 3.5, "it was told to stand up");
    assert_eq!(why.iter().filter(|(_, what)| what.contains("it was told to")).count(), 2, "{why:#?}");
}

#[test]
fn what_hands_do_with_a_thing_is_told() {
    let mut run = Run::new(&[]);
    add_box(&mut run.stage.world, "bench", Vec3::new(2.0, 0.45, 0.4), Vec3::new(0.0, 0.225, -0.15), BodyKind::Fixed, 0.0);
    run.stage.eval("spot = ann:sit_spot(vector.create(0, 0.45, 0), 0) ann:move_to(spot.position, spot.yaw)");
    let spec = ObjectSpec {
        name: "cup".to_owned(),
        shape: Shape::Cylinder { height: 0.1, radius: 0.04 },
        kind: BodyKind::Dynamic,
        pose: Rigid { translation: Vec3::new(-0.34, 0.501, 0.0), ..Rigid::IDENTITY },
        mass: 0.3,
        friction: 0.9,
        restitution: 0.0,
        grips: [("handle".to_owned(), Vec3::X * 0.06)].into(),
        params: Default::default(),
    };
    let handle = run.stage.world.reserve_object("cup").expect("a free name");
    run.stage.world.command(Command::AddObject { handle, spec: Box::new(spec) }).expect("a good cup");
    run.step(0.5);
    run.stage.eval("ann:sit(vector.create(0, 0.45, 0), 0)");
    run.step(2.5);
    run.stage.eval("ann:hold_cup(scene.find('cup'))");
    run.step(2.5);
    run.stage.eval("ann:drink()");
    run.step(6.0);
    run.stage.eval("ann:stand_up()");
    run.step(4.0);
    run.stage.eval("ann:hit('chest', vector.create(0, 0, 1))");
    let why = |run: &mut Run, time: f64| said(&run.stage.value(&format!("why(ann, {time})")));
    let (held, drunk, stood) = (why(&mut run, 5.0), why(&mut run, 7.0), run.why());
    assert_tells(&held, 3.0, "reached for cup");
    let took = held.iter().find(|(_, what)| what == "took cup").expect("it took it").0;
    assert!((3.5..4.5).contains(&took), "{held:#?}");
    assert_tells(&drunk, 5.5, "drank from cup");
    assert!(drunk.iter().all(|(_, what)| !what.contains("put") && !what.contains("let go")), "{drunk:#?}");
    assert_tells(&stood, 11.5, "put cup down because it was told to stand up");
    assert!(stood.iter().all(|(_, what)| !what.contains("let go of cup") && !what.contains("left cup")), "{stood:#?}");

    // On its feet it has it in its hand, and drops it as it falls.
    run.stage.eval("ann:hold_cup(scene.find('cup'))");
    run.step(0.5);
    run.stage.eval("ann:hit('chest', vector.create(0, 0, 4 * ann:mass()))");
    run.step(1.0);
    let why = run.why();
    let fell = *run.entered(Phase::Falling).last().expect("it falls");
    assert_tells(&why, fell, "let go of cup");
    assert!(why.iter().any(|(_, what)| what == "took cup"), "{why:#?}");
}

#[test]
fn a_blow_is_told_before_what_came_of_it_in_its_step() {
    let mut run = Run::new(&[]);
    run.stage.eval("ann:set_mode('animated')");
    run.step(0.5);
    run.stage.eval("ann:hit('chest', vector.create(0, 0, 200))");
    run.step(0.2);
    let why = run.why();
    let place =
        |words: &str| why.iter().position(|(_, what)| what.contains(words)).unwrap_or_else(|| panic!("{words}: {why:#?}"));
    assert!(place("struck at the chest") < place("because it was struck"), "{why:#?}");
}

#[test]
fn who_does_not_step_says_what_kept_it_from_it() {
    let mut run = Run::shoved(&["catch_step", "protective_fall"], 3.5, 1.0);
    let why = run.why();
    let no: Vec<&Said> = why.iter().filter(|(_, what)| what.contains("catch_step: no step, capture point")).collect();
    assert_eq!(no.len(), 1, "once: {why:#?}");
    assert!(no[0].1.ends_with("(start_within 1.00)") && (0.5..0.6).contains(&no[0].0), "{why:#?}");
    assert!(number(&why, " m off the soles at") > 1.0, "{why:#?}");
    // One that steps, or is not brought to it, says nothing of the kind.
    for speed in [0.5, 2.2] {
        let why = Run::shoved(&["catch_step", "protective_fall"], speed, 2.0).why();
        assert!(why.iter().all(|(_, what)| !what.contains("no step")), "{speed}: {why:#?}");
    }
}

#[test]
fn a_wrong_cause_or_a_wrong_time_is_not_among_what_is_told() {
    let mut run = Run::shoved(&["protective_fall"], 3.0, 2.0);
    let why = run.why();
    let fell = run.entered(Phase::Falling)[0];
    for (time, planted) in [
        (0.5, "struck at the chest, 3.00 m/s from ahead"),
        (0.5, "struck at the head"),
        (0.7, "struck at the chest, 3.00 m/s from behind"),
        (fell, "fell because its pelvis"),
        (fell + 0.2, "fell because it leaned"),
        (fell, "stepped"),
    ] {
        assert!(tells(&why, time, planted).is_err(), "{planted} at {time}: {why:#?}");
    }
}

#[test]
fn who_is_to_get_up_under_something_says_what_is_in_its_way_and_since_when() {
    let mut run = Run::shoved(&["protective_fall"], 3.5, 5.0);
    let at = run.stage.world.figure(run.ann).expect("ann").bone(simrun_sim::Bone::Pelvis).translation;
    let (over, size) = (Vec3::new(at.x, 0.9, at.z), Vec3::new(4.0, 0.1, 4.0));
    add_box(&mut run.stage.world, "shelf", size, over, BodyKind::Fixed, 0.0);
    run.stage.world.command(Command::SetSwitch { figure: run.ann, switch: Switch::GetUp(1.0) }).expect("a switch");
    run.step(2.0);
    let waits: Vec<f64> = run
        .heard
        .iter()
        .filter(|event| matches!(&event.what, Happening::GetUpWaits { why, .. } if why.contains("shelf")))
        .map(|event| event.step as f64 / 60.0)
        .collect();
    let why = run.why();
    assert!(!waits.is_empty(), "{why:#?} {:?}", run.stage.problems());
    assert_tells(&why, waits[0], "getting up waits: shelf is in its way");
}

#[test]
fn an_arm_too_weak_for_what_is_asked_of_it_is_told_with_its_torque() {
    let mut run = Run::new(&[]);
    run.stage.eval("ann:set_part_strength('arm_l', 0.1)");
    run.step(1.0);
    run.stage.eval("ann:point('upper_arm_l', vector.create(0, 1, 0)) ann:point('forearm_l', vector.create(0, 1, 0))");
    run.step(1.0);
    let why = run.why();
    assert_tells(&why, 1.0, "prompt took the left arm");
    assert_tells(&why, 1.0, "muscles gave all they have: upper_arm_l");
    let budget: f64 = run.stage.value("ann:budget('upper_arm_l')").parse().expect("a number");
    let torque = number(&why, " N·m for");
    assert!((torque - budget).abs() < 1.0, "{torque} of {budget}: {why:#?}");
    // The other one, which has all its strength, is at no limit.
    assert!(why.iter().all(|(_, what)| !what.contains("upper_arm_r")), "{why:#?}");
}

#[test]
fn what_behaviours_note_is_kept_in_bounds_and_said_once() {
    let noting = "return { step = function(fig, state)
        state.n = (state.n or 0) + 1
        motion.note(fig, 'always')
        motion.note(fig, 'step %d of %s', state.n, string.rep('x', 500))
    end }";
    let mut stage = Stage::with(&[("noting", noting)]);
    stage.step(600);
    assert_eq!(stage.problems(), [""; 0]);
    let ann = stage.world.find_figure("ann").expect("ann");
    let trace = &stage.world.figure(ann).expect("ann").trace;
    assert!(trace.causes().count() <= simrun_sim::trace::KEPT && trace.dropped().is_some());
    let why = stage.value("why(ann)");
    assert!(why.lines().count() < 40 && why.lines().all(|line| line.len() < 300), "{why}");
    let early = stage.error("why(ann, 0.1)");
    assert!(early.contains("motion.why: time: found 0.10 s; accepted: "), "{early}");
    assert_eq!(
        stage.error("motion.note(ann, 'a %d', 'b')"),
        "motion.note: text: invalid argument #2 to 'format' (number expected, got string)"
    );
}

#[test]
fn a_restored_world_tells_the_same() {
    let mut run = Run::shoved(&["protective_fall"], 3.0, 1.0);
    let snapshot = run.stage.world.snapshot();
    let before = run.stage.value("why(ann)");
    run.step(1.0);
    assert_ne!(run.stage.value("why(ann)"), before);
    run.stage.world.restore(&snapshot).expect("it is whole");
    assert_eq!(run.stage.value("why(ann)"), before);
}

#[test]
fn assist_is_told_of_the_last_seconds_too() {
    let mut run = Run::shoved(&[], 0.5, 0.5);
    let of = |run: &mut Run, seconds: &str| run.stage.value(&format!("assist(ann{seconds})")).parse::<f64>().expect("a share");
    let (all, last) = (of(&mut run, ""), of(&mut run, ", 0.5"));
    assert!(last > 1.5 * all, "{last} in the last half second, {all} in all");
    run.step(10.0);
    assert!(of(&mut run, ", 2") < 0.2 * last);
    assert!(
        matches!(run.stage.eval("assist(ann, 0)"), Eval::Error(why) if why == "motion.assist: seconds: found 0; accepted: 0.5 to 60")
    );
}
