//! `log --follow`: what comes is printed once it is on disk, to whoever reads, until that is over.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::leash::{Leash, start};
use crate::project::Project;

struct Follower {
    child: Leash,
    lines: BufReader<ChildStdout>,
}

impl Follower {
    fn of(project: &Project, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
        command.current_dir(project.root()).env("HOME", project.root()).args(arguments);
        let mut child = start(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
        let lines = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, lines }
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"))
    }

    /// Its exit code, once it ended by itself.
    fn ended(&mut self) -> Option<i32> {
        let until = Instant::now() + Duration::from_secs(20);
        while Instant::now() < until {
            if let Some(status) = self.child.try_wait().expect("waited") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("it did not end");
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().expect("kill").success());
    }
}

#[test]
fn calls_and_events_come_as_lines_of_json_over_a_seal_until_interrupted() {
    let project = Project::new();
    project.annals(["run", "--", "echo", "before"]).code(0);
    let mut calls = Follower::of(&project, &["log", "--follow", "--json"]);
    assert!(calls.next()["target"].as_str().is_some_and(|it| it.contains("before")));
    let mut events =
        Follower::of(&project, &["log", "--follow", "--events", "--since", "2001-01-01"]);
    assert_eq!(events.next()["kind"], "JournalCreated");
    project.annals(["run", "--", "echo", "one"]).code(0);
    project.annals(["seal"]).code(0);
    project.annals(["run", "--", "echo", "two"]).code(0);
    for wanted in ["one", "two"] {
        assert!(calls.next()["target"].as_str().is_some_and(|it| it.contains(wanted)), "{wanted}");
    }
    let mut before = 1;
    let mut finished = 0;
    while finished < 3 {
        let event = events.next();
        let sequence = event["sequence"].as_u64().expect("a number");
        assert_eq!(sequence, before + 1, "each once, in order");
        before = sequence;
        finished += u32::from(event["kind"] == "ExecutionFinished");
    }
    calls.signal("-INT");
    events.signal("-TERM");
    assert_eq!((calls.ended(), events.ended()), (Some(0), Some(0)));
}

#[test]
fn it_ends_when_nobody_reads_and_when_the_journal_is_another() {
    let project = Project::new();
    project.annals(["run", "--", "echo", "one"]).code(0);
    let mut left = Follower::of(&project, &["log", "--follow", "--json"]);
    left.next();
    let Follower { child, lines } = left;
    drop(lines);
    let mut left = Follower { child, lines: BufReader::new(empty()) };
    assert_eq!(left.ended(), Some(0), "nothing is recorded, and it ends all the same");
    let mut follower = Follower::of(&project, &["log", "--follow", "--json"]);
    follower.next();
    let other = Project::new();
    other.annals(["run", "--", "echo", "another"]).code(0);
    fs::rename(project.path(".annals/journal"), project.path("aside")).expect("renamed");
    let mut copy = Command::new("cp");
    copy.arg("-a").arg(other.path(".annals/journal")).arg(project.path(".annals/journal"));
    assert!(copy.status().expect("cp").success());
    assert_eq!(follower.ended(), Some(6));
}

fn empty() -> ChildStdout {
    let mut command = Command::new("true");
    let mut child = start(command.stdout(Stdio::piped()));
    child.stdout.take().expect("piped")
}
