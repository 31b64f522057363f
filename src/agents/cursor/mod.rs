//! Cursor's chats as it exports them (Markdown): prompts and answers. What tools did is not in there.
//!
//! A line `---` and then `**User**` or `**Cursor**` begins a message; the page says when it was exported, and no time of
//! a message.

use std::io;

use super::import::Flaw;
use super::import::item::{Head, Message, Part, Prompt, Title, TranscriptRecord};
use super::import::log_source::{Beginning, LogSource, Reads};
use super::import::source_file::SourceFile;
use super::import::whole::{TextLines, WholeLog, read_text};

pub const SOURCE: LogSource = LogSource {
    name: "cursor",
    title: "Cursor",
    also: None,
    endings: &[".md"],
    is_of,
    reads: Reads::Whole(open),
    began_ms: None,
    session_of: None,
    untimed: true,
};

const USER: &str = "**User**";
const CURSOR: &str = "**Cursor**";
const RULE: &str = "---";
/// Lines in which the page says what it is.
const HEAD_LINES: usize = 4;
/// Bytes of one message that are kept.
const TEXT_BYTES_MAX: usize = 16 << 20;

fn is_of(beginning: &Beginning<'_>) -> bool {
    let text = String::from_utf8_lossy(beginning.head);
    let is_told = |line: &str| line.starts_with("_Exported on ") && line.contains(" from Cursor (");
    text.lines().take(HEAD_LINES).any(is_told)
}

fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    read_text(file, Box::new(Chat { file: file.whole_name(), ..Chat::default() }))
}

#[derive(Debug, Default)]
struct Chat {
    file: String,
    title: Option<String>,
    /// Whether a person wrote what is being read, and since which line; `None` before the first message.
    speaker: Option<(bool, u64)>,
    text: String,
    is_cut: bool,
    /// Lines that end a message where another one begins, and are its text where none does.
    held: Vec<String>,
}

impl TextLines for Chat {
    fn line(
        &mut self,
        number: u64,
        line: &str,
        out: &mut Vec<TranscriptRecord>,
    ) -> Result<(), Flaw> {
        let line = line.trim_end();
        if self.speaker.is_none() && self.title.is_none() {
            self.title = line.strip_prefix("# ").map(str::to_owned);
        }
        let is_after_rule = self.held.first().is_some_and(|it| it == RULE);
        match line {
            USER | CURSOR if is_after_rule => {
                self.held.clear();
                let told = self.flush(out);
                self.speaker = Some((line == USER, number));
                told
            }
            RULE => {
                self.release();
                self.held.push(line.to_owned());
                Ok(())
            }
            "" if is_after_rule && self.held.len() < HEAD_LINES => {
                self.held.push(String::new());
                Ok(())
            }
            _ => {
                self.release();
                self.add(line);
                Ok(())
            }
        }
    }

    fn end(&mut self, out: &mut Vec<TranscriptRecord>) -> Result<(), Flaw> {
        self.release();
        self.flush(out)
    }
}

impl Chat {
    fn release(&mut self) {
        for line in std::mem::take(&mut self.held) {
            self.add(&line);
        }
    }

    fn add(&mut self, line: &str) {
        self.is_cut |= self.text.len() + line.len() >= TEXT_BYTES_MAX;
        if self.speaker.is_some() && !self.is_cut {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    /// What was written is whole.
    fn flush(&mut self, out: &mut Vec<TranscriptRecord>) -> Result<(), Flaw> {
        let text = std::mem::take(&mut self.text).trim().to_owned();
        let Some((is_asked, line)) = self.speaker.take() else { return Ok(()) };
        let mut parts = Vec::new();
        let title = self.title.take().filter(|_| line > 0);
        parts.extend(title.map(|text| Part::Title(Title { text, leaf: None })));
        let known_by = format!("{}#{line}", self.file);
        if !text.is_empty() {
            parts.push(match is_asked {
                true => Part::Prompt(Prompt { text, place: Some(known_by), ..Prompt::default() }),
                false => {
                    let id = Some(known_by);
                    Part::Said(Box::new(Message { id, text, ..Message::default() }))
                }
            });
        }
        let head = Head { session: Some(self.file.clone()), ..Head::default() };
        out.push(TranscriptRecord { line, head, parts });
        match std::mem::take(&mut self.is_cut) {
            true => Err(Flaw::TooLong { bytes: TEXT_BYTES_MAX as u64 }),
            false => Ok(()),
        }
    }
}
