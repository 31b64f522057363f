//! Segments that lie elsewhere: moved, brought back, and what vouches for them.

mod address;
mod back;
mod copy;
mod error;
mod held;
mod out;
#[cfg(feature = "object-store")]
mod remote;
#[cfg(not(feature = "object-store"))]
#[path = "remote_none.rs"]
mod remote;
mod sent;
mod target;
mod tiles;

pub use annals_journal_format::archive::{ArchiveFault, NOTE_SUFFIX, noted};
pub use back::{FetchOptions, fetch};
pub use copy::{CopiedSegment, CopyHow, bring_copy, copy};
pub use error::MoveError;
pub use held::{Elsewhere, ToldArchived, is_archive_wrong, is_out_of_reach, wrong_segment};
pub(super) use held::{held_to, told_by};
pub use out::{Moved, archive};
pub use remote::reach;
pub use target::{Kept, Target, TargetError};
