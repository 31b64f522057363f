//! The fields of each kind of event in JSON: under the names that the kinds have in FORMAT.md.

use serde::Serialize;

use super::content::hex;
use super::debug::{self, Debug as DebugMemory};
use super::execution::{self, Ended, ExecutionStarted, Interrupted};
use super::grounding::{self, Grounding};
use super::memory::{self, Memory};
use super::phase::{self, Phase};
use super::repo::{self, Repo};
use super::{Content, HookRan, Prompt, SessionStarted, TranscriptFlawed};
use crate::event;
use crate::execution::replay::Contents;

/// The fields of one kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Body<'a> {
    JournalCreated {
        machine: &'a str,
        project: &'a str,
        root: &'a str,
        version: &'a str,
    },
    RecoveryPerformed {
        segment: u64,
        offset: u64,
        verdict: &'a str,
        bytes_cut: u64,
        quarantined: Option<&'a str>,
        bytes_lost: u64,
        /// The first and the last event that are gone.
        lost: Option<(u64, u64)>,
    },
    /// `redacted_sequence`: the event whose payload was destroyed.
    PayloadRedacted {
        redacted_sequence: u64,
        reason: &'a str,
        by: &'a str,
    },
    CheckpointSigned {
        origin: &'a str,
        tree_size: u64,
        root: String,
        key: &'a str,
    },
    MemoryAdopted {
        store: &'a str,
        digest: String,
        items: u64,
    },
    SessionStarted(SessionStarted<'a>),
    PromptSubmitted(Prompt<'a>),
    SessionEnded {
        reason: &'a str,
    },
    TimelineCheckpoint {
        through_sequence: u64,
        total_executions: u64,
        current_step: u64,
    },
    ContextInjected {
        what: &'a str,
        chars: u64,
        digest: String,
    },
    HookRan(HookRan<'a>),
    TranscriptFlawed(TranscriptFlawed<'a>),
    ToolsDeclared {
        tools: &'a [String],
        by: &'a str,
    },
    ExecutionStarted(ExecutionStarted<'a>),
    ExecutionEnded(Box<Ended<'a>>),
    ExecutionInterrupted(Interrupted<'a>),
    Grounding(Grounding<'a>),
    Step(Step<'a>),
    Debug(Box<DebugMemory<'a>>),
    Memory(Memory<'a>),
    Phase(Box<Phase<'a>>),
    Repo(Box<Repo<'a>>),
    /// Of a kind that has no fields here: there is none.
    Nothing {},
}

impl<'a> Body<'a> {
    /// The document of a body; contents are brought from beside the journal.
    pub fn of(body: &'a event::Body, contents: &Contents) -> Self {
        match body {
            event::Body::JournalCreated(b) => Self::JournalCreated {
                machine: &b.machine,
                project: &b.project,
                root: &b.root,
                version: &b.version,
            },
            event::Body::RecoveryPerformed(b) => Self::RecoveryPerformed {
                segment: b.segment,
                offset: b.offset,
                verdict: &b.verdict,
                bytes_cut: b.bytes_cut,
                quarantined: b.quarantined.as_deref(),
                bytes_lost: b.bytes_lost,
                lost: b.lost,
            },
            event::Body::PayloadRedacted(b) => Self::PayloadRedacted {
                redacted_sequence: b.sequence,
                reason: &b.reason,
                by: &b.by,
            },
            event::Body::CheckpointSigned(b) => Self::CheckpointSigned {
                origin: &b.origin,
                tree_size: b.tree_size,
                root: hex(b.root),
                key: &b.key,
            },
            event::Body::MemoryAdopted(b) => {
                Self::MemoryAdopted { store: &b.store, digest: hex(b.digest), items: b.items }
            }
            event::Body::SessionStarted(b) => Self::SessionStarted(SessionStarted {
                agent: &b.agent,
                native_id: &b.native_id,
                agent_version: b.agent_version.as_deref(),
                model: b.model.as_deref(),
                parent: b.parent.map(|parent| parent.to_string()),
                cwd: b.cwd.as_deref(),
                branch: b.branch.as_deref(),
                title: b.title.as_deref(),
            }),
            event::Body::PromptSubmitted(b) => Self::PromptSubmitted(Prompt {
                text: Content::of(&b.text, contents),
                native_id: b.native_id.as_deref(),
                actor: b.actor.as_deref(),
            }),
            event::Body::SessionEnded(b) => Self::SessionEnded { reason: &b.reason },
            event::Body::TimelineCheckpoint(b) => Self::TimelineCheckpoint {
                through_sequence: b.through_sequence,
                total_executions: b.total_executions,
                current_step: b.current_step,
            },
            event::Body::ContextInjected(b) => {
                Self::ContextInjected { what: &b.what, chars: b.chars, digest: hex(b.digest) }
            }
            event::Body::HookRan(b) => Self::HookRan(HookRan {
                agent: &b.agent,
                hook: &b.hook,
                outcome: &b.outcome,
                duration_ms: b.duration_ms,
            }),
            event::Body::TranscriptFlawed(b) => Self::TranscriptFlawed(TranscriptFlawed {
                agent: &b.agent,
                file: &b.file,
                line: b.line,
                flaw: b.flaw.as_str(),
                detail: &b.detail,
            }),
            event::Body::ToolsDeclared(b) => Self::ToolsDeclared { tools: &b.tools, by: &b.by },
            event::Body::ExecutionStarted(b) => Self::ExecutionStarted(execution::started(b)),
            event::Body::ExecutionFinished(b) => Self::ExecutionEnded(Box::new(execution::ended(
                b.execution,
                &b.tool,
                None,
                &b.closing,
                contents,
            ))),
            event::Body::ExecutionInterrupted(b) => Self::ExecutionInterrupted(Interrupted {
                execution: b.execution.to_string(),
                tool: &b.tool,
                reason: &b.reason,
            }),
            event::Body::ExecutionCorrected(b) => Self::ExecutionEnded(Box::new(execution::ended(
                b.execution,
                &b.tool,
                Some((b.corrects, &b.reason)),
                &b.closing,
                contents,
            ))),
            event::Body::TimelineQueried(b) => Self::Grounding(grounding::queried(b)),
            event::Body::GateRefused(b) => Self::Grounding(grounding::refused(b)),
            event::Body::GateBypassed(b) => Self::Grounding(grounding::bypassed(b)),
            event::Body::SuccessClaimed(b) => Self::Grounding(grounding::claimed(b)),
            event::Body::PlanChecked(b) => Self::Grounding(grounding::plan(b)),
            event::Body::OutcomeReported(b) => Self::Grounding(grounding::reported(b)),
            event::Body::StepBegun(b) => Self::Step(Step::Begun { title: b.title.as_deref() }),
            event::Body::StepEnded(b) => Self::Step(ended(b)),
            event::Body::DebugSessionOpened(_)
            | event::Body::AttemptRecorded(_)
            | event::Body::AnalysisRecorded(_)
            | event::Body::FixApplied(_)
            | event::Body::FixVerified(_)
            | event::Body::TemplateTried(_)
            | event::Body::LearningExtracted(_)
            | event::Body::DebugSessionClosed(_)
            | event::Body::DebugSessionExpired(_)
            | event::Body::DebugSessionImported(_) => {
                debug::of(body, contents).map_or(Self::Nothing {}, |it| Self::Debug(Box::new(it)))
            }
            event::Body::BranchForked(_)
            | event::Body::CoreSet(_)
            | event::Body::CoreDeleted(_)
            | event::Body::CoreEvicted(_)
            | event::Body::RecallAppended(_)
            | event::Body::RecallEvicted(_)
            | event::Body::RecallConsolidated(_)
            | event::Body::InheritedConsolidated(_)
            | event::Body::ArchivalWritten(_)
            | event::Body::ArchivalUpdated(_)
            | event::Body::MemoryRead(_)
            | event::Body::UpdatesApplied(_)
            | event::Body::PromptRendered(_)
            | event::Body::PressureChecked(_)
            | event::Body::ImportanceEvaluated(_)
            | event::Body::MemoryConsolidated(_) => {
                memory::of(body, contents).map_or(Self::Nothing {}, Self::Memory)
            }
            event::Body::NodeCreated(_)
            | event::Body::ModelQueried(_)
            | event::Body::ArtifactsAccepted(_)
            | event::Body::PhaseCompleted(_)
            | event::Body::PhaseFailed(_)
            | event::Body::NodeResultRecorded(_)
            | event::Body::VlmAnalysisCompleted(_) => {
                phase::of(body, contents).map_or(Self::Nothing {}, |it| Self::Phase(Box::new(it)))
            }
            event::Body::RepoIdentified(_)
            | event::Body::RepoLinked(_)
            | event::Body::ConventionUpserted(_)
            | event::Body::ConventionRemoved(_)
            | event::Body::DecisionRecorded(_)
            | event::Body::DecisionRemoved(_)
            | event::Body::NoteAdded(_)
            | event::Body::NoteRemoved(_)
            | event::Body::SummaryAppended(_)
            | event::Body::IndexStored(_) => {
                repo::of(body, contents).map_or(Self::Nothing {}, |it| Self::Repo(Box::new(it)))
            }
        }
    }
}

/// The fields of one kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Step<'a> {
    Begun {
        title: Option<&'a str>,
    },
    /// `began_sequence`: the event that began the step.
    Ended {
        began_sequence: Option<u64>,
        executions: u64,
        failed: u64,
        refused: u64,
        mutations: u64,
        checks_passed: u64,
        changed: &'a [String],
        follow_up: &'a [String],
        summary: &'a str,
    },
}

pub fn ended(b: &event::StepEnded) -> Step<'_> {
    Step::Ended {
        began_sequence: b.began,
        executions: b.executions,
        failed: b.failed,
        refused: b.refused,
        mutations: b.mutations,
        checks_passed: b.checks_passed,
        changed: &b.changed,
        follow_up: &b.follow_up,
        summary: &b.summary,
    }
}
