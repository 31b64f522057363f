//! Archives in an object store, against a real server of S3's protocol: `ANNALS_LONG=1` and the feature.

#[cfg(feature = "parquet")]
mod exported;
mod fleet;
mod server;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use self::server::{SECRET, Server, stalling};
use crate::project::{Project, Ran};
use crate::skipped::skipped;

const TO: &str = "s3://annals/team";

/// A project of three segments; the first two are sealed.
fn filled() -> Project {
    let project = Project::new();
    for text in ["one", "two"] {
        project.annals(["run", "--", "echo", text]).code(0);
        project.annals(["seal"]).code(0);
    }
    project.annals(["run", "--", "false"]).code(1);
    project
}

fn ask(project: &Project, endpoint: &str, arguments: &[&str]) -> Ran {
    Ran::of(server::told(&mut project.command(), endpoint).args(arguments))
}

fn archive(project: &Project, endpoint: &str) -> Ran {
    ask(project, endpoint, &["archive", "--before", "2999-01-01", "--to", TO, "--json"])
}

fn names(project: &Project, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(project.path(".annals/journal")).expect("a journal");
    let mut paths: Vec<_> = entries.map(|it| it.expect("an entry").path()).collect();
    paths.retain(|it| it.to_string_lossy().ends_with(end));
    paths.sort();
    paths
}

fn contents(project: &Project) -> Vec<Vec<u8>> {
    names(project, ".seg").iter().map(|it| fs::read(it).expect("read")).collect()
}

fn server() -> Option<Server> {
    if std::env::var_os("ANNALS_LONG").is_none() {
        skipped("ANNALS_LONG=1 moves segments to an object store");
        return None;
    }
    let server = Server::start();
    if server.is_none() {
        skipped("no server of S3's protocol can be installed");
    }
    server
}

#[test]
fn what_is_in_a_bucket_is_read_from_there_and_fetched_as_it_was() {
    let Some(server) = server() else { return };
    let (one, other) = (filled(), filled());
    let before = contents(&one);
    let log = one.annals(["log", "--json"]).code(0).out();
    let moved = archive(&one, &server.endpoint).code(0).json();
    let folder = moved["folder"].as_str().expect("a place").to_owned();
    assert!(folder.starts_with("s3://annals/team/") && folder.len() == TO.len() + 33, "{folder}");
    // Another machine's journal beside it.
    archive(&other, &server.endpoint).code(0);
    for project in [&one, &other] {
        assert_eq!((names(project, ".seg").len(), names(project, ".archived").len()), (1, 2));
        let verified = ask(project, &server.endpoint, &["verify", "--json"]).code(0).json();
        assert_eq!((&verified[0]["archived"], &verified[0]["segments"]), (&2.into(), &3.into()));
    }
    ask(&one, &server.endpoint, &["rebuild"]).code(0);
    assert_eq!(ask(&one, &server.endpoint, &["log", "--json"]).code(0).out(), log);
    // For evidence no network is asked: what lies there is away.
    ask(&one, &server.endpoint, &["--evidence", "verify"]).code(5);
    let told = ask(&one, &server.endpoint, &["export", "jsonl", "events"]).code(0).out();
    let last = told.lines().last().expect("an event");
    assert_eq!(serde_json::from_str::<Value>(last).expect("JSON")["kind"], "SegmentsArchived");
    assert!(!told.contains(SECRET));
    for path in names(&one, "").into_iter().filter(|it| it.is_file()) {
        let bytes = fs::read(&path).expect("read");
        let has = bytes.windows(SECRET.len()).any(|it| it == SECRET.as_bytes());
        assert!(!has, "{}", path.display());
    }
    ask(&one, &server.endpoint, &["fetch", "--json"]).code(0);
    assert!(before[..2] == contents(&one)[..2] && names(&one, ".archived").is_empty());
    one.annals(["verify"]).code(0);
    // Once more to the same place: it is all there, and nothing is sent over it.
    archive(&one, &server.endpoint).code(0);
    ask(&one, &server.endpoint, &["verify"]).code(0);
    // What is redacted comes back, and the copy that stays is named.
    let redact = ["redact", "1", "--yes", "--reason", "leaked"];
    let left = ask(&one, &server.endpoint, &redact).code(1);
    assert!(left.out().contains("delete it there"), "{}", left.out());
}

