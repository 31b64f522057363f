//! What an item of the model's history says.

use serde_json::value::RawValue;

use super::call::{call, full_name, object, wrapped};
use super::content::{self, Said, not_kept, said};
use super::payload::Payload;
use super::result;
use crate::agents::import::item::{Call, CallResult};
use crate::event::Outcome;

/// What an item says.
#[derive(Debug)]
pub enum Told {
    Call(Box<Call>),
    Output {
        id: String,
        said: Said,
    },
    /// A call that the model's own side ran: it comes with its result.
    Closed(Box<(Call, CallResult)>),
    /// Something in the user's role.
    User(String),
    /// The agent's own words or thoughts.
    Agent,
    Nothing,
}

/// What an item says. `unnamed` names a call that bears no id.
pub fn item(payload: &Payload<'_>, session: Option<&str>, unnamed: &str) -> Told {
    let told = match payload.kind.as_deref() {
        Some("message") => match payload.role.as_deref() {
            Some("user") => payload.content.map(|raw| Told::User(content::typed(raw, "\n"))),
            Some("assistant") => Some(Told::Agent),
            _ => None,
        },
        Some("reasoning" | "agent_message") => Some(Told::Agent),
        Some("function_call") => made(payload, session, object(payload.arguments)),
        Some("custom_tool_call") => {
            let input = payload.input.as_deref().unwrap_or_default();
            made(payload, session, wrapped("input", input))
        }
        Some("local_shell_call") => {
            let id = payload.call_id.to_text().or_else(|| payload.id.to_text());
            let arguments = object(payload.action);
            id.map(|id| call(session, id, "local_shell".to_owned(), arguments))
                .map(|call| Told::Call(Box::new(call)))
        }
        Some("tool_search_call") => match payload.call_id.to_text() {
            Some(id) => {
                let arguments = object(payload.arguments);
                let call = call(session, id, "tool_search".to_owned(), arguments);
                Some(Told::Call(Box::new(call)))
            }
            None => closed(payload, session, "tool_search", object(payload.arguments), unnamed),
        },
        Some("web_search_call") => {
            closed(payload, session, "web_search", object(payload.action), unnamed)
        }
        Some("image_generation_call") => {
            let prompt = payload.revised_prompt.as_deref().unwrap_or_default();
            let arguments = wrapped("revised_prompt", prompt);
            closed(payload, session, "image_generation", arguments, unnamed)
        }
        Some("function_call_output" | "custom_tool_call_output" | "tool_search_output") => {
            payload.call_id.to_text().map(|id| Told::Output { id, said: answer(payload) })
        }
        _ => None,
    };
    told.unwrap_or(Told::Nothing)
}

fn made(payload: &Payload<'_>, session: Option<&str>, arguments: String) -> Option<Told> {
    let id = payload.call_id.to_text()?;
    Some(Told::Call(Box::new(call(session, id, full_name(payload)?, arguments))))
}

fn answer(payload: &Payload<'_>) -> Said {
    match (payload.output, payload.tools) {
        (Some(output), _) => said(output),
        (None, Some(tools)) => Said { text: tools.get().to_owned(), success: None },
        (None, None) => Said::default(),
    }
}

fn closed(
    payload: &Payload<'_>,
    session: Option<&str>,
    native_tool: &str,
    arguments: String,
    unnamed: &str,
) -> Option<Told> {
    let id = payload.id.to_text().unwrap_or_else(|| format!("{native_tool}:{unnamed}"));
    let call = call(session, id.clone(), native_tool.to_owned(), arguments);
    let mut ended = result::empty(session, id);
    if payload.status.as_deref() == Some("failed") {
        ended.outcome = Outcome::Failed;
        ended.error = Some(result::error(None, ""));
    }
    ended.stdout = payload.result.map(|raw: &RawValue| not_kept("image", raw).into_bytes());
    Some(Told::Closed(Box::new((call, ended))))
}
