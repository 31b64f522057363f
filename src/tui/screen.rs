//! Which screen is shown, whether it goes on, what is typed into it, and what a key asks of the feed.

use crate::output::escape;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Screen {
    #[default]
    History,
    Sessions,
    Detail,
    Chain,
    /// What a search found.
    Found,
    /// A text that it found, and that is of no call.
    Said,
}

impl Screen {
    /// The keys that the last line tells, the most needed first.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Self::History => &[
                "↑↓⏎ open",
                "c chain",
                "s sessions",
                "f failed",
                "t tool",
                "/ find",
                "p pause",
                "? help",
                "q quit",
            ],
            Self::Sessions => &["esc back", "↑↓⏎ choose", "? help", "q quit"],
            Self::Detail => {
                &["esc close", "↑↓ scroll", "n next", "b back", "c chain", "? help", "q quit"]
            }
            Self::Found => &["esc back", "↑↓⏎ open", "n N", "/ find", "? help", "q quit"],
            Self::Said => &["esc back", "↑↓ scroll", "n N next, before", "? help", "q quit"],
            Self::Chain => &["esc back", "↑↓⏎ open", "o whole file", "? help", "q quit"],
        }
    }
}

/// What a key asks of the feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    Nothing,
    /// The history, by another filter, of another session, or more of it.
    History,
    Sessions,
    /// What matches the words of the search.
    Search,
    /// The chosen one of what was found.
    Hit,
    Detail,
    Around,
    File {
        journal: usize,
        path: String,
    },
    Leave,
}

/// Whether what is shown goes on with the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Following {
    Live,
    /// By key: nothing moves until it is let go.
    Paused,
    /// As of then (`--at`), or a copy: it never goes on.
    Standing {
        why: String,
    },
}

impl Following {
    pub fn word(&self) -> &str {
        match self {
            Self::Live => "live",
            Self::Paused => "PAUSED",
            Self::Standing { why } => why,
        }
    }
}

/// Characters that can be typed into a line.
const CHARS_MAX: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    Tool,
    Search,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typing {
    pub what: Typed,
    pub text: String,
}

impl Typing {
    pub fn prompt(&self) -> &'static str {
        match self.what {
            Typed::Tool => "tool: ",
            Typed::Search => "search: ",
        }
    }

    /// Adds a character, unless a terminal would obey it or there are enough.
    pub fn push(&mut self, c: char) {
        if !escape::is_hostile(c) && self.text.chars().count() < CHARS_MAX {
            self.text.push(c);
        }
    }
}
