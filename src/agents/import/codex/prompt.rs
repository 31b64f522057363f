//! What a user asked, as it was typed.

/// Beginnings of user messages that the agent writes itself.
const INJECTED: &[&str] = &[
    "# AGENTS.md instructions",
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<subagent_notification>",
    "<skill>",
];

/// Editors put what is open before what was typed, and this between.
const REQUEST: &str = "## My request for Codex:";

/// The prompt in the text of a `user_message` event.
pub fn typed(text: &str) -> Option<String> {
    let text = text.split_once(REQUEST).map_or(text, |(_, request)| request).trim();
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

/// The prompt in a message of the user's role, where no event says what was typed; `None` where the
/// agent put the text there itself.
pub fn asked(text: &str) -> Option<String> {
    let text = text.trim();
    let injected = INJECTED.iter().any(|beginning| text.starts_with(beginning)) || is_element(text);
    if injected { None } else { typed(text) }
}

/// Whether the whole text is one element of markup, as everything that is injected is.
fn is_element(text: &str) -> bool {
    let Some((name, _)) = text.strip_prefix('<').and_then(|rest| rest.split_once('>')) else {
        return false;
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "_- ".contains(c);
    !name.is_empty() && name.chars().all(plain) && text.ends_with(&format!("</{name}>"))
}
