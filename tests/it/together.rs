//! Commands side by side: every store stays the file it was, holds what the journal says, and nobody
//! is told of anything.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::leash::start;
use crate::project::Project;

const WRITERS: usize = 8;
const READERS: usize = 4;
/// Seconds of one round, and rounds; the environment has the long form.
const SECONDS: u64 = 3;
const ROUNDS: usize = 1;

fn asked(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Runs one command after the other until the time is over; how often it ended well.
fn repeat(root: &Path, home: &Path, args: &[&str], said: &Path, until: Instant) -> u64 {
    let mut done = 0;
    while Instant::now() < until {
        let stderr = File::options().append(true).create(true).open(said).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
        command
            .args(args)
            .current_dir(root)
            .env("HOME", home)
            .env_remove("XDG_STATE_HOME")
            .env_remove("XDG_CACHE_HOME");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
        done += u64::from(start(&mut command).wait().unwrap().success());
    }
    done
}

#[test]
fn writers_and_readers_side_by_side_leave_every_store_as_a_rebuild_makes_it() {
    let seconds = asked("ANNALS_TOGETHER_SECONDS", SECONDS);
    for round in 0..asked("ANNALS_TOGETHER_ROUNDS", ROUNDS as u64) {
        let project = Project::new();
        project.annals(["run", "--", "true"]).code(0);
        project.annals(["log"]).code(0);
        let stores = ["execution_log.db", ".annals/index.db", "codegraph.db"];
        let files = || stores.map(|store| fs::metadata(project.root().join(store)).unwrap().ino());
        let before = files();
        let aside = tempfile::tempdir().unwrap();
        let said = aside.path().join("said");
        let until = Instant::now() + Duration::from_secs(seconds);
        let (root, home) = (project.root(), aside.path());
        let (runs, reads) = thread::scope(|scope| {
            let side = |count: usize, args: &'static [&'static str]| {
                let said = &said;
                let one = move || repeat(root, home, args, said, until);
                (0..count).map(|_| scope.spawn(one)).collect::<Vec<_>>()
            };
            let (writers, readers) =
                (side(WRITERS, &["run", "--", "true"]), side(READERS, &["log"]));
            let sum = |side: Vec<thread::ScopedJoinHandle<'_, u64>>| {
                side.into_iter().map(|one| one.join().unwrap()).sum::<u64>()
            };
            (sum(writers), sum(readers))
        });
        let told = fs::read_to_string(&said).unwrap_or_default();
        assert_eq!(told, "", "round {round}");
        assert_eq!(files(), before, "round {round}: a store was built anew");
        assert!(!project.root().join(".annals/quarantine").exists(), "round {round}");
        project.annals(["status"]).code(0);
        let log = Connection::open(project.path("execution_log.db")).unwrap();
        let rows: (u64, u64) = log.query_row(COUNT, [], |row| row.try_into()).unwrap();
        assert_eq!(rows, (runs + 1, 0), "round {round}: rows, and those without arguments");
        drop(log);
        project.annals(["rebuild", "--check"]).code(0);
        println!("round {round}: {runs} runs and {reads} reads in {seconds} s");
    }
}

/// What is looked after while others record waits for them, or goes by what they have done since: it
/// never asks to be run again.
#[test]
fn who_looks_after_stores_beside_writers_is_never_told_to_try_again() {
    const CARE: [&[&str]; 4] =
        [&["repair"], &["repair", "--dry-run"], &["rebuild"], &["rebuild", "--check"]];
    let project = Project::new();
    project.annals(["run", "--", "true"]).code(0);
    let aside = tempfile::tempdir().unwrap();
    let said = aside.path().join("said");
    let seconds = asked("ANNALS_TOGETHER_SECONDS", SECONDS);
    let until = Instant::now() + Duration::from_secs(seconds);
    let runs: u64 = thread::scope(|scope| {
        let one = |args: &'static [&'static str]| {
            let (root, home, said) = (project.root(), aside.path(), &said);
            scope.spawn(move || repeat(root, home, args, said, until))
        };
        let writers: Vec<_> = (0..WRITERS / 2).map(|_| one(&["run", "--", "true"])).collect();
        let care = CARE.map(one);
        for one in care {
            one.join().unwrap();
        }
        writers.into_iter().map(|one| one.join().unwrap()).sum()
    });
    assert_eq!(fs::read_to_string(&said).unwrap_or_default(), "");
    // Who recorded last may have left the stores behind.
    project.annals(["status"]).code(0);
    let log = Connection::open(project.path("execution_log.db")).unwrap();
    let rows: (u64, u64) = log.query_row(COUNT, [], |row| row.try_into()).unwrap();
    assert_eq!(rows, (runs + 1, 0), "rows, and those without arguments");
    drop(log);
    project.annals(["rebuild", "--check"]).code(0);
}

const COUNT: &str = "SELECT count(*), sum(arguments_json = '{}') FROM executions";
