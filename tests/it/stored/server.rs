//! A server of S3's protocol on this machine (`moto`, from PyPI), and one before it that stops.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// What may stand nowhere.
pub const SECRET: &str = "Kp7mQ2vX9sT4wZ8nB3cF6hJ1";

/// What the environment says of a store.
fn environment(endpoint: &str) -> [(&str, &str); 5] {
    [
        ("AWS_ENDPOINT", endpoint),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "annals"),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
    ]
}

pub fn told<'a>(
    command: &'a mut assert_cmd::Command,
    endpoint: &str,
) -> &'a mut assert_cmd::Command {
    command.envs(environment(endpoint))
}

pub fn named(command: &mut Command, endpoint: &str) {
    command.envs(environment(endpoint));
}

/// Ended with its test.
pub struct Server {
    child: Child,
    at: String,
    pub endpoint: String,
}

impl Server {
    /// One with a bucket; `None` where it cannot be installed.
    pub fn start() -> Option<Self> {
        let program = program()?;
        let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("a port");
        let mut command = Command::new(program);
        command.args(["-H", "127.0.0.1", "-p", &free.port().to_string()]);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
        let server = Self { child, at: free.to_string(), endpoint: format!("http://{free}") };
        let is_up = (0..600).any(|_| {
            std::thread::sleep(Duration::from_millis(50));
            TcpStream::connect(&server.at).is_ok()
        });
        assert!(is_up, "the server does not listen");
        server.ask("PUT", "/annals", b"");
        Some(server)
    }

    /// A request of its own, without a client; the answer's body.
    pub fn ask(&self, method: &str, path: &str, body: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(&self.at).expect("it listens");
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: AWS annals:x\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.at,
            body.len()
        );
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).expect("asked");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("answered");
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
        let end = answer.windows(4).position(|it| it == b"\r\n\r\n").expect("a head");
        answer.split_off(end + 4)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Passes on so many bytes of what is sent to a server, and then nothing.
pub struct Stalling {
    pub endpoint: String,
    asked: Arc<AtomicU64>,
    stalled: Arc<AtomicBool>,
}

impl Stalling {
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::SeqCst)
    }

    pub fn is_stalled(&self) -> bool {
        self.stalled.load(Ordering::SeqCst)
    }
}

pub fn stalling(server: &Server, bytes: u64) -> Stalling {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let endpoint = format!("http://{}", listener.local_addr().expect("a port"));
    let made = Stalling { endpoint, asked: Arc::default(), stalled: Arc::default() };
    let (asked, stalled) = (Arc::clone(&made.asked), Arc::clone(&made.stalled));
    let (left, to) = (Arc::new(AtomicU64::new(bytes)), server.at.clone());
    // It ends with the tests.
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            asked.fetch_add(1, Ordering::SeqCst);
            let there = TcpStream::connect(&to).expect("it listens");
            let (mut from, mut back) = (there.try_clone().expect("a copy"), client);
            let mut client = back.try_clone().expect("a copy");
            // A side that is gone ends its copying.
            std::thread::spawn(move || drop(std::io::copy(&mut from, &mut back)));
            let (left, stalled) = (Arc::clone(&left), Arc::clone(&stalled));
            let mut there = there;
            std::thread::spawn(move || {
                let mut buffer = [0; 256];
                while let Ok(count @ 1..) = client.read(&mut buffer) {
                    let may = left.load(Ordering::SeqCst).min(count as u64);
                    left.fetch_sub(may, Ordering::SeqCst);
                    if there.write_all(&buffer[..may as usize]).is_err() {
                        return;
                    }
                    stalled.fetch_or(may < count as u64, Ordering::SeqCst);
                }
            });
        }
    });
    made
}

/// Answers that it is busy (503) for so long from the first request on, and then passes all on to a server.
pub fn busy(server: &Server, time: Duration) -> Stalling {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let endpoint = format!("http://{}", listener.local_addr().expect("a port"));
    let made = Stalling { endpoint, asked: Arc::default(), stalled: Arc::default() };
    let (asked, to) = (Arc::clone(&made.asked), server.at.clone());
    // It ends with the tests.
    std::thread::spawn(move || {
        let mut until = None;
        for mut client in listener.incoming().flatten() {
            asked.fetch_add(1, Ordering::SeqCst);
            let until = *until.get_or_insert_with(|| std::time::Instant::now() + time);
            if std::time::Instant::now() < until {
                let answer = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                // Who sent a long body is told before it is read.
                drop(client.read(&mut [0; 4096]).and_then(|_| client.write_all(answer.as_bytes())));
                continue;
            }
            let mut there = TcpStream::connect(&to).expect("it listens");
            let (mut from, mut back) =
                (there.try_clone().expect("a copy"), client.try_clone().expect("a copy"));
            // A side that is gone ends its copying.
            std::thread::spawn(move || drop(std::io::copy(&mut from, &mut back)));
            std::thread::spawn(move || drop(std::io::copy(&mut client, &mut there)));
        }
    });
    made
}

/// The server's program, in a Python that was made once under `target/`.
fn program() -> Option<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target"));
    let folder = target.join("moto-venv");
    let runs = |program: &Path, args: &[&str]| {
        let mut quiet = Command::new(program);
        quiet.args(args).stdout(Stdio::null()).stderr(Stdio::null());
        quiet.status().is_ok_and(|status| status.success())
    };
    let (python, program) = (folder.join("bin/python"), folder.join("bin/moto_server"));
    let lock = std::fs::File::create(target.join("moto-venv.lock")).ok()?; // nowhere to install it
    lock.lock().ok()?; // as above
    let ready = || runs(&program, &["--help"]);
    let made = ready()
        || (runs(Path::new("python3"), &["-m", "venv", "--clear", &folder.to_string_lossy()])
            && runs(&python, &["-m", "pip", "install", "--quiet", "moto[server]"])
            && ready());
    made.then_some(program)
}
