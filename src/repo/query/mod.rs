//! The memory of repositories (spec 004), read from `index.db`, and the shapes of its files.
//!
//! Repositories that were linked are one *family*: whoever asks for one is given the memory of all.
//! Entries are in the order in which they were made, then of their ids; summaries in the order in which
//! they were recorded. An id that two of a family have is that entry which was recorded last.

mod convention;
mod decision;
mod entries;
mod entry;
mod identity;
mod index_file;
mod memory;
mod note;
mod read;
mod summary;
mod time;
mod view;

pub use convention::Convention;
pub use decision::Decision;
pub use entry::{Entry, EntryKind, OwnedEntry};
pub use identity::RepoIdentity;
pub use index_file::IndexFile;
pub use memory::{MEMORY_VERSION, RepoMemory};
pub use note::Note;
pub use read::FieldError;
pub use summary::Summary;
pub use view::RepoView;

#[cfg(test)]
mod tests;
