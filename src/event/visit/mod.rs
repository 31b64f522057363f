//! Walks every text a user, a tool or a model could have put into an event.

mod debug;
mod names;

use super::*;
use crate::event::{
    ArchivalUpdated, ArchivalWritten, ConventionUpserted, CoreSet, DecisionRecorded,
    ImportanceEvaluated, IndexStored, InheritedConsolidated, MemoryQuery, MemoryRead, ModelQueried,
    RecallAppended, RepoIdentified, SummaryAppended,
};

/// Sees, and may change, every free text of an event: what redaction runs over.
///
/// Never shown: execution ids, session ids, hashes, tool names, kinds, an agent's own call and
/// record ids. A blob is not opened: its bytes are to be seen before they become one.
pub trait TextVisitor {
    /// A plain text (an error message, a path, a title).
    fn text(&mut self, text: &mut String);
    /// Bytes that are mostly text (stdout, a prompt).
    fn bytes(&mut self, bytes: &mut Vec<u8>);
    /// The value of what is called so; the name is not to be changed here.
    fn named(&mut self, _name: &str, text: &mut String) {
        self.text(text);
    }
    /// JSON text: keys and string values are to be seen, structure kept.
    fn json(&mut self, json: &mut String);
}

impl Event {
    /// Shows every free text of the event to `visitor`.
    pub fn visit_texts(&mut self, visitor: &mut dyn TextVisitor) {
        self.body.visit_texts(visitor);
    }
}

impl Body {
    /// Shows every free text of the body to `visitor`.
    pub fn visit_texts(&mut self, v: &mut dyn TextVisitor) {
        match self {
            Self::JournalCreated(b) => texts(v, [&mut b.machine, &mut b.project, &mut b.root]),
            Self::RecoveryPerformed(_) | Self::TimelineCheckpoint(_) => (),
            Self::PayloadRedacted(b) => texts(v, [&mut b.reason, &mut b.by]),
            Self::CheckpointSigned(b) => v.text(&mut b.origin),
            Self::MemoryAdopted(b) => v.text(&mut b.store),
            Self::SessionStarted(b) => {
                texts(v, &mut b.model);
                texts(v, [&mut b.cwd, &mut b.branch, &mut b.title].into_iter().flatten());
            }
            Self::PromptSubmitted(b) => {
                content(v, &mut b.text);
                texts(v, &mut b.actor);
            }
            Self::SessionEnded(b) => v.text(&mut b.reason),
            Self::ContextInjected(b) => v.text(&mut b.what),
            Self::HookRan(b) => texts(v, [&mut b.hook, &mut b.outcome]),
            Self::TranscriptFlawed(b) => texts(v, [&mut b.file, &mut b.detail]),
            Self::ToolsDeclared(b) => v.text(&mut b.by),
            Self::ExecutionStarted(b) => started(v, b),
            Self::ExecutionFinished(b) => closing(v, &mut b.closing),
            Self::ExecutionInterrupted(b) => v.text(&mut b.reason),
            Self::ExecutionCorrected(b) => {
                v.text(&mut b.reason);
                closing(v, &mut b.closing);
            }
            Self::TimelineQueried(b) => v.text(&mut b.query),
            Self::GateRefused(b) => {
                texts(v, &mut b.target);
                texts(v, [&mut b.reason, &mut b.required_query]);
            }
            Self::GateBypassed(_) => (),
            Self::SuccessClaimed(b) => {
                v.text(&mut b.claim);
                texts(v, &mut b.reason);
            }
            Self::PlanChecked(b) => texts(v, b.faults.iter_mut().map(|fault| &mut fault.reason)),
            Self::OutcomeReported(b) => v.text(&mut b.text),
            Self::StepBegun(b) => texts(v, &mut b.title),
            Self::StepEnded(b) => {
                texts(v, b.changed.iter_mut().chain(&mut b.follow_up));
                v.text(&mut b.summary);
            }
            Self::DebugSessionOpened(b) => debug::opened(v, b),
            Self::AttemptRecorded(b) => debug::attempt(v, b),
            Self::AnalysisRecorded(b) => debug::analysis(v, &mut b.analysis),
            Self::FixApplied(b) => {
                debug::fix(v, &mut b.fix);
                texts(v, b.template.iter_mut().map(|template| &mut template.pattern));
            }
            Self::FixVerified(_) => (),
            Self::TemplateTried(b) => v.text(&mut b.template.pattern),
            Self::LearningExtracted(b) => debug::learning(v, b),
            Self::DebugSessionClosed(b) => texts(v, &mut b.reason),
            Self::DebugSessionExpired(b) => texts(v, &mut b.archived),
            Self::DebugSessionImported(b) => {
                texts(v, &mut b.native_id);
                v.json(&mut b.document.0);
            }
            Self::BranchForked(_) | Self::RecallEvicted(_) | Self::RecallConsolidated(_) => (),
            Self::CoreSet(b) => set(v, b),
            Self::CoreDeleted(b) => texts(v, [&mut b.key, &mut b.reason]),
            Self::CoreEvicted(b) => v.text(&mut b.key),
            Self::RecallAppended(b) => appended(v, b),
            Self::InheritedConsolidated(b) => inherited(v, b),
            Self::ArchivalWritten(b) => written(v, b),
            Self::ArchivalUpdated(b) => updated(v, b),
            Self::MemoryRead(b) => read(v, b),
            Self::UpdatesApplied(b) => v.json(&mut b.operations.0),
            Self::PromptRendered(b) => {
                texts(v, &mut b.task_hint);
                content(v, &mut b.rendered);
            }
            Self::PressureChecked(_) | Self::NodeCreated(_) => (),
            Self::ImportanceEvaluated(b) => evaluated(v, b),
            Self::MemoryConsolidated(b) => texts(v, &mut b.actions),
            Self::ModelQueried(b) => queried(v, b),
            Self::ArtifactsAccepted(b) => content(v, &mut b.artifacts),
            Self::PhaseCompleted(b) => content(v, &mut b.log),
            Self::PhaseFailed(b) => {
                content(v, &mut b.log);
                v.text(&mut b.error);
            }
            Self::NodeResultRecorded(b) => texts(v, b.metric.iter_mut().chain(&mut b.error)),
            Self::VlmAnalysisCompleted(b) => v.text(&mut b.summary),
            Self::RepoIdentified(b) => identified(v, b),
            Self::ConventionUpserted(b) => convention(v, b),
            Self::DecisionRecorded(b) => decision(v, b),
            Self::NoteAdded(b) => v.text(&mut b.content),
            Self::SummaryAppended(b) => summary(v, b),
            Self::IndexStored(b) => index(v, b),
            Self::RepoLinked(_)
            | Self::ConventionRemoved(_)
            | Self::DecisionRemoved(_)
            | Self::NoteRemoved(_) => (),
        }
    }
}

