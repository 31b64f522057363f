//! What a transcript says, whichever agent wrote it: the importer's own terms, before events.

use crate::event::{Attachment, Change, ExecutionId, Json, Outcome, Usage};
use crate::execution::infer;
use crate::journal::Project;

use super::Flaw;
use super::odd::Stamp;

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Record(Box<TranscriptRecord>),
    /// A line that held these many records instead of one.
    Glued {
        line: u64,
        records: usize,
    },
    /// A line, or a part of it, that could not be read.
    Unreadable {
        line: u64,
        flaw: Flaw,
    },
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct TranscriptRecord {
    pub line: u64,
    pub head: Head,
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    pub uuid: Option<String>,
    pub session: Option<String>,
    pub at_ms: Option<u64>,
    /// Where it names a time that is none, or that cannot be: its words.
    pub odd_time: Option<String>,
    /// The time is not the source's own: it only tells an order.
    pub is_untimed: bool,
    pub cwd: Option<String>,
    pub branch: Option<String>,
    pub agent_version: Option<String>,
    pub model: Option<String>,
    /// The agent's name for the session that began this one, where another did.
    pub parent_session: Option<String>,
    /// The subagent whose record it is.
    pub actor: Option<String>,
    /// The call that the subagent works for, where the record names it.
    pub task: Option<String>,
}

impl Head {
    /// A head of the time that a text tells.
    pub fn at(stamp: &Stamp<'_>) -> Self {
        Self::told(stamp.to_unix_ms(), stamp)
    }

    /// A head of the time that a number of these units tells.
    pub fn at_number(stamp: &Stamp<'_>, unit_ms: f64) -> Self {
        Self::told(stamp.to_ms(unit_ms), stamp)
    }

    /// Another time is told, where one is.
    pub fn retime(&mut self, stamp: &Stamp<'_>) {
        let Self { at_ms, odd_time, .. } = Self::at(stamp);
        if at_ms.is_some() || odd_time.is_some() {
            (self.at_ms, self.odd_time) = (at_ms, odd_time);
        }
    }

    pub fn told(at_ms: Option<u64>, stamp: &Stamp<'_>) -> Self {
        let words = stamp.as_deref().filter(|_| at_ms.is_none());
        Self { at_ms, odd_time: words.map(odd_words), ..Self::default() }
    }
}

/// What is kept of the words of a time that is none.
pub fn odd_words(words: &str) -> String {
    const BYTES_MAX: usize = 64;
    words[..words.floor_char_boundary(BYTES_MAX)].to_owned()
}

#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Call(Call),
    Result(CallResult),
    Prompt(Prompt),
    Title(Title),
    Said(Box<Message>),
    Compacted(Compaction),
    /// Something that the record tells and that could not be read: what.
    Unread(String),
}

impl Part {
    pub fn unread(what: impl Into<String>) -> Self {
        Self::Unread(what.into())
    }

    pub fn or_unread(part: Option<Self>, what: &str) -> Self {
        part.unwrap_or_else(|| Self::unread(what))
    }

