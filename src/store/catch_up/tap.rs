//! A replay that somebody else makes: who verifies a whole journal tells what they read of it, so that it is
//! read and decoded once.

use std::mem;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};

pub use super::ahead::Tap;
use super::ahead::{Ahead, End};
use super::fed::{BATCH_BYTES_MAX, BATCH_STEPS_MAX, BATCHES_MAX, Batch, Fed, Sent, weight};
use crate::journal::{Listener, Mark, ReplayItem};
use crate::store::feed::{Step, step};
use crate::store::{Foresight, StoreName};

/// Who tells it. Whoever folds it has an error where it is dropped before its end.
pub struct Told {
    foresight: Option<Box<dyn Foresight>>,
    batch: Vec<Fed>,
    bytes: usize,
    sent: Sent,
    /// `None` once nobody listens any more.
    to: Option<SyncSender<Batch>>,
    end: End,
}

/// One who tells, and what a load of a store takes it from.
pub fn told(store: StoreName) -> (Told, Tap) {
    let (to, batches) = sync_channel(BATCHES_MAX);
    let end = End::default();
    let ahead = Ahead { range: None, instead_of: None, batches, end: Arc::clone(&end) };
    let foresight = store.foresight();
    let (batch, sent) = (Vec::new(), Sent::default());
    (Told { foresight, batch, bytes: 0, sent, to: Some(to), end }, Tap::of(ahead))
}

impl Listener for Told {
    fn hear(&mut self, item: ReplayItem) {
        let (Some(_), Some(step)) = (&self.to, step(item)) else { return };
        self.bytes += weight(&step);
        let foreseen = match (&step, &mut self.foresight) {
            (Step::Event(recorded), Some(foresight)) => foresight.of(recorded, None),
            _ => None,
        };
        self.batch.push(Fed::of(step, foreseen));
        if self.batch.len() >= BATCH_STEPS_MAX || self.bytes >= BATCH_BYTES_MAX {
            self.send();
        }
    }
}

impl Told {
    fn send(&mut self) {
        self.bytes = 0;
        let batch = Arc::new(mem::take(&mut self.batch));
        self.sent.keep(&batch);
        // Who has gone has read enough, or has an error of their own to tell.
        self.to = self.to.take().filter(|to| to.send(batch).is_ok());
    }

    /// All that was told holds, and this is where it ends.
    pub fn end(mut self, at: Mark) {
        self.send();
        // Before the fold sees that nothing more comes.
        self.end.get_or_init(|| Ok(Some(at)));
    }
}
