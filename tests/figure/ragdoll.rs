use crate::support::{model, models_below};
use simrun_sim::Bone;
#[test]
fn look() {
    for folder in ["derived/naming", "derived/transform", "derived/quirk", "figures"] {
        for path in models_below(folder) {
            if path.to_string_lossy().contains("asset-generator") {
                continue;
            }
            let m = model(&path);
            match &m.ragdoll {
                Err(e) => println!("{} {e}", path.file_name().unwrap().display()),
                Ok(r) => {
                    println!(
                        "{} {:?} h {} m {} {:?}",
                        path.file_name().unwrap().display(),
                        r.scheme,
                        r.height,
                        r.mass,
                        r.figure_from_model.to_scale_rotation_translation()
                    );
                    for b in Bone::ALL {
                        let i = b.index();
                        let d = (r.tip_at[i] - r.joint_at[i]).normalize();
                        println!(
                            "   {:12} {:.3} -> {:.3} dir {:.2} com {:.3} m {:.2} I {:.4} {:?}",
                            b.name(),
                            r.joint_at[i],
                            r.tip_at[i],
                            d,
                            r.rest[i].translation,
                            r.topology.bodies[i].mass,
                            r.topology.bodies[i].principal_inertia,
                            r.topology.bodies[i].shapes.iter().map(|s| format!("{:?}", s.shape)).collect::<Vec<_>>()
                        );
                    }
                }
            }
        }
    }
}
