//! The least that each kind of work can cost: nothing checked, nothing recoverable.

mod framed;
mod group_commit;
mod raw_file;

pub use framed::{FramedWriter, frame_into};
pub use group_commit::GroupCommit;
pub use raw_file::RawFile;
