//! A refusal of the gate, as the index keeps it.

/// A refusal of the gate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerdictRow<'a> {
    pub execution: Option<&'a str>,
    pub call_key: Option<&'a str>,
    pub tool: &'a str,
    pub target: Option<&'a str>,
    pub rule: &'a str,
    pub reason: &'a str,
    pub required_query: &'a str,
    pub mode: &'a str,
}
