//! `annals pipe`: what is asked as JSON lines and what is answered.

mod clients;
mod debug;
mod frameworks;
mod good;
mod hostile;
mod killed;
mod ops;
mod repo;
mod rest;
mod same;
mod several;

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::leash::Leash;
use crate::project::Project;

/// A pipe, and what was asked through it.
pub struct Piped {
    child: Leash,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    pub greeting: Value,
    last: u64,
}

impl Piped {
    pub fn new(project: &Project) -> Self {
        Self::with(project, &[])
    }

    pub fn with(project: &Project, more: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
        command.arg("pipe").args(more).current_dir(project.root());
        command
            .env("HOME", project.root())
            .env_remove("XDG_STATE_HOME")
            .env_remove("XDG_CACHE_HOME")
            .env("TZ", "UTC");
        for name in ["ANNALS_DIR", "ANNALS_SESSION", "CARGO_TARGET_DIR"] {
            command.env_remove(name);
        }
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map(Leash::of).expect("annals pipe");
        let to = child.stdin.take();
        let from = BufReader::new(child.stdout.take().expect("an output"));
        let mut piped = Self { child, to, from, greeting: Value::Null, last: 0 };
        piped.greeting = piped.next().expect("a greeting");
        piped
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes as they are.
    pub fn send(&mut self, bytes: &[u8]) {
        let to = self.to.as_mut().expect("an open input");
        to.write_all(bytes).and_then(|()| to.flush()).expect("sent");
    }

    /// Sends a request, and does not wait.
    pub fn ask(&mut self, op: &str, args: &Value) {
        self.last += 1;
        let request = json!({ "id": self.last, "op": op, "args": args });
        self.send(format!("{request}\n").as_bytes());
    }

    /// The next line of the output; `None` at its end.
    pub fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        let read = self.from.read_line(&mut line).expect("an answer");
        (read > 0).then(|| serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}")))
    }

    /// One request and its answer.
    pub fn answer(&mut self, op: &str, args: Value) -> Value {
        self.ask(op, &args);
        let answer = self.next().unwrap_or_else(|| panic!("{op}: no answer"));
        assert_eq!(answer["id"], json!(self.last), "{answer}");
        answer
    }

    /// One request that must be done, and its result.
    #[track_caller]
    pub fn result(&mut self, op: &str, args: Value) -> Value {
        let answer = self.answer(op, args.clone());
        assert_eq!(answer["ok"], json!(true), "{op} {args}: {answer}");
        answer["result"].clone()
    }

    /// Ends the input, and holds that it ends well.
    pub fn close(self) {
        self.close_with(0);
    }

    /// Ends the input, and holds how it ends.
    pub fn close_with(mut self, code: i32) {
        drop(self.to.take());
        while self.next().is_some() {}
        assert_eq!(self.child.wait().expect("an end").code(), Some(code));
    }

    /// Ends it as if the power was lost.
    pub fn kill(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("an end");
    }

    /// Asks it to end by SIGTERM, and holds that it ends well.
    pub fn terminate(&mut self) {
        let killed = Command::new("kill").arg(self.id().to_string()).status().expect("kill");
        assert!(killed.success());
        assert_eq!(self.child.wait().expect("an end").code(), Some(0));
    }
}

/// Every event of a project's journal, as `export jsonl` has them.
pub fn journal(project: &Project) -> Vec<Value> {
    let text = project.annals(["export", "jsonl"]).code(0).out();
    text.lines().map(|line| serde_json::from_str(line).expect("an event")).collect()
}
