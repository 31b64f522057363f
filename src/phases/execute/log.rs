//! The log of one phase, as `download.log`, `compile.log` and `run.log` have it.

use super::CommandRan;
use crate::event::Content;
use crate::journal::capture::Capture;
use crate::phases::limits::{LOG_BYTES_MAX, LOG_HEAD_BYTES, LOG_TAIL_BYTES};
use crate::redact::{end_of_head, start_of_tail};

/// The log of one phase: each command, what it printed, how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseLog {
    text: String,
}

impl PhaseLog {
    /// A line of our own.
    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A command that ran.
    pub fn command(&mut self, shown: &str, ran: &CommandRan, duration_ms: u64) {
        self.line(&format!("$ {shown}"));
        if let Ok(ran) = &ran.ran {
            self.output(&ran.stdout);
            if ran.stderr.seen() > 0 {
                self.line("[stderr]");
                self.output(&ran.stderr);
            }
        }
        match ran.failure() {
            None => self.line(&format!("[ok, {duration_ms} ms]")),
            Some(why) => self.line(&format!("[failed, {duration_ms} ms: {why}]")),
        }
    }

    fn output(&mut self, capture: &Capture) {
        // Behind many long outputs only the ends of further ones are kept.
        let share = if self.text.len() < LOG_BYTES_MAX { 1 } else { 256 };
        let text = output(capture, LOG_HEAD_BYTES / share, LOG_TAIL_BYTES / share);
        self.text.push_str(&text);
        if !text.is_empty() && !text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// What another log has, behind this one's.
    pub fn append(&mut self, other: &Self) {
        self.text.push_str(&other.text);
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// As an event carries it.
    pub fn content(&self) -> Content {
        Content::Inline(self.text.clone().into_bytes())
    }
}

/// What was printed: all of it, or its beginning and its end, and how much is missing between.
pub fn output(capture: &Capture, head_max: usize, tail_max: usize) -> String {
    let (head, tail) = match capture.content() {
        None => return String::new(),
        Some(Content::Truncated { head, tail, .. }) => (head, tail),
        Some(Content::Inline(bytes)) if bytes.len() > head_max + tail_max => {
            let tail = bytes[start_of_tail(&bytes, bytes.len() - tail_max)..].to_vec();
            (bytes, tail)
        }
        Some(Content::Inline(bytes)) => return String::from_utf8_lossy(&bytes).into_owned(),
        // A capture has its bytes itself.
        Some(Content::Blob { .. } | Content::Repeated { .. }) => return String::new(),
    };
    let head = &head[..end_of_head(&head, head_max)];
    let tail = &tail[start_of_tail(&tail, tail.len().saturating_sub(tail_max))..];
    let missing = capture.seen().saturating_sub((head.len() + tail.len()) as u64);
    let (head, tail) = (String::from_utf8_lossy(head), String::from_utf8_lossy(tail));
    format!("{head}\n[… {missing} bytes left out …]\n{tail}")
}
