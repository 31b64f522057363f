//! Looks for secrets in what lies on a disk, and says where they are; nothing of what they say.

mod entry;
mod hit;
mod limits;
mod places;
mod stream;
mod tree;

#[cfg(test)]
mod tests;

pub use entry::Entry;
pub use hit::Hit;
pub use stream::scan_stream;
pub use tree::{Tree, open};
