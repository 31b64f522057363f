//! Our own events as JSON lines, as an export writes them: calls keep their ids, prompts and messages theirs.

mod line;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io;

use super::import::Flaw;
use super::import::item::TranscriptRecord;
use super::import::limits::OPEN_CALLS_MAX;
use super::import::lines::Lines;
use super::import::log_source::{LogSource, Reads};
use super::import::loose::parsed;
use super::import::source_file::SourceFile;
use super::import::whole::{TextLines, WholeLog, flaw_of, read_text};
use line::{Correction, Line};

pub const SOURCE: LogSource = LogSource {
    name: "annals",
    title: "annals' own events",
    also: None,
    endings: &[".jsonl"],
    is_of: |beginning| {
        beginning.outline().has_all(&["sequence", "kind_number", "recorded", "redactor_version"])
    },
    reads: Reads::Whole(open),
    began_ms: None,
    session_of: None,
    untimed: false,
};

fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    let (corrections, session) = (Corrections::of(file)?, file.whole_name());
    read_text(file, Box::new(Events { corrections, session }))
}

struct Events {
    corrections: Corrections,
    /// The session of what is of none.
    session: String,
}

impl TextLines for Events {
    fn line(
        &mut self,
        number: u64,
        line: &str,
        out: &mut Vec<TranscriptRecord>,
    ) -> Result<(), Flaw> {
        if line.trim().is_empty() {
            return Ok(());
        }
        let flaw = || flaw_of(line.as_bytes());
        let event: Line<'_> = parsed(line.as_bytes()).ok_or_else(flaw)?;
        let (head, part) = event.read(&self.corrections, &self.session).ok_or(Flaw::NotARecord)?;
        out.push(TranscriptRecord { line: number, head, parts: part.into_iter().collect() });
        Ok(())
    }
}

/// What was told again, rightly, after a call had ended: looked for before anything is read.
#[derive(Debug, Default)]
pub struct Corrections {
    /// Of each correction the call that it is of in the end.
    first: HashMap<String, String>,
    /// Of each such call the last correction.
    last: HashMap<String, String>,
}

impl Corrections {
    fn of(file: &SourceFile) -> io::Result<Self> {
        let mut found = Self::default();
        let mut lines = Lines::new(file.open()?);
        let wanted = memchr::memmem::Finder::new(b"\"ExecutionCorrected\"");
        while let Some(line) = lines.next_line()? {
            let bytes = line.bytes.filter(|bytes| wanted.find(bytes).is_some());
            let told: Option<Correction<'_>> = bytes.and_then(parsed);
            if let Some((execution, corrects)) = told.and_then(|it| it.ids())
                && found.first.len() < OPEN_CALLS_MAX
            {
                let first = found.first.get(&corrects).unwrap_or(&corrects).clone();
                found.last.insert(first.clone(), execution.clone());
                found.first.insert(execution, first);
            }
        }
        Ok(found)
    }

    fn is_corrected(&self, execution: &str) -> bool {
        self.last.contains_key(execution)
    }

    /// The call that a correction is of, where it is the last of it.
    fn call_of(&self, correction: &str) -> Option<&str> {
        let first = self.first.get(correction)?;
        (self.last.get(first).map(String::as_str) == Some(correction)).then_some(first)
    }
}
