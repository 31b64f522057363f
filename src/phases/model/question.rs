//! What a model is asked.

use std::sync::atomic::AtomicBool;

/// What a model is asked, and what it may want to know about it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The prompt, Markdown.
    pub prompt: &'q str,
    pub run: &'q str,
    pub node: &'q str,
    /// `draft_attempt1`.
    pub label: &'q str,
    pub round: u64,
    /// Set where nobody wants the answer any more.
    pub stop: &'q AtomicBool,
}
