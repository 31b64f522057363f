//! The journal of events: what `annals_journal_format` keeps as bytes, as [`crate::event::Event`]s.
//!
//! A [`Journal`] appends, a [`JournalReader`] replays; neither does the other's work. Content too
//! large to travel inline lies in [`Blobs`] beside the segments.

pub mod archive;
pub mod around;
mod auditor;
mod blobs;
pub mod boot_clock;
pub mod bundle;
pub mod capture;
pub mod clock;
pub mod derived_file;
pub mod enclosure;
mod error;
pub mod fault;
pub mod growth;
pub mod hook_log;
pub mod id;
pub mod in_the_way;
mod inspect;
mod lock_file;
mod loss;
pub mod merge;
pub mod occurrence;
pub mod order;
pub mod owner;
pub mod private;
pub mod project;
pub mod reader;
pub mod recorder;
pub mod redaction;
mod replay;
pub mod scan;
pub mod source;
mod testimony;
pub mod time_guard;
pub mod tlog;
pub mod trust;
#[cfg(test)]
#[path = "tests/turn.rs"]
pub(crate) mod turn;
#[cfg(not(test))]
pub(crate) mod turn;
mod verify;
pub mod withheld;
mod writer;

#[cfg(test)]
mod tests;

pub use annals_journal_format::bundle::{BundleReport, is_bundle};
pub use annals_journal_format::recover::Recovery;
pub use annals_journal_format::salvage::SalvageReport;
pub use annals_journal_format::scan::{Finding, Verdict};
pub use annals_journal_format::storage::boot;
pub use annals_journal_format::verify::VerifyReport;
pub use annals_journal_format::writer::Durability;

pub use around::{Around, Derived};
pub use auditor::Listener;
pub use blobs::Blobs;
pub use bundle::BundleOptions;
pub use error::{JournalError, Trouble, is_unwritable};
pub use hook_log::{HookFault, HookLog};
pub use in_the_way::{InTheWay, foreign_files};
pub use inspect::{Part, inspect, salvage};
pub use lock_file::{Barred, LockFile, Witness, rehearse};
pub use loss::{recorded_losses, tells_of, untold};
pub use project::{FOLDER, InitOptions, LostJournal, Project, ProjectError};
pub use reader::{JournalReader, NO_JOURNAL, Reading};
pub use recorder::{
    DirectRecorder, Group, RecordError, RecordMode, RecordReport, Recorder, Rounds,
    has_dead_owners, is_left, is_unseen,
};
pub use replay::{Appended, Bookmark, Mark, Replay, ReplayItem, since};
pub use source::{Source, SourceError, SourceKind};
pub use testimony::{Seen, Testimony};
pub use verify::{Audit, Begin, Fork, audit, audit_from, audit_telling, fork, verify};
pub use writer::{Hold, Journal, JournalOptions};
