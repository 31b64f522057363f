//! The least that each kind of work can cost: nothing checked, nothing recoverable.

mod borrowed;
mod bulk_graph;
mod bulk_load;
mod bulk_rows;
mod framed;
mod group_commit;
mod owed;
mod plain;
mod raw_file;
mod segments;

pub use borrowed::decode_borrowed;
pub use bulk_graph::{Indexes, bulk_graph};
pub use bulk_load::{bulk_load, load_in_order, make_durable};
pub use bulk_rows::Rows;
pub use framed::{FramedWriter, frame_into};
pub use group_commit::GroupCommit;
pub use owed::OwedFile;
pub use plain::encode_plain;
pub use raw_file::RawFile;
pub use segments::{Segments, WalkedFrame};
