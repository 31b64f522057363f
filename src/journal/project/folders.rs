//! Where a project's stores and settings lie.

use std::path::PathBuf;

use super::{FOLDER, Project};

impl Project {
    pub fn annals_dir(&self) -> PathBuf {
        self.root.join(FOLDER)
    }

    pub fn journal_dir(&self) -> PathBuf {
        self.annals_dir().join("journal")
    }

    pub fn execution_log_path(&self) -> PathBuf {
        self.root.join("execution_log.db")
    }

    /// Shared with magellan.
    pub fn code_graph_path(&self) -> PathBuf {
        self.root.join("codegraph.db")
    }

    pub fn index_path(&self) -> PathBuf {
        self.annals_dir().join("index.db")
    }

    /// The tree over the records, derived.
    pub fn tlog_dir(&self) -> PathBuf {
        self.annals_dir().join("tlog")
    }

    /// Anomalies, one JSON object a line.
    pub fn errors_path(&self) -> PathBuf {
        self.annals_dir().join("errors.jsonl")
    }

    /// Locks of executions that run now.
    pub fn owners_dir(&self) -> PathBuf {
        self.annals_dir().join("owners")
    }

    /// What the gate knows of each session, derived.
    pub fn sessions_dir(&self) -> PathBuf {
        self.annals_dir().join("sessions")
    }

    /// Context packs and what is remembered of trees, derived.
    pub fn packs_dir(&self) -> PathBuf {
        self.annals_dir().join("packs")
    }

    pub fn config_path(&self) -> PathBuf {
        self.annals_dir().join("config.toml")
    }
}
