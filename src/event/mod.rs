//! Events: past-tense facts, one file a family, and how they become bytes.
//!
//! An [`Event`] is an [`Envelope`] (whose it is, when it happened) and a [`Body`] (what happened).
//! The body's kind and schema number travel in the journal frame's header; the payload is the
//! bincode of the envelope followed by the bincode of the body. FORMAT.md gives every byte.

mod body;
mod call_key;
pub mod canonical;
mod codec;
mod content;
mod contents;
mod contract;
mod debug;
mod envelope;
mod error;
mod execution;
mod gate_mode;
mod gate_rule;
mod grounding;
mod ids;
mod journal;
mod json;
pub mod limits;
mod loss;
mod memory;
mod outcome;
mod phase;
mod plan_fault;
mod read_by;
mod recorded;
mod repo;
mod report;
mod sequence;
mod session;
mod source;
mod step;
pub mod target;
pub mod tool;
mod visit;
#[expect(dead_code)]
pub mod wire;

#[cfg(test)]
mod tests;

pub use body::{Body, Kind};
pub use call_key::CallKey;
pub use codec::{decode, encode};
pub use content::Content;
pub use contract::ToolsDeclared;
pub use debug::{
    Analysis, AnalysisRecorded, AttemptRecorded, CodeQualityIssue, DebugAuthor, DebugBeside,
    DebugDocument, DebugEnvironment, DebugExecution, DebugMetadata, DebugSessionClosed,
    DebugSessionExpired, DebugSessionId, DebugSessionImported, DebugSessionOpened, DebugStatus,
    ErrorPattern, ErrorType, Fix, FixApplied, FixOrigin, FixVerified, LearningExtracted, Learnings,
    RecurringFailure, Resolution, RootCause, Severity, SimilarIssue, SourceLocation, TemplateRef,
    TemplateTally, TemplateTrial, TemplateTried, TestFailure, TestResults, Verification, debug_ms,
    debug_time, normalised_message,
};
pub use envelope::{Envelope, Event, Redaction};
pub use error::EventError;
pub use execution::{
    Change, Closing, ExecutionCorrected, ExecutionFinished, ExecutionInterrupted, ExecutionStarted,
};
pub use gate_mode::GateMode;
pub use gate_rule::GateRule;
pub use grounding::{
    GateBypassed, GateRefused, OutcomeReported, PlanChecked, SuccessClaimed, TimelineQueried,
};
pub use ids::{ExecutionId, SessionId};
pub use journal::{
    CheckpointSigned, JournalCreated, MemoryAdopted, PayloadRedacted, RecoveryPerformed,
};
pub use json::Json;
pub use loss::RecordedLoss;
pub use memory::{
    ArchivalUpdated, ArchivalWritten, BranchForked, CopiedFrom, CoreDeleted, CoreEvicted, CoreSet,
    EvictionCause, Experiment, Importance, ImportanceEvaluated, InheritedConsolidated,
    InheritedGroup, MemoryConsolidated, MemoryDoor, MemoryOrigin, MemoryQuery, MemoryRead,
    PressureChecked, PressureLevel, PromptPlace, PromptRendered, RecallAppended,
    RecallConsolidated, RecallEvicted, RecallGroup, UpdatesApplied,
};
pub use outcome::Outcome;
pub use phase::{
    ArtifactsAccepted, ModelQueried, NodeCreated, NodePlace, NodeResultRecorded, PhaseCompleted,
    PhaseFailed, PhaseName, VlmAnalysisCompleted,
};
pub use plan_fault::PlanFault;
pub use read_by::ReadBy;
pub use recorded::Recorded;
pub use repo::{
    ConventionRemoved, ConventionUpserted, DecisionRecorded, DecisionRemoved, IndexKind,
    IndexStored, NoteAdded, NoteRemoved, NoteSource, RepoHash, RepoIdentified, RepoLinked,
    SummaryAppended, SummaryMaker,
};
pub use report::Report;
pub use sequence::Sequence;
pub use session::{
    ContextInjected, HookRan, PromptSubmitted, SessionEnded, SessionStarted, TimelineCheckpoint,
    TranscriptFlaw, TranscriptFlawed,
};
pub use source::Source;
pub use step::{StepBegun, StepEnded};
pub use visit::TextVisitor;
