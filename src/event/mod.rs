//! Events: past-tense facts, one file a family, and how they become bytes.
//!
//! An [`Event`] is an [`Envelope`] (whose it is, when it happened) and a [`Body`] (what happened).
//! The body's kind and schema number travel in the journal frame's header; the payload is the
//! bincode of the envelope followed by the bincode of the body. FORMAT.md gives every byte.

mod body;
pub mod canonical;
mod codec;
mod content;
mod debug;
mod envelope;
mod execution;
mod grounding;
mod ids;
mod journal;
pub mod limits;
mod memory;
mod phase;
mod repo;
mod session;
pub mod target;
pub mod tool;
mod visit;
pub mod wire;
mod words;

#[cfg(test)]
mod tests;

pub use body::{Body, Kind};
pub use canonical::Json;
pub use codec::{EventError, decode, encode};
pub use content::{Brought, Content, ReadsContents, WithContents, base64_bytes};
pub use debug::{
    Analysis, AnalysisRecorded, AttemptRecorded, CodeQualityIssue, DebugAuthor, DebugBeside,
    DebugDocument, DebugEnvironment, DebugExecution, DebugMetadata, DebugSessionClosed,
    DebugSessionExpired, DebugSessionImported, DebugSessionOpened, DebugStatus, ErrorPattern,
    ErrorType, Fix, FixApplied, FixOrigin, FixVerified, LearningExtracted, Learnings,
    RecurringFailure, Resolution, RootCause, Severity, SimilarIssue, SourceLocation, TemplateRef,
    TemplateTally, TemplateTrial, TemplateTried, TestFailure, TestResults, Verification, debug_ms,
    debug_time, normalised_message,
};
pub use envelope::{Envelope, Event, Recorded, Redaction, Sequence, Source};
pub use execution::{
    CallKey, Change, Closing, ExecutionCorrected, ExecutionFinished, ExecutionInterrupted,
    ExecutionStarted, Outcome,
};
pub use grounding::{
    GateBypassed, GateMode, GateRefused, GateRule, OutcomeReported, PlanChecked, PlanFault, ReadBy,
    Report, SuccessClaimed, TimelineQueried,
};
pub use ids::{DebugSessionId, ExecutionId, SessionId};
pub use journal::{
    CheckpointSigned, JournalCreated, MemoryAdopted, PayloadRedacted, RecordedLoss,
    RecoveryPerformed, ToolsDeclared,
};
pub use memory::{
    ArchivalUpdated, ArchivalWritten, BranchForked, CopiedFrom, CoreDeleted, CoreEvicted, CoreSet,
    EvictionCause, Experiment, Importance, ImportanceEvaluated, InheritedConsolidated,
    InheritedGroup, MemoryConsolidated, MemoryDoor, MemoryOrigin, MemoryQuery, MemoryRead,
    PressureChecked, PressureLevel, PromptPlace, PromptRendered, RecallAppended,
    RecallConsolidated, RecallEvicted, RecallGroup, UpdatesApplied,
};
pub use phase::{
    ArtifactsAccepted, ModelQueried, NodeCreated, NodePlace, NodeResultRecorded, PhaseCompleted,
    PhaseFailed, PhaseName, VlmAnalysisCompleted,
};
pub use repo::{
    ConventionRemoved, ConventionUpserted, DecisionRecorded, DecisionRemoved, IndexKind,
    IndexStored, NoteAdded, NoteRemoved, NoteSource, RepoHash, RepoIdentified, RepoLinked,
    SummaryAppended, SummaryMaker,
};
pub use session::{
    ContextInjected, HookRan, PromptSubmitted, SessionEnded, SessionStarted, StepBegun, StepEnded,
    TimelineCheckpoint, TranscriptFlaw, TranscriptFlawed,
};
pub use visit::TextVisitor;
pub(crate) use words::words;