    /// Gives a prompt the id that a journal knows it by.
    pub fn name_prompt(&mut self, known_by: &Option<String>) {
        if let (Self::Prompt(prompt), Some(id)) = (self, known_by) {
            prompt.known_by = Some(id.clone());
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub id: String,
    /// Within what the id is unique; `None` where it is unique by itself.
    pub scope: Option<String>,
    pub native_tool: String,
    /// The contract's name of the tool where the meaning is the same, else the agent's own, made
    /// valid.
    pub tool: String,
    /// JSON, as the agent wrote it.
    pub arguments: String,
    /// What the arguments name as their target.
    pub paths: Vec<String>,
    /// The files that the call changes if it succeeds.
    pub changes: Vec<Change>,
    /// Where it runs, where that is not the record's own folder.
    pub cwd: Option<String>,
    /// What a subagent is asked by this call.
    pub task: Option<String>,
    /// Its execution's id, where the log has one.
    pub execution: Option<ExecutionId>,
}

impl Call {
    /// Adds what its command line surely changes, where nothing says more.
    pub fn add_edits(&mut self, project: &Project, cwd: Option<&str>, home: Option<&str>) {
        if self.changes.is_empty() {
            let cwd = self.cwd.as_deref().or(cwd);
            self.changes = infer::edits(project, &self.tool, &self.arguments, cwd, home);
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct CallResult {
    pub id: String,
    pub scope: Option<String>,
    pub outcome: Outcome,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<u64>,
    pub error: Option<String>,
    pub stdout: Option<Vec<u8>>,
    pub stderr: Option<Vec<u8>>,
    pub file: Option<String>,
    /// Whether the agent says that the file is new.
    pub created: bool,
    /// The files that the agent says it changed, where it lists them.
    pub changes: Vec<Change>,
    /// The subagent that worked for this call.
    pub subagent: Option<String>,
    /// What a checker said, as JSON's list.
    pub diagnostics: Option<Json>,
}

impl CallResult {
    /// A result of which nothing is known but its call and how that ended.
    pub fn of(id: String, scope: Option<String>, outcome: Outcome) -> Self {
        Self {
            id,
            scope,
            outcome,
            exit_code: None,
            duration_ms: None,
            error: None,
            stdout: None,
            stderr: None,
            file: None,
            created: false,
            changes: Vec::new(),
            subagent: None,
            diagnostics: None,
        }
    }

    pub fn printed_bytes(&self) -> usize {
        [&self.stdout, &self.stderr].into_iter().flatten().map(Vec::len).sum()
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prompt {
    /// What the journal has known it by before, where it was rebuilt from one.
    pub known_by: Option<String>,
    pub text: String,
    /// What it is known by besides its text; `None`: its time.
    pub place: Option<String>,
    pub attachments: Vec<Attachment>,
}

/// What the agent said in one message, or in a line of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message {
    /// Its own id, in which no other of its messages is; `None`: its time and text stand for one.
    pub id: Option<String>,
    /// Empty where it only called tools.
    pub text: String,
    pub thinking: String,
    pub stop_reason: Option<String>,
    pub usage: Usage,
    /// No model said it: the agent's program did.
    pub is_synthetic: bool,
}

impl Message {
    /// Takes what a further line says of it.
    pub fn grow(&mut self, more: Self) {
        add(&mut self.text, more.text);
        add(&mut self.thinking, more.thinking);
        self.stop_reason = more.stop_reason.or(self.stop_reason.take());
        self.usage.grow(&more.usage);
    }
}

/// Adds a block's text behind those before it. Some lines are written twice, and others tell all of it again.
fn add(text: &mut String, more: String) {
    let is_there = |at: usize| {
        let (before, after) = (&text[..at], &text[at + more.len()..]);
        (before.is_empty() || before.ends_with('\n'))
            && (after.is_empty() || after.starts_with('\n'))
    };
    let is_more = more.strip_prefix(text.as_str()).is_some_and(|it| it.starts_with('\n'));
    if text.is_empty() || is_more {
        *text = more;
    } else if !more.is_empty() && !text.match_indices(&more).any(|(at, _)| is_there(at)) {
        text.push('\n');
        text.push_str(&more);
    }
}

/// The agent made a summary of what was said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compaction {
    pub id: String,
    pub trigger: Option<String>,
    pub tokens_before: Option<u64>,
    pub summary: String,
}

/// A session got a title: named by a record of it, or by the session itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Title {
    pub text: String,
    /// The id of a record of the session, in this file or another.
    pub leaf: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_takes_each_of_its_blocks_once() {
        for (lines, expected) in [
            (&["a", "b"][..], "a\nb"),
            (&["", "a", ""], "a"),
            (&["a", "a"], "a"),
            (&["a", "b", "a", "b"], "a\nb"),
            (&["a", "a\nb"], "a\nb"),
            (&["ab", "b"], "ab\nb"),
            (&["a", "ab"], "a\nab"),
        ] {
            let mut whole = Message::default();
            for text in lines {
                whole.grow(Message { text: (*text).to_owned(), ..Message::default() });
            }
            assert_eq!(whole.text, expected, "{lines:?}");
        }
    }
}
