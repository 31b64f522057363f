//! What an agent's last message is: a claim of success, or one of the honest things that are none.
//!
//! Read sentence by sentence, clause by clause, as far as words in order go: who is said to have
//! come to what, and whether that is denied, hoped, asked or only planned. No model is asked. What
//! stands in code, in quotes, or under a plan's heading says nothing of what was done.

mod clause;
mod denial;
mod lexicon;
mod mending;
mod sense;
mod success;
#[cfg(test)]
mod tests;
mod text;

use sense::Sense;

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// The work is done, something is fixed, works, passes, or was verified.
    Claim,
    /// Nothing was verified.
    Unverified,
    /// It did not succeed, or not all of it.
    Failure,
    /// It asks, and claims nothing.
    Question,
    /// It explains, plans, lists, or tells what was edited.
    Other,
}

/// Bytes of a message that are read.
const TEXT_BYTES_MAX: usize = 64 << 10;

impl Message {
    /// Reads a message.
    pub fn of(text: &str) -> Self {
        let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX)];
        let sentences = text::sentences(text);
        let mut sense = Sense::default();
        for sentence in &sentences {
            sense |= sentence.sense();
        }
        let asks = sentences.iter().any(|it| it.asks && !it.titled);
        match sense {
            // Who says what still fails claims no success, whatever else was reached.
            Sense { fails: true, .. } => Self::Failure,
            // A check that is said to have passed is claimed, whatever else was not looked at.
            Sense { verified: true, .. } => Self::Claim,
            Sense { unverified: true, .. } => Self::Unverified,
            Sense { done: true, .. } => Self::Claim,
            _ if asks => Self::Question,
            _ => Self::Other,
        }
    }
}
