//! Debug memory (spec 002), read from `index.db`.

mod failure;
mod likeness;
mod list;
mod related;
mod similar;
mod trials;
mod view;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::debug::fold::DebugState;
use crate::debug::infer::is_inferred;
use crate::event::{
    DebugAuthor, DebugBeside, DebugDocument, DebugSessionId, DebugSessionOpened, DebugStatus,
    ErrorType, ExecutionId, Fix, FixOrigin, RootCause, Sequence, TemplateRef, Verification, wire,
};
use crate::execution::query::QueryError;

pub use list::{DueSession, FlakyTest, RetentionRules};
pub use related::{FailureGroup, groups};
pub use similar::{SCORE_MAX, Similar, SimilarAsked};
pub use trials::{CauseKey, Causes, FixTrial, cause_of, is_taken_back, tried_against};
pub use view::DebugView;

type Result<T, E = QueryError> = std::result::Result<T, E>;

#[derive(Clone, Debug, PartialEq)]
pub struct DebugRecord {
    pub session: DebugSession,
    pub document: DebugDocument,
    /// What that has no member for.
    pub beside: DebugBeside,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PendingFix {
    pub session: DebugSessionId,
    pub attempt: u32,
    pub by: DebugAuthor,
    pub fix: Fix,
    pub template: Option<TemplateRef>,
}

/// A template that a fix was made from, whose trial is not counted yet, or was with another verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncountedTemplate {
    pub session: DebugSessionId,
    pub attempt: u32,
    pub template: TemplateRef,
    pub verification: Option<Verification>,
}

impl DebugRecord {
    /// A session as its events leave it.
    pub fn of(id: DebugSessionId, state: &DebugState) -> Self {
        let DebugState { document, beside, .. } = state;
        let metadata = document.metadata.as_ref();
        let learnt = document.learnings.as_ref().and_then(|it| it.patterns_identified.as_ref());
        let status = document.status.unwrap_or(DebugStatus::InProgress);
        let failed = document.executions.iter().filter(|it| !it.test_results.is_passed()).count();
        let session = DebugSession {
            id,
            native_id: beside.native_id.clone(),
            file_path: document.file_path.clone(),
            status,
            created_ms: beside.created_ms,
            updated_ms: beside.updated_ms,
            attempts: document.executions.len() as u64,
            attempts_failed: failed as u64,
            patterns: learnt.map_or(0, Vec::len) as u64,
            agent: metadata.and_then(|it| it.agent.clone()),
            task_id: metadata.and_then(|it| it.task_id.clone()),
            first: Sequence(beside.first_seq),
            last: Sequence(beside.last_seq),
            was_escalated: beside.escalated,
        };
        Self { session, document: document.clone(), beside: beside.clone() }
    }

    /// Whether it was worked out of an agent's session.
    pub fn is_inferred(&self) -> bool {
        let id = self.session.id.to_string();
        let mut executions =
            self.beside.executions.values().filter_map(|it| ExecutionId::parse(it));
        executions.any(|it| is_inferred(it, &id))
    }

    /// One that begins.
    pub fn opened(opened: &DebugSessionOpened, at_ms: u64) -> Self {
        Self::of(opened.session, &DebugState::opened(opened, at_ms, Sequence(0)))
    }

    pub fn pending_fix(&self) -> Option<PendingFix> {
        let mut executions = self.document.executions.iter().rev();
        let fixed = executions.find(|execution| execution.fix_applied.is_some())?;
        let fix = fixed.fix_applied.clone()?;
        if fix.verification != Some(Verification::Pending) {
            return None;
        }
        let origin = self.beside.fixes.get(&fixed.attempt);
        Some(PendingFix {
            session: self.session.id,
            attempt: fixed.attempt,
            by: origin.map_or(DebugAuthor::Caller, |origin| origin.by),
            fix,
            template: origin.and_then(|origin| origin.template.clone()),
        })
    }

