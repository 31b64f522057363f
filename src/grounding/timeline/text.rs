//! The timeline block as a model reads it: spec 001's words and layout.
//!
//! Everything in it that came from elsewhere is one line: a target or an error can neither end the
//! block nor begin one.

use super::{FailureLoop, FailureRecord, TimelineBlock, TimelineEntry, TimelinePosition};

const HEADER: &str = "=== EXECUTION TIMELINE (GROUND TRUTH) ===";
const MESSAGE: &str = "=== YOUR MESSAGE ===";
const REQUIRED: &str = "REQUIRED: Before acting, you MUST query memory:\n\
     - Use memory_query(timeline_summary) to see recent history\n\
     - Use memory_query(tool=\"X\", success=false) to see failures\n\
     - Reference execution IDs, not memory";
const IN_LOOP: &str = "You are in a failure loop. Query memory for details before retrying.";
const TEXT_CHARS_MAX: usize = 160;

impl TimelineBlock {
    /// The block, of at most `chars_max` characters besides the message itself; where there is not
    /// room for all, loops are told before pending failures, and those before what happened, the
    /// newest first. The same for the same block and `now_ms`.
    pub fn text(&self, now_ms: u64, chars_max: usize, message: Option<&str>) -> String {
        let tail = message.map(|_| format!("\n\n{MESSAGE}\n")).unwrap_or_default();
        let mut room = Room { chars: chars_max.saturating_sub(length(&tail)) };
        let mut text = self.position.head(now_ms);
        let begin = text.char_indices().nth(room.chars).map_or(text.len(), |(at, _)| at);
        text.truncate(begin);
        room.chars -= length(&text);
        if room.take(length(REQUIRED) + 2) {
            text = format!("{text}\n\n{REQUIRED}");
        }
        let told = |one: &FailureLoop| one.told();
        let loops = room.section(IN_LOOP, self.loops.iter().map(told).collect());
        let title = format!("PENDING FAILURES ({}):", self.pending.len());
        let told = self.pending.iter().map(FailureRecord::told).collect();
        let pending = room.section(&title, told);
        let title = format!("RECENT HISTORY (last {}):", self.recent.len());
        let told = self.recent.iter().rev().map(TimelineEntry::told).collect();
        let mut recent = room.section(&title, told);
        if let Some((_, entries)) = recent.split_first_mut() {
            entries.reverse();
        }
        if let Some((title, entries)) = recent.split_first_mut() {
            *title = format!("RECENT HISTORY (last {}):", entries.len());
        }
        for section in [recent, pending, loops].iter().filter(|section| !section.is_empty()) {
            text.push_str("\n\n");
            text.push_str(&section.join("\n"));
        }
        text.push_str(&tail);
        text.push_str(message.unwrap_or_default());
        text
    }
}

impl TimelinePosition {
    /// Spec 001's `inject_timeline_context`: a prompt under the position that holds for it.
    pub fn before(&self, prompt: &str, now_ms: u64) -> String {
        format!("{}\n\n{REQUIRED}\n\n{MESSAGE}\n{prompt}", self.head(now_ms))
    }

    pub fn time_since_last_query_ms(&self, now_ms: u64) -> Option<u64> {
        self.last_query_ms.map(|read| now_ms.saturating_sub(read))
    }

    pub(crate) fn head(&self, now_ms: u64) -> String {
        let last = match &self.last_execution {
            Some(last) => format!("{} ({})", last.name(), last.status()),
            None => "none".to_owned(),
        };
        let read = match self.time_since_last_query_ms(now_ms) {
            Some(ago) => format!("{ago}ms ago"),
            None => "never".to_owned(),
        };
        format!(
            "{HEADER}\nCurrent Position: Step {}\nTotal Executions: {}\nLast Execution: {last}\n\
             Last Query: {read}",
            self.current_step, self.total_executions
        )
    }
}

impl TimelineEntry {
    fn told(&self) -> String {
        let line = format!("{} {}", self.subject(), self.status());
        with_reason(line, self.error_summary.as_deref())
    }

    /// `#138 file_edit src/foo.rs`.
    pub(crate) fn subject(&self) -> String {
        let name = self.name();
        let tool = plain(&self.tool_name);
        match &self.affected_path {
            Some(target) => format!("{name} {tool} {}", plain(target)),
            None => format!("{name} {tool}"),
        }
    }
}

impl FailureRecord {
    pub(crate) fn told(&self) -> String {
        let line = format!("{} {}", self.execution.subject(), self.execution.status());
        let line = match self.failures {
            0 | 1 => line,
            often => format!("{line} {often} times since it last succeeded"),
        };
        with_reason(line, self.execution.error_summary.as_deref())
    }
}

impl FailureLoop {
    fn told(&self) -> String {
        let names: Vec<String> = self.executions.iter().map(|no| format!("#{no}")).collect();
        let (subject, status) = (self.execution.subject(), self.execution.status());
        let line = format!("{subject} {status} {} times", self.failures);
        let line = if names.is_empty() { line } else { format!("{line}: {}", names.join(", ")) };
        with_reason(line, self.execution.error_summary.as_deref())
    }
}

/// An error as spec 001's panel has it: on a line of its own, in quotes.
fn with_reason(line: String, why: Option<&str>) -> String {
    match why {
        Some(why) => format!("{line}\n      → \"{}\"", one_line(why).replace('"', "'")),
        None => line,
    }
}

struct Room {
    chars: usize,
}

impl Room {
    fn take(&mut self, chars: usize) -> bool {
        let fits = chars <= self.chars;
        if fits {
            self.chars -= chars;
        }
        fits
    }

    /// The title and the items that there is room for; nothing where there is room for none.
    fn section(&mut self, title: &str, items: Vec<String>) -> Vec<String> {
        let mut section = Vec::new();
        for item in items {
            let heading = if section.is_empty() { length(title) + 2 } else { 0 };
            if !self.take(heading + length(&item) + 1) {
                break;
            }
            if section.is_empty() {
                section.push(title.to_owned());
            }
            section.push(item);
        }
        section
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// A name or a target: in quotes where it is more than one word.
fn plain(text: &str) -> String {
    let line = one_line(text);
    match line.contains([' ', '"']) || line.is_empty() {
        true => format!("\"{}\"", line.replace('"', "'")),
        false => line,
    }
}

/// The beginning of a text without what could end its line, hide it, or look like a marker.
pub fn one_line(text: &str) -> String {
    let mut line = String::new();
    let mut equals = 0;
    for (count, c) in text.trim().chars().enumerate() {
        if count >= TEXT_CHARS_MAX {
            line.push('…');
            break;
        }
        equals = if c == '=' { equals + 1 } else { 0 };
        match c {
            // Three of them begin a marker.
            '=' if equals > 2 => line.push('·'),
            '\n' | '\r' | '\t' => line.push(' '),
            c if c.is_control() || is_hidden(c) => line.push('\u{fffd}'),
            c => line.push(c),
        }
    }
    line
}

pub(crate) fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests;
