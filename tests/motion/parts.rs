//! Parts with a mode and a strength of their own.

use crate::support::{add_figure, road, run, shove, spawn, standing};
use simrun_scene::format::Motion as SceneMotion;
use simrun_sim::motion::PartRecord;
use simrun_sim::space::Vec3;
use simrun_sim::{Bone, Command, Error, FigureHandle, Happening, Hit, Mode, MotionRecord, Part, World, WorldSettings};

fn share(world: &World, figure: FigureHandle, bone: Bone) -> f32 {
    world.figure(figure).unwrap().motion().unwrap().muscles.share(bone)
}

#[test]
fn an_injury_outlasts_a_blow_a_fall_and_getting_up() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    world.command(Command::SetPartStrength { figure: ann, part: Part::ArmR, strength: 0.03 }).unwrap();
    world.command(Command::SetPartMode { figure: ann, part: Part::ArmL, mode: Mode::Limp }).unwrap();
    run(&mut world, 0.5);
    shove(&mut world, ann, Bone::UpperArmR, Vec3::NEG_Z * 3.5);
    assert!(share(&world, ann, Bone::UpperArmR) < 0.02, "a blow takes its share of what there is");
    run(&mut world, 5.0);
    world.command(Command::GetUp(ann)).unwrap();
    run(&mut world, 5.0);
    assert_eq!(world.figure(ann).unwrap().mode(), Mode::Powered, "it is up");
    assert!((share(&world, ann, Bone::UpperArmR) - 0.03).abs() < 1.0e-6);
    let motion = world.figure(ann).unwrap().motion().unwrap();
    assert_eq!(motion.part_mode(Part::ArmL), Mode::Limp);
    let again = MotionRecord::from(&SceneMotion::from(&motion.record));
    assert_eq!(again.parts, motion.record.parts, "a scene keeps them");
    let hurt = spawn(&mut world, simrun_sim::FigureSpec { motion: Some(again), ..standing("ben", Mode::Powered) });
    assert!((share(&world, hurt, Bone::ForearmR) - 0.03).abs() < 1.0e-6);
}

#[test]
fn a_light_blow_is_the_parts_and_a_heavy_one_the_figures() {
    let jab = |speed: f32, part: Option<Part>, bone| {
        let mut world = road(WorldSettings::default());
        let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Animated);
        if let Some(part) = part {
            world.command(Command::SetPartMode { figure: ann, part, mode: Mode::Powered }).unwrap();
        }
        run(&mut world, 0.2);
        shove(&mut world, ann, bone, Vec3::NEG_Z * speed);
        run(&mut world, 0.1);
        let struck = world.figure(ann).unwrap();
        (struck.mode(), struck.motion().unwrap().muscles.left(bone) < 1.0)
    };
    assert_eq!(jab(0.1, Some(Part::Head), Bone::Head), (Mode::Animated, true));
    // Arms hang from the chest, and go on their muscles with it.
    assert_eq!(jab(0.1, Some(Part::Spine), Bone::ForearmL), (Mode::Animated, true));
    assert_eq!(jab(0.4, Some(Part::Head), Bone::Head).0, Mode::Powered);
    assert_eq!(jab(0.1, Some(Part::Head), Bone::Chest).0, Mode::Powered);
    assert_eq!(jab(0.1, Some(Part::Spine), Bone::Pelvis).0, Mode::Powered);
    assert_eq!(jab(0.1, None, Bone::Head).0, Mode::Powered);
}

#[test]
fn a_limp_arm_meets_the_wall_that_its_figure_goes_through() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Animated);
    world.command(Command::SetPartMode { figure: ann, part: Part::ArmL, mode: Mode::Limp }).unwrap();
    let size = Vec3::new(0.4, 3.0, 0.2);
    crate::support::add_box(
        &mut world,
        "wall",
        size,
        Vec3::new(0.4, 1.5, 0.4),
        simrun_sim::solve::boundary::BodyKind::Fixed,
        0.0,
    );
    let mut touched = Vec::new();
    for _ in 0..60 {
        let hit = Hit::new(ann, Bone::ForearmL, Vec3::Z * 1.0);
        world.command(Command::Hit(hit)).unwrap();
        world.step(&mut simrun_sim::Nobody);
        touched.extend(world.events().iter().filter_map(|event| match &event.what {
            Happening::Touched { bone, .. } => Some(*bone),
            _ => None,
        }));
    }
    assert!(touched.contains(&Bone::ForearmL), "{touched:?}");
    assert_eq!(world.figure(ann).unwrap().mode(), Mode::Animated);
}

#[test]
fn what_a_part_cannot_be_is_said_and_nothing_is_done() {
    let mut world = road(WorldSettings::default());
    let ann = add_figure(&mut world, "ann", Vec3::ZERO, Mode::Powered);
    let set = Command::SetPartMode { figure: ann, part: Part::LegL, mode: Mode::GettingUp };
    assert!(matches!(world.command(set), Err(Error::ModeNotSet(_))));
    assert_eq!(world.figure(ann).unwrap().motion().unwrap().part_mode(Part::LegL), Mode::Animated);
    let mut spec = standing("ben", Mode::Powered);
    let bad = PartRecord { strength: f32::NAN, ..PartRecord::default() };
    spec.motion = Some(MotionRecord { parts: [bad; 6], ..MotionRecord::default() });
    let handle = world.reserve_figure("ben").unwrap();
    assert!(matches!(world.command(Command::Spawn { handle, spec: Box::new(spec) }), Err(Error::Number { .. })));
}
