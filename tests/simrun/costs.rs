//! What live coding costs, as it is printed and held to by `cargo test --release -- --ignored simrun::costs --nocapture --test-threads=1` on a
//! machine that does nothing else.

use super::{binary, repository};
use std::hint::black_box;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a scene with these lines on so many threads of futures; wall time and the report.
fn timed(scene: &str, seconds: &str, lines: &str, threads: usize) -> (Duration, serde_json::Value) {
    let began = Instant::now();
    let mut child = Command::new(binary())
        .args([scene, "--headless", "--seconds", seconds, "--report=json"])
        .env("RAYON_NUM_THREADS", threads.to_string())
        .current_dir(repository())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("piped").write_all(lines.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let report = serde_json::from_slice(&output.stdout).expect("a report");
    (began.elapsed(), report)
}

/// Wall time of eight pieces of plain arithmetic on so many threads.
fn arithmetic(threads: usize) -> Duration {
    let piece = |from: f64| (0..60_000_000).fold(black_box(from), |number, _| number * 0.999 + 0.001);
    let began = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                (thread..8).step_by(threads).for_each(|index| {
                    black_box(piece(index as f64));
                })
            });
        }
    });
    began.elapsed()
}

#[test]
#[ignore = "timings, of a machine that does nothing else"]
fn futures_gain_what_a_second_thread_gives() {
    let fork = "futures = sim.fork(8, function(i) ann:hit('chest', vector.create(0, 0, 40 * i)) end, 20)\n\
                for _, future in futures do print(future.hash) end\n";
    let least = |run: &dyn Fn() -> Duration| (0..5).map(|_| run()).min().unwrap_or_default().as_secs_f64();
    let alone = least(&|| timed("scenes/street.json", "0.1", "", 1).0);
    let forked = [1, 2].map(|threads| least(&|| timed("scenes/street.json", "0.1", fork, threads).0) - alone);
    let counted = [1, 2].map(|threads| least(&|| arithmetic(threads)));
    let (futures, plain) = (forked[0] / forked[1], counted[0] / counted[1]);
    println!(
        "fork of 8: {:.2} s on one thread, {:.2} s on two, speed-up {futures:.2}; arithmetic {plain:.2}",
        forked[0], forked[1]
    );
    assert!(futures >= 0.85 * plain, "{futures:.2} of {plain:.2}");
}

#[test]
#[ignore = "timings, of a machine that does nothing else"]
fn what_is_kept_of_two_minutes_costs_little() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = repository().join("scenes/assets/boxman.glb");
    std::fs::copy(model, folder.path().join("boxman.glb")).expect("a copy");
    let figures: Vec<String> = (0..20)
        .map(|index| {
            format!(
                r#"{{ "name": "f{index}", "model": "boxman.glb", "clip": "Bow", "position": [{}, 0, 0], "motion": {{ "mode": "powered" }} }}"#,
                2 * index
            )
        })
        .collect();
    let scene = format!(
        r#"{{ "name": "twenty", "objects": [ {{ "name": "ground", "shape": "plane" }} ], "figures": [ {} ] }}"#,
        figures.join(",\n")
    );
    let file = folder.path().join("s.json");
    std::fs::write(&file, scene).expect("a file");
    let (_, report) = timed(&file.display().to_string(), "130", "", 1);
    let number = |name: &str| report["step_us"][name].as_f64().expect("a time");
    let (mean, past, mb) = (number("mean"), number("past"), report["past_mb"].as_f64().expect("a size"));
    println!(
        "20 figures, 130 s: {mean:.1} µs a step, and {past:.2} for the past ({:.1} %), {mb:.1} MB of it",
        100.0 * past / mean
    );
    assert!(mb <= 128.0 && past <= 0.05 * mean, "{past:.2} of {mean:.1} µs, {mb:.1} MB");
}
