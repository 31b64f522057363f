//! A journal's stores, as free SQL takes them.

use std::path::PathBuf;

/// A journal's stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlSource {
    /// What stands in the column `journal` where there are several.
    pub name: String,
    /// Schema and file: `log`, `idx`, `graph`, `memory`. One that does not exist is left out.
    pub stores: Vec<(&'static str, PathBuf)>,
}
