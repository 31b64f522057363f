//! Failures that wait for a success of the same tool on the same target in their session
//! (ruling 10).

use std::collections::BTreeMap;

use super::known::{About, pending_key};
use crate::event::ExecutionId;

/// Failures that wait for a success.
#[derive(Debug, Default)]
pub(super) struct Pending {
    waiting: BTreeMap<[u8; 16], Vec<ExecutionId>>,
    keys: BTreeMap<ExecutionId, [u8; 16]>,
}

impl Pending {
    pub(super) fn len(&self) -> u64 {
        self.keys.len() as u64
    }

    pub(super) fn wait(&mut self, about: &About, tool: &str, failed: ExecutionId) {
        let key = pending_key(about, tool);
        self.waiting.entry(key).or_default().push(failed);
        self.keys.insert(failed, key);
    }

    /// The failures that a success resolves.
    pub(super) fn resolve(&mut self, about: &About, tool: &str) -> Vec<ExecutionId> {
        let resolved = self.waiting.remove(&pending_key(about, tool)).unwrap_or_default();
        for failed in &resolved {
            self.keys.remove(failed);
        }
        resolved
    }

    /// It counts by its correction now.
    pub(super) fn withdraw(&mut self, corrected: ExecutionId) {
        let Some(key) = self.keys.remove(&corrected) else { return };
        if let Some(waiting) = self.waiting.get_mut(&key) {
            waiting.retain(|failed| *failed != corrected);
            if waiting.is_empty() {
                self.waiting.remove(&key);
            }
        }
    }
}
