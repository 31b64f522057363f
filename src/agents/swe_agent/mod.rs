//! SWE-agent's trajectories (`.traj`): one JSON document.
//!
//! `trajectory` has a step an element: what was said, the command, what it printed. `history` has the same
//! as messages, with what was asked before; alone, as in demonstrations, it tells the steps. Nothing in a
//! file has a time, names its session, or tells how a command ended.

mod history;
mod step;
#[cfg(test)]
mod tests;

use std::io;

use super::import::item::{Head, Part, Prompt, TranscriptRecord};
use super::import::log_source::{Beginning, LogSource, Reads};
use super::import::source_file::SourceFile;
use super::import::whole::{Document, Member, WholeLog, read_document};
use history::History;
use step::Steps;

pub const SOURCE: LogSource = LogSource {
    name: "swe-agent",
    title: "SWE-agent",
    also: None,
    endings: &[".traj"],
    is_of,
    reads: Reads::Whole(open),
    began_ms: None,
    session_of: None,
    untimed: true,
};

fn is_of(beginning: &Beginning<'_>) -> bool {
    let keys = beginning.outline();
    let is_step = keys.has("trajectory.observation") || keys.has("trajectory.action");
    let is_empty = keys.has("trajectory") && keys.has("environment");
    let is_message = keys.has_all(&["history.role", "history.agent"]);
    !keys.is_list() && (is_step || is_empty || is_message)
}

fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    // No name of its own: the file stands for the session.
    let document = Trajectory { session: file.whole_name(), ..Trajectory::default() };
    read_document(file, Box::new(document))
}

#[derive(Debug, Default)]
struct Trajectory {
    session: String,
    has_steps: bool,
    /// What was asked before the agent first answered.
    asked: Vec<String>,
    is_answered: bool,
    steps: Steps,
    history: History,
}

/// Prompts of one trajectory, and bytes of one.
const ASKED_MAX: usize = 8;
const ASKED_BYTES_MAX: usize = 4 << 20;

impl Document for Trajectory {
    fn lists(&self) -> &'static [&'static str] {
        &["trajectory", "history"]
    }

    /// What was asked stands behind the steps.
    fn surveys(&self) -> bool {
        true
    }

    fn survey(&mut self, member: &Member<'_>) {
        match (member.key, member.is_element) {
            ("trajectory", true) => self.has_steps = true,
            ("history", true) if !self.is_answered => {
                let message = history::message(member.bytes);
                self.is_answered = message.as_ref().is_some_and(history::Message::is_answer);
                let asked = message.and_then(history::Message::asked);
                let is_little = |text: &String| text.len() <= ASKED_BYTES_MAX;
                if self.asked.len() < ASKED_MAX {
                    self.asked.extend(asked.filter(is_little));
                }
            }
            _ => {}
        }
    }

    fn member(&mut self, member: &Member<'_>, out: &mut Vec<TranscriptRecord>) -> bool {
        let is_read = match (member.key, member.is_element) {
            ("trajectory", true) => step::read(self, member),
            ("history", true) => history::read(self, member),
            _ => Some(Vec::new()),
        };
        let Some(parts) = is_read else { return false };
        if !parts.is_empty() {
            for (number, text) in std::mem::take(&mut self.asked).into_iter().enumerate() {
                let place = Some(format!("{}#{}", self.session, number + 1));
                let prompt = Prompt { text, place, ..Prompt::default() };
                out.push(self.record(0, vec![Part::Prompt(prompt)]));
            }
            out.push(self.record(member.number, parts));
        }
        true
    }
}

impl Trajectory {
    fn record(&self, line: u64, parts: Vec<Part>) -> TranscriptRecord {
        let head = Head { session: Some(self.session.clone()), ..Head::default() };
        TranscriptRecord { line, head, parts }
    }
}
