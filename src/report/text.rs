//! Texts and lists with an end, which say what is not in them.

use serde::Serialize;

use crate::event::Content;
use crate::execution::replay::Contents;

/// The beginning of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Text {
    pub text: String,
    /// So many characters more.
    pub chars_left_out: u64,
}

impl Text {
    pub fn of(text: &str, chars_max: usize) -> Self {
        let end = text.char_indices().nth(chars_max).map_or(text.len(), |(at, _)| at);
        let chars_left_out = text[end..].chars().count() as u64;
        Self { text: text[..end].to_owned(), chars_left_out }
    }

    /// A content's text; where it is not here, why.
    pub fn of_content(content: &Content, contents: &Contents, chars_max: usize) -> Self {
        let brought = contents.bring(content);
        if let Some(problem) = &brought.problem {
            return Self::of(&format!("(not here: {problem})"), chars_max);
        }
        let bytes = brought.bytes.as_deref().unwrap_or_default();
        let mut text = Self::of(&String::from_utf8_lossy(bytes), chars_max);
        // Of what was recorded as its two ends the middle is gone; a byte is at most a character.
        text.chars_left_out += brought.len.saturating_sub(bytes.len() as u64);
        text
    }
}

/// The first line of a text, so many characters of it.
pub fn line(text: &str, chars_max: usize) -> String {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let cut = Text::of(line, chars_max);
    if cut.chars_left_out > 0 { format!("{}…", cut.text) } else { cut.text }
}

/// A list up to a bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bounded<T> {
    pub items: Vec<T>,
    /// So many more.
    pub left_out: u64,
}

impl<T> Default for Bounded<T> {
    fn default() -> Self {
        Self { items: Vec::new(), left_out: 0 }
    }
}

impl<T> Bounded<T> {
    pub fn push(&mut self, item: T, most: usize) {
        match self.items.len() < most {
            true => self.items.push(item),
            false => self.left_out += 1,
        }
    }

    /// The first of a whole list.
    pub fn first(mut items: Vec<T>, most: usize) -> Self {
        let left_out = items.len().saturating_sub(most) as u64;
        items.truncate(most);
        Self { items, left_out }
    }

    pub fn count(&self) -> u64 {
        self.items.len() as u64 + self.left_out
    }

    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }
}
