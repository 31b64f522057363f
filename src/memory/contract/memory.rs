//! The memory of a project, as spec 003's functions work on it.

use std::path::Path;

use crate::journal::{Project, ProjectError, id};
use crate::memory::{Asker, Memory, MemoryError, Operation};
use crate::parse::reply::ReplyError;

/// The agent that the façade's own sessions are of.
const AGENT: &str = "branch_memory";

/// The memory of a project.
///
/// While one is open, `annals rebuild` cannot replace its store; everybody may read and write it.
pub struct BranchMemory {
    memory: Memory<'static>,
    asker: Asker,
    branch: Option<String>,
}

impl BranchMemory {
    pub(crate) fn of(project: Project) -> Result<Self> {
        let memory = Memory::owning(project)?;
        Ok(Self { memory, asker: Asker::default(), branch: None })
    }

    /// The same for a run: what is written says so.
    #[must_use]
    pub fn with_run_id(mut self, run_id: &str) -> Self {
        self.asker.origin.run = Some(run_id.to_owned());
        self
    }

    /// The same under a session's name, as its events are found by.
    #[must_use]
    pub fn with_session(mut self, name: &str) -> Self {
        self.asker.session = Some(id::session(AGENT, name));
        self
    }

    /// The same with a branch for the functions that take none.
    #[must_use]
    pub fn with_branch(mut self, branch_id: &str) -> Self {
        self.branch = Some(branch_id.to_owned());
        self
    }

    /// The project's root.
    pub fn root(&self) -> &Path {
        self.memory.project().root()
    }

    /// Several calls as one commit, all of them or none.
    pub fn operate<T>(
        &mut self,
        operation: impl FnOnce(&mut Operation<'_>) -> Result<T, MemoryError>,
    ) -> Result<T> {
        Ok(self.memory.operate(&self.asker, operation)?)
    }

    /// As [`Self::operate`], of what the contract has beneath its public functions.
    pub(super) fn primitive<T>(
        &mut self,
        operation: impl FnOnce(&mut Operation<'_>) -> Result<T, MemoryError>,
    ) -> Result<T> {
        self.operate(|op| op.primitive(operation))
    }

    pub(super) fn of_node<T>(
        &mut self,
        node_id: Option<&str>,
        phase: Option<&str>,
        operation: impl FnOnce(&mut Operation<'_>) -> Result<T, MemoryError>,
    ) -> Result<T> {
        let mut asker = self.asker.clone();
        asker.origin.node = node_id.map(str::to_owned).or(asker.origin.node);
        asker.origin.phase = phase.map(str::to_owned).or(asker.origin.phase);
        Ok(self.memory.operate(&asker, operation)?)
    }

    pub(super) fn memory(&mut self) -> &mut Memory<'static> {
        &mut self.memory
    }

    /// The branch that is named, else the one of [`Self::with_branch`].
    pub(super) fn branch_or(&self, branch_id: Option<&str>) -> Result<String> {
        let branch = branch_id.map(str::to_owned).or_else(|| self.branch.clone());
        branch.ok_or(Error::NoBranch)
    }
}

/// Why a call of the façade fails. Nothing of the call was recorded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("no branch is named: give a `branch_id`, or say `with_branch` once")]
    NoBranch,
    #[error("{record_id:?} is no record's number: give what `mem_archival_write` returned")]
    RecordId { record_id: String },
    #[error("{scope:?} is no scope: give `all`, `core`, `recall` or `archival`")]
    Scope { scope: String },
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Memory(#[from] MemoryError),
    #[error(transparent)]
    Updates(#[from] ReplyError),
}

/// What the façade's calls give.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Texts as the layers below take them.
pub(super) fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// Names with values as the layers below take them.
pub(super) fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}
