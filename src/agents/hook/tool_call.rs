//! A tool's call as a hook tells it, in the importer's terms and by the importer's code: what a
//! hook records and what its transcript says later are one execution.

use super::{Firing, HookAgent};
use crate::agents::import::{Call, CallResult, claude_code, closing, codex, turned_out};
use crate::event::{CallKey, Closing, ExecutionId, ExecutionStarted, Json};
use crate::grounding::gate;
use crate::journal::id;

/// A tool's call as a hook tells it.
pub struct ToolCall {
    call: Call,
    pub key: CallKey,
}

impl ToolCall {
    /// `None` where the input names no tool, or no call.
    pub fn of(firing: &Firing<'_>) -> Option<Self> {
        let input = firing.input;
        let (id, native) = (input.tool_use_id.to_text()?, input.tool_name.to_text()?);
        let call = match firing.agent {
            HookAgent::ClaudeCode => claude_code::hooked_call(id, native, input.arguments())?,
            HookAgent::Codex => {
                codex::hooked_call(firing.native_session, id, native, input.tool_input)
            }
        };
        let key = firing.key(call.scope.clone(), call.id.clone());
        Some(Self { call, key })
    }

    /// The contract's name of the tool.
    pub fn tool(&self) -> &str {
        &self.call.tool
    }

    pub fn arguments(&self) -> &str {
        &self.call.arguments
    }

    pub fn paths(&self) -> &[String] {
        &self.call.paths
    }

    pub fn native_tool(&self) -> &str {
        &self.call.native_tool
    }

    pub fn new_execution(&self, at_ms: u64) -> ExecutionId {
        id::imported_execution(at_ms, &self.key)
    }

    pub fn started(&self, firing: &Firing<'_>, execution: ExecutionId) -> ExecutionStarted {
        let call = &self.call;
        ExecutionStarted {
            execution,
            tool: call.tool.clone(),
            native_tool: Some(call.native_tool.clone()).filter(|native| *native != call.tool),
            call: Some(self.key.clone()),
            actor: firing.actor(),
            parent: None,
            arguments: Json(call.arguments.clone()),
            paths: call.paths.clone(),
            symbols: Vec::new(),
            cwd: call.cwd.clone().or_else(|| firing.input.cwd.to_text()),
            branch: None,
        }
    }

    /// How it ended, as far as the hook's input tells; `None` where it does not: Codex tells what
    /// a command printed, and not whether it failed, which only a check's output says.
    pub fn result(&self, firing: &Firing<'_>, failed: bool) -> Option<CallResult> {
        let input = firing.input;
        let (id, response) = (self.call.id.clone(), input.tool_response);
        match firing.agent {
            HookAgent::ClaudeCode => {
                let error = failed.then(|| input.error.as_deref().unwrap_or_default());
                let mut result =
                    claude_code::hooked_result(id, response, error, input.is_interrupt.0)?;
                result.duration_ms = input.duration_ms.to_ms(1.0).or(result.duration_ms);
                Some(result)
            }
            HookAgent::Codex => {
                let native = &self.call.native_tool;
                codex::hooked_result(firing.native_session, id, native, response)
                    .or_else(|| self.by_print(firing))
            }
        }
    }

    /// How a check ended, by what it printed: where no rollout will tell, nothing else does.
    fn by_print(&self, firing: &Firing<'_>) -> Option<CallResult> {
        if crate::agents::hook::path(firing).is_some() {
            return None;
        }
        let printed = codex::hooked_print(firing.input.tool_response?);
        let policy = &firing.project.config().policy;
        let outcome = gate::ended(policy, self.tool(), self.arguments(), &printed)?;
        let id = self.call.id.clone();
        Some(codex::printed_result(firing.native_session, id, outcome, printed))
    }

    /// The tool that it turned out to be, and how it ended. `began_ms` is when it was called.
    pub fn closing(
        &self,
        result: CallResult,
        began_ms: Option<u64>,
        at_ms: u64,
    ) -> (String, Closing) {
        let tool = turned_out(self.call.tool.clone(), &result);
        let between_ms = began_ms.and_then(|began| at_ms.checked_sub(began));
        (tool, closing(result, self.call.changes.clone(), between_ms))
    }
}
