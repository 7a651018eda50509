//! Whatever a figure is at, and whenever: a blow, going limp, a script that is loaded anew, a snapshot that is gone back to and a scene that
//! is saved do not make it jump, do not get stuck, and lose nothing.

use super::{Stage, shipped};
use simrun_scene::format::Motion as SceneMotion;
use simrun_script::ReloadOutcome;
use simrun_sim::space::{Vec3, rotation_vector};
use simrun_sim::{BONES, Command, FigureHandle, Mode, MotionRecord, Phase, Rigid};

/// What it is at: behaviours, and what brings it about (`ann` at the prompt), once it has stood for half a second.
const AT: [(&str, &[&str], &str); 7] = [
    (
        "hit_reaction",
        &["hit_reaction", "catch_step", "protective_fall"],
        "ann:hit('spine', vector.create(0, 0, -0.18 * ann:mass()))",
    ),
    ("writhe", &["protective_fall", "writhe"], "ann:set_writhing(2) ann:hit('chest', vector.create(0, 0, -3.4 * ann:mass()))"),
    ("crawl", &["protective_fall", "crawl"], "ann:hit('chest', vector.create(0, 0, 3.4 * ann:mass()))"),
    ("look", &["look", "protective_fall"], "ann:look(vector.create(3, 1.5, 2))"),
    ("brace", &["brace", "protective_fall"], "ann:hit('chest', vector.create(0, 0, 1.8 * ann:mass()))"),
    ("limp part", &["protective_fall"], "ann:set_mode('animated') ann:set_part_mode('arm_l', 'limp')"),
    ("powered part", &["protective_fall"], "ann:set_mode('animated') ann:set_part_mode('spine', 'powered')"),
];
/// Moments at which each is interrupted, and steps of a second.
pub(super) const MOMENTS: usize = 10;
pub(super) const SECOND: usize = 60;
/// The most that a drawn bone turns in a step otherwise than its body (rad): 6°.
pub(super) const POP: f32 = 0.105;

fn drawn(stage: &Stage, ann: FigureHandle) -> ([Rigid; BONES], [Rigid; BONES]) {
    let figure = stage.world.figure(ann).expect("alive");
    (figure.drawn.bodies, figure.body.expect("a body").bodies.map(|body| body.pose))
}

/// Steps, and the most that a drawn bone turned in one otherwise than its body did: all of its turn where no body could have done it.
pub(super) fn steps(stage: &mut Stage, ann: FigureHandle, count: usize) -> f32 {
    let mut worst = 0.0_f32;
    for _ in 0..count {
        let before = drawn(stage, ann);
        stage.step(1);
        let after = drawn(stage, ann);
        for bone in 0..BONES {
            let turn =
                |from: &[Rigid; BONES], to: &[Rigid; BONES]| rotation_vector(to[bone].rotation * from[bone].rotation.conjugate());
            let (shown, body) = (turn(&before.0, &after.0), turn(&before.1, &after.1));
            worst = worst.max(shown.length().min((shown - body).length()));
        }
    }
    worst
}

#[test]
fn nothing_that_interrupts_makes_a_figure_jump_or_stick() {
    // Golden ratio: any number of them lie evenly, and none where another does.
    let mut place = 0.0_f32;
    let mut draw = || {
        place = (place + 0.618_034).fract();
        place
    };
    for (at, behaviours, begin) in AT {
        let mut stage = Stage::new();
        for (name, text) in shipped() {
            stage.texts.write(&name, &text);
        }
        stage.add("ann", behaviours);
        let ann = stage.world.find_figure("ann").expect("ann");
        stage.step(SECOND / 2);
        let (world, scripts) = (stage.world.snapshot(), stage.scripts.snapshot().expect("plain data"));
        for moment in 0..MOMENTS {
            stage.world.restore(&world).expect("back");
            stage.scripts.restore(&mut stage.world, &scripts).expect("back");
            stage.eval(begin);
            stage.step(1 + (draw() * (5 * SECOND) as f32) as usize);
            let record = stage.world.figure(ann).expect("alive").motion().expect("motion").record.clone();
            let worst = match moment % 5 {
                0 => {
                    let way = Vec3::new(2.0 * draw() - 1.0, 0.0, 2.0 * draw() - 1.0) * 60.0;
                    stage.eval(&format!("ann:hit('chest', vector.create({}, 0, {}))", way.x, way.z));
                    steps(&mut stage, ann, SECOND)
                }
                1 => {
                    stage.world.command(Command::SetMode { figure: ann, mode: Mode::Limp }).expect("a mode");
                    let worst = steps(&mut stage, ann, SECOND);
                    assert!(stage.world.figure(ann).expect("alive").claims.iter().all(|claim| &*claim.owner != at), "{at}, limp");
                    worst
                }
                2 => {
                    let text = stage.texts.read(behaviours[0]).expect("it is there").text;
                    stage.texts.write(behaviours[0], &format!("{text}\n-- anew"));
                    let outcome = stage.scripts.reload(&mut stage.world, &behaviours[..1]);
                    assert!(matches!(outcome, ReloadOutcome::Swapped { .. }), "{at}: {outcome:?}");
                    steps(&mut stage, ann, SECOND)
                }
                3 => {
                    let (world, scripts) = (stage.world.snapshot(), stage.scripts.snapshot().expect("plain data"));
                    let worst = steps(&mut stage, ann, SECOND);
                    let straight = (stage.world.last_hashes().all(), stage.scripts.script_hash());
                    stage.world.restore(&world).expect("back");
                    stage.scripts.restore(&mut stage.world, &scripts).expect("back");
                    stage.step(SECOND);
                    assert_eq!((stage.world.last_hashes().all(), stage.scripts.script_hash()), straight, "{at}, restored");
                    worst
                }
                _ => {
                    let text = serde_json::to_string(&SceneMotion::from(&record)).expect("plain data");
                    let read: SceneMotion = serde_json::from_str(&text).expect("what is written can be read");
                    let mode = if matches!(record.mode, Mode::Animated | Mode::Limp) { record.mode } else { Mode::Powered };
                    assert_eq!(MotionRecord::from(&read), MotionRecord { mode, ..record.clone() }, "{at}, saved");
                    steps(&mut stage, ann, SECOND)
                }
            };
            assert!(worst < POP, "{at}, moment {moment}: a drawn bone jumped by {worst} rad");
            // Taken back to its animation nothing of it is left.
            stage.world.command(Command::SetMode { figure: ann, mode: Mode::Animated }).expect("a mode");
            let worst = steps(&mut stage, ann, SECOND);
            let figure = stage.world.figure(ann).expect("alive");
            assert_eq!((figure.mode(), figure.phase()), (Mode::Animated, Phase::Standing), "{at}, moment {moment}");
            let left = figure.claims.iter().filter(|claim| &*claim.owner == at && at != "look").count();
            assert_eq!(left, 0, "{at}, moment {moment}: it still has claims");
            assert_eq!(stage.problems(), [""; 0], "{at}, moment {moment}");
            assert!(worst.is_finite());
        }
    }
}
