//! What a hook answers on its standard output.

use serde::Serialize;

/// What a hook answers: the fields that both agents know, absent where there is nothing to say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookOutput {
    /// `block`: the agent goes on instead of stopping.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<&'static str>,
    /// Of the decision; both agents want one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Shown to the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook_specific_output: Option<SpecificOutput>,
}

/// What only some hooks may answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SpecificOutput {
    pub hook_event_name: String,
    /// `deny`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_decision_reason: Option<String>,
    /// Given to the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_context: Option<String>,
}

impl HookOutput {
    pub fn specific(&mut self, name: &str, deny: Option<String>, context: Option<String>) {
        self.hook_specific_output = Some(SpecificOutput {
            hook_event_name: name.to_owned(),
            permission_decision: deny.is_some().then_some("deny"),
            permission_decision_reason: deny,
            additional_context: context,
        });
    }
}
