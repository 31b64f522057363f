//! What events told of calls whose items are still to come.

use std::collections::VecDeque;

use super::ended::Ended;
use crate::agents::import::item::TranscriptRecord;
use crate::agents::import::limits::{HELD_BYTES_MAX, HELD_MAX};

/// What an event told, and the record it stands in.
#[derive(Debug)]
pub struct HeldEnd {
    pub record: TranscriptRecord,
    pub ended: Ended,
    /// An item has made the call.
    pub called: bool,
}

/// What events told of calls whose items are still to come, in file order and bounded.
#[derive(Debug, Default)]
pub struct Held {
    ends: VecDeque<HeldEnd>,
    bytes: usize,
}

impl Held {
    /// Holds one more; what no longer fits is given back, the oldest first.
    pub fn hold(&mut self, end: HeldEnd) -> Vec<HeldEnd> {
        self.bytes += end.bytes();
        self.ends.push_back(end);
        let mut over = Vec::new();
        while self.ends.len() > HELD_MAX || self.bytes > HELD_BYTES_MAX {
            let Some(oldest) = self.ends.pop_front() else { break };
            self.bytes = self.bytes.saturating_sub(oldest.bytes());
            over.push(oldest);
        }
        over
    }

    /// An item makes the call of this id.
    pub fn call(&mut self, id: &str) {
        for end in self.ends.iter_mut().filter(|end| end.ended.call.id == id) {
            end.called = true;
        }
    }

    /// What was told of the call of this id.
    pub fn take(&mut self, id: &str) -> Option<HeldEnd> {
        let at = self.ends.iter().position(|end| end.ended.call.id == id)?;
        let end = self.ends.remove(at)?;
        self.bytes = self.bytes.saturating_sub(end.bytes());
        Some(end)
    }

    /// What is held, in order; `called`: also of calls whose output may still come.
    pub fn release(&mut self, called: bool) -> Vec<HeldEnd> {
        let ends = std::mem::take(&mut self.ends);
        let (out, kept) = ends.into_iter().partition(|end: &HeldEnd| called || !end.called);
        let out: VecDeque<HeldEnd> = out;
        self.ends = kept;
        self.bytes = self.ends.iter().map(HeldEnd::bytes).sum();
        out.into()
    }
}

impl HeldEnd {
    fn bytes(&self) -> usize {
        let result = &self.ended.result;
        let len = |bytes: &Option<Vec<u8>>| bytes.as_ref().map_or(0, Vec::len);
        len(&result.stdout) + len(&result.stderr) + self.ended.call.arguments.len()
    }
}
