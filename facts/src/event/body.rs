//! The table of event kinds: number, schema, type. The only place a kind is numbered.

use bincode::{Decode, Encode};
use serde::Serialize;

use super::*;

/// An event kind's number: the family in the high byte. Append-only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(pub u16);

macro_rules! bodies {
    ($($code:literal $schema:literal $name:ident,)*) => {
        /// What happened; its JSON has the fields of the kind, and not its name.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum Body { $($name($name),)* }

        impl Body {
            /// The kind's number.
            pub fn kind(&self) -> Kind {
                match self { $(Self::$name(_) => Kind($code),)* }
            }

            /// The schema number that this build writes for the kind.
            pub fn schema(&self) -> u8 {
                match self { $(Self::$name(_) => $schema,)* }
            }

            /// The kind's name, as people and JSON read it.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$name(_) => stringify!($name),)* }
            }

            pub(super) fn encode_into(
                &self,
                out: &mut Vec<u8>,
            ) -> Result<(), bincode::error::EncodeError> {
                match self { $(Self::$name(body) => codec::put(body, out),)* }
            }

            pub(super) fn decode_from(
                kind: Kind,
                bytes: &[u8],
            ) -> Option<Result<(Self, usize), bincode::error::DecodeError>> {
                match kind.0 {
                    $($code => Some(codec::take::<$name>(bytes)
                        .map(|(body, used)| (Self::$name(body), used))),)*
                    _ => None,
                }
            }
        }

        impl Kind {
            /// The kind's name, where this build knows it.
            pub fn name(self) -> Option<&'static str> {
                match self.0 { $($code => Some(stringify!($name)),)* _ => None }
            }

            /// The schema number this build writes, where it knows the kind.
            pub fn schema(self) -> Option<u8> {
                match self.0 { $($code => Some($schema),)* _ => None }
            }

            /// Every kind this build knows, in order of number.
            pub const ALL: &'static [Kind] = &[$(Kind($code),)*];
        }
    };
}

bodies! {
    0x0101 1 JournalCreated,
    0x0102 2 RecoveryPerformed,
    0x0103 2 PayloadRedacted,
    0x0104 1 CheckpointSigned,
    0x0105 1 MemoryAdopted,
    0x0106 1 HistoryContradicted,
    0x0107 1 RetentionApplied,
    0x0108 1 SegmentsArchived,
    0x0109 1 SegmentsFetched,
    0x010a 1 JournalsMerged,
    0x0201 1 SessionStarted,
    0x0202 2 PromptSubmitted,
    0x0203 1 SessionEnded,
    0x0204 1 TimelineCheckpoint,
    0x0205 2 ContextInjected,
    0x0206 1 HookRan,
    0x0207 1 TranscriptFlawed,
    0x0208 1 AssistantSaid,
    0x0209 1 ModelChanged,
    0x020a 1 Compacted,
    0x0301 1 ToolsDeclared,
    0x0302 1 ChecksDeclared,
    0x0401 1 ExecutionStarted,
    0x0402 1 ExecutionFinished,
    0x0403 1 ExecutionInterrupted,
    0x0404 1 ExecutionCorrected,
    0x0501 1 TimelineQueried,
    0x0502 1 GateRefused,
    0x0503 1 GateBypassed,
    0x0504 1 SuccessClaimed,
    0x0505 1 PlanChecked,
    0x0506 1 OutcomeReported,
    0x0601 1 StepBegun,
    0x0602 1 StepEnded,
    0x0701 1 DebugSessionOpened,
    0x0702 1 AttemptRecorded,
    0x0703 1 AnalysisRecorded,
    0x0704 1 FixApplied,
    0x0705 1 FixVerified,
    0x0706 1 TemplateTried,
    0x0707 1 LearningExtracted,
    0x0708 1 DebugSessionClosed,
    0x0709 1 DebugSessionExpired,
    0x070a 1 DebugSessionImported,
    0x0801 1 BranchForked,
    0x0802 1 CoreSet,
    0x0803 1 CoreDeleted,
    0x0804 1 CoreEvicted,
    0x0805 1 RecallAppended,
    0x0806 1 RecallEvicted,
    0x0807 1 RecallConsolidated,
    0x0808 1 InheritedConsolidated,
    0x0809 1 ArchivalWritten,
    0x080a 1 ArchivalUpdated,
    0x080b 1 MemoryRead,
    0x080c 1 UpdatesApplied,
    0x080d 1 PromptRendered,
    0x080e 1 PressureChecked,
    0x080f 1 ImportanceEvaluated,
    0x0810 1 MemoryConsolidated,
    0x0811 1 KvPut,
    0x0812 1 KvDeleted,
    0x0813 1 MessageAppended,
    0x0814 1 MessagePopped,
    0x0815 1 ThreadCleared,
    0x0820 1 MemoryEmbedded,
    0x0901 1 NodeCreated,
    0x0902 1 ModelQueried,
    0x0903 1 ArtifactsAccepted,
    0x0904 1 PhaseCompleted,
    0x0905 1 PhaseFailed,
    0x0906 1 NodeResultRecorded,
    0x0907 1 VlmAnalysisCompleted,
    0x0a01 2 RepoIdentified,
    0x0a02 1 RepoLinked,
    0x0a03 1 ConventionUpserted,
    0x0a04 1 ConventionRemoved,
    0x0a05 1 DecisionRecorded,
    0x0a06 1 DecisionRemoved,
    0x0a07 1 NoteAdded,
    0x0a08 1 NoteRemoved,
    0x0a09 1 SummaryAppended,
    0x0a0a 1 IndexStored,
}

