//! The control port.

use super::{binary, small_scene};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The command with its port open; ended when the test is.
pub struct Served(Child, u16, Arc<Mutex<Vec<String>>>);

impl Served {
    pub fn start(scene: &Path) -> Self {
        Self::with(scene, &[])
    }

    pub fn with(scene: &Path, args: &[&str]) -> Self {
        let mut command = Command::new(binary());
        command.arg(scene).args(["--control", "0", "--token", "sesame"]).args(args).current_dir(super::repository());
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (port, _) = line.strip_prefix("control port 127.0.0.1:")?.split_once(',')?;
            port.parse().ok()
        });
        let log: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = Arc::clone(&log);
        // Who stops reading would block it.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(|line| heard.lock().expect("whole").push(line)));
        Self(child, port.expect("it says where"), log)
    }

    /// The lines of its log since the last call.
    pub fn log(&self) -> Vec<String> {
        std::mem::take(&mut *self.2.lock().expect("whole"))
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    pub fn client(&self) -> Client {
        Client::open(self.1)
    }
}

impl Served {
    /// Waits until it has ended by itself.
    pub fn ended(mut self) {
        self.0.wait().expect("it ends");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub struct Client(BufReader<TcpStream>);

impl Client {
    /// One that has shown the token.
    pub fn open(port: u16) -> Self {
        let mut client = Self::of(port);
        client.send(&json!({ "id": "hello", "token": "sesame" }));
        assert_eq!(client.receive(), json!({ "id": "hello", "ok": true, "protocol": 1 }));
        client
    }

    fn of(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        Self(BufReader::new(stream))
    }

    pub fn send(&mut self, request: &Value) {
        self.send_text(&request.to_string());
    }

    fn send_text(&mut self, line: &str) {
        self.0.get_mut().write_all(format!("{line}\n").as_bytes()).expect("it reads");
    }

    /// The next line; `null` where it hung up.
    pub fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.0.read_line(&mut line).expect("it answers");
        if line.is_empty() { Value::Null } else { serde_json::from_str(&line).expect("JSON") }
    }

    pub fn ask(&mut self, line: &str) -> Value {
        self.send(&json!({ "id": 1, "line": line }));
        self.receive()
    }
}

/// Requests of each client: `SIMRUN_REQUESTS=10000` takes as many as the port is held to.
fn requests() -> usize {
    crate::support::asked("SIMRUN_REQUESTS", 500)
}

#[test]
fn clients_are_answered_in_order_running_and_paused() {
    let folder = small_scene();
    let served = Served::start(&folder.path().join("s.json"));
    let mut clients = [served.client(), served.client()];
    let step =
        |client: &mut Client| client.ask("sim.step()")["value"].as_str().and_then(|n| n.parse::<u64>().ok()).expect("a step");
    for pause in [":resume", ":pause"] {
        assert_eq!(clients[0].ask(pause), json!({ "id": 1, "ok": true }));
        let (began, before) = (Instant::now(), step(&mut clients[0]));
        let mut waits: Vec<Duration> = Vec::new();
        for id in 0..requests() {
            let sent = Instant::now();
            for client in &mut clients {
                client.send(&json!({ "id": id, "line": format!("{id} + 1") }));
            }
            for client in &mut clients {
                assert_eq!(client.receive(), json!({ "id": id, "ok": true, "value": (id + 1).to_string() }));
            }
            waits.push(sent.elapsed());
        }
        // As many at once as wait for a client that does not read yet.
        for id in 0..900 {
            clients[0].send(&json!({ "id": id, "line": "" }));
        }
        for id in 0..900 {
            assert_eq!(clients[0].receive()["id"], id);
        }
        let (took, steps) = (began.elapsed().as_secs_f64(), step(&mut clients[0]) - before);
        waits.sort_unstable();
        let of = |share: f64| waits[((waits.len() - 1) as f64 * share) as usize];
        eprintln!(
            "{pause}: {} requests, answered within {:?}, 99 % within {:?}, all within {:?}",
            waits.len(),
            of(0.5),
            of(0.99),
            of(1.0)
        );
        assert!(waits[waits.len() / 2] < Duration::from_millis(50), "half of the answers take {:?}", waits[waits.len() / 2]);
        match pause {
            ":pause" => assert_eq!(steps, 0),
            _ => assert!(steps as f64 > 0.5 * 60.0 * took, "{steps} steps in {took:.2} s"),
        }
    }
}

#[test]
fn what_cannot_be_done_is_one_line() {
    let folder = small_scene();
    let served = Served::start(&folder.path().join("s.json"));
    let mut stranger = Client::of(served.1);
    stranger.send(&json!({ "id": 1, "token": "open" }));
    assert_eq!(stranger.receive()["ok"], false);
    assert_eq!(stranger.receive(), Value::Null, "it hangs up");
    let mut client = served.client();
    for (request, said) in [
        (json!({ "id": 1, "line": "crate:hti()" }), "figures and objects have no method 'hti'"),
        (json!({ "id": 1, "line": "for" }), "the line is not complete"),
        (json!({ "id": 1 }), "one of token, line and subscribe"),
        (
            json!({ "id": 1, "lines": "x" }),
            "found \"lines\"; accepted: id, token, line, subscribe, every (did you mean \"line\"?)",
        ),
        (json!({ "id": 1, "line": 7 }), "line: found a number; accepted: a text"),
        (json!({ "id": 1, "subscribe": ["frames"], "every": -1 }), "every: found a number; accepted: a whole number of steps"),
        (json!({ "id": 1, "subscribe": ["frame"] }), "found \"frame\"; accepted: events, frames"),
        (json!([1]), "accepted: {\"id\": 1"),
    ] {
        client.send(&request);
        let answer = client.receive();
        assert!(
            answer["ok"] == false && answer["error"].as_str().is_some_and(|error| error.contains(said)),
            "{request}: {answer}"
        );
    }
    // An id that is none comes back as none, one that can be read comes back.
    client.send(&json!({ "id": null, "line": "1" }));
    let answer = client.receive();
    assert_eq!((&answer["ok"], &answer["id"]), (&json!(false), &Value::Null), "{answer}");
    assert_eq!(answer["error"], "id: found null; accepted: a number or a text");
    client.send(&json!({ "id": 5, "lines": "1" }));
    assert_eq!(client.receive()["id"], 5);
    // Broken JSON and a line without measure are answered, and what follows them is read.
    client.send_text("{\"id\": 1, \"line\": ");
    let answer = client.receive();
    assert!(answer["error"].as_str().is_some_and(|error| error.starts_with("no JSON from letter 18 on; accepted: ")), "{answer}");
    client.send_text(&format!("{{\"id\": 1, \"line\": \"{}\"}}", "x".repeat(3 << 20)));
    let answer = client.receive();
    assert_eq!(answer["error"], "found a request of more than 1048576 bytes; accepted: 1048576 at the most");
    assert_eq!(client.ask("1")["value"], "1", "it goes on");
}

#[test]
fn what_a_line_prints_comes_with_its_answer() {
    let folder = small_scene();
    let served = Served::start(&folder.path().join("s.json"));
    let mut clients = [served.client(), served.client()];
    let answer = clients[0].ask("print('one', 1) print('two') return 3");
    assert_eq!(answer, json!({ "id": 1, "ok": true, "value": "3", "printed": ["one 1", "two"] }));
    assert_eq!(clients[1].ask("4"), json!({ "id": 1, "ok": true, "value": "4" }), "another has not asked for it");
}

#[test]
fn frames_and_events_are_heard_by_who_asks() {
    let served = Served::start(Path::new("scenes/street.json"));
    let mut client = served.client();
    client.ask(":pause");
    client.send(&json!({ "id": 2, "subscribe": ["events", "frames"], "every": 4 }));
    assert_eq!(client.receive()["ok"], true);
    client.send(&json!({ "id": 3, "line": "ann:hit('chest', vector.create(0, 0, 60)) sim.advance(8)" }));
    let (mut frames, mut struck) = (Vec::new(), 0);
    loop {
        let line = client.receive();
        if line["id"] == 3 {
            break;
        } else if line["frame"].is_object() {
            assert_eq!(line["frame"]["figures"]["ann"]["bones"].as_array().map(Vec::len), Some(12), "{line}");
            assert_eq!(line["frame"]["ghost"], Value::Null);
            frames.push(line["frame"]["step"].as_u64().expect("a step"));
        } else if line["event"] == "struck" {
            assert_eq!((&line["figure"], &line["of"]["bone"]), (&json!("ann"), &json!("chest")));
            struck += 1;
        }
    }
    assert!(frames.len() == 2 && frames.iter().all(|step| step % 4 == 0), "{frames:?}");
    assert_eq!(struck, 1);
    client.send(&json!({ "id": 4, "line": ":again" }));
    let ghosts = std::iter::repeat_with(|| client.receive()).take_while(|line| line["id"] != 4).count();
    assert!(ghosts > 0, "the run is seen again");
}
