//! A line being typed.

use crate::output::escape;

/// Characters that can be typed into a line.
const CHARS_MAX: usize = 200;

/// What is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    Tool,
    Text,
}

/// A line being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typing {
    pub what: Typed,
    pub text: String,
}

impl Typing {
    pub fn prompt(&self) -> &'static str {
        match self.what {
            Typed::Tool => "tool: ",
            Typed::Text => "text: ",
        }
    }

    /// Adds a character, unless a terminal would obey it or there are enough.
    pub fn push(&mut self, c: char) {
        if !escape::is_hostile(c) && self.text.chars().count() < CHARS_MAX {
            self.text.push(c);
        }
    }
}