    /// The templates of its fixes whose trials are not counted yet, or were before the fix was verified
    /// otherwise, in order of attempts.
    pub fn uncounted_templates(&self) -> Vec<UncountedTemplate> {
        let fix = |attempt: u32| {
            let mut executions = self.document.executions.iter();
            executions.find(|execution| execution.attempt == attempt)?.fix_applied.as_ref()
        };
        let of_fix = |(attempt, origin): (&u32, &FixOrigin)| {
            let verification = fix(*attempt)?.verification;
            let worked = match verification? {
                Verification::Passed => Some(true),
                Verification::Failed => Some(false),
                Verification::Pending => None,
            };
            let is_other = origin.worked.zip(worked).is_some_and(|(one, other)| one != other);
            let template = origin.template.clone().filter(|_| !origin.tried || is_other)?;
            let (session, attempt) = (self.session.id, *attempt);
            Some(UncountedTemplate { session, attempt, template, verification })
        };
        self.beside.fixes.iter().filter_map(of_fix).collect()
    }

    pub fn is_analysed_by_caller(&self, attempt: u32) -> bool {
        self.beside.analyses_told.contains(&attempt)
    }
}

/// Which debug sessions a list is of. The default: the 20 that were changed last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugFilter {
    pub limit: usize,
    /// So many that come before these are left out.
    pub skip: usize,
    pub status: Option<DebugStatus>,
    /// The session's file, as it has it.
    pub file_path: Option<String>,
    /// Some test failed so.
    pub error_type: Option<ErrorType>,
    /// Some attempt's code was thought to be wrong so.
    pub category: Option<RootCause>,
    /// The name of a pattern that was learnt.
    pub pattern: Option<String>,
    /// Changed at this time or later, Unix milliseconds.
    pub since_ms: Option<u64>,
}

impl Default for DebugFilter {
    fn default() -> Self {
        Self {
            limit: 20,
            skip: 0,
            status: None,
            file_path: None,
            error_type: None,
            category: None,
            pattern: None,
            since_ms: None,
        }
    }
}

/// The least effectiveness that makes a template worth offering: it must be above.
pub const TEMPLATE_EFFECTIVENESS: f64 = 0.7;

/// A pattern that was learnt, with what helps against it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FixTemplate {
    #[serde(rename = "session_id")]
    pub session: DebugSessionId,
    pub file_path: String,
    pub pattern: String,
    pub category: Option<String>,
    /// How often it was seen, from 1.
    pub frequency: u64,
    pub fix_template: Option<String>,
    /// 0 to 1.
    pub effectiveness: Option<f64>,
    /// Of so many trials of the template so many worked; `None` where nobody counted them.
    #[serde(flatten, serialize_with = "successes_and_trials")]
    pub tally: Option<(u64, u64)>,
    /// What these trials prove at least: by Wilson's interval.
    #[serde(skip)]
    pub bound: f64,
    /// When that session changed last, Unix milliseconds.
    #[serde(skip)]
    pub updated_ms: u64,
}

fn successes_and_trials<S: Serializer>(it: &Option<(u64, u64)>, to: S) -> Result<S::Ok, S::Error> {
    let (successes, trials) = it.unzip();
    let mut map = to.serialize_map(Some(2))?;
    map.serialize_entry("successes", &successes)?;
    map.serialize_entry("trials", &trials)?;
    map.end()
}

impl FixTemplate {
    pub fn template_ref(&self) -> TemplateRef {
        TemplateRef { session: self.session, pattern: self.pattern.clone() }
    }
}

/// A debug session, without its document. Times are Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DebugSession {
    #[serde(rename = "session_id")]
    pub id: DebugSessionId,
    /// What an imported document called itself, where that was no UUID.
    pub native_id: Option<String>,
    pub file_path: String,
    pub status: DebugStatus,
    #[serde(rename = "created_at", serialize_with = "wire::utc")]
    pub created_ms: u64,
    #[serde(rename = "updated_at", serialize_with = "wire::utc")]
    pub updated_ms: u64,
    pub attempts: u64,
    /// Of those, in which something failed.
    pub attempts_failed: u64,
    pub patterns: u64,
    pub agent: Option<String>,
    pub task_id: Option<String>,
    /// The event that began it.
    #[serde(skip)]
    pub first: Sequence,
    /// The last event of its own that changed it; what was tried of it elsewhere is none.
    #[serde(rename = "sequence")]
    pub last: Sequence,
    /// Whether it is escalated, or was before it ended.
    #[serde(skip)]
    pub was_escalated: bool,
}
