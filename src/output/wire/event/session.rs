//! Events of sessions in JSON.

use serde::Serialize;

use super::Content;

/// A session began, or more became known of it.
#[derive(Debug, Serialize)]
pub struct SessionStarted<'a> {
    pub agent: &'a str,
    pub native_id: &'a str,
    pub agent_version: Option<&'a str>,
    pub model: Option<&'a str>,
    pub parent: Option<String>,
    pub cwd: Option<&'a str>,
    pub branch: Option<&'a str>,
    pub title: Option<&'a str>,
}

/// A user, or another agent, asked for something.
#[derive(Debug, Serialize)]
pub struct Prompt<'a> {
    pub text: Content,
    pub native_id: Option<&'a str>,
    pub actor: Option<&'a str>,
}

/// An agent's hook ran.
#[derive(Debug, Serialize)]
pub struct HookRan<'a> {
    pub agent: &'a str,
    pub hook: &'a str,
    pub outcome: &'a str,
    pub duration_ms: Option<u64>,
}

/// Something in a transcript could not become an execution.
#[derive(Debug, Serialize)]
pub struct TranscriptFlawed<'a> {
    pub agent: &'a str,
    pub file: &'a str,
    pub line: u64,
    /// `unreadable line` or `result without call`.
    pub flaw: &'a str,
    pub detail: &'a str,
}
