//! aider's chat history (`.aider.chat.history.md`): `# aider chat started at …` begins a session, `####` lines
//! are what a person wrote, `>` lines what aider printed, the rest is what the model answered.
//!
//! An edit that was applied is a call; of commands that ran, the text does not tell where their output ends.

use std::io;

use super::import::Flaw;
use super::import::item::{Head, Message, Part, Prompt, TranscriptRecord};
use super::import::log_source::{Beginning, LogSource, Reads};
use super::import::source_file::SourceFile;
use super::import::told;
use super::import::whole::{TextLines, WholeLog, read_text};

pub const SOURCE: LogSource = LogSource {
    name: "aider",
    title: "aider",
    also: None,
    endings: &[".aider.chat.history.md"],
    is_of,
    reads: Reads::Whole(open),
    began_ms: None,
    session_of: None,
    untimed: true,
};

const BEGINS: &str = "# aider chat started at ";
/// Bytes of one message that are kept.
const TEXT_BYTES_MAX: usize = 16 << 20;

fn is_of(beginning: &Beginning<'_>) -> bool {
    let text = String::from_utf8_lossy(beginning.head);
    let is_date = |line: &str| line.strip_prefix(BEGINS).is_some_and(|it| it.starts_with("20"));
    text.lines().any(is_date)
}

fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    read_text(file, Box::new(History { file: file.whole_name(), ..History::default() }))
}

#[derive(Debug, Default)]
struct History {
    file: String,
    sessions: u64,
    edits: u64,
    model: Option<String>,
    /// What is being written: who, since which line, and what.
    block: Option<Block>,
}

#[derive(Debug)]
struct Block {
    is_asked: bool,
    line: u64,
    text: String,
    is_cut: bool,
}

impl TextLines for History {
    fn line(
        &mut self,
        number: u64,
        line: &str,
        out: &mut Vec<TranscriptRecord>,
    ) -> Result<(), Flaw> {
        let line = line.trim_end();
        if line.starts_with(BEGINS) {
            let ended = self.flush(out);
            self.sessions += 1;
            (self.edits, self.model) = (0, None);
            return ended;
        }
        if let Some(printed) = line.strip_prefix("> ") {
            let ended = self.flush(out);
            self.printed(number, printed, out);
            return ended;
        }
        if line == ">" {
            return self.flush(out);
        }
        match line.strip_prefix("####") {
            Some(asked) => self.add(number, true, asked.strip_prefix(' ').unwrap_or(asked), out),
            None => self.add(number, false, line, out),
        }
    }

    fn end(&mut self, out: &mut Vec<TranscriptRecord>) -> Result<(), Flaw> {
        self.flush(out)
    }
}

impl History {
    fn session(&self) -> String {
        format!("{}#{}", self.file, self.sessions)
    }

    fn record(&self, line: u64, parts: Vec<Part>) -> TranscriptRecord {
        let (session, model) = (Some(self.session()), self.model.clone());
        TranscriptRecord { line, head: Head { session, model, ..Head::default() }, parts }
    }

    fn add(
        &mut self,
        line: u64,
        is_asked: bool,
        text: &str,
        out: &mut Vec<TranscriptRecord>,
    ) -> Result<(), Flaw> {
        // A blank line ends no answer, and none begins with one.
        let is_same = self.block.as_ref().is_some_and(|block| block.is_asked == is_asked);
        let mut ended = Ok(());
        if !is_same {
            if text.is_empty() {
                return Ok(());
            }
            ended = self.flush(out);
        }
        let begun = Block { is_asked, line, text: String::new(), is_cut: false };
        let block = self.block.get_or_insert(begun);
        if block.text.len() + text.len() < TEXT_BYTES_MAX {
            if !block.text.is_empty() {
                block.text.push('\n');
            }
            block.text.push_str(text);
        } else {
            block.is_cut = true;
        }
        ended
    }

    /// What was written is whole.
    fn flush(&mut self, out: &mut Vec<TranscriptRecord>) -> Result<(), Flaw> {
        let Some(block) = self.block.take() else { return Ok(()) };
        let (text, known_by) =
            (block.text.trim().to_owned(), format!("{}#{}", self.session(), block.line));
        if !text.is_empty() {
            let part = match block.is_asked {
                true => Part::Prompt(Prompt { text, place: Some(known_by), ..Prompt::default() }),
                false => {
                    let id = Some(known_by);
                    Part::Said(Box::new(Message { id, text, ..Message::default() }))
                }
            };
            out.push(self.record(block.line, vec![part]));
        }
        if block.is_cut {
            return Err(Flaw::TooLong { bytes: TEXT_BYTES_MAX as u64 });
        }
        Ok(())
    }

    /// A line that aider itself printed.
    fn printed(&mut self, line: u64, text: &str, out: &mut Vec<TranscriptRecord>) {
        if let Some(path) = text.strip_prefix("Applied edit to ") {
            self.edits += 1;
            let (id, scope) = (format!("edit {}", self.edits), Some(self.session()));
            let arguments = serde_json::json!({ "path": path }).to_string();
            let call = told::call(id.clone(), scope.clone(), "edit", arguments);
            let result = told::result(id, scope, None, false, None);
            out.push(self.record(line, vec![Part::Call(call), Part::Result(result)]));
        }
        let model = text.strip_prefix("Main model: ").or_else(|| text.strip_prefix("Model: "));
        if let Some(model) = model.and_then(|it| it.split_whitespace().next()) {
            self.model = Some(model.to_owned());
        }
    }
}
