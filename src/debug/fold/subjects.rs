//! Which debug sessions an event is about.

use crate::event::{Body, DebugSessionId};

/// The debug sessions that an event is about, the one that it belongs to first; none of an event that is
/// not of debug memory.
pub fn subjects(body: &Body) -> Vec<DebugSessionId> {
    match body {
        Body::DebugSessionOpened(it) => vec![it.session],
        Body::AttemptRecorded(it) => vec![it.session],
        Body::AnalysisRecorded(it) => vec![it.session],
        Body::FixApplied(it) => vec![it.session],
        Body::FixVerified(it) => vec![it.session],
        Body::TemplateTried(it) if it.template.session == it.session => vec![it.session],
        Body::TemplateTried(it) => vec![it.session, it.template.session],
        Body::LearningExtracted(it) => vec![it.session],
        Body::DebugSessionClosed(it) => vec![it.session],
        Body::DebugSessionExpired(it) => vec![it.session],
        Body::DebugSessionImported(it) => vec![it.session],
        _ => Vec::new(),
    }
}
