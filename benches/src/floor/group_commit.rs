//! Group commit and nothing else: whoever comes first writes and flushes for all who wait.

use std::sync::{Condvar, Mutex, PoisonError};

use super::RawFile;
use crate::BenchError;

/// A file shared by threads, one flush for all that wait.
pub struct GroupCommit {
    state: Mutex<State>,
    flushed: Condvar,
}

struct State {
    /// Taken while a leader writes.
    file: Option<RawFile>,
    waiting: Vec<u8>,
    submitted: u64,
    durable: u64,
}

impl GroupCommit {
    pub fn new(file: RawFile) -> Self {
        let state = State { file: Some(file), waiting: Vec::new(), submitted: 0, durable: 0 };
        Self { state: Mutex::new(state), flushed: Condvar::new() }
    }

    /// Returns when the bytes are durable.
    pub fn append(&self, bytes: &[u8]) -> Result<(), BenchError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting.extend_from_slice(bytes);
        state.submitted += 1;
        let own = state.submitted;
        while state.durable < own {
            let Some(mut file) = state.file.take() else {
                state = self.flushed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let (batch, through) = (std::mem::take(&mut state.waiting), state.submitted);
            drop(state);
            file.write(&batch)?;
            file.sync()?;
            state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.file = Some(file);
            state.durable = through;
            self.flushed.notify_all();
        }
        Ok(())
    }
}