fn started(v: &mut dyn TextVisitor, b: &mut ExecutionStarted) {
    v.json(&mut b.arguments.0);
    texts(v, b.paths.iter_mut().chain(&mut b.symbols));
    texts(v, [&mut b.actor, &mut b.cwd, &mut b.branch].into_iter().flatten());
}

fn closing(v: &mut dyn TextVisitor, b: &mut Closing) {
    texts(v, &mut b.error);
    for output in [&mut b.stdout, &mut b.stderr].into_iter().flatten() {
        content(v, output);
    }
    if let Some(diagnostics) = &mut b.diagnostics {
        v.json(&mut diagnostics.0);
    }
    texts(v, b.paths.iter_mut().chain(&mut b.symbols));
    texts(v, b.changed.iter_mut().map(|change| &mut change.path));
}

fn texts<'a>(v: &mut dyn TextVisitor, all: impl IntoIterator<Item = &'a mut String>) {
    for text in all {
        v.text(text);
    }
}

fn content(v: &mut dyn TextVisitor, content: &mut Content) {
    match content {
        Content::Inline(bytes) => v.bytes(bytes),
        Content::Blob { .. } | Content::Repeated { .. } => (),
        Content::Truncated { head, tail, .. } => {
            v.bytes(head);
            v.bytes(tail);
        }
    }
}

// The texts of branch memory. Names of branches, runs, nodes and phases are not shown:
// they are what things are found by.

pub fn set(v: &mut dyn TextVisitor, b: &mut CoreSet) {
    v.named(&b.key, &mut b.value);
    v.text(&mut b.key);
}

pub fn appended(v: &mut dyn TextVisitor, b: &mut RecallAppended) {
    texts(v, [&mut b.kind, &mut b.text]);
    texts(v, b.tags.iter_mut().chain(&mut b.task_hint));
}

pub fn inherited(v: &mut dyn TextVisitor, b: &mut InheritedConsolidated) {
    texts(v, b.groups.iter_mut().map(|group| &mut group.summary));
}

pub fn written(v: &mut dyn TextVisitor, b: &mut ArchivalWritten) {
    v.text(&mut b.text);
    texts(v, &mut b.tags);
    if let Some(whole) = &mut b.whole {
        content(v, whole);
    }
}

pub fn updated(v: &mut dyn TextVisitor, b: &mut ArchivalUpdated) {
    texts(v, b.text.iter_mut().chain(b.tags.iter_mut().flatten()));
    if let Some(whole) = &mut b.whole {
        content(v, whole);
    }
}

pub fn read(v: &mut dyn TextVisitor, b: &mut MemoryRead) {
    match &mut b.query {
        MemoryQuery::Core { keys } => texts(v, keys),
        MemoryQuery::Recall { query, .. } => v.text(query),
        MemoryQuery::Archival { query, tags, .. } => {
            v.text(query);
            texts(v, tags);
        }
        MemoryQuery::Record { .. } | MemoryQuery::Node { .. } => (),
    }
}

pub fn evaluated(v: &mut dyn TextVisitor, b: &mut ImportanceEvaluated) {
    texts(v, &mut b.task_hint);
    for item in &mut b.items {
        texts(v, [&mut item.key, &mut item.reason]);
    }
}

// The texts of a repository's memory. Hashes, ids and the names of runs and steps are not shown: they
// are what things are found by.

pub fn identified(v: &mut dyn TextVisitor, b: &mut RepoIdentified) {
    v.text(&mut b.path);
    texts(v, [&mut b.remote, &mut b.branch].into_iter().flatten());
}

pub fn convention(v: &mut dyn TextVisitor, b: &mut ConventionUpserted) {
    v.named(&b.title, &mut b.content);
    v.text(&mut b.title);
    texts(v, &mut b.tags);
}

pub fn decision(v: &mut dyn TextVisitor, b: &mut DecisionRecorded) {
    texts(v, [&mut b.summary, &mut b.rationale]);
    texts(v, &mut b.impacted_paths);
}

pub fn summary(v: &mut dyn TextVisitor, b: &mut SummaryAppended) {
    v.text(&mut b.summary);
}

pub fn index(v: &mut dyn TextVisitor, b: &mut IndexStored) {
    content(v, &mut b.content);
}

// The texts of phases.

pub fn queried(v: &mut dyn TextVisitor, b: &mut ModelQueried) {
    content(v, &mut b.sections);
    content(v, &mut b.reply);
    texts(v, &mut b.error);
}
