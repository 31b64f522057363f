//! Which of our hooks stand in a settings file.

use std::ops::Range;

use super::document::{At, Document, Value};
use super::{Agent, HookLine, SettingsFault};

/// One of our hooks in a text.
#[derive(Clone, Debug)]
pub struct Standing {
    pub event: String,
    pub line: HookLine,
    /// Where its command stands, quotation marks included.
    pub command: Range<usize>,
}

/// Our hooks in a settings text, in its order.
///
/// # Errors
/// Where the text is not JSON, or its hooks have not the shape that agents read.
pub fn standing(text: &str, agent: Agent) -> Result<Vec<Standing>, At> {
    let document = Document::parse(text)?;
    let mut found = Vec::new();
    let Some(hooks) = hooks(&document)? else { return Ok(found) };
    for member in hooks.members() {
        for group in member.value.items() {
            for (command, line) in ours(group, agent) {
                let event = member.key.clone();
                found.push(Standing { event, line, command });
            }
        }
    }
    Ok(found)
}

/// The member `hooks` of a settings text, checked to have the shape that agents read.
pub(super) fn hooks<'d>(document: &'d Document<'_>) -> Result<Option<&'d Value>, At> {
    let Some(root) = &document.root else { return Ok(None) };
    object(root, "what is in the file")?;
    let Some(hooks) = root.get("hooks") else { return Ok(None) };
    object(&hooks.value, "\"hooks\"")?;
    for member in hooks.value.members() {
        let place = &member.value.place;
        if !document.text[place.clone()].starts_with('[') {
            let what = format!("{:?}", member.key);
            return Err((place.start, SettingsFault::Shape { what, wanted: "a list" }));
        }
    }
    Ok(Some(&hooks.value))
}

fn object(value: &Value, what: &str) -> Result<(), At> {
    let super::document::Shape::Object(members) = &value.shape else {
        let fault = SettingsFault::Shape { what: what.to_owned(), wanted: "an object" };
        return Err((value.place.start, fault));
    };
    for (at, member) in members.iter().enumerate() {
        if members[..at].iter().any(|other| other.key == member.key) {
            return Err((member.start, SettingsFault::Twice { key: member.key.clone() }));
        }
    }
    Ok(())
}

/// Our lines in one group of an event, and where their commands stand.
pub(super) fn ours(group: &Value, agent: Agent) -> Vec<(Range<usize>, HookLine)> {
    let Some(hooks) = group.get("hooks") else { return Vec::new() };
    hooks.value.items().iter().filter_map(|hook| our(hook, agent)).collect()
}

/// The line that one hook is, if it is ours.
pub(super) fn our(hook: &Value, agent: Agent) -> Option<(Range<usize>, HookLine)> {
    let command = &hook.get("command")?.value;
    Some((command.place.clone(), HookLine::parse(command.text()?, agent)?))
}
