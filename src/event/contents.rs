//! The contents of an event, wherever its kind keeps them.

use super::{Body, Closing, Content};

impl Body {
    /// What was asked or printed: a prompt's text, an execution's stdout and stderr.
    pub fn contents(&self) -> impl Iterator<Item = &Content> {
        let (text, closing) = match self {
            Self::PromptSubmitted(prompt) => (Some(&prompt.text), None),
            Self::ExecutionFinished(finished) => (None, Some(&finished.closing)),
            Self::ExecutionCorrected(corrected) => (None, Some(&corrected.closing)),
            _ => (None, None),
        };
        let closing: Option<&Closing> = closing;
        let printed = closing.map(|closing| [closing.stdout.as_ref(), closing.stderr.as_ref()]);
        text.into_iter().chain(printed.into_iter().flatten().flatten())
    }

    /// As [`Self::contents`], to be changed.
    pub fn contents_mut(&mut self) -> impl Iterator<Item = &mut Content> {
        let (text, closing) = match self {
            Self::PromptSubmitted(prompt) => (Some(&mut prompt.text), None),
            Self::ExecutionFinished(finished) => (None, Some(&mut finished.closing)),
            Self::ExecutionCorrected(corrected) => (None, Some(&mut corrected.closing)),
            _ => (None, None),
        };
        let printed = closing.map(|closing| [closing.stdout.as_mut(), closing.stderr.as_mut()]);
        text.into_iter().chain(printed.into_iter().flatten().flatten())
    }
}
