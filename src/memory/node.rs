//! Branches, by the nodes of a search tree they stand for.

use super::limits::ANCESTORS_MAX;
use super::operation::Operation;
use super::recall::RecallGiven;
use super::results::{Forked, NodeWritten};
use super::{MemoryError, Result, names, tags};
use crate::event::{Body, BranchForked, MemoryQuery};
use crate::memory::query::{self as memory, NodeMemory, NodeScope};
use crate::parse::reply::ArchivalWrite;

/// What is to be written into the memory of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeWrite {
    /// Keys with values, in this order.
    pub core_updates: Vec<(String, String)>,
    pub recall_event: Option<RecallGiven>,
    pub archival_records: Vec<ArchivalWrite>,
}

impl Operation<'_> {
    /// Makes a branch under a parent, or under none. The same once more changes nothing.
    pub fn create_branch(
        &mut self,
        parent: Option<&str>,
        node: Option<&str>,
        branch: &str,
    ) -> Result<Forked> {
        let parent = parent.map(|parent| self.branch(parent)).transpose()?;
        self.fork(parent, node, branch, Vec::new(), None)
    }

    /// Makes the branch of a node under its parent's. Ancestors that do not exist are made, each
    /// under the one before, the root first; without a chain, a missing parent is made a root.
    pub fn mem_node_fork(
        &mut self,
        parent_node: Option<&str>,
        child_node: &str,
        ancestor_chain: &[String],
        phase: Option<&str>,
    ) -> Result<Forked> {
        names::check("branch", child_node)?;
        names::check_count("ancestors", ancestor_chain.len(), ANCESTORS_MAX)?;
        if let (Some(parent), false) = (parent_node, ancestor_chain.is_empty()) {
            self.check_chain(parent, ancestor_chain)?;
        }
        let mut made = Vec::new();
        let parent = match parent_node {
            None => None,
            Some(parent) => {
                Some(self.parent(parent, child_node, ancestor_chain, phase, &mut made)?)
            }
        };
        if let Some(phase) = phase {
            names::check("phase", phase)?;
        }
        self.fork(parent, Some(child_node), child_node, made, phase)
    }

    /// What a node's branch sees, in all layers or in one.
    pub fn mem_node_read(&mut self, node: &str, scope: NodeScope) -> Result<NodeMemory> {
        let branch = self.branch(node)?;
        let (at_ms, config) = (self.at_ms, self.config().clone());
        let (window, k) = (config.recall_max_events as usize, config.retrieval_k as usize);
        let found = memory::node_read(&self.view()?, &branch, scope, (window, k), at_ms)?;
        let found = found.ok_or_else(|| MemoryError::NoBranch { name: node.to_owned() })?;
        let results = found.core.as_ref().map_or(0, |core| core.len())
            + found.recall.as_ref().map_or(0, |recall| recall.events.len())
            + found.archival.as_ref().map_or(0, Vec::len);
        let query = MemoryQuery::Node { scope: scope.as_str().to_owned() };
        self.record_read(&branch, query, results)?;
        Ok(found)
    }

    /// Writes into a node's branch, which is made as a root where there is none: keys, then an event,
    /// then records.
    pub fn mem_node_write(&mut self, node: &str, write: &NodeWrite) -> Result<NodeWritten> {
        names::check("branch", node)?;
        let branch = match memory::branch_of(&self.view()?, node)? {
            Some(branch) => branch,
            None => self.fork(None, Some(node), node, Vec::new(), None)?.branch,
        };
        let mut written = NodeWritten { branch: branch.clone(), ..NodeWritten::default() };
        for (key, value) in &write.core_updates {
            written.core.push(self.set_core(&branch, key, value, None, None)?);
        }
        if let Some(event) = &write.recall_event {
            let mut event = event.clone();
            event.node_id.get_or_insert_with(|| node.to_owned());
            event.branch_id.get_or_insert_with(|| branch.clone());
            written.recall = Some(self.mem_recall_append(&branch, &event)?);
        }
        for record in &write.archival_records {
            let mut record = record.clone();
            for (key, value) in [("node_id", node), ("branch_id", branch.as_str())] {
                if tags::meta_of(&record.meta, key).is_none() {
                    record.meta.push((key.to_owned(), value.to_owned()));
                }
            }
            written.archival.push(self.mem_archival_write(&branch, &record)?);
        }
        Ok(written)
    }

    /// Refuses a chain that does not end in the parent, or that has a branch under another one than it
    /// is. What it leaves out at its beginning, and who is not there yet at its end, is no fault.
    fn check_chain(&mut self, parent: &str, asked: &[String]) -> Result<()> {
        let view = self.view()?;
        let named = |name: &str| memory::branch_of(&view, name);
        // A node and its branch are the same ancestor.
        let same = |a: &str, b: &str| -> Result<bool> {
            Ok(a == b || matches!((named(a)?, named(b)?), (Some(a), Some(b)) if a == b))
        };
        let mut agrees = match asked.last() {
            Some(last) => same(last, parent)?,
            None => true,
        };
        for pair in asked.windows(2) {
            let Some(below) = named(&pair[1])? else { continue };
            let above = view.branch(&below)?.and_then(|row| row.parent);
            agrees &= above.is_some() && above == named(&pair[0])?;
        }
        if agrees {
            return Ok(());
        }
        let known = match named(parent)? {
            Some(branch) => memory::chain(&view, &branch)?,
            None => Vec::new(),
        };
        let known: Vec<String> = known.into_iter().rev().map(|link| link.branch).collect();
        let (parent, asked) = (parent.to_owned(), asked.to_vec());
        Err(MemoryError::OtherAncestors { parent, known, asked })
    }

    /// The branch of a parent, made with its missing ancestors where there is none.
    fn parent(
        &mut self,
        parent: &str,
        child: &str,
        ancestors: &[String],
        phase: Option<&str>,
        made: &mut Vec<String>,
    ) -> Result<String> {
        names::check("branch", parent)?;
        if let Some(known) = memory::branch_of(&self.view()?, parent)? {
            return Ok(known);
        }
        let mut above: Option<String> = None;
        let chain = ancestors.iter().map(String::as_str);
        for name in chain.chain(ancestors.is_empty().then_some(parent)) {
            names::check("branch", name)?;
            if name == child {
                return Err(MemoryError::OwnAncestor { branch: child.to_owned() });
            }
            above = Some(match memory::branch_of(&self.view()?, name)? {
                Some(known) => known,
                None => {
                    let forked = BranchForked {
                        branch: name.to_owned(),
                        parent: above,
                        node: Some(name.to_owned()),
                        auto_created: true,
                        copied_from: None,
                        origin: self.origin_in(phase),
                    };
                    self.record(Body::BranchForked(forked))?;
                    made.push(name.to_owned());
                    name.to_owned()
                }
            });
        }
        above.ok_or_else(|| MemoryError::NoBranch { name: parent.to_owned() })
    }

    fn fork(
        &mut self,
        parent: Option<String>,
        node: Option<&str>,
        branch: &str,
        auto_created: Vec<String>,
        phase: Option<&str>,
    ) -> Result<Forked> {
        names::check("branch", branch)?;
        if let Some(node) = node {
            names::check("node", node)?;
        }
        let known = self.view()?.branch(branch)?;
        if let Some(known) = known {
            if known.parent != parent {
                let (branch, asked) = (known.branch, parent);
                return Err(MemoryError::OtherParent { branch, parent: known.parent, asked });
            }
            let (branch, created, copied) = (known.branch, false, 0);
            return Ok(Forked { branch, parent, created, auto_created, copied });
        }
        if parent.as_deref() == Some(branch) {
            return Err(MemoryError::OwnAncestor { branch: branch.to_owned() });
        }
        let forked = BranchForked {
            branch: branch.to_owned(),
            parent: parent.clone(),
            node: node.map(str::to_owned),
            auto_created: false,
            copied_from: None,
            origin: self.origin_in(phase),
        };
        self.record(Body::BranchForked(forked))?;
        let branch = branch.to_owned();
        Ok(Forked { branch, parent, created: true, auto_created, copied: 0 })
    }
}
