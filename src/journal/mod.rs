//! The journal of events: what `annals_journal_format` keeps as bytes, as [`crate::event::Event`]s.
//!
//! A [`Journal`] appends, a [`JournalReader`] replays; neither does the other's work. Content too
//! large to travel inline lies in [`Blobs`] beside the segments.

mod barred;
mod blobs;
mod bookmark;
pub mod boot_clock;
mod bundle;
pub mod bundling;
pub mod capture;
pub mod clock;
mod contents;
pub mod derived_file;
pub mod enclosure;
mod error;
pub mod foreign_files;
mod fork;
pub mod growth;
pub mod hook_log;
pub mod id;
pub mod in_the_way;
mod inspect;
pub mod location;
mod lock_file;
mod loss;
mod mark;
mod options;
pub mod owner;
pub mod project;
mod reader;
mod reading;
pub mod recorder;
mod rehearsal;
mod replay;
mod salvage;
pub mod scan;
pub mod source;
mod testimony;
pub mod time_guard;
mod trouble;
pub mod trust;
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
pub use foreign_files::foreign_files;
pub use fork::{Fork, fork};
pub use hook_log::{HookFault, HookLog};
pub use in_the_way::InTheWay;
pub use inspect::{Inspect, Part, inspect};
pub use lock_file::{LockFile, Witness};
pub use loss::{recorded_losses, untold};
pub use mark::{Appended, Mark};
pub use options::JournalOptions;
pub use project::{FOLDER, InitOptions, LostJournal, Project, ProjectError, way_on};
pub use reader::JournalReader;
pub use reading::Reading;
pub use recorder::{
    DirectRecorder, Group, RecordError, RecordMode, RecordReport, Recorder, Rounds, is_left,
    is_unseen, sweep_dead_owners,
};
pub use rehearsal::rehearse;
pub use replay::{Replay, ReplayItem};
pub use salvage::salvage;
pub use source::{Source, SourceError, SourceKind};
pub use testimony::{Seen, Testimony};
pub use trouble::Trouble;
pub use verify::{Audit, Begin, audit, audit_from, verify};
pub use writer::{Hold, Journal};
