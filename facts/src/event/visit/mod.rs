//! Walks the texts and the names that a user, a tool or a model could have put into an event.

mod debug;
mod named;

use super::*;

/// Sees, and may change, every free text of an event: what redaction runs over.
///
/// Never shown: execution ids, session ids, hashes, tool names, kinds, an agent's own call and
/// record ids; names of branches, runs, nodes, phases and steps, namespaces, their keys and threads: they are what
/// things are found by. A blob is not opened: its bytes are to be seen before they become one.
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
            Self::RecoveryPerformed(_)
            | Self::TimelineCheckpoint(_)
            | Self::HistoryContradicted(_) => (),
            Self::RetentionApplied(b) => texts(v, b.sessions.iter_mut().chain(&mut b.paths)),
            Self::PayloadRedacted(b) => {
                texts(v, [&mut b.reason, &mut b.by].into_iter().chain(&mut b.rule));
            }
            Self::SegmentsArchived(b) => v.text(&mut b.to),
            Self::SegmentsFetched(b) => v.text(&mut b.from),
            Self::JournalsMerged(b) => texts(v, b.sources.iter_mut().map(|it| &mut it.project)),
            Self::CheckpointSigned(b) => v.text(&mut b.origin),
            Self::MemoryAdopted(b) => v.text(&mut b.store),
            Self::SessionStarted(b) => {
                texts(v, &mut b.model);
                texts(v, [&mut b.cwd, &mut b.branch, &mut b.title].into_iter().flatten());
            }
            Self::PromptSubmitted(b) => {
                content(v, &mut b.text);
                texts(v, &mut b.actor);
                for attachment in &mut b.attachments {
                    texts(v, attachment.name.iter_mut().chain(&mut attachment.media_type));
                }
            }
            Self::AssistantSaid(b) => {
                contents(v, std::iter::once(&mut b.text).chain(&mut b.thinking));
                texts(v, b.actor.iter_mut().chain(&mut b.model).chain(&mut b.stop_reason));
            }
            Self::ModelChanged(b) => texts(v, b.from.iter_mut().chain([&mut b.to])),
            Self::Compacted(b) => {
                content(v, &mut b.summary);
                texts(v, &mut b.trigger);
            }
            Self::SessionEnded(b) => v.text(&mut b.reason),
            Self::ContextInjected(b) => {
                v.text(&mut b.what);
                content(v, &mut b.text);
                texts(v, &mut b.files);
            }
            Self::HookRan(b) => texts(v, [&mut b.hook, &mut b.outcome]),
            Self::TranscriptFlawed(b) => texts(v, [&mut b.file, &mut b.detail]),
            Self::ToolsDeclared(b) => v.text(&mut b.by),
            Self::ChecksDeclared(b) => checks(v, b),
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
            Self::CoreSet(b) => {
                v.named(&b.key, &mut b.value);
                v.text(&mut b.key);
            }
            Self::CoreDeleted(b) => texts(v, [&mut b.key, &mut b.reason]),
            Self::CoreEvicted(b) => v.text(&mut b.key),
            Self::RecallAppended(b) => {
                texts(v, [&mut b.kind, &mut b.text]);
                texts(v, b.tags.iter_mut().chain(&mut b.task_hint));
            }
            Self::InheritedConsolidated(b) => {
                texts(v, b.groups.iter_mut().map(|group| &mut group.summary));
            }
            Self::ArchivalWritten(b) => {
                v.text(&mut b.text);
                texts(v, &mut b.tags);
                contents(v, &mut b.whole);
            }
            Self::ArchivalUpdated(b) => {
                texts(v, b.text.iter_mut().chain(b.tags.iter_mut().flatten()));
                contents(v, &mut b.whole);
            }
            Self::MemoryRead(b) => asked(v, &mut b.query),
            Self::UpdatesApplied(b) => v.json(&mut b.operations.0),
            Self::PromptRendered(b) => {
                texts(v, &mut b.task_hint);
                content(v, &mut b.rendered);
            }
            Self::PressureChecked(_) | Self::NodeCreated(_) => (),
            Self::ImportanceEvaluated(b) => {
                texts(v, &mut b.task_hint);
                texts(v, b.items.iter_mut().flat_map(|it| [&mut it.key, &mut it.reason]));
            }
            Self::MemoryConsolidated(b) => texts(v, &mut b.actions),
            Self::KvPut(b) => named::json(v, &b.key, &mut b.value.0),
            Self::MessageAppended(b) => v.json(&mut b.content.0),
            Self::KvDeleted(_) | Self::MessagePopped(_) | Self::ThreadCleared(_) => (),
            Self::MemoryEmbedded(b) => v.text(&mut b.model),
            Self::ModelQueried(b) => {
                contents(v, [&mut b.sections, &mut b.reply]);
                texts(v, &mut b.error);
            }
            Self::ArtifactsAccepted(b) => content(v, &mut b.artifacts),
            Self::PhaseCompleted(b) => content(v, &mut b.log),
            Self::PhaseFailed(b) => {
                content(v, &mut b.log);
                v.text(&mut b.error);
            }
            Self::NodeResultRecorded(b) => texts(v, b.metric.iter_mut().chain(&mut b.error)),
            Self::VlmAnalysisCompleted(b) => v.text(&mut b.summary),
            Self::RepoIdentified(b) => {
                v.text(&mut b.path);
                texts(v, [&mut b.remote, &mut b.branch, &mut b.common].into_iter().flatten());
            }
            Self::ConventionUpserted(b) => b.visit_texts(v),
            Self::DecisionRecorded(b) => b.visit_texts(v),
            Self::NoteAdded(b) => v.text(&mut b.content),
            Self::SummaryAppended(b) => v.text(&mut b.summary),
            Self::IndexStored(b) => content(v, &mut b.content),
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

fn checks(v: &mut dyn TextVisitor, b: &mut ChecksDeclared) {
    for check in &mut b.list.checks {
        texts(v, [&mut check.command, &mut check.found_in]);
        texts(v, &mut check.runs);
    }
    for matcher in &mut b.list.matchers {
        texts(v, [&mut matcher.name, &mut matcher.found_in]);
        texts(v, matcher.programs.iter_mut().chain(&mut matcher.level).chain(&mut matcher.lines));
    }
    v.text(&mut b.by);
}

fn closing(v: &mut dyn TextVisitor, b: &mut Closing) {
    texts(v, &mut b.error);
    contents(v, [&mut b.stdout, &mut b.stderr].into_iter().flatten());
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

fn contents<'a>(v: &mut dyn TextVisitor, all: impl IntoIterator<Item = &'a mut Content>) {
    for one in all {
        content(v, one);
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

fn asked(v: &mut dyn TextVisitor, query: &mut MemoryQuery) {
    match query {
        MemoryQuery::Core { keys } => texts(v, keys),
        MemoryQuery::Recall { query, .. } => v.text(query),
        MemoryQuery::Archival { query, tags, .. } => {
            v.text(query);
            texts(v, tags);
        }
        MemoryQuery::Record { .. } | MemoryQuery::Node { .. } => (),
    }
}

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
            Self::AssistantSaid(b) => v("message", &mut b.native_id),
            Self::ModelChanged(b) => v("message", &mut b.native_id),
            Self::Compacted(b) => v("message", &mut b.native_id),
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
            _ => (),
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
