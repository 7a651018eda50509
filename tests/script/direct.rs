//! Calls that go to Luau directly give what the ordinary bindings give, errors included.

use super::Stage;
use simrun_script::Eval;

/// Everything that has a direct call, with arguments as they should be and as they should not.
const LINES: [&str; 67] = [
    "figure.position(ann, Bone.head)",
    "figure.position(ann, 'head')",
    "figure.position(ann)",
    "figure.position(car)",
    "figure.position(ann, 0)",
    "figure.position(ann, 13)",
    "figure.position(ann, 1.5)",
    "figure.position(ann, '4')",
    "figure.position(ann, 0/0)",
    "figure.position(ann, 1e300)",
    "figure.position(nil, 4)",
    "figure.position({}, 4)",
    "figure.position()",
    "figure.rotation(ann, Bone.chest)",
    "figure.rotation(gone, Bone.chest)",
    "ann:position(4, 5, 6)",
    "motion.lean(ann)",
    "motion.lean(car)",
    "motion.lean(gone)",
    "motion.lean(still)",
    "motion.pelvis_height(ann)",
    "motion.capture_outside(ann)",
    "motion.lean_direction(ann)",
    "motion.fall_direction(ann)",
    "motion.capture_point(ann)",
    "motion.com(ann)",
    "motion.com_velocity(ann)",
    "motion.phase(ann)",
    "motion.phase(still)",
    "motion.phase_time(ann)",
    "motion.muscle(ann, Bone.chest)",
    "motion.muscle(ann, 'chests')",
    "motion.point(ann, Bone.head, vector.zero)",
    "motion.point(ann, Bone.head, vector.create(0/0, 0, 0))",
    "motion.point(ann, Bone.head, 3)",
    "motion.point(ann, Bone.head, vector.create(0, 1, 1), { share = 9 })",
    "motion.bend(ann, Bone.head, vector.create(1e30, 0, 0))",
    "motion.bend(still, Bone.head, vector.create(0, 1, 0))",
    "motion.aim(ann, Bone.head, vector.create(0, 0.5, 0), { shares = 1 })",
    "local feet = motion.feet(ann) return feet.left, feet.right, feet.left_down, feet.right_down",
    "motion.feet(still)",
    "motion.mode(ann) == motion.POWERED",
    "motion.mode(still)",
    "motion.landed(ann)",
    "motion.landed(car)",
    "motion.axis(ann, Bone.pelvis, vector.create(0, 0, 1))",
    "motion.axis(ann, Bone.pelvis, 1)",
    "motion.axis(still, Bone.pelvis, vector.create(0, 0, 1))",
    "motion.tip(ann, Bone.shin_l)",
    "motion.tip(ann, 99)",
    "motion.pose(ann, Bone.pelvis, vector.create(0, 1, 0))",
    "motion.pose(ann, Bone.head, vector.create(0, 1, 0), { blend = -1 })",
    "motion.reach(ann, Bone.forearm_l, vector.create(0, 1, 0))",
    "motion.reach(ann, Bone.thigh_l, vector.create(0, 1, 0), 5)",
    "motion.reach(ann, Bone.thigh_l, vector.create(0, 1, 0), nil, { share = '1' })",
    "motion.bend(ann, Bone.head, vector.create(0, 1, 0), { [1] = 2 })",
    "motion.bend(ann, Bone.head, vector.create(0, 1, 0), { share = 1e300 })",
    "motion.bend(ann, Bone.head, vector.create(0, 1, 0), { priority = 0/0 })",
    "motion.bend(ann, Bone.head, vector.create(0, 1, 0), { priority = 1/0 })",
    "motion.weaken(ann, Bone.thigh_l, 1.5)",
    "motion.tense(ann, Bone.thigh_l, 0.5)",
    "motion.tense(still, Bone.thigh_l, 2)",
    "math.sin(2.5) .. ' ' .. math.cos('2.5') .. ' ' .. math.sin(1/0)",
    "math.acos(2) .. ' ' .. math.atan2(1, -0.0)",
    "math.atan2(1)",
    "math.sin('x')",
    "math.cos({})",
];

/// A behaviour that claims in every way.
const CLAIMER: &str = "return { step = function(fig, state, dt)
    motion.point(fig, Bone.upper_arm_l, vector.create(0, -1, 1))
    motion.point(fig, 'forearm_l', vector.create(0, -1, 1), { priority = 12 })
    motion.bend(fig, Bone.chest, vector.create(0.1, 0, 0))
    motion.aim(fig, Bone.head, vector.create(0, 0.3, 0), nil)
    motion.pose(fig, Bone.shin_l, vector.create(0.3, 0, 0), { share = 0.5, blend = 0.2 })
    motion.reach(fig, Bone.upper_arm_r, vector.create(0, 1, 0.5), nil, { priority = 11, share = 2, blend = 0.1 })
    motion.weaken(fig, Bone.thigh_r, 0.5)
    motion.tense(fig, Bone.shin_r, 2)
end }";

fn stage(direct: bool) -> Stage {
    let mut stage = Stage::with(&[("claimer", CLAIMER)]);
    stage.scripts.set_direct(direct);
    stage.add("gone", &[]);
    let mut still = super::figure("still", &[]);
    still.motion = None;
    let handle = stage.world.reserve_figure("still").expect("a free name");
    stage.world.command(simrun_sim::Command::Spawn { handle, spec: Box::new(still) }).expect("a good figure");
    stage.eval("gone = scene.find('gone') scene.destroy(gone)");
    stage.eval("ann:hit('chest', nil, vector.create(0, 0, 250))");
    stage.step(40);
    stage
}

#[test]
fn a_direct_call_gives_what_the_ordinary_binding_gives() {
    let (mut direct, mut ordinary) = (stage(true), stage(false));
    for line in LINES {
        let found: Eval = direct.eval(line);
        assert_eq!(found, ordinary.eval(line), "{line}");
        assert!(!matches!(found, Eval::Incomplete), "{line}");
    }
    direct.step(60);
    ordinary.step(60);
    assert_eq!(direct.world.sim_hash(), ordinary.world.sim_hash());
    let claims = |stage: &Stage| {
        let ann = stage.world.find_figure("ann").expect("ann");
        stage.world.figure(ann).expect("ann").claims.clone()
    };
    assert_eq!(claims(&direct), claims(&ordinary));
    assert_eq!(claims(&direct).iter().filter(|claim| &*claim.owner == "claimer").count(), 8);
}