#[test]
fn a_store_that_is_away_is_no_loss_and_recording_asks_none() {
    let Some(server) = server() else { return };
    let project = filled();
    archive(&project, &server.endpoint).code(0);
    // One that listens and never answers: who asks it is counted.
    let silent = stalling(&server, 0);
    let from = Instant::now();
    ask(&project, &silent.endpoint, &["run", "--", "true"]).code(0);
    ask(&project, &silent.endpoint, &["status"]);
    assert_eq!(silent.asked(), 0, "recording asked the network");
    assert!(from.elapsed() < Duration::from_secs(10));
    // Who asks waits once, however often it has to read.
    let from = Instant::now();
    let late = ask(&project, &silent.endpoint, &["verify"]).code(5);
    assert!(late.out().contains("did not answer in time"), "{}", late.out());
    assert!(from.elapsed() < Duration::from_secs(50), "{:?}", from.elapsed());
    let endpoint = server.endpoint.clone();
    drop(server);
    let from = Instant::now();
    let verified = ask(&project, &endpoint, &["verify"]).code(5);
    assert!(verified.out().contains("nothing else is wrong"), "{}", verified.out());
    assert!(verified.out().contains("could not be reached"), "{}", verified.out());
    assert!(from.elapsed() < Duration::from_secs(30), "{:?}", from.elapsed());
    project.annals(["run", "--", "true"]).code(0);
    let log = ask(&project, &endpoint, &["log", "-n", "9", "--json"]).json();
    assert_eq!(log.as_array().map(Vec::len), Some(5));
    for refused in [ask(&project, &endpoint, &["fetch"]), archive(&project, &endpoint)] {
        assert!(!refused.err().contains(SECRET) && !refused.out().contains(SECRET));
    }
}

#[test]
fn killed_while_it_sends_and_done_again_it_is_whole() {
    let Some(server) = server() else { return };
    let project = filled();
    let before = contents(&project);
    let mut stalls = 0;
    for bytes in [0, 400, 1500, 2500, 3500, 5000, 7000, 9000, 12_000] {
        let stalled = stalling(&server, bytes);
        let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
        command.current_dir(project.root()).env("HOME", project.root());
        for name in ["ANNALS_DIR", "ANNALS_SESSION", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            command.env_remove(name);
        }
        command.args(["archive", "--before", "2999-01-01", "--to", TO]);
        server::named(&mut command, &stalled.endpoint);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("runs");
        let from = Instant::now();
        while !stalled.is_stalled() && child.try_wait().expect("waited").is_none() {
            assert!(from.elapsed() < Duration::from_secs(30));
            std::thread::sleep(Duration::from_millis(5));
        }
        stalls += u32::from(stalled.is_stalled());
        child.kill().expect("killed");
        child.wait().expect("ended");
        let verified = ask(&project, &server.endpoint, &["verify", "--json"]).code(0).json();
        assert_eq!(verified[0]["segments"], 3, "{bytes}");
    }
    assert!(stalls >= 5, "only {stalls} were killed while they sent");
    archive(&project, &server.endpoint).code(0);
    assert_eq!(names(&project, ".archived").len(), 2);
    ask(&project, &server.endpoint, &["verify"]).code(0);
    ask(&project, &server.endpoint, &["fetch"]).code(0);
    assert!(before[..2] == contents(&project)[..2]);
}

#[test]
fn what_is_there_is_not_written_over_and_what_lies_is_told() {
    let Some(server) = server() else { return };
    let (one, other) = (filled(), filled());
    let folder = |it: &Value| it["folder"].as_str().expect("a place").replace("s3://", "/");
    let first = folder(&archive(&one, &server.endpoint).code(0).json());
    let second = folder(&archive(&other, &server.endpoint).code(0).json());
    let note = names(&one, ".archived")[0].clone();
    let segment = note.file_stem().expect("a name").to_string_lossy().into_owned();
    // The manifest of another journal, and no note that says what it was.
    let theirs = server.ask("GET", &format!("{second}/{segment}.manifest"), b"");
    let own = server.ask("GET", &format!("{first}/{segment}.manifest"), b"");
    assert!(theirs.starts_with(b"annals archive 1") && theirs != own);
    server.ask("PUT", &format!("{first}/{segment}.manifest"), &theirs);
    let kept = fs::read(&note).expect("read");
    fs::remove_file(&note).expect("removed");
    ask(&one, &server.endpoint, &["fetch", "0"]).code(3);
    fs::write(&note, kept).expect("written");
    ask(&one, &server.endpoint, &["fetch", "0"]).code(0);
    // It cannot be archived over that.
    let refused = archive(&one, &server.endpoint).code(2);
    assert!(refused.err().contains("is there already"), "{}", refused.err());
    assert!(server.ask("GET", &format!("{first}/{segment}.manifest"), b"") == theirs);
    ask(&one, &server.endpoint, &["verify"]).code(0);
    // Data that is not what was archived.
    let data = format!("{second}/{segment}.zst");
    let mut bytes = server.ask("GET", &data, b"");
    bytes[200] ^= 1;
    server.ask("PUT", &data, &bytes);
    let verified = ask(&other, &server.endpoint, &["verify"]).code(3);
    assert!(verified.out().contains("is not the one that was archived"), "{}", verified.out());
    ask(&other, &server.endpoint, &["fetch"]).code(3);
}
