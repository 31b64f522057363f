//! Walks the names of an event that agents and people give, and by which things are found again.

use crate::event::{Body, CallKey};

impl Body {
    /// Shows each name to `visitor`, with what it is the name of: of agents, sessions, tools, calls, runs
    /// and steps. Texts are not among them ([`Body::visit_texts`]), nor the names of branches, nodes and
    /// entries, which are judged where they are given.
    pub fn visit_names(&mut self, v: &mut dyn FnMut(&'static str, &mut String)) {
        match self {
            Self::SessionStarted(b) => {
                v("agent", &mut b.agent);
                v("session", &mut b.native_id);
            }
            Self::PromptSubmitted(b) => b.native_id.iter_mut().for_each(|it| v("prompt", it)),
            Self::HookRan(b) => v("agent", &mut b.agent),
            Self::TranscriptFlawed(b) => v("agent", &mut b.agent),
            Self::ToolsDeclared(b) => b.tools.iter_mut().for_each(|it| v("tool", it)),
            Self::ExecutionStarted(b) => {
                v("tool", &mut b.tool);
                b.native_tool.iter_mut().for_each(|it| v("native tool", it));
                call(v, &mut b.call);
            }
            Self::ExecutionFinished(b) => v("tool", &mut b.tool),
            Self::ExecutionInterrupted(b) => v("tool", &mut b.tool),
            Self::ExecutionCorrected(b) => v("tool", &mut b.tool),
            Self::GateRefused(b) => {
                v("tool", &mut b.tool);
                call(v, &mut b.call);
            }
            Self::GateBypassed(b) => {
                v("tool", &mut b.tool);
                call(v, &mut b.call);
            }
            Self::SummaryAppended(b) => {
                v("run", &mut b.run_id);
                v("step", &mut b.step_id);
            }
            Self::JournalCreated(_)
            | Self::RecoveryPerformed(_)
            | Self::PayloadRedacted(_)
            | Self::CheckpointSigned(_)
            | Self::MemoryAdopted(_)
            | Self::SessionEnded(_)
            | Self::TimelineCheckpoint(_)
            | Self::ContextInjected(_)
            | Self::TimelineQueried(_)
            | Self::SuccessClaimed(_)
            | Self::PlanChecked(_)
            | Self::OutcomeReported(_)
            | Self::StepBegun(_)
            | Self::StepEnded(_) => (),
            Self::DebugSessionOpened(_)
            | Self::AttemptRecorded(_)
            | Self::AnalysisRecorded(_)
            | Self::FixApplied(_)
            | Self::FixVerified(_)
            | Self::TemplateTried(_)
            | Self::LearningExtracted(_)
            | Self::DebugSessionClosed(_)
            | Self::DebugSessionExpired(_)
            | Self::DebugSessionImported(_) => (),
            Self::BranchForked(_)
            | Self::CoreSet(_)
            | Self::CoreDeleted(_)
            | Self::CoreEvicted(_)
            | Self::RecallAppended(_)
            | Self::RecallEvicted(_)
            | Self::RecallConsolidated(_)
            | Self::InheritedConsolidated(_)
            | Self::ArchivalWritten(_)
            | Self::ArchivalUpdated(_)
            | Self::MemoryRead(_)
            | Self::UpdatesApplied(_)
            | Self::PromptRendered(_)
            | Self::PressureChecked(_)
            | Self::ImportanceEvaluated(_)
            | Self::MemoryConsolidated(_)
            | Self::NodeCreated(_)
            | Self::ModelQueried(_)
            | Self::ArtifactsAccepted(_)
            | Self::PhaseCompleted(_)
            | Self::PhaseFailed(_)
            | Self::NodeResultRecorded(_)
            | Self::VlmAnalysisCompleted(_) => (),
            Self::RepoIdentified(_)
            | Self::RepoLinked(_)
            | Self::ConventionUpserted(_)
            | Self::ConventionRemoved(_)
            | Self::DecisionRecorded(_)
            | Self::DecisionRemoved(_)
            | Self::NoteAdded(_)
            | Self::NoteRemoved(_)
            | Self::IndexStored(_) => (),
        }
    }
}

fn call(v: &mut dyn FnMut(&'static str, &mut String), key: &mut Option<CallKey>) {
    if let Some(key) = key {
        v("agent", &mut key.agent);
        key.scope.iter_mut().for_each(|it| v("session", it));
        v("call", &mut key.call);
    }
}
