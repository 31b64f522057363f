//! A line of the input, as a request; and why one was not done.

use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

use super::Line;
use super::limits::{ID_BYTES_MAX, LINE_BYTES_MAX, NAME_BYTES_MAX};
use crate::cli::CliError;
use crate::fault::Class;
use crate::parse::json;

pub use crate::output::wire::PipeError;

/// A request: `{"id": …, "op": "…", "args": {…}, "session": "…"}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Any JSON scalar; given back as it was written.
    #[serde(default)]
    pub id: Option<Box<RawValue>>,
    pub op: String,
    /// A JSON object; none is an empty one.
    #[serde(default)]
    pub args: Option<Box<RawValue>>,
    /// The agent's name of the session it is for; else the pipe's.
    #[serde(default)]
    pub session: Option<String>,
}

/// The id alone, of a line that is no request.
#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    id: Option<Box<RawValue>>,
}

/// What is wrong with a line, and the id that it had nevertheless.
pub type Refused = (Option<Box<RawValue>>, PipeError);

impl Request {
    pub fn parse(line: &Line) -> Result<Self, Refused> {
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong(beginning) => {
                let text = format!("the line has more than {LINE_BYTES_MAX} bytes");
                return Err((first_id(beginning), PipeError::new("too_long", text)));
            }
        };
        let refused = |text: &str| (None, PipeError::new("request", text));
        if line.trim_ascii_start().first() != Some(&b'{') {
            return Err(refused(r#"not a request: a line is a JSON object with an "op""#));
        }
        let request: Self = json::read(line).map_err(|error| {
            let hint = r#"{"id":1,"op":"help"} lists what there is"#;
            let error = PipeError::new("request", format!("not a request: {error}"));
            // The id of what is JSON, but no request, still tells whose answer this is.
            let named = serde_json::from_slice::<Named>(line).ok().and_then(|named| named.id);
            (named.filter(|id| is_id(id)), error.with_hint(hint))
        })?;
        if request.id.as_deref().is_some_and(|id| !is_id(id)) {
            let text = format!("id: must be a scalar of at most {ID_BYTES_MAX} bytes");
            return Err(refused(&text));
        }
        if request.session.as_deref().is_some_and(|name| !is_name(name)) {
            let text = format!(
                "session: must have 1 to {NAME_BYTES_MAX} bytes, none of them a control character"
            );
            return Err((request.id, PipeError::new("request", text)));
        }
        Ok(request)
    }
}

fn is_name(name: &str) -> bool {
    (1..=NAME_BYTES_MAX).contains(&name.len()) && !name.chars().any(char::is_control)
}

/// The id that a request begins with.
fn first_id(beginning: &[u8]) -> Option<Box<RawValue>> {
    let behind = |text: &'_ [u8], token: &[u8]| -> Option<usize> {
        let blank = text.len() - text.trim_ascii_start().len();
        text[blank..].starts_with(token).then_some(blank + token.len())
    };
    let mut rest = beginning;
    for token in [&b"{"[..], b"\"id\"", b":"] {
        rest = &rest[behind(rest, token)?..];
    }
    let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<Box<RawValue>>();
    values.next()?.ok().filter(|id| is_id(id)) // no JSON, or cut: then it has none
}

/// Whether it can stand for a request: no list, no object, and short.
fn is_id(id: &RawValue) -> bool {
    let text = id.get();
    text.len() <= ID_BYTES_MAX && !text.starts_with(['[', '{'])
}

impl PipeError {
    pub fn argument(name: &str, what: impl std::fmt::Display) -> Self {
        Self::new("arguments", format!("{name}: {what}"))
    }

    /// Anything that a command of the command line fails with.
    pub fn of(error: impl Into<CliError>) -> Self {
        let error = error.into();
        if let Some(error) = error.below() {
            return Self::of_reply(error);
        }
        let kind = match error.sorted().0 {
            Class::Argument => "arguments",
            Class::Missing => "not_found",
            Class::Refused | Class::Interrupted => "refused",
            Class::Findings => "findings",
            Class::Damaged => "damaged",
            Class::Contradicted => "contradicted",
            Class::Locked => "locked",
            Class::Io => "io",
        };
        let (message, hint) = error.said();
        Self { kind, message, hint: hint.map(Cow::into_owned) }
    }
}

impl<E: Into<CliError>> From<E> for PipeError {
    fn from(error: E) -> Self {
        Self::of(error)
    }
}
