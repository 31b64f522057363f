//! What lies around a journal and was made from it.
//!
//! The journal knows no store: who opens a project or a source hands down who can ask them.

use std::any::Any;
use std::fmt;
use std::path::{Path, PathBuf};

use super::Testimony;

pub trait Derived: Any + Send + Sync {
    /// The first thing around a project's journal that only a journal can have brought forth.
    fn brought_forth(&self, root: &Path) -> Option<PathBuf>;
    /// What is known of the end of a project's journal by what lies beside it. `is_thorough`: also by
    /// what has not been put into the stores' own files yet.
    fn testimony(&'static self, root: &Path, is_thorough: bool) -> Testimony;
}

pub type Around = &'static dyn Derived;

impl fmt::Debug for dyn Derived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Derived")
    }
}

impl PartialEq for dyn Derived {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

impl Eq for dyn Derived {}
