//! What a replay hands to folds: steps, by batches.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::event::{Body, Content, Recorded};
use crate::store::Foreseen;
use crate::store::feed::Step;

/// A step, what is found of the execution that it closes, and what of it was made ahead.
pub struct Fed {
    pub step: Step,
    pub foreseen: Option<Foreseen>,
    start: OnceLock<Arc<Recorded>>,
    is_told_again: AtomicBool,
}

impl Fed {
    pub(super) fn of(step: Step, foreseen: Option<Foreseen>) -> Self {
        let (start, is_told_again) = (OnceLock::new(), AtomicBool::new(false));
        Self { step, foreseen, start, is_told_again }
    }

    /// Notes the start, and whether its end was told before.
    pub(super) fn found(&self, start: Option<Arc<Recorded>>, is_told_again: bool) {
        // Before the batch is handed on, which is what orders it.
        self.is_told_again.store(is_told_again, Ordering::Relaxed);
        if let Some(start) = start {
            self.start.get_or_init(|| start);
        }
    }

    pub fn start(&self) -> Option<&Recorded> {
        self.start.get().map(Arc::as_ref)
    }

    /// Whether it tells an end that was told before.
    pub fn is_told_again(&self) -> bool {
        self.is_told_again.load(Ordering::Relaxed)
    }
}

pub(super) type Batch = Arc<Vec<Fed>>;

/// Batches that were sent, as long as somebody reads them: they are freed where they were made. Whoever frees what
/// another thread made waits for what that one makes meanwhile.
#[derive(Default)]
pub(super) struct Sent(VecDeque<Batch>);

impl Sent {
    pub fn keep(&mut self, batch: &Batch) {
        while self.0.front().is_some_and(|it| Arc::strong_count(it) == 1) {
            self.0.pop_front();
        }
        self.0.push_back(Arc::clone(batch));
    }
}

pub(super) const BATCHES_MAX: usize = 2;
/// Steps of one batch, and the bytes of what they hold after which it is full sooner.
pub(super) const BATCH_STEPS_MAX: usize = 128;
pub(super) const BATCH_BYTES_MAX: usize = 128 << 10;

/// Bytes of what a step holds.
pub(super) fn weight(step: &Step) -> usize {
    let Step::Event(recorded) = step else { return 0 };
    let body = &recorded.event.body;
    let json = match body {
        Body::ExecutionStarted(started) => Some(&started.arguments),
        Body::ExecutionFinished(finished) => finished.closing.diagnostics.as_ref(),
        Body::ExecutionCorrected(corrected) => corrected.closing.diagnostics.as_ref(),
        _ => None,
    };
    json.map_or(0, |json| json.0.len()) + body.contents().map(of_content).sum::<usize>()
}

fn of_content(content: &Content) -> usize {
    match content {
        Content::Inline(bytes) => bytes.len(),
        Content::Blob { .. } | Content::Repeated { .. } => 0,
        Content::Truncated { head, tail, .. } => head.len() + tail.len(),
    }
}
