//! `--record` and `simrun replay`.

use super::{binary, repository, simrun};
use crate::mutate::targets::{put_together, seal, taken_apart};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The street with its scripts and models in a folder of its own, recorded for so many seconds.
fn recorded(seconds: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    for part in ["scenes", "scenes/assets", "scripts"] {
        fs::create_dir(folder.path().join(part)).expect("a folder");
        for entry in fs::read_dir(repository().join(part)).expect("it is there").flatten() {
            if entry.path().is_file() {
                fs::copy(entry.path(), folder.path().join(part).join(entry.file_name())).expect("a copy");
            }
        }
    }
    let scene = folder.path().join("scenes/street.json").display().to_string();
    let file = folder.path().join("run.rec").display().to_string();
    let lines = ":at 0.5 ann:hit('chest', nil, vector.create(0, 0, 150))\n";
    let ran = simrun(&[&scene, "--headless", "--seconds", seconds, "--report=json", "--record", &file], lines);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    (folder, hash_of(&ran.stdout))
}

fn hash_of(report: &str) -> String {
    let report: serde_json::Value = serde_json::from_str(report).expect("one document");
    report["sim_hash"].as_str().expect("a hash").to_owned()
}

#[test]
fn a_recording_plays_without_scene_models_and_scripts() {
    let (folder, hash) = recorded("4");
    fs::remove_dir_all(folder.path().join("scenes")).expect("gone");
    fs::remove_dir_all(folder.path().join("scripts")).expect("gone");
    let file = folder.path().join("run.rec").display().to_string();
    for threads in ["1", "2"] {
        let ran = simrun(&["replay", &file, "--check", "--threads", threads, "--report", "json"], "");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(hash_of(&ran.stdout), hash);
        assert!(ran.stderr.contains("all 240 steps come to the same bits"), "{}", ran.stderr);
    }
    let table = simrun(&["replay", &file], "");
    assert_eq!(table.code, Some(0));
    assert!(table.stdout.contains("cleo") && table.stdout.contains("240 steps"), "{}", table.stdout);
}

#[test]
fn the_same_run_is_the_same_file_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = |threads: &str| {
        let file = folder.path().join(threads);
        let path = file.display().to_string();
        let args = ["scenes/street.json", "--headless", "--seconds", "3", "--threads", threads, "--record", &path];
        assert_eq!(simrun(&args, "").code, Some(0));
        fs::read(file).expect("it was written")
    };
    assert!(record("1") == record("2"), "the files differ");
}

#[test]
fn what_is_no_recording_is_told_in_one_line() {
    let (folder, _) = recorded("1");
    let file = folder.path().join("run.rec");
    let whole = fs::read(&file).expect("it is there");
    let check = |bytes: &[u8]| {
        fs::write(&file, bytes).expect("written");
        simrun(&["replay", &file.display().to_string(), "--check"], "")
    };
    let mut flipped = whole.clone();
    let at = whole.len() - 200;
    flipped[at] ^= 1;
    let flipped = check(&flipped);
    assert_eq!(flipped.code, Some(2));
    assert!(flipped.stderr.contains("damaged in step "), "{}", flipped.stderr);

    let cut = check(&whole[..whole.len() - 300]);
    assert!(cut.stderr.contains("cut off"), "{}", cut.stderr);
    assert_eq!(cut.code, Some(1), "what is not there cannot be checked");

    for (bytes, said) in [
        (&b""[..], "this is no simrun recording"),
        (&whole[..18], "cut off in the header"),
        (&b"simrun recording\x09\0\0\0"[..], "has form 9; accepted: 4"),
    ] {
        let ran = check(bytes);
        assert_eq!((ran.code, ran.stderr.lines().count()), (Some(2), 1), "{}", ran.stderr);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    let missing = simrun(&["replay", "nowhere.rec"], "");
    assert!(missing.code == Some(2) && missing.stderr.contains("nowhere.rec"), "{}", missing.stderr);
}

/// What is done after the last step, or without any, is in the recording as what is done before one.
#[test]
fn a_session_that_ends_on_lines_replays_to_where_they_left_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.rec").display().to_string();
    let claim = "motion.point(scene.find('back'), Bone.upper_arm_r, vector.create(0, 1, 0.3))";
    for lines in [
        "motion.set_strength(scene.find('back'), 0.5)".to_owned(),
        ":step 9\nmotion.set_mode(scene.find('back'), 'limp')".to_owned(),
        format!(":step 9\n{claim}"),
        ":step 9\nscene.destroy(scene.find('back'))".to_owned(),
        format!(":step 30\n:rewind 0.2\n{claim}"),
        ":step 5\nsim.advance(5) motion.set_strength(scene.find('side'), 0.5) sim.mark('here')".to_owned(),
    ] {
        let run = |quit: &str| {
            let args = ["scenes/shoves.json", "--headless", "--report=json", "--record", &file];
            let ran = simrun(&args, &format!("{lines}\n{quit}"));
            assert_eq!(ran.code, Some(0), "{lines}: {}", ran.stderr);
            hash_of(&ran.stdout)
        };
        let ended = run(":quit\n");
        let ran = simrun(&["replay", &file, "--check", "--report=json"], "");
        assert_eq!(ran.code, Some(0), "{lines}: {}", ran.stderr);
        assert_eq!(hash_of(&ran.stdout), ended, "{lines}");
    }
}

