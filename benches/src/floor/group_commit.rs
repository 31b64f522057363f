//! Group commit and nothing else: whoever comes first writes and flushes for all who wait.

use std::sync::{Condvar, Mutex, PoisonError};

use super::{OwedFile, RawFile};
use crate::BenchError;

/// What a leader appends to, durably.
pub trait Durable {
    fn append(&mut self, bytes: &[u8]) -> Result<(), BenchError>;
}

impl Durable for RawFile {
    fn append(&mut self, bytes: &[u8]) -> Result<(), BenchError> {
        self.write(bytes)?;
        self.sync()
    }
}

impl Durable for OwedFile {
    fn append(&mut self, bytes: &[u8]) -> Result<(), BenchError> {
        Self::append(self, bytes)
    }
}

/// A file shared by threads, one flush for all that wait.
pub struct GroupCommit<F> {
    state: Mutex<State<F>>,
    flushed: Condvar,
}

struct State<F> {
    /// Taken while a leader writes.
    file: Option<F>,
    waiting: Vec<u8>,
    submitted: u64,
    durable: u64,
}

impl<F: Durable> GroupCommit<F> {
    pub fn new(file: F) -> Self {
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
            file.append(&batch)?;
            state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.file = Some(file);
            state.durable = through;
            self.flushed.notify_all();
        }
        Ok(())
    }
}
