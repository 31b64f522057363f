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
    /// Where its timeout stands, and how many seconds it is.
    pub timeout: Option<(Range<usize>, u64)>,
}

impl Standing {
    /// Whether it asks for more time than its agent ever gives: Codex warns of that at every start.
    pub fn waits_too_long(&self) -> bool {
        let own_s = u64::from(self.line.agent.timeout_s(&self.event));
        own_s < u64::from(self.line.agent.timeout_s(""))
            && self.timeout_s().is_some_and(|s| s > own_s)
    }

    fn timeout_s(&self) -> Option<u64> {
        self.timeout.as_ref().map(|(_, seconds)| *seconds)
    }
}

/// Our hooks in a settings text, in its order.
pub fn standing(text: &str, agent: Agent) -> Result<Vec<Standing>, At> {
    let document = Document::parse(text)?;
    let mut found = Vec::new();
    let Some(hooks) = hooks(&document)? else { return Ok(found) };
    for member in hooks.members() {
        for group in member.value.items() {
            let Some(list) = group.get("hooks") else { continue };
            for hook in list.value.items() {
                let Some((command, line)) = our(hook, agent) else { continue };
                let place = hook.get("timeout").map(|timeout| timeout.value.place.clone());
                // What is no number of seconds is left as it is.
                let seconds = place.and_then(|it| Some((it.clone(), text.get(it)?.parse().ok()?)));
                let event = member.key.clone();
                found.push(Standing { event, line, command, timeout: seconds });
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

/// The line that one hook is, if it is ours.
pub(super) fn our(hook: &Value, agent: Agent) -> Option<(Range<usize>, HookLine)> {
    let command = &hook.get("command")?.value;
    Some((command.place.clone(), HookLine::parse(command.text()?, agent)?))
}