/// Checks made right say nothing: what is false is then met by the simulation itself.
#[test]
fn a_forged_recording_is_told_in_one_line() {
    let (folder, _) = recorded("0.5");
    let file = folder.path().join("run.rec");
    let whole = fs::read(&file).expect("it is there");
    let form = taken_apart(&whole);
    assert_eq!(put_together(&form), whole);
    let flipped = |bytes: &[u8], at: usize| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 1 << (at % 8);
        bytes
    };
    // Strides without a pattern; the smaller parts come after models and snapshot.
    let packed = (20..whole.len()).step_by(whole.len() / 29).map(|at| (at, seal(&flipped(&whole, at))));
    let unpacked = (0..form.len()).step_by(form.len() / 53).map(|at| (at, put_together(&flipped(&form, at))));
    let (mut refused, mut differ) = (0, 0);
    for (at, bytes) in packed.chain(unpacked) {
        fs::write(&file, bytes).expect("written");
        let ran = simrun(&["replay", &file.display().to_string(), "--check"], "");
        assert!(
            ran.code.is_some_and(|code| code <= 2) && !ran.stderr.contains("panicked"),
            "byte {at}: {:?} {}",
            ran.code,
            ran.stderr
        );
        if ran.code == Some(2) {
            assert_eq!(ran.stderr.lines().count(), 1, "byte {at}: {}", ran.stderr);
            refused += 1;
        }
        differ += usize::from(ran.code == Some(1));
    }
    // Most bytes are numbers; some are what numbers cannot make good.
    assert!(refused > 0 && differ > 0, "{refused} refused, {differ} come to other bits");
}

#[test]
fn a_recording_does_not_take_its_scenes_place() {
    let (folder, _) = recorded("0.1");
    let scene = folder.path().join("scenes/street.json");
    let before = fs::read(&scene).expect("it is there");
    let path = scene.display().to_string();
    let ran = simrun(&[&path, "--headless", "--record", &path], "");
    assert!(ran.code == Some(2) && ran.stderr.contains("is the scene itself"), "{}", ran.stderr);
    assert_eq!(fs::read(&scene).expect("it is there"), before);
}

/// A device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_recording_that_breaks_off_is_no_success() {
    let ran = simrun(&["scenes/street.json", "--headless", "--seconds", "3", "--record", "/dev/full"], "");
    assert_ne!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn a_file_that_cannot_be_made_is_told_before_the_run() {
    let scene = repository().join("scenes/street.json").display().to_string();
    let ran = simrun(&[&scene, "--headless", "--seconds", "1", "--record", "nowhere/run.rec"], "");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--record: nowhere/run.rec"), "{}", ran.stderr);
}

/// Ctrl-C ends a run cleanly: what was recorded is whole.
#[cfg(unix)]
#[test]
fn an_interrupted_recording_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.rec");
    let scene = repository().join("scenes/street.json");
    let mut child = Command::new(binary())
        .args([scene.as_path(), Path::new("--headless"), Path::new("--seconds"), Path::new("3600"), Path::new("--record"), &file])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    // Until it has written something beside its beginning.
    let beginning = |file: &Path| fs::metadata(file).map_or(0, |about| about.len());
    for _ in 0..600 {
        std::thread::sleep(Duration::from_millis(50));
        if beginning(&file) > 100_000 {
            break;
        }
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success() && child.wait().expect("it ends").success());
    let ran = simrun(&["replay", &file.display().to_string(), "--check"], "");
    assert!(ran.code == Some(0) && !ran.stderr.contains("cut off"), "{}", ran.stderr);
}

/// Ctrl-C during one line that takes many steps ends the line, and with it a run without a person.
#[cfg(unix)]
#[test]
fn a_line_of_many_steps_can_be_interrupted() {
    let mut child = Command::new(binary())
        .args([repository().join("scenes/street.json").as_path(), Path::new("--headless")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    // As many at once as are taken, and again: nothing gets through all of it while this test waits.
    let lines = ":step 216000\n".repeat(50);
    std::io::Write::write_all(&mut child.stdin.take().expect("it is piped"), lines.as_bytes()).expect("it reads");
    std::thread::sleep(Duration::from_secs(2));
    assert!(child.try_wait().expect("it can be asked").is_none(), "it is at it");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs").success());
    let ended = (0..400).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        child.try_wait().expect("it can be asked").is_some()
    });
    // Whatever came of it, nothing goes on.
    let _ = child.kill();
    assert!(ended, "it went on for 20 s");
    assert!(child.wait().expect("it ends").success());
}
