use simrun_sim::figure::{Bone, stick_person};
use simrun_sim::solve::boundary::{BodyKind, Shape, Solver};
use simrun_sim::solve::{BatchSolver, RapierSolver, Width};
use simrun_sim::space::{Quat, Rigid, Vec3, rotation_vector};
use simrun_sim::*;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
static START: LazyLock<Instant> = LazyLock::new(Instant::now);
fn clock() -> Duration {
    START.elapsed()
}
fn solver(name: &str, g: Vec3) -> Box<dyn Solver> {
    match name {
        "rapier" => Box::new(RapierSolver::new(g)),
        "scalar" => Box::new(BatchSolver::with_width(g, Width::Scalar)),
        "sse" => Box::new(BatchSolver::with_width(g, Width::Sse2)),
        _ => Box::new(BatchSolver::with_width(g, Width::Avx2)),
    }
}
fn world(name: &str, n: usize, gap: f32) -> (World, Vec<FigureHandle>) {
    let model = Arc::new(Model::new(stick_person()));
    let s = WorldSettings {
        substeps: std::env::var("SUB").ok().and_then(|x| x.parse().ok()).unwrap_or(8),
        ..WorldSettings::default()
    };
    let g = s.gravity;
    let mut w = World::with_solver(s, solver(name, g));
    let h = w.reserve_object("ground").unwrap();
    let slope: f32 = std::env::var("SLOPE").ok().and_then(|x| x.parse().ok()).unwrap_or(0.0);
    let rot = Quat::from_rotation_x(slope.to_radians());
    w.command(Command::AddObject {
        handle: h,
        spec: Box::new(ObjectSpec {
            name: "ground".into(),
            shape: Shape::Box(Vec3::new(200., 1., 200.)),
            kind: BodyKind::Fixed,
            pose: Rigid::new(rot, rot * Vec3::Y * -0.5),
            mass: 0.,
            friction: 0.9,
            params: Default::default(),
        }),
    })
    .unwrap();
    let mut v = vec![];
    for i in 0..n {
        let h = w.reserve_figure(&format!("f{i:03}")).unwrap();
        let spec = FigureSpec {
            position: Vec3::new((i % 8) as f32 * gap, 0., (i / 8) as f32 * gap),
            motion: Some(MotionRecord { mode: Mode::Powered, stepping: false, ..MotionRecord::default() }),
            ..FigureSpec::new(&format!("f{i:03}"), model.clone())
        };
        w.command(Command::Spawn { handle: h, spec: Box::new(spec) }).unwrap();
        v.push(h);
    }
    (w, v)
}
struct Bow;
impl Decide for Bow {
    fn decide(&mut self, w: &mut World) {
        let t = w.time() as f32;
        let hs: Vec<_> = w.figures().map(|f| f.handle).collect();
        for h in hs {
            w.claim(
                h,
                Claim {
                    bone: Bone::Chest,
                    want: Want::Bend(Vec3::X * 0.26 * (t * 3.1416).sin()),
                    priority: 10,
                    share: 1.0,
                    blend_in: 0.0,
                    since_step: 0,
                    owner: "bow".into(),
                },
            )
            .unwrap();
        }
    }
}
fn hash(w: &World) -> u64 {
    let mut h = 0xcbf29ce484222325u64;
    for f in w.figures() {
        for b in &f.body.unwrap().bodies {
            for x in b
                .pose
                .translation
                .to_array()
                .into_iter()
                .chain(b.pose.rotation.to_array())
                .chain(b.linear.to_array())
                .chain(b.angular.to_array())
            {
                h = (h ^ x.to_bits() as u64).wrapping_mul(0x100000001b3);
            }
        }
    }
    h
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let name = a.get(2).map_or("avx", |s| s.as_str());
    match a[1].as_str() {
        "stand" => {
            let (mut w, v) = world(name, 1, 2.0);
            let p0 = |w: &World| w.figure(v[0]).unwrap().body.unwrap().bodies;
            let secs = 30;
            let start = p0(&w);
            let mut last = start;
            for s in 0..secs {
                let (mut sum, mut mx, mut n) = (0f64, 0f32, 0);
                for _ in 0..60 {
                    w.step(&mut Nobody);
                    let now = p0(&w);
                    for b in 0..12 {
                        let d = rotation_vector(now[b].pose.rotation * last[b].pose.rotation.conjugate()).length() * 60.;
                        sum += d as f64;
                        mx = mx.max(d);
                        n += 1;
                    }
                    last = now;
                }
                if s < 3 || s % 6 == 5 {
                    let f = w.figure(v[0]).unwrap();
                    let bear: f32 = f.solved.contacts.iter().map(|c| c.impulse * c.normal.y).sum::<f32>() * 60.;
                    let err: f32 = f
                        .joint_rotations()
                        .into_iter()
                        .zip(f.target.joints)
                        .skip(1)
                        .map(|(a, b)| a.angle_between(b).to_degrees())
                        .sum::<f32>()
                        / 11.;
                    let d = last[0].pose.translation - start[0].pose.translation;
                    println!(
                        "{s:3} s posediff {:.6} max {mx:.5} pelvis {:.4} drift {:.2} mm {:.2} yaw {:.3} err {err:.3} bears {:.1} of {:.1} contacts {} sep {:.2} mm",
                        sum / n as f64,
                        last[0].pose.translation.y,
                        d.x * 1e3,
                        d.z * 1e3,
                        rotation_vector(last[0].pose.rotation).y.to_degrees(),
                        bear,
                        f.model.ragdoll.as_ref().unwrap().mass * 9.81,
                        f.solved.contacts.len(),
                        f.solved.joints.iter().map(|j| j.separation).fold(0., f32::max) * 1e3
                    );
                }
            }
        }
        "open" => {
            let (mut w, v) = world(name, 1, 2.0);
            for _ in 0..60 {
                w.step(&mut Nobody);
            }
            let m = w.figure(v[0]).unwrap().model.ragdoll.as_ref().unwrap().mass;
            let c = w.figure(v[0]).unwrap().bone(Bone::Chest).translation;
            let d = [Vec3::Z, -Vec3::Z, Vec3::X][a[3].parse::<usize>().unwrap()] * a[4].parse::<f32>().unwrap() * m;
            w.command(Command::Hit(Hit { point: Some(c), ..Hit::new(v[0], Bone::Chest, d) })).unwrap();
            for i in 0..40 {
                w.step(&mut Nobody);
                let f = w.figure(v[0]).unwrap();
                let s: Vec<String> = f.solved.joints.iter().map(|j| format!("{:5.1}", j.separation * 1e3)).collect();
                let t: Vec<String> = f.body.unwrap().bodies.iter().map(|b| format!("{:3.0}", b.angular.length())).collect();
                println!("{i:2} sep {} spin {} {:?} c{}", s.join(" "), t.join(" "), f.phase(), f.solved.contacts.len());
            }
        }
        "free" => {
            use simrun_sim::solve::boundary::{FigureInput, FigureOutput, JointTarget};
            let model = Model::new(stick_person());
            let rag = model.ragdoll.as_ref().unwrap();
            let top = rag.topology.clone();
            let mut s = solver(name, Vec3::ZERO);
            let mut seed: u32 = a[3].parse().unwrap();
            let mut rnd = || {
                seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
                (seed >> 8) as f32 / 8388608.0 - 1.0
            };
            s.add_figure(1, &top, &rag.rest);
            let tele: Vec<_> = rag
                .rest
                .iter()
                .map(|p| (*p, Vec3::new(rnd(), rnd(), rnd()) * 2.0, Vec3::new(rnd(), rnd(), rnd()) * 6.0))
                .collect();
            let sub = std::env::var("SUB").ok().and_then(|x| x.parse().ok()).unwrap_or(8);
            let mut input = FigureInput {
                substeps: sub,
                joints: top
                    .joints
                    .iter()
                    .map(|_| JointTarget { rotation: Quat::IDENTITY, velocity: Vec3::ZERO, tau: 0.05, budget: 0.0 })
                    .collect(),
                teleport: Some(tele),
                ..FigureInput::default()
            };
            let mut out = FigureOutput::default();
            let mut last = f32::NAN;
            for i in 0..120 {
                s.step(1.0 / 60.0, &mut [(1, &input, &mut out)]);
                input.teleport = None;
                let e: f32 = top
                    .bodies
                    .iter()
                    .zip(&out.bodies)
                    .map(|(d, b)| {
                        let w = d.inertia_frame.conjugate() * (b.pose.rotation.conjugate() * b.angular);
                        0.5 * d.mass * b.linear.length_squared() + 0.5 * (d.principal_inertia * w).dot(w)
                    })
                    .sum();
                let l: Vec3 = top
                    .bodies
                    .iter()
                    .zip(&out.bodies)
                    .map(|(d, b)| {
                        let w = d.inertia_frame.conjugate() * (b.pose.rotation.conjugate() * b.angular);
                        b.pose.translation.cross(b.linear) * d.mass
                            + b.pose.rotation * (d.inertia_frame * (d.principal_inertia * w))
                    })
                    .sum();
                if i < 10 || e > last {
                    println!(
                        "{i} E {e:.4} d {:.4} L {:.4} {:.4} {:.4} sep {:.2} mm spin {:.1}",
                        e - last,
                        l.x,
                        l.y,
                        l.z,
                        out.joints.iter().map(|j| j.separation).fold(0., f32::max) * 1e3,
                        out.bodies.iter().map(|b| b.angular.length()).fold(0., f32::max)
                    );
                }
                last = e;
            }
        }
        "time" => {
            for n in [1, 8, 32] {
                let (mut w, _) = world(name, n, 2.0);
                w.set_clock(clock);
                for _ in 0..60 {
                    w.step(&mut Bow);
                }
                let mut best = [Duration::MAX; 7];
                let mut tot = Duration::MAX;
                for _ in 0..7 {
                    let mut r = [Duration::ZERO; 7];
                    for _ in 0..60 {
                        w.step(&mut Bow);
                        for i in 0..7 {
                            r[i] += w.profile().rooms[i];
                        }
                    }
                    let t = r.iter().sum();
                    if t < tot {
                        tot = t;
                        best = r;
                    }
                }
                println!(
                    "{name} n={n} {:?} total {:.2}",
                    best.map(|d| (d.as_secs_f64() * 1e8 / 60. / n as f64).round() / 100.),
                    tot.as_secs_f64() * 1e6 / 60. / n as f64
                );
            }
        }
        "shove" => {
            for speed in [0.43f32, 0.8, 1.8, 2.9, 5.0] {
                for dir in [Vec3::Z, -Vec3::Z, Vec3::X] {
                    let (mut w, v) = world(name, 1, 2.0);
                    for _ in 0..60 {
                        w.step(&mut Nobody);
                    }
                    let m = w.figure(v[0]).unwrap().model.ragdoll.as_ref().unwrap().mass;
                    let c = w.figure(v[0]).unwrap().bone(Bone::Chest).translation;
                    w.command(Command::Hit(Hit { point: Some(c), ..Hit::new(v[0], Bone::Chest, dir * speed * m) })).unwrap();
                    let (mut s0, mut sm, mut lean, mut worst, mut low) = (0f32, 0f32, 0f32, 0f32, 9f32);
                    let rest = w.figure(v[0]).unwrap().joint_rotations();
                    for i in 0..180 {
                        w.step(&mut Nobody);
                        let f = w.figure(v[0]).unwrap();
                        let s = f.solved.joints.iter().map(|j| j.separation).fold(0., f32::max) * 1e3;
                        if i == 0 {
                            s0 = s
                        } else {
                            sm = sm.max(s)
                        }
                        lean = lean.max((f.bone(Bone::Pelvis).rotation * Vec3::Y).angle_between(Vec3::Y).to_degrees());
                        worst = worst.max(
                            f.joint_rotations()
                                .into_iter()
                                .zip(rest)
                                .map(|(a, b)| a.angle_between(b).to_degrees())
                                .fold(0., f32::max),
                        );
                        low = low.min(f.bone(Bone::Pelvis).translation.y);
                    }
                    let f = w.figure(v[0]).unwrap();
                    let back = f
                        .joint_rotations()
                        .into_iter()
                        .zip(rest)
                        .map(|(a, b)| a.angle_between(b).to_degrees())
                        .fold(0., f32::max);
                    println!(
                        "{speed} m/s {dir}: sep first {s0:.2} then {sm:.2} mm, lean {lean:.1}, worst joint {worst:.1}, back {back:.2}, low {low:.2}, phase {:?}",
                        f.phase()
                    );
                }
            }
        }
        "limp" => {
            let (mut w, v) = world(name, 32, 2.0);
            w.set_clock(clock);
            for h in &v {
                w.command(Command::SetMode { figure: *h, mode: Mode::Limp }).unwrap();
                w.command(Command::Hit(Hit::new(*h, Bone::Chest, Vec3::new(20., 0., 30.)))).unwrap();
            }
            for s in 0..6 {
                let mut r = Duration::ZERO;
                for _ in 0..60 {
                    w.step(&mut Nobody);
                    r += w.profile().rooms[4];
                }
                let f = w.figure(v[3]).unwrap();
                let c: usize = w.figures().map(|f| f.solved.contacts.len()).sum();
                let b = f.body.unwrap().bodies;
                println!(
                    "{s} solve {:.2} us, contacts {:.1}, pelvis {:.3}, fastest {:.3} m/s {:.3} rad/s sep {:.2}",
                    r.as_secs_f64() * 1e6 / 60. / 32.,
                    c as f32 / 32.,
                    b[0].pose.translation.y,
                    b.iter().map(|b| b.linear.length()).fold(0., f32::max),
                    b.iter().map(|b| b.angular.length()).fold(0., f32::max),
                    f.solved.joints.iter().map(|j| j.separation).fold(0., f32::max) * 1e3
                );
            }
        }
        "pile" => {
            let (mut w, v) = world(name, 16, 0.5);
            w.set_clock(clock);
            for h in &v {
                w.command(Command::SetMode { figure: *h, mode: Mode::Limp }).unwrap();
            }
            for s in 0..8 {
                let mut r = Duration::ZERO;
                for _ in 0..60 {
                    w.step(&mut Nobody);
                    r += w.profile().rooms[4];
                }
                let b: Vec<_> = w.figures().flat_map(|f| f.body.unwrap().bodies).collect();
                let bear: f32 = w
                    .figures()
                    .flat_map(|f| {
                        f.solved
                            .contacts
                            .iter()
                            .filter(|c| matches!(c.other, simrun_sim::solve::boundary::Touched::Object(_)))
                            .map(|c| c.impulse * c.normal.y)
                            .collect::<Vec<_>>()
                    })
                    .sum::<f32>()
                    * 60.;
                println!(
                    "{s} solve {:.2} us, fastest {:.3} m/s mean {:.4} rad/s bears {:.0} of {:.0} lowest {:.3} sep {:.2}",
                    r.as_secs_f64() * 1e6 / 60. / 16.,
                    b.iter().map(|b| b.linear.length()).fold(0., f32::max),
                    b.iter().map(|b| b.angular.length()).sum::<f32>() / b.len() as f32,
                    bear,
                    w.figures().map(|f| f.model.ragdoll.as_ref().unwrap().mass * 9.81).sum::<f32>(),
                    b.iter().map(|b| b.pose.translation.y).fold(9., f32::min),
                    w.figures().flat_map(|f| f.solved.joints.iter().map(|j| j.separation).collect::<Vec<_>>()).fold(0., f32::max)
                        * 1e3
                );
            }
            println!("hash {:016x}", hash(&w));
        }
        _ => {
            for name in ["scalar", "sse", "avx"] {
                let (mut w, v) = world(name, 19, 2.0);
                let mut hs = vec![];
                for i in 0..600 {
                    if i == 100 {
                        for (k, h) in v.iter().enumerate() {
                            w.command(Command::Hit(Hit::new(*h, Bone::Chest, Vec3::Z * 40. * (k % 8) as f32))).unwrap();
                        }
                    }
                    if i < 200 {
                        w.step(&mut Nobody)
                    } else {
                        w.step(&mut Bow)
                    }
                    if i % 150 == 149 {
                        hs.push(format!("{:016x}", hash(&w)));
                    }
                }
                println!("{name} {hs:?}");
            }
        }
    }
}
