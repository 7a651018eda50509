//! The API against a live world.

use super::Stage;

#[test]
fn a_blow_is_given_and_felt() {
    let mut stage = Stage::with(&[]);
    stage.step(5);
    stage.eval("ann:hit('chest', nil, vector.create(0, 0, 60))");
    stage.step(1);
    assert_eq!(stage.value("ann:velocity('chest').z > 1"), "true");
    stage.step(9);
    assert_eq!(stage.value("ann:muscle('chest') < 1"), "true");
}

#[test]
fn a_shape_once_held_is_held_as_it_was() {
    let mut stage = Stage::with(&[]);
    stage.step(1);
    stage.eval("ann:point('head', vector.create(0, 0, 1)) ann:hold_shape(0.4)");
    let claims = |stage: &Stage| {
        let ann = stage.world.find_figure("ann").expect("ann");
        stage.world.figure(ann).expect("ann").claims.iter().map(|claim| (claim.bone, claim.want)).collect::<Vec<_>>()
    };
    let first = claims(&stage);
    assert_eq!(first.len(), 11, "every joint, and the head stays pointed");
    stage.step(20);
    stage.eval("ann:hold_shape(0.4)");
    assert_eq!(claims(&stage), first);
    stage.eval("ann:release()");
    assert_eq!(claims(&stage), []);
}

#[test]
fn senses_are_read() {
    let mut stage = Stage::with(&[]);
    stage.step(30);
    for line in [
        "ann:lean() < 0.5",
        "ann:com().y > 0.5",
        "ann:phase() == 'standing'",
        "ann:phase_time() > 0.4",
        "ann:mode() == motion.POWERED",
        "#ann:support() > 2",
        "#ann:contacts() > 0",
        "ann:contacts()[1].object:name() == 'road'",
        "ann:feet().left_down",
        "ann:budget('thigh_l') > 0",
        "vector.magnitude(ann:axis('chest', vector.create(0, 0, 1))) > 0.99",
        "ann:mass() > 30",
        "physics.gravity().y < -9",
        "physics.raycast(vector.create(5, 1, 5), vector.create(0, -1, 0), 3).object:name() == 'road'",
        "#physics.near(car, 0.5) == 0",
        "#figure.bones() == 12",
        "Bone.pelvis == 1 and figure.bones()[Bone.chest] == 'chest'",
        "ann:position(Bone.head).y > ann:position('pelvis').y",
        "#scene.all() == 3",
        "math.abs(sim.time() - sim.step() * sim.dt()) < 1e-6",
    ] {
        assert_eq!(stage.value(line), "true", "{line}");
    }
    assert!(stage.value("why(ann)").starts_with("ann is powered, standing"));
}

#[test]
fn objects_have_parameters_and_velocities() {
    let mut stage = Stage::new();
    stage.eval("car:set_param('speed', 9) car:set_velocity(vector.create(0, 0, car:param('speed')))");
    stage.step(60);
    assert_eq!(stage.value("math.abs(car:position().z + 21) < 0.3"), "true", "{}", stage.value("car"));
}

#[test]
fn the_clock_is_the_programs() {
    let mut stage = Stage::new();
    stage.eval("sim.pause()");
    assert_eq!(stage.value("sim.paused()"), "true");
    assert_eq!(stage.value("sim.speed(0.25)"), "0.25");
    assert!(stage.error("sim.speed(-1)").contains("accepted: a number above 0"));
    stage.eval("scene.save('later.json')");
    assert_eq!(stage.printed(), ["saved later.json"]);
}
