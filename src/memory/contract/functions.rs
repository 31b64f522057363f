//! Layers 1 and 2: the primitive functions, and the public ones, `mem_*`. Where none of these takes a branch
//! it is the one of `with_branch`.

use std::collections::BTreeMap;

use super::memory::{owned, pairs};
use super::{BranchMemory, Error, Result};
use crate::memory::query::{ArchivalRecord, Matching, NodeMemory, NodeScope, RecallEvent};
use crate::memory::{CoreDone, Forked, NodeWrite, NodeWritten, Operation, RecallDone, RecallGiven};
use crate::parse::reply::{ArchivalChange, ArchivalWrite};

impl BranchMemory {
    /// Gives a key its value on this branch; `ttl` in decimal seconds, `importance` 1 to 5.
    pub fn set_core(
        &mut self,
        branch_id: &str,
        key: &str,
        value: &str,
        ttl: Option<&str>,
        importance: Option<i64>,
    ) -> Result<CoreDone> {
        self.primitive(|op| op.set_core(branch_id, key, value, ttl, importance))
    }

    /// The value that a branch sees under a key.
    pub fn get_core(&mut self, branch_id: &str, key: &str) -> Result<Option<String>> {
        self.operate(|op| op.get_core(branch_id, key))
    }

    /// Remembers an event; `false` where the branch has an equal one.
    pub fn write_event(
        &mut self,
        branch_id: &str,
        kind: &str,
        text: &str,
        tags: &[&str],
    ) -> Result<bool> {
        let tags = owned(tags);
        Ok(self.primitive(|op| op.write_event(branch_id, kind, text, &tags))?.written)
    }

    /// The newest events of some branches; with a current one, as it sees them.
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
    pub fn _insert_archival(
        &mut self,
        branch_id: &str,
        text: &str,
        tags: &[&str],
        node_id: Option<&str>,
    ) -> Result<u64> {
        let tags = owned(tags);
        let archived = |op: &mut Operation<'_>| op.insert_archival(branch_id, text, &tags);
        Ok(self.of_node(node_id, None, |op| op.primitive(archived))?.id)
    }

    /// The records that say most of a query, of those that have all tags.
    pub fn retrieve_archival(
        &mut self,
        branch_id: &str,
        query: &str,
        k: Option<u64>,
        include_ancestors: bool,
        tags_filter: &[&str],
    ) -> Result<Vec<ArchivalRecord>> {
        let tags = owned(tags_filter);
        let query = (query, Matching::Any);
        self.primitive(|op| op.search_archival(branch_id, query, k, include_ancestors, &tags))
    }

    /// Makes a branch; gives its name.
    pub fn create_branch(
        &mut self,
        parent_branch_id: Option<&str>,
        node_uid: Option<&str>,
        branch_id: &str,
    ) -> Result<String> {
        Ok(self.primitive(|op| op.create_branch(parent_branch_id, node_uid, branch_id))?.branch)
    }

    /// The values of keys, those that are seen; `None`: of all keys.
    pub fn mem_core_get(&mut self, keys: Option<&[&str]>) -> Result<BTreeMap<String, String>> {
        let (branch, keys) = (self.branch_or(None)?, owned(keys.unwrap_or_default()));
        let found = self.operate(|op| op.mem_core_get(&branch, &keys))?;
        Ok(found.into_iter().filter_map(|(key, value)| Some((key, value?))).collect())
    }

    /// Gives a key its value.
    pub fn mem_core_set(
        &mut self,
        key: &str,
        value: &str,
        ttl: Option<&str>,
        importance: Option<i64>,
        branch_id: Option<&str>,
    ) -> Result<CoreDone> {
        let branch = self.branch_or(branch_id)?;
        self.operate(|op| op.set_core(&branch, key, value, ttl, importance))
    }

    /// Deletes a key, also what is inherited under it; `false` where nothing was seen.
    pub fn mem_core_del(&mut self, key: &str) -> Result<bool> {
        let branch = self.branch_or(None)?;
        self.operate(|op| op.mem_core_del(&branch, key))
    }