const _: fn() = || {
    fn both<T: Encode + Decode<()>>() {}
    both::<ExecutionFinished>();
};

/// At most two contents an event, by shared or by exclusive reference.
macro_rules! contents {
    ($body:expr, $as_ref:ident $(, $exclusive:tt)?) => {
        match $body {
            Body::PromptSubmitted(b) => [Some(&$($exclusive)? b.text), None],
            Body::ContextInjected(b) => [Some(&$($exclusive)? b.text), None],
            Body::AssistantSaid(b) => [Some(&$($exclusive)? b.text), b.thinking.$as_ref()],
            Body::Compacted(b) => [Some(&$($exclusive)? b.summary), None],
            Body::ExecutionFinished(b) => [b.closing.stdout.$as_ref(), b.closing.stderr.$as_ref()],
            Body::ExecutionCorrected(b) => [b.closing.stdout.$as_ref(), b.closing.stderr.$as_ref()],
            Body::AttemptRecorded(b) => [b.code_snapshot.$as_ref(), None],
            Body::ArchivalWritten(b) => [b.whole.$as_ref(), None],
            Body::ArchivalUpdated(b) => [b.whole.$as_ref(), None],
            Body::PromptRendered(b) => [Some(&$($exclusive)? b.rendered), None],
            Body::ModelQueried(b) => {
                [Some(&$($exclusive)? b.sections), Some(&$($exclusive)? b.reply)]
            }
            Body::ArtifactsAccepted(b) => [Some(&$($exclusive)? b.artifacts), None],
            Body::PhaseCompleted(b) => [Some(&$($exclusive)? b.log), None],
            Body::IndexStored(b) => [Some(&$($exclusive)? b.content), None],
            Body::PhaseFailed(b) => [Some(&$($exclusive)? b.log), None],
            _ => [None, None],
        }
    };
}

impl Body {
    /// What was asked, printed or shown: a prompt's text, an execution's stdout and stderr.
    pub fn contents(&self) -> impl Iterator<Item = &Content> {
        contents!(self, as_ref).into_iter().flatten()
    }

    /// As [`Self::contents`], to be changed.
    pub fn contents_mut(&mut self) -> impl Iterator<Item = &mut Content> {
        contents!(self, as_mut, mut).into_iter().flatten()
    }
}

macro_rules! of_memory {
    ($body:expr, $bound:ident => $of:expr) => {
        match $body {
            Body::BranchForked($bound) => Some($of),
            Body::CoreSet($bound) => Some($of),
            Body::CoreDeleted($bound) => Some($of),
            Body::CoreEvicted($bound) => Some($of),
            Body::RecallAppended($bound) => Some($of),
            Body::RecallEvicted($bound) => Some($of),
            Body::RecallConsolidated($bound) => Some($of),
            Body::InheritedConsolidated($bound) => Some($of),
            Body::ArchivalWritten($bound) => Some($of),
            Body::ArchivalUpdated($bound) => Some($of),
            Body::MemoryRead($bound) => Some($of),
            Body::UpdatesApplied($bound) => Some($of),
            Body::PromptRendered($bound) => Some($of),
            Body::PressureChecked($bound) => Some($of),
            Body::ImportanceEvaluated($bound) => Some($of),
            Body::MemoryConsolidated($bound) => Some($of),
            Body::KvPut($bound) => Some($of),
            Body::KvDeleted($bound) => Some($of),
            Body::MessageAppended($bound) => Some($of),
            Body::MessagePopped($bound) => Some($of),
            Body::ThreadCleared($bound) => Some($of),
            Body::MemoryEmbedded($bound) => Some($of),
            _ => None,
        }
    };
}

impl Body {
    /// Who asked for it; `None` where it is no fact about branch memory.
    pub fn memory_origin(&self) -> Option<&MemoryOrigin> {
        of_memory!(self, fact => &fact.origin)
    }

    /// The branch of memory that it is about; `None` where it is no fact about branch memory.
    pub fn memory_branch(&self) -> Option<&str> {
        of_memory!(self, fact => fact.branch.as_str())
    }
}
