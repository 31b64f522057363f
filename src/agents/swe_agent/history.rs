//! The messages of a trajectory: what was asked and, where there are no steps, what was done.

use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Trajectory, step};
use crate::agents::import::item::Part;
use crate::agents::import::loose::{Flag, List, Loose, Text, parsed};
use crate::agents::import::told;
use crate::agents::import::whole::Member;

/// Calls that wait for what they print.
const WAITING_MAX: usize = 256;

#[derive(Debug, Default)]
pub struct History {
    answers: u64,
    /// The calls that wait: ours and the model's name of each.
    waiting: VecDeque<(String, Option<String>)>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Message<'a> {
    #[serde(borrow)]
    role: Text<'a>,
    content: Option<&'a RawValue>,
    action: Text<'a>,
    message_type: Text<'a>,
    is_demo: Flag,
    tool_calls: List<Loose<ToolCall<'a>>>,
    tool_call_ids: List<Text<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ToolCall<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    function: Loose<Function<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Function<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    arguments: Option<&'a RawValue>,
}

pub fn message(bytes: &[u8]) -> Option<Message<'_>> {
    parsed(bytes).filter(|_| bytes.first() == Some(&b'{'))
}

impl Message<'_> {
    pub fn is_answer(&self) -> bool {
        self.role.as_deref() == Some("assistant") && !self.is_shown()
    }

    /// A demonstration is nobody's work.
    fn is_shown(&self) -> bool {
        self.is_demo.0 || self.message_type.as_deref() == Some("demonstration")
    }

    pub fn asked(self) -> Option<String> {
        let is_asked = self.role.as_deref() == Some("user") && !self.is_shown();
        told::text_of(self.content).filter(|text| is_asked && !text.trim().is_empty())
    }
}

pub fn read(trajectory: &mut Trajectory, member: &Member<'_>) -> Option<Vec<Part>> {
    let message = message(member.bytes)?;
    if trajectory.has_steps || message.is_shown() {
        return Some(Vec::new());
    }
    let (session, history) = (&trajectory.session, &mut trajectory.history);
    let scope = Some(session.clone());
    let text = told::text_of(message.content);
    let mut parts: Vec<_> = told::textless(message.content).into_iter().collect();
    match message.role.as_deref() {
        Some("assistant") => {
            history.answers += 1;
            let name = format!("step {}", history.answers);
            let told = text.filter(|text| !text.is_empty());
            parts.extend(told.map(|text| step::said(session, &name, text)));
            let calls: Vec<_> =
                message.tool_calls.0.iter().filter_map(|it| it.0.as_ref()).collect();
            if calls.len() < message.tool_calls.0.len() {
                parts.push(Part::unread("a tool call that is no object"));
            }
            for (at, call) in calls.iter().enumerate() {
                let name = if at == 0 { name.clone() } else { format!("{name}.{}", at + 1) };
                history.wait(&name, call.id.to_text());
                let told = match (message.action.to_text(), calls.len()) {
                    (Some(action), 1) => step::call(name, scope.clone(), action.trim(), None),
                    _ => {
                        let function = call.function.0.as_ref();
                        let tool = function.and_then(|it| it.name.to_text());
                        let raw = function.and_then(|it| it.arguments);
                        let arguments = told::arguments(raw, "arguments");
                        told::call(name, scope.clone(), &tool.unwrap_or_default(), arguments)
                    }
                };
                parts.push(Part::Call(told));
            }
            if let (Some(action), true) = (message.action.to_text(), calls.is_empty()) {
                history.wait(&name, None);
                parts.push(Part::Call(step::call(name, scope, action.trim(), None)));
            }
        }
        Some("tool" | "user") if history.answers > 0 => {
            let ids = message.tool_call_ids.0.iter().filter_map(Text::to_text).map(Some);
            for id in ids.chain(message.tool_call_ids.0.is_empty().then_some(None)) {
                match history.answered(id.as_deref()) {
                    Some(name) => {
                        parts.push(Part::Result(step::ended(name, scope.clone(), text.clone())));
                    }
                    None if id.is_some() => parts.push(Part::unread("a result of no call")),
                    None => {}
                }
            }
        }
        _ => {}
    }
    Some(parts)
}

impl History {
    fn wait(&mut self, name: &str, id: Option<String>) {
        if self.waiting.len() < WAITING_MAX {
            self.waiting.push_back((name.to_owned(), id));
        }
    }

    /// The call that this is the result of: models use an id again.
    fn answered(&mut self, id: Option<&str>) -> Option<String> {
        let at = match id {
            Some(id) => self.waiting.iter().position(|(_, known)| known.as_deref() == Some(id))?,
            None => 0,
        };
        self.waiting.remove(at).map(|(name, _)| name)
    }
}
