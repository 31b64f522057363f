//! The shapes of JSON output: what `--json` prints, and nothing else.
//!
//! Additive: fields are added, never renamed or removed. Times are RFC 3339 in UTC, durations are
//! milliseconds, ids are hyphenated UUIDs, `sequence` is an event's number in the journal (`@4711`),
//! `no` is an execution's ordinal (`142`). An example of each verb's output lies in
//! `tests/fixtures/json/`, and a test compares the shapes.

mod agent;
mod bundle;
mod debug;
mod enable;
pub mod event;
mod execution;
mod found;
mod gate;
pub mod memory;
mod pack;
mod phases;
pub mod replay;
mod repo;
mod repo_difference;
mod scan;
mod session;
mod status;
mod timeline;
mod tool;
mod tool_called;
mod trace;
mod trust;
mod updates;
mod verify;

pub use agent::{Agent, Coverage, Hook, HookFault, Installed};
pub use bundle::Bundled;
pub use debug::{
    DebugAttempt, DebugClosed, DebugDone, DebugExpired, DebugFault, DebugHook, DebugImported,
    DebugImportedSession, DebugInferred, DebugProposed, DebugResolution, DebugSession, DebugShown,
    DebugSimilar, DebugTemplate, DebugValidated, DebugVerified,
};
pub use enable::{Disabled, DisabledFile, Enabled, EnabledHooks};
pub use execution::{Artifact, Execution, ExecutionDetail, Touched};
pub use found::{Candidate, FileOutcome, Found, Pattern, Recent, Recurring, Resolution};
pub use gate::{Claim, GateVerdict, PlanFault, PlanVerdict, StepBegun, StepEnded, StepSummary};
pub use pack::{Map, Pack, PackPart};
pub use phases::{Node, NodeDetail, NodePhase, NodeRan, PromptText};
pub use repo::{Repo, RepoDone, RepoIdentity, RepoLinked, RepoRemoved, RepoRow};
pub use repo_difference::{RepoAdopted, RepoDifference, RepoEntry};
pub use scan::{Scanned, Secret, Unread};
pub use session::Session;
pub use status::{Anomaly, Counts, FoundStore, JournalHealth, Quarantine, Status, Store, Unseen};
pub use timeline::{Timeline, TimelineEntry, TimelineFailure, TimelineLoop, TimelinePosition};
pub use tool::Tool;
pub use tool_called::ToolCalled;
pub use trace::{Around, Diagnostic, FileNeighbours, Link, Prompt, Trace, TraceStep};
pub use trust::{Trust, TrustSetting};
pub use updates::Updates;
pub use verify::{Bytes, Finding, Fork, RecordedLoss, Verified};
