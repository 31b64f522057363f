//! A replay that a thread of its own reads ahead: reading, checking and decoding events takes as
//! long as loading their rows does, and each can have its own core.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use crate::event::{Body, Closing, Content, Sequence};
use crate::store::feed::Step;
use crate::store::{Feed, FeedError};

type Read = Result<Step, FeedError>;

/// Batches read and not yet asked for.
const BATCHES_MAX: usize = 2;
/// Steps of one batch, and the bytes of what they hold after which it is full sooner.
const BATCH_STEPS_MAX: usize = 256;
const BATCH_BYTES_MAX: usize = 512 << 10;

/// Gives `take` the steps of a replay; it need not take them all. `None` where the reading thread
/// panicked: the steps then ended before the journal did.
pub fn read_ahead<T>(
    feed: &dyn Feed,
    after: Sequence,
    through: Sequence,
    take: impl FnOnce(&mut dyn Iterator<Item = Read>) -> T,
) -> Option<T> {
    thread::scope(|scope| {
        let (full, batches) = sync_channel(BATCHES_MAX);
        let reader = scope.spawn(move || read(feed, after, through, &full));
        let taken = take(&mut batches.into_iter().flatten());
        reader.join().is_ok().then_some(taken)
    })
}

/// Reads until the end, or until nobody asks any more.
fn read(feed: &dyn Feed, after: Sequence, through: Sequence, full: &SyncSender<Vec<Read>>) {
    let mut steps = match feed.replay(after, through) {
        Ok(steps) => steps,
        Err(error) => {
            // Who hung up has an error of their own to tell.
            drop(full.send(vec![Err(error)]));
            return;
        }
    };
    loop {
        let (mut batch, mut bytes) = (Vec::with_capacity(BATCH_STEPS_MAX), 0);
        while batch.len() < BATCH_STEPS_MAX && bytes < BATCH_BYTES_MAX {
            let Some(step) = steps.next() else { break };
            bytes += step.as_ref().map_or(0, weight);
            batch.push(step);
        }
        if batch.is_empty() || full.send(batch).is_err() {
            return;
        }
    }
}

/// About the bytes that a step holds on to.
fn weight(step: &Step) -> usize {
    let Step::Event(recorded) = step else { return 0 };
    match &recorded.event.body {
        Body::ExecutionStarted(started) => started.arguments.0.len(),
        Body::ExecutionFinished(finished) => of_closing(&finished.closing),
        Body::ExecutionCorrected(corrected) => of_closing(&corrected.closing),
        Body::PromptSubmitted(prompt) => of_content(&prompt.text),
        _ => 0,
    }
}

fn of_closing(closing: &Closing) -> usize {
    let printed = [&closing.stdout, &closing.stderr].into_iter().flatten().map(of_content);
    let diagnostics = closing.diagnostics.as_ref().map_or(0, |json| json.0.len());
    printed.sum::<usize>() + diagnostics
}

fn of_content(content: &Content) -> usize {
    match content {
        Content::Inline(bytes) => bytes.len(),
        Content::Blob { .. } | Content::Repeated { .. } => 0,
        Content::Truncated { head, tail, .. } => head.len() + tail.len(),
    }
}
