//! What a writer repairs before it appends.

mod commit_reader;
pub mod quarantine;
mod recovery;
mod tail_walk;
mod whole_commit;

pub use commit_reader::{CommitReader, Found};
pub use recovery::Recovery;
pub use tail_walk::{CommitEnd, ENDS_MAX, TailWalk};
pub use whole_commit::{CommitParse, WholeCommit};
