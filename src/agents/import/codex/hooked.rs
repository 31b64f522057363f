//! What a hook tells of a call, read as a rollout's item of it is.

use serde_json::value::RawValue;

use super::call::{call, object};
use super::content::said;
use super::output::output;
use super::result::{empty, print, told};
use crate::agents::import::item::{Call, CallResult};
use crate::event::Outcome;

/// The agent's name, before its hooks, of every tool that runs a command.
const SHELL: &str = "Bash";

/// A call that a hook tells of. `arguments` is JSON of any shape.
pub fn hooked_call(
    session: &str,
    id: String,
    native_tool: String,
    arguments: Option<&RawValue>,
) -> Call {
    call(Some(session), id, native_tool, object(arguments))
}

/// How a call ended that a hook tells of; `None` where it does not say: of a command the agent
/// gives its hooks what it printed alone, whether it failed or not.
pub fn hooked_result(
    session: &str,
    id: String,
    native_tool: &str,
    response: Option<&RawValue>,
) -> Option<CallResult> {
    let said = response.map(said).unwrap_or_default();
    let output = output(said.text.clone());
    let silent = output.exit_code.is_none() && said.success.is_none() && !output.script_failed;
    if silent && native_tool == SHELL {
        return None;
    }
    Some(told(Some(session), id, &said, output))
}

/// What a command printed, as a hook tells it.
pub fn hooked_print(response: &RawValue) -> String {
    output(said(response).text).body
}

/// How a command ended that printed this.
pub fn printed_result(session: &str, id: String, outcome: Outcome, printed: String) -> CallResult {
    let mut result = CallResult { outcome, ..empty(Some(session), id) };
    print(&mut result, printed);
    result
}
