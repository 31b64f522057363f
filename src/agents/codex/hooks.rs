//! How a call ended as Codex tells a hook, and what its user must know of hooks.

use std::path::Path;

use super::{hooked_print, hooked_result, printed_result};
use crate::agents::Agent;
use crate::agents::hook::{Firing, ToolCall, path};
use crate::agents::import::CallResult;
use crate::agents::settings::{Home, Scope};
use crate::grounding::gate;
use crate::parse::check::CheckRules;

/// Codex tells what a command printed, and not whether it failed, which only a check's output says.
pub fn result(
    call: &ToolCall,
    firing: &Firing<'_>,
    own: &CheckRules,
    _: bool,
) -> Option<CallResult> {
    let (id, response) = (call.call.id.clone(), firing.input.tool_response);
    hooked_result(firing.native_session, id, &call.call.native_tool, response)
        .or_else(|| by_print(call, firing, own))
}

/// How a check ended, by what it printed: where no rollout will tell, nothing else does.
fn by_print(call: &ToolCall, firing: &Firing<'_>, own: &CheckRules) -> Option<CallResult> {
    if path(firing).is_some() {
        return None;
    }
    let printed = hooked_print(firing.input.tool_response?);
    let outcome = gate::ended(own, &call.call.tool, &call.call.arguments, &printed)?;
    let id = call.call.id.clone();
    Some(printed_result(firing.native_session, id, outcome, printed))
}

pub fn notes(_: Scope, _: &Path, home: &Home) -> Vec<String> {
    let mut notes = vec![
        "Codex runs a new hook only once you trust it: start codex, type /hooks, and trust \
         these. Until then it leaves them out without a word."
            .to_owned(),
    ];
    notes.extend(switched_off(home));
    notes
}

/// What Codex's own settings say against hooks.
fn switched_off(home: &Home) -> Option<String> {
    let path = home.folder(Agent::Codex)?.join("config.toml");
    // Where it cannot be read Codex itself will say so.
    let text = std::fs::read_to_string(&path).ok()?;
    let table: toml::Table = text.parse().ok()?;
    let features = table.get("features")?.as_table()?;
    let is_off = ["hooks", "codex_hooks"]
        .iter()
        .any(|key| features.get(*key).and_then(toml::Value::as_bool) == Some(false));
    let path = path.display();
    is_off.then(|| format!("Hooks are switched off in {path}: set hooks = true under [features]."))
}
