//! The sockets: loopback only, a token before anything else.

use super::WAITING;
use super::protocol::{Request, refused, welcome};
use crate::prompt::Message;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, SyncSender, sync_channel};
use std::time::Duration;

/// The longest request (bytes).
const LONGEST: u64 = 1 << 20;
/// How long a client may take to show its token.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where the port is and what opens it.
#[derive(Clone, Debug)]
pub struct Address {
    /// On 127.0.0.1.
    pub port: u16,
    /// What the first request must say.
    pub token: String,
}

/// Listens on a port of this machine (0: any that is free). Without a token one is made up.
///
/// # Errors
/// A port that is taken.
pub fn serve(port: u16, token: Option<&str>, messages: Sender<Message>) -> std::io::Result<Address> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let address = Address { port: listener.local_addr()?.port(), token: token.map_or_else(made_up, str::to_owned) };
    let expected = address.token.clone();
    std::thread::spawn(move || {
        for (number, stream) in (1_u64..).zip(listener.incoming()) {
            // One that could not be taken is the client's affair.
            let Ok(stream) = stream else { continue };
            let (token, messages) = (expected.clone(), messages.clone());
            std::thread::spawn(move || {
                // Broken off: the client has gone.
                let _ = attend(number, &stream, &token, &messages);
                let _ = messages.send(Message::Left(number));
            });
        }
    });
    Ok(address)
}

/// Reads a client's requests until it goes.
fn attend(number: u64, stream: &TcpStream, token: &str, messages: &Sender<Message>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream);
    let mut out = stream;
    let Some(line) = read_line(&mut reader)? else { return Ok(()) };
    let opened = line.and_then(|line| Request::parse(&line)).and_then(|request| match request.token.as_deref() {
        Some(given) if given == token => Ok(welcome(&request.id)),
        _ => Err(refused(&request.id, "the first request shows the token that was printed: {\"id\": 0, \"token\": \"…\"}")),
    });
    let welcome = match opened {
        Ok(welcome) => welcome,
        Err(refusal) => return out.write_all((refusal + "\n").as_bytes()),
    };
    stream.set_read_timeout(None)?;
    let (lines, waiting) = sync_channel(WAITING);
    let writing = stream.try_clone()?;
    std::thread::spawn(move || write(writing, &waiting));
    if messages.send(Message::Joined { client: number, lines: lines.clone() }).is_err() || lines.send(welcome).is_err() {
        return Ok(());
    }
    while let Some(line) = read_line(&mut reader)? {
        let sent = match line.and_then(|line| Request::parse(&line)) {
            Ok(request) => messages.send(Message::Asked { client: number, request }).is_ok(),
            Err(refusal) => answer_at_once(&lines, refusal),
        };
        if !sent {
            break;
        }
    }
    Ok(())
}

fn answer_at_once(lines: &SyncSender<String>, refusal: String) -> bool {
    lines.send(refusal).is_ok()
}

/// A line without its end, or the answer to one that is too long; `None` where the client has gone.
fn read_line(reader: &mut BufReader<&TcpStream>) -> std::io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    reader.take(LONGEST).read_until(b'\n', &mut bytes)?;
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
        return Ok(Some(Ok(String::from_utf8_lossy(&bytes).into_owned())));
    }
    if (bytes.len() as u64) < LONGEST {
        return Ok(None);
    }
    // Its rest is of no interest, however long it is.
    while bytes.last() != Some(&b'\n') {
        bytes.clear();
        if reader.take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
    }
    let why = format!("found a request of more than {LONGEST} bytes; accepted: {LONGEST} at the most");
    Ok(Some(Err(refused(&serde_json::Value::Null, &why))))
}

fn write(mut stream: TcpStream, lines: &Receiver<String>) {
    for line in lines {
        if stream.write_all((line + "\n").as_bytes()).is_err() {
            break;
        }
    }
    // The reader waits on it.
    let _ = stream.shutdown(std::net::Shutdown::Both);
}

/// 128 bits that nobody guesses: the hasher's keys come from the system.
fn made_up() -> String {
    let half = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", half(), half())
}
