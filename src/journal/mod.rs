//! The journal of events: what `annals_journal_format` keeps as bytes, as [`crate::event::Event`]s.
//!
//! A [`Journal`] appends, a [`JournalReader`] replays; neither does the other's work. Content too
//! large to travel inline lies in [`Blobs`] beside the segments.

mod barred;
mod blobs;
mod bookmark;
mod bundle;
mod contents;
mod error;
mod fork;
mod inspect;
mod lock_file;
mod loss;
mod mark;
mod options;
mod reader;
mod reading;
mod rehearsal;
mod replay;
mod salvage;
mod testimony;
mod trouble;
mod verify;
mod writer;

#[cfg(test)]
mod tests;

pub use annals_journal_format::bundle::{BundleReport, is_bundle};
pub use annals_journal_format::recover::Recovery;
pub use annals_journal_format::salvage::SalvageReport;
pub use annals_journal_format::scan::{Finding, Verdict};
pub use annals_journal_format::verify::VerifyReport;
pub use annals_journal_format::writer::Durability;
pub use barred::Barred;
pub use blobs::Blobs;
pub use bookmark::{Bookmark, since};
pub use bundle::BundleOptions;
pub use error::{JournalError, is_unwritable};
pub use fork::{Fork, fork};
pub use inspect::{Inspect, Part, inspect};
pub use lock_file::{LockFile, Witness};
pub use loss::{recorded_losses, untold};
pub use mark::{Appended, Mark};
pub use options::JournalOptions;
pub use reader::JournalReader;
pub use reading::Reading;
pub use rehearsal::rehearse;
pub use replay::{Replay, ReplayItem};
pub use salvage::salvage;
pub use testimony::{Seen, Testimony};
pub use trouble::Trouble;
pub use verify::{Audit, Begin, audit, audit_from, verify, verify_from};
pub use writer::{Hold, Journal};
