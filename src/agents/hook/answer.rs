//! What a hook has to say, before it takes an agent's shape.

use super::{HookName, HookOutput};

/// What a hook has to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookAnswer {
    /// The call shall not run, and why.
    pub deny: Option<String>,
    /// The agent shall not stop, and why.
    pub block: Option<String>,
    /// Given to the model.
    pub context: Option<String>,
    /// Shown to the user.
    pub messages: Vec<String>,
}

impl HookAnswer {
    pub fn context(text: String) -> Self {
        Self { context: Some(text), ..Self::default() }
    }

    /// The answer in the shape that both agents take from this hook. Codex refuses an answer with
    /// a field it does not know, and a decision it knows but does not carry out (`allow`, `ask`,
    /// `continue: false`, `suppressOutput`): none is ever given.
    pub fn output(self, hook: HookName, hook_event_name: &str) -> HookOutput {
        let Self { deny, block, context, messages } = self;
        let message = messages.join("\n");
        let mut output = HookOutput {
            system_message: Some(message).filter(|message| !message.is_empty()),
            ..HookOutput::default()
        };
        if let Some(reason) = block {
            output.decision = Some("block");
            output.reason = Some(reason);
        }
        let context = context.filter(|_| hook.takes_context());
        if deny.is_some() || context.is_some() {
            output.specific(hook_event_name, deny, context);
        }
        output
    }
}
