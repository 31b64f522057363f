//! What a line carries, as far as it is read; everything else is skipped over unparsed.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::agents::import::loose::{Loose, Number, Text};

/// The payload of a line of any type, and an item inside one; a field is absent where the type has
/// none.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Payload<'a> {
    #[serde(rename = "type", borrow)]
    pub kind: Text<'a>,
    #[serde(borrow)]
    pub id: Text<'a>,
    #[serde(borrow)]
    pub call_id: Text<'a>,
    #[serde(borrow)]
    pub status: Text<'a>,

    // Calls: `arguments` is JSON in a string, an object only where a tool is searched for.
    #[serde(borrow)]
    pub name: Text<'a>,
    #[serde(borrow)]
    pub namespace: Text<'a>,
    #[serde(borrow)]
    pub arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    pub input: Text<'a>,
    #[serde(borrow)]
    pub action: Option<&'a RawValue>,

    // Results.
    #[serde(borrow)]
    pub output: Option<&'a RawValue>,
    #[serde(borrow)]
    pub tools: Option<&'a RawValue>,
    #[serde(borrow)]
    pub revised_prompt: Text<'a>,

    // Messages.
    #[serde(borrow)]
    pub role: Text<'a>,
    #[serde(borrow)]
    pub content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub message: Text<'a>,
    #[serde(rename = "kind", borrow)]
    pub prompt_kind: Text<'a>,

    // How something ended, as an event or as a completed item.
    #[serde(borrow)]
    pub item: Option<&'a RawValue>,
    #[serde(borrow)]
    pub command: Option<&'a RawValue>,
    #[serde(borrow)]
    pub source: Option<&'a RawValue>,
    #[serde(borrow)]
    pub stdout: Text<'a>,
    #[serde(borrow)]
    pub stderr: Text<'a>,
    #[serde(borrow)]
    pub aggregated_output: Text<'a>,
    pub exit_code: Number,
    pub duration: Loose<Span>,
    pub started_at_ms: Number,
    pub completed_at_ms: Number,
    #[serde(borrow)]
    pub success: Option<&'a RawValue>,
    #[serde(borrow)]
    pub changes: Option<&'a RawValue>,
    #[serde(borrow)]
    pub invocation: Loose<Invocation<'a>>,
    #[serde(borrow)]
    pub server: Text<'a>,
    #[serde(borrow)]
    pub tool: Text<'a>,
    #[serde(borrow)]
    pub result: Option<&'a RawValue>,
    #[serde(borrow)]
    pub error: Option<&'a RawValue>,

    // Sessions and turns.
    #[serde(borrow)]
    pub session_id: Text<'a>,
    #[serde(borrow)]
    pub timestamp: Text<'a>,
    #[serde(borrow)]
    pub cwd: Text<'a>,
    #[serde(borrow)]
    pub model: Text<'a>,
    #[serde(borrow)]
    pub cli_version: Text<'a>,
    #[serde(borrow)]
    pub git: Loose<Git<'a>>,
    #[serde(borrow)]
    pub forked_from_id: Text<'a>,
    #[serde(borrow)]
    pub parent_thread_id: Text<'a>,
    #[serde(borrow)]
    pub thread_name: Text<'a>,
}

/// A span of time, the way the agent's own language writes it.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Span {
    pub secs: Number,
    pub nanos: Number,
}

/// Which tool of which server was asked for what.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Invocation<'a> {
    #[serde(borrow)]
    pub server: Text<'a>,
    #[serde(borrow)]
    pub tool: Text<'a>,
    #[serde(borrow)]
    pub arguments: Option<&'a RawValue>,
}

/// Where a session's project stood.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Git<'a> {
    #[serde(borrow)]
    pub branch: Text<'a>,
}

impl Span {
    /// Whole milliseconds, rounded.
    pub fn to_ms(self) -> Option<u64> {
        let nanos_ms = self.nanos.to_ms(1e-6).unwrap_or_default();
        self.secs.to_ms(1000.0)?.checked_add(nanos_ms)
    }
}
