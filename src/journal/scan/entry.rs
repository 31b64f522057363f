//! What is met on the way through a tree.

use std::fs::File;
use std::io;
use std::path::PathBuf;

/// What is met on the way through a tree.
#[derive(Debug)]
pub enum Entry {
    /// A regular file, open.
    File { path: PathBuf, file: File },
    /// A journal's folder, a segment alone or a bundle: what is in there is packed.
    Journal { path: PathBuf },
    /// What could not be opened or listed.
    Unreadable { path: PathBuf, source: io::Error },
}
