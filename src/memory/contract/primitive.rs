//! Layer 1: primitive functions.

use super::memory::owned;
use super::{BranchMemory, Result};
use crate::memory::CoreDone;
use crate::memory::query::{ArchivalRecord, RecallEvent};

impl BranchMemory {
    /// Gives a key its value on this branch; `ttl` in decimal seconds, `importance` 1 to 5.
    ///
    /// # Errors
    /// Where there is no such branch, or the key or the value is too long.
    pub fn set_core(
        &mut self,
        branch_id: &str,
        key: &str,
        value: &str,
        ttl: Option<&str>,
        importance: Option<i64>,
    ) -> Result<CoreDone> {
        self.operate(|op| op.set_core(branch_id, key, value, ttl, importance))
    }

    /// The value that a branch sees under a key.
    ///
    /// # Errors
    /// Where there is no such branch.
    pub fn get_core(&mut self, branch_id: &str, key: &str) -> Result<Option<String>> {
        self.operate(|op| op.get_core(branch_id, key))
    }

    /// Remembers an event; `false` where the branch has an equal one.
    ///
    /// # Errors
    /// Where there is no such branch, or it is too long.
    pub fn write_event(
        &mut self,
        branch_id: &str,
        kind: &str,
        text: &str,
        tags: &[&str],
    ) -> Result<bool> {
        let tags = owned(tags);
        Ok(self.operate(|op| op.write_event(branch_id, kind, text, &tags))?.written)
    }

    /// The newest events of some branches; with a current one, as it sees them.
    ///
    /// # Errors
    /// Where there is no such branch.
    pub fn _fetch_events(
        &mut self,
        branch_ids: &[&str],
        limit: u64,
        current_branch_id: Option<&str>,
    ) -> Result<Vec<RecallEvent>> {
        let branches = owned(branch_ids);
        self.operate(|op| op.fetch_events(&branches, limit, current_branch_id))
    }

    /// Archives a text; its number, or that of the equal record there is.
    ///
    /// # Errors
    /// Where there is no such branch, or it is too long.
    pub fn _insert_archival(
        &mut self,
        branch_id: &str,
        text: &str,
        tags: &[&str],
        node_id: Option<&str>,
    ) -> Result<u64> {
        let tags = owned(tags);
        Ok(self.of_node(node_id, None, |op| op.insert_archival(branch_id, text, &tags))?.id)
    }

    /// The newest records that have all words of a query and all tags.
    ///
    /// # Errors
    /// Where there is no such branch.
    pub fn retrieve_archival(
        &mut self,
        branch_id: &str,
        query: &str,
        k: Option<u64>,
        include_ancestors: bool,
        tags_filter: &[&str],
    ) -> Result<Vec<ArchivalRecord>> {
        let tags = owned(tags_filter);
        self.operate(|op| op.retrieve_archival(branch_id, query, k, include_ancestors, &tags))
    }

    /// Makes a branch; gives its name.
    ///
    /// # Errors
    /// Where there is no such parent, or the branch has another one.
    pub fn create_branch(
        &mut self,
        parent_branch_id: Option<&str>,
        node_uid: Option<&str>,
        branch_id: &str,
    ) -> Result<String> {
        Ok(self.operate(|op| op.create_branch(parent_branch_id, node_uid, branch_id))?.branch)
    }
}
