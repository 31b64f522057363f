//! How a program opens a project by the contract's names: each façade with the stores of the project.

use std::path::Path;

use crate::debug::contract::{self as debug, DebugMemory};
use crate::execution::contract::{self as execution, ExecutionDb};
use crate::journal::{InitOptions, Project};
use crate::memory::contract::{self as memory, BranchMemory};
use crate::repo::contract::{self as repo, Repository};

impl ExecutionDb {
    /// Makes the project whose root is `path`, or opens the one that is there. Afterwards
    /// `execution_log.db` has the locked schema and every execution recorded so far, and so has
    /// `codegraph.db`: an existing graph is joined, and one is made with the first execution.
    ///
    /// # Errors
    /// Where the folder is missing or cannot be written, or its journal cannot be read.
    pub fn initialize(path: &Path) -> execution::Result<Self> {
        let (project, _) = Project::init(path, &InitOptions::default())?;
        Self::of(project)
    }

    /// Opens the project whose root is `path`, its stores caught up.
    ///
    /// # Errors
    /// Where there is none, or its journal cannot be read.
    pub fn open(path: &Path) -> execution::Result<Self> {
        Self::of(Project::open(path)?)
    }
}

impl BranchMemory {
    /// Makes the project whose root is `path`, or opens the one that is there.
    pub fn initialize(path: &Path) -> memory::Result<Self> {
        let (project, _) = Project::init(path, &InitOptions::default())?;
        Self::of(project)
    }

    /// Opens the memory of the project whose root is `path`.
    pub fn open(path: &Path) -> memory::Result<Self> {
        Self::of(Project::open(path)?)
    }
}

impl Repository {
    /// Makes the project whose root is `path`, or opens the one that is there.
    ///
    /// # Errors
    /// Where the folder is missing or cannot be written.
    pub fn initialize(path: &Path) -> repo::Result<Self> {
        let (project, _) = Project::init(path, &InitOptions::default())?;
        Ok(Self::of(project))
    }

    /// Opens the project whose root is `path`.
    ///
    /// # Errors
    /// Where there is none.
    pub fn open(path: &Path) -> repo::Result<Self> {
        Ok(Self::of(Project::open(path)?))
    }
}

impl DebugMemory {
    /// Makes the project whose root is `path`, or opens the one that is there.
    ///
    /// # Errors
    /// Where the folder is missing or cannot be written.
    pub fn initialize(path: &Path) -> debug::Result<Self> {
        let (project, _) = Project::init(path, &InitOptions::default())?;
        Ok(Self::of(project))
    }

    /// Opens the project whose root is `path`.
    ///
    /// # Errors
    /// Where there is none.
    pub fn open(path: &Path) -> debug::Result<Self> {
        Ok(Self::of(Project::open(path)?))
    }
}
