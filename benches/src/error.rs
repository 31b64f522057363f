//! What can end a benchmark early.

use std::io;
use std::path::PathBuf;

/// What can end a benchmark early.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error("{did}: {source}")]
    Io { did: &'static str, source: io::Error },
    #[error("the program failed while {did}: {source}")]
    Program { did: &'static str, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("a peer failed while {did}: {source}")]
    Peer { did: &'static str, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("{} does not hold what this benchmark wrote", path.display())]
    Wrong { path: PathBuf },
    #[error("{command} ended with {status}")]
    Child { command: String, status: String },
    #[error("{0}")]
    Usage(String),
    #[error("a thread of the benchmark died")]
    Thread,
}

impl BenchError {
    /// For `map_err`: an I/O error of the benchmark's own.
    pub fn io(did: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { did, source }
    }

    /// For `map_err`: an error of the program under measurement.
    pub fn program<E>(did: &'static str) -> impl FnOnce(E) -> Self
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        move |source| Self::Program { did, source: Box::new(source) }
    }

    /// For `map_err`: an error of a peer.
    pub fn peer<E>(did: &'static str) -> impl FnOnce(E) -> Self
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        move |source| Self::Peer { did, source: Box::new(source) }
    }
}
