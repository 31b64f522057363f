//! What was asked, what was done for it, and what the agent said.

use serde::Serialize;

use super::limits::{CALLS_MAX, TURN_FILES_MAX, TURN_ITEMS_MAX, WORDS_CHARS_MAX, WORDS_MAX};
use super::{Bounded, Text};
use crate::event::{SessionId, wire};

/// From one prompt of a session to the next.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Turn {
    pub session: Option<SessionId>,
    /// `null`: what was done before anybody asked for anything.
    pub prompt: Option<Text>,
    /// Its event; of a turn without a prompt its first event.
    pub sequence: u64,
    #[serde(rename = "began", serialize_with = "wire::utc")]
    pub began_ms: u64,
    #[serde(rename = "ended", serialize_with = "wire::utc")]
    pub ended_ms: u64,
    pub calls: u64,
    pub failed: u64,
    pub refused: u64,
    pub interrupted: u64,
    pub redacted: u64,
    /// Files that its calls changed, in order, each once.
    pub files: Bounded<String>,
    /// What the agent said last.
    pub answer: Option<Text>,
    /// In order: calls, and what was said and given between them.
    pub items: Bounded<Item>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Item {
    Call(Box<Call>),
    /// The agent said something; `actor`: its subagent did.
    Said {
        sequence: u64,
        actor: Option<String>,
        model: Option<String>,
        text: Text,
    },
    /// A subagent was asked for something.
    Asked {
        sequence: u64,
        actor: String,
        text: Text,
    },
    /// Something was given to the model by a hook.
    Given {
        sequence: u64,
        given: String,
        chars: u64,
    },
    /// The session itself: its history was made short, another model spoke, it ended.
    Noted {
        sequence: u64,
        text: String,
    },
}

/// A call, in a line.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Call {
    /// As `annals show` takes it.
    pub call: String,
    pub sequence: u64,
    #[serde(rename = "at", serialize_with = "wire::utc")]
    pub at_ms: u64,
    pub tool: String,
    pub target: Option<String>,
    /// `ok`, `failed`, `refused`, `interrupted`, `redacted` (its end is), `open`.
    pub outcome: &'static str,
    /// Whoever called it was told that it went well.
    pub behind_a_pipe: bool,
    /// The one line that says most of why it did not end well.
    pub why: Option<String>,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<u64>,
    /// The duration is a bound.
    pub is_bound: bool,
    pub actor: Option<String>,
    pub files: Vec<String>,
}

impl Item {
    pub fn sequence(&self) -> u64 {
        match self {
            Self::Call(call) => call.sequence,
            Self::Said { sequence, .. }
            | Self::Asked { sequence, .. }
            | Self::Given { sequence, .. }
            | Self::Noted { sequence, .. } => *sequence,
        }
    }
}

impl Turn {
    /// Adds what was done; `room` is how much all turns may still have of it.
    pub fn add(&mut self, item: Item, room: &mut usize) {
        let most = if *room == 0 { 0 } else { TURN_ITEMS_MAX };
        let before = self.items.items.len();
        self.items.push(item, most);
        *room -= self.items.items.len() - before;
    }

    /// Takes what the session's own agent said last out of what is told in between.
    pub fn take_answer(&mut self) {
        let own = |it: &Item| matches!(it, Item::Said { actor: None, .. });
        let Some(at) = self.items.items.iter().rposition(own) else { return };
        if let Item::Said { text, .. } = self.items.items.remove(at) {
            self.answer = Some(text);
        }
    }

    pub fn change(&mut self, file: &str) {
        if !self.files.items.iter().any(|known| known == file) {
            self.files.push(file.to_owned(), TURN_FILES_MAX);
        }
    }
}

/// What is left of the bounds over all turns.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    pub calls: usize,
    /// What was said and given between them.
    pub words: usize,
    pub chars: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { calls: CALLS_MAX, words: WORDS_MAX, chars: WORDS_CHARS_MAX }
    }
}

impl Room {
    /// How many characters a text may have.
    pub fn chars(&self, most: usize) -> usize {
        most.min(self.chars)
    }

    pub fn take(&mut self, text: &Text) {
        self.chars = self.chars.saturating_sub(text.text.len());
    }
}