    /// Remembers an event on its `branch_id`, else on its node's, else on the branch of `with_branch`.
    pub fn mem_recall_append(&mut self, event: &RecallGiven) -> Result<RecallDone> {
        let named = event.branch_id.as_deref().or(event.node_id.as_deref());
        let branch = self.branch_or(None).or_else(|_| self.branch_or(named))?;
        self.operate(|op| op.mem_recall_append(&branch, event))
    }

    /// The newest events that have the words; `k` is 20 where it is not said.
    pub fn mem_recall_search(&mut self, query: &str, k: Option<u64>) -> Result<Vec<RecallEvent>> {
        let branch = self.branch_or(None)?;
        self.operate(|op| op.mem_recall_search(&branch, query, k))
    }

    /// Archives a text; gives its number. `meta` says `run_id`, `node_id`, `branch_id`, `phase`, and
    /// whatever else is to become a tag.
    pub fn mem_archival_write(
        &mut self,
        text: &str,
        tags: &[&str],
        meta: &[(&str, &str)],
    ) -> Result<String> {
        let said = |name: &str| meta.iter().find(|(known, _)| *known == name).map(|(_, it)| *it);
        let named = said("branch_id").or_else(|| said("node_id"));
        let branch = self.branch_or(None).or_else(|_| self.branch_or(named))?;
        let write = ArchivalWrite { text: text.to_owned(), tags: owned(tags), meta: pairs(meta) };
        Ok(self.operate(|op| op.mem_archival_write(&branch, &write))?.id.to_string())
    }

    /// Changes a record, whichever branch it is of; what is `None` stays.
    pub fn mem_archival_update(
        &mut self,
        record_id: &str,
        text: Option<&str>,
        tags: Option<&[&str]>,
        meta: &[(&str, &str)],
    ) -> Result<()> {
        let (text, tags) = (text.map(str::to_owned), tags.map(owned));
        let change = ArchivalChange { id: number(record_id)?, text, tags, meta: pairs(meta) };
        self.operate(|op| op.mem_archival_update(None, &change))
    }

    /// The records that say most of a query, of those that have all tags.
    pub fn mem_archival_search(
        &mut self,
        query: &str,
        tags: &[&str],
        k: Option<u64>,
    ) -> Result<Vec<ArchivalRecord>> {
        let (branch, tags) = (self.branch_or(None)?, owned(tags));
        self.operate(|op| op.search_archival(&branch, (query, Matching::Any), k, true, &tags))
    }

    /// A record; `None` where there is none.
    pub fn mem_archival_get(&mut self, record_id: &str) -> Result<Option<ArchivalRecord>> {
        let id = number(record_id)?;
        self.operate(|op| op.mem_archival_get(id))
    }

    /// Makes the branch of a node under its parent's; missing ancestors are made, the root first.
    pub fn mem_node_fork(
        &mut self,
        parent_node_id: Option<&str>,
        child_node_id: &str,
        ancestor_chain: Option<&[&str]>,
        phase: Option<&str>,
    ) -> Result<Forked> {
        let chain = owned(ancestor_chain.unwrap_or_default());
        self.operate(|op| op.mem_node_fork(parent_node_id, child_node_id, &chain, phase))
    }

    /// What a node sees: `all`, `core`, `recall` or `archival`.
    pub fn mem_node_read(&mut self, node_id: &str, scope: &str) -> Result<NodeMemory> {
        let scope =
            NodeScope::parse(scope).ok_or_else(|| Error::Scope { scope: scope.to_owned() })?;
        self.operate(|op| op.mem_node_read(node_id, scope))
    }

    /// Writes into a node's branch: keys, an event, records.
    pub fn mem_node_write(
        &mut self,
        node_id: &str,
        core_updates: &[(&str, &str)],
        recall_event: Option<RecallGiven>,
        archival_records: &[ArchivalWrite],
    ) -> Result<NodeWritten> {
        let (core_updates, archival_records) = (pairs(core_updates), archival_records.to_vec());
        let write = NodeWrite { core_updates, recall_event, archival_records };
        self.operate(|op| op.mem_node_write(node_id, &write))
    }
}

fn number(record_id: &str) -> Result<u64> {
    record_id.trim().parse().map_err(|_| Error::RecordId { record_id: record_id.to_owned() })
}
