//! Events of debug memory in JSON: the records as the contract's schema has them (spec 002).

use serde::Serialize;
use serde_json::value::RawValue;

use super::Content;
use crate::event;
use crate::execution::replay::Contents;
use crate::output::time;

/// The fields of one kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Debug<'a> {
    Opened {
        debug_session: String,
        file_path: &'a str,
        attempts_max: u32,
        agent: Option<&'a str>,
        task_id: Option<&'a str>,
        ralph_iteration: Option<i64>,
    },
    Attempt {
        debug_session: String,
        attempt: u32,
        execution: Option<String>,
        code_hash: &'a str,
        code_snapshot: Option<Content>,
        environment: Option<&'a event::DebugEnvironment>,
        test_results: &'a event::TestResults,
        failures: &'a [event::TestFailure],
    },
    Analysis {
        debug_session: String,
        attempt: u32,
        by: &'static str,
        analysis: &'a event::Analysis,
    },
    Fix {
        debug_session: String,
        attempt: u32,
        by: &'static str,
        fix_applied: &'a event::Fix,
        template: Option<Template<'a>>,
    },
    Verified {
        debug_session: String,
        attempt: u32,
        by: &'static str,
        verification: &'static str,
    },
    Tried {
        debug_session: String,
        attempt: u32,
        template: Template<'a>,
        worked: bool,
    },
    Learning {
        debug_session: String,
        by: &'static str,
        learnings: &'a event::Learnings,
        tallies: &'a [event::TemplateTally],
    },
    Closed {
        debug_session: String,
        status: &'static str,
        by: &'static str,
        reason: Option<&'a str>,
    },
    /// `updated`: UTC.
    Expired {
        debug_session: String,
        updated: Option<String>,
        days: u32,
        archived: Option<&'a str>,
    },
    /// `document`: text where it is no JSON.
    Imported {
        debug_session: String,
        native_id: Option<&'a str>,
        document: Document<'a>,
    },
}

/// The pattern of a debug session that has a template.
#[derive(Debug, Serialize)]
pub struct Template<'a> {
    debug_session: String,
    pattern: &'a str,
}

/// A document, or the text that was to be one.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Document<'a> {
    Json(&'a RawValue),
    Text(&'a str),
}

/// The document of an event of debug memory; `None` of any other.
pub fn of<'a>(body: &'a event::Body, contents: &Contents) -> Option<Debug<'a>> {
    use crate::event::Body;
    let template = |of: &'a event::TemplateRef| Template {
        debug_session: of.session.to_string(),
        pattern: &of.pattern,
    };
    Some(match body {
        Body::DebugSessionOpened(b) => Debug::Opened {
            debug_session: b.session.to_string(),
            file_path: &b.file_path,
            attempts_max: b.attempts_max,
            agent: b.agent.as_deref(),
            task_id: b.task_id.as_deref(),
            ralph_iteration: b.ralph_iteration,
        },
        Body::AttemptRecorded(b) => Debug::Attempt {
            debug_session: b.session.to_string(),
            attempt: b.attempt,
            execution: b.execution.map(|id| id.to_string()),
            code_hash: &b.code_hash,
            code_snapshot: b.code_snapshot.as_ref().map(|code| Content::of(code, contents)),
            environment: b.environment.as_ref(),
            test_results: &b.results,
            failures: &b.failures,
        },
        Body::AnalysisRecorded(b) => Debug::Analysis {
            debug_session: b.session.to_string(),
            attempt: b.attempt,
            by: b.by.as_str(),
            analysis: &b.analysis,
        },
        Body::FixApplied(b) => Debug::Fix {
            debug_session: b.session.to_string(),
            attempt: b.attempt,
            by: b.by.as_str(),
            fix_applied: &b.fix,
            template: b.template.as_ref().map(template),
        },
        Body::FixVerified(b) => Debug::Verified {
            debug_session: b.session.to_string(),
            attempt: b.attempt,
            by: b.by.as_str(),
            verification: b.verification.as_str(),
        },
        Body::TemplateTried(b) => Debug::Tried {
            debug_session: b.session.to_string(),
            attempt: b.attempt,
            template: template(&b.template),
            worked: b.worked,
        },
        Body::LearningExtracted(b) => Debug::Learning {
            debug_session: b.session.to_string(),
            by: b.by.as_str(),
            learnings: &b.learnings,
            tallies: &b.tallies,
        },
        Body::DebugSessionClosed(b) => Debug::Closed {
            debug_session: b.session.to_string(),
            status: b.status.as_str(),
            by: b.by.as_str(),
            reason: b.reason.as_deref(),
        },
        Body::DebugSessionExpired(b) => Debug::Expired {
            debug_session: b.session.to_string(),
            updated: time::utc(b.updated_ms),
            days: b.days,
            archived: b.archived.as_deref(),
        },
        Body::DebugSessionImported(b) => Debug::Imported {
            debug_session: b.session.to_string(),
            native_id: b.native_id.as_deref(),
            document: match serde_json::from_str(&b.document.0) {
                Ok(json) => Document::Json(json),
                Err(_) => Document::Text(&b.document.0),
            },
        },
        _ => return None,
    })
}
