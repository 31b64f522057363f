//! The contents of an event, wherever its kind keeps them.

use super::{Body, Content};

/// At most two contents an event, by shared or by exclusive reference.
macro_rules! contents {
    ($body:expr, $as_ref:ident $(, $exclusive:tt)?) => {
        match $body {
            Body::PromptSubmitted(b) => [Some(&$($exclusive)? b.text), None],
            Body::ExecutionFinished(b) => [b.closing.stdout.$as_ref(), b.closing.stderr.$as_ref()],
            Body::ExecutionCorrected(b) => [b.closing.stdout.$as_ref(), b.closing.stderr.$as_ref()],
            Body::AttemptRecorded(b) => [b.code_snapshot.$as_ref(), None],
            Body::ArchivalWritten(b) => [b.whole.$as_ref(), None],
            Body::ArchivalUpdated(b) => [b.whole.$as_ref(), None],
            Body::PromptRendered(b) => [Some(&$($exclusive)? b.rendered), None],
            Body::ModelQueried(b) => {
                [Some(&$($exclusive)? b.sections), Some(&$($exclusive)? b.reply)]
            }
            Body::ArtifactsAccepted(b) => [Some(&$($exclusive)? b.artifacts), None],
            Body::PhaseCompleted(b) => [Some(&$($exclusive)? b.log), None],
            Body::IndexStored(b) => [Some(&$($exclusive)? b.content), None],
            Body::PhaseFailed(b) => [Some(&$($exclusive)? b.log), None],
            _ => [None, None],
        }
    };
}

impl Body {
    /// What was asked, printed or shown: a prompt's text, an execution's stdout and stderr.
    pub fn contents(&self) -> impl Iterator<Item = &Content> {
        contents!(self, as_ref).into_iter().flatten()
    }

    /// As [`Self::contents`], to be changed.
    pub fn contents_mut(&mut self) -> impl Iterator<Item = &mut Content> {
        contents!(self, as_mut, mut).into_iter().flatten()
    }
}
