//! Commands: what a surface asks for. Nothing here prints or reads the environment.

mod around;
pub(crate) mod asked_stores;
mod boot_clock;
mod bundle;
pub mod capture;
pub mod catch_up;
pub mod clock;
pub mod context;
pub mod debug;
mod derived_file;
mod doubt;
mod evidence;
pub mod feed;
mod foreign_files;
pub mod gate;
mod gone_agents;
mod growth;
mod hook_log;
pub mod id;
mod in_the_way;
pub mod infer;
mod journal_health;
pub mod look;
pub mod memory;
mod owner;
pub mod phases;
mod place;
mod project;
pub mod rebuild;
mod recorder;
mod redact;
pub mod repair;
pub mod reply;
pub mod repo;
mod salvage;
pub mod scan;
mod seen;
mod source;
mod store_digest;
pub mod store_status;
pub mod summary;
pub mod test_report;
pub mod time_guard;
mod timeline_read;
pub mod tool_layer;
pub mod tree_map;
pub mod trust;
mod verify;
pub mod walk;

pub use crate::journal::{
    Audit, BundleOptions, BundleReport, Finding, Fork, JournalError, LockFile, Part, Reading,
    SalvageReport, Trouble, VerifyReport, is_unwritable,
};
pub use crate::projector::diagnostics;
pub use crate::store::remains::{Otherwise, RemainsError, Remnant, RemnantCount};
pub use crate::store::{Concern, Digest, Quarantined, StoreError, StoreName, StorePlaces};
pub use around::{Around, ToolCall, closing_of, record_around, record_around_with};
pub use asked_stores::{AskedStores, Contradiction};
pub use bundle::{BundleFailure, bundle};
pub use catch_up::{CatchUpError, CatchUpReport, RebuildReason, catch_up, catch_up_executions};
pub use doubt::{settle_doubts, settle_project};
pub use evidence::{
    BuiltStores, Cache, EvidenceError, FoundStore, Verdict, evidence_stores, found_of,
    found_stores, sequence_before,
};
pub use feed::{Feed, FeedError, JournalFeed};
pub use foreign_files::foreign_files;
pub use gone_agents::{GoneAgentError, close_gone_agent, close_gone_agents};
pub use growth::Growth;
pub use hook_log::{HookCount, HookFault, HookLog};
pub use in_the_way::InTheWay;
pub use journal_health::{JournalHealth, journal_health};
pub use owner::{Owner, agent as agent_process};
pub use place::{Place, place};
pub use project::{FOLDER, InitOptions, InitReport, LostJournal, Project, ProjectError, way_on};
pub use rebuild::{RebuildMode, RebuildReport, rebuild};
pub use recorder::{
    DirectRecorder, Group, RecordError, RecordMode, RecordReport, Recorder, Rounds, is_left,
    is_unseen, sweep_dead_owners,
};
pub use redact::{
    OwnPattern, PATTERNS_MAX, RedactFinding, Redactor, UNFINISHED, WHOLE_TEXT, end_of_head,
    start_of_tail,
};
pub use salvage::{StoreRemains, StoreSalvageError, salvage, salvage_stores};
pub use source::{Source, SourceError, SourceKind};
pub use store_digest::store_digest;
pub use store_status::{StoreStatus, store_status};
pub use timeline_read::record_timeline_read;
pub use verify::{audit, fork, inspect, journal_path, parted, reading, verify, verify_as};
