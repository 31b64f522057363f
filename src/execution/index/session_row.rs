//! What a SessionStarted tells of a session.

/// What a SessionStarted tells of a session; it fills what earlier ones left empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionRow<'a> {
    pub agent: &'a str,
    pub native_id: &'a str,
    pub agent_version: Option<&'a str>,
    pub model: Option<&'a str>,
    pub parent: Option<&'a str>,
    pub cwd: Option<&'a str>,
    pub branch: Option<&'a str>,
    pub title: Option<&'a str>,
}
