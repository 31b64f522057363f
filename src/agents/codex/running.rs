//! Processes that outlived the call that started them: later calls ask for their output.

use std::collections::{HashMap, VecDeque};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::item::Ended;
use super::result;
use super::result::Output;
use crate::agents::import::item::{Call, CallResult, TranscriptRecord};
use crate::agents::import::limits::{HELD_BYTES_MAX, HELD_MAX, RUNNING_BYTES_MAX, RUNNING_MAX};
use crate::agents::import::loose::object;
use crate::event::Outcome;

/// A process that still runs, and what it printed so far.
#[derive(Debug)]
struct Process {
    number: String,
    result: CallResult,
    text: String,
}

#[derive(Debug, Default)]
pub struct Running {
    processes: VecDeque<Process>,
    asked: HashMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asks<'a> {
    #[serde(borrow)]
    session_id: Option<&'a RawValue>,
}

impl Running {
    /// The call's process runs on: its result waits. A result that no longer fits is given back.
    pub fn start(&mut self, number: String, mut told: CallResult) -> Option<CallResult> {
        let text = told.stdout.take().or_else(|| told.stderr.take()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        if text.len() > RUNNING_BYTES_MAX {
            result::print(&mut told, text);
            return Some(told);
        }
        self.processes.push_back(Process { number, result: told, text });
        let over = self.processes.len() > RUNNING_MAX;
        over.then(|| self.processes.pop_front().map(Process::left)).flatten()
    }

    pub fn ask(&mut self, call: &Call) {
        if call.native_tool != "write_stdin" {
            return;
        }
        let asks: Asks<'_> = object(call.arguments.as_bytes());
        let number = asks.session_id.map(|raw| raw.get().trim_matches('"'));
        if let Some(number) = number.filter(|_| self.asked.len() < RUNNING_MAX) {
            self.asked.insert(call.id.clone(), number.to_owned());
        }
    }

    pub fn is_empty(&self) -> bool {
        self.processes.is_empty()
    }

    pub fn is_asking(&self, id: &str) -> bool {
        self.asked.contains_key(id)
    }

    /// The output of a call that asks for a process goes to the process as well: its result, where
    /// that ended it. The exit code is the process's then, and not also the asking call's.
    pub fn hear(&mut self, id: &str, output: &mut Output) -> Option<CallResult> {
        let number = self.asked.remove(id)?;
        let at = self.processes.iter().position(|process| process.number == number)?;
        let process = self.processes.get_mut(at)?;
        let room = RUNNING_BYTES_MAX.saturating_sub(process.text.len());
        process.text.push_str(&output.body[..output.body.floor_char_boundary(room)]);
        let exit_code = output.exit_code.take()?;
        let Process { mut result, text, .. } = self.processes.remove(at)?;
        result.exit_code = Some(exit_code);
        result.outcome = result::outcome(Some(exit_code), None, &text);
        // What the calls waited for it is not how long it ran.
        result.duration_ms = None;
        result::print(&mut result, text);
        Some(result)
    }

    /// An event tells how the process of this call ended, and mostly all that it printed.
    pub fn end(&mut self, id: &str, event: &CallResult) -> Option<CallResult> {
        let at = self.processes.iter().position(|process| process.result.id == id)?;
        let Process { mut result, text, .. } = self.processes.remove(at)?;
        if event.stdout.is_none() && event.stderr.is_none() {
            result::print(&mut result, text);
        }
        Some(result)
    }

    /// The file ends: the results of processes that were never seen to end.
    pub fn leave(&mut self) -> Vec<CallResult> {
        self.processes.drain(..).map(Process::left).collect()
    }
}

impl Process {
    fn left(self) -> CallResult {
        CallResult {
            outcome: Outcome::Interrupted,
            duration_ms: None,
            error: Some("it still ran when its transcript ended".to_owned()),
            stdout: result::printed(self.text),
            ..self.result
        }
    }
}

/// What an event told, and the record it stands in.
#[derive(Debug)]
pub struct HeldEnd {
    pub record: TranscriptRecord,
    pub ended: Ended,
    /// An item has made the call.
    pub called: bool,
}

#[derive(Debug, Default)]
pub struct Held {
    ends: VecDeque<HeldEnd>,
    bytes: usize,
}

impl Held {
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Holds one more; what no longer fits is given back, the oldest first.
    pub fn hold(&mut self, end: HeldEnd) -> Vec<HeldEnd> {
        self.bytes += end.bytes();
        self.ends.push_back(end);
        let mut over = Vec::new();
        while self.ends.len() > HELD_MAX || self.bytes > HELD_BYTES_MAX {
            let Some(oldest) = self.ends.pop_front() else { break };
            self.bytes = self.bytes.saturating_sub(oldest.bytes());
            over.push(oldest);
        }
        over
    }

    pub fn call(&mut self, id: &str) {
        for end in self.ends.iter_mut().filter(|end| end.ended.call.id == id) {
            end.called = true;
        }
    }

    pub fn take(&mut self, id: &str) -> Option<HeldEnd> {
        let at = self.ends.iter().position(|end| end.ended.call.id == id)?;
        let end = self.ends.remove(at)?;
        self.bytes = self.bytes.saturating_sub(end.bytes());
        Some(end)
    }

    /// What is held, in order; `called`: also of calls whose output may still come.
    pub fn release(&mut self, called: bool) -> Vec<HeldEnd> {
        let ends = std::mem::take(&mut self.ends);
        let (out, kept) = ends.into_iter().partition(|end: &HeldEnd| called || !end.called);
        let out: VecDeque<HeldEnd> = out;
        self.ends = kept;
        self.bytes = self.ends.iter().map(HeldEnd::bytes).sum();
        out.into()
    }
}

impl HeldEnd {
    fn bytes(&self) -> usize {
        self.ended.result.printed_bytes() + self.ended.call.arguments.len()
    }
}
