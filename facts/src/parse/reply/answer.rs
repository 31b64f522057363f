//! The JSON objects of a reply: its answer, in a fence or not, with text around or not; and one step of the
//! download phase (spec 003, "Iterative Mode").

use serde::de::IgnoredAny;
use serde_json::Value;

use super::field::Field;
use super::limits::{OBJECTS_TRIED_MAX, REPLY_BYTES_MAX};
use super::{ReplyError, Result};
use crate::event::Json;

pub fn answer(text: &str, wants: &'static str, is_it: impl Fn(&Value) -> bool) -> Result<Value> {
    if text.len() > REPLY_BYTES_MAX {
        let (what, bytes) = ("reply", text.len());
        return Err(ReplyError::TooLarge { what, bytes, bytes_max: REPLY_BYTES_MAX });
    }
    let malformed = |why: String| ReplyError::MalformedAnswer { wants, why };
    let mut fault = None;
    for (open, end) in objects(text) {
        match parse(&text[open..end]) {
            Ok(value) if is_it(&value) => return Ok(value),
            Ok(_) => {}
            Err(why) => fault = fault.or(Some(why)),
        }
    }
    if let Some(why) = fault {
        return Err(malformed(why));
    }
    // Something in braces that is no JSON: say why, so that it can be mended.
    let Some(open) = text.find('{') else { return Err(ReplyError::MissingAnswer { wants }) };
    match end_of(text, open) {
        None => Err(malformed("its braces or quotes are not closed".to_owned())),
        Some(end) => match parse(&text[open..end]) {
            Err(why) => Err(malformed(why)),
            Ok(_) => Err(ReplyError::MissingAnswer { wants }),
        },
    }
}

fn parse(text: &str) -> std::result::Result<Value, String> {
    let canonical = Json::canonical("reply", text).map_err(|why| why.to_string())?;
    serde_json::from_str(&canonical.0).map_err(|why| why.to_string())
}

/// Where the object that begins at this `{` ends: behind its `}`. Braces in strings do not count.
///
/// `None` where it does not end. What lies between need not be JSON.
pub fn end_of(text: &str, open: usize) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' => depth += 1,
            b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The outermost objects of a text, each from its `{` to behind its `}`, as far as they are looked
/// for. What is in braces and no JSON at all is left out, what lies in it is looked at.
pub fn objects(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let (mut from, mut tried) = (0, 0);
    std::iter::from_fn(move || {
        while tried < OBJECTS_TRIED_MAX {
            tried += 1;
            let open = from + text[from..].find('{')?;
            match end_of(text, open) {
                Some(end) if is_json(&text[open..end]) => {
                    from = end;
                    return Some((open, end));
                }
                _ => from = open + 1,
            }
        }
        None
    })
}

/// Whether a text is JSON by its letters; nothing is built of it, however deep it is.
pub fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phase1Step {
    /// Empty only where it is done.
    pub command: String,
    pub done: bool,
    pub notes: String,
}

const WANTS: &str = "`command` and `done`";

/// Reads `{"command", "done", "notes"}` from a reply without its `<memory_update>`.
pub fn parse_phase1_iterative_response(rest: &str) -> Result<Phase1Step> {
    let is_step = |value: &Value| value.get("command").is_some() || value.get("done").is_some();
    let value = answer(rest, WANTS, is_step)?;
    let field = |name: &str| value.get(name).filter(|value| !value.is_null());
    let text = |name: &str| match field(name) {
        None => Ok(String::new()),
        Some(value) => Field::new(name, value).text(),
    };
    let done = match field("done") {
        None => false,
        Some(Value::Bool(done)) => *done,
        Some(value) => return Err(Field::new("done", value).wrong("true or false")),
    };
    let command = text("command")?.trim().to_owned();
    if command.is_empty() && !done {
        let (at, wants) = ("command".to_owned(), "a shell command, unless `done` is true");
        return Err(ReplyError::MissingField { at, wants });
    }
    Ok(Phase1Step { command, done, notes: text("notes")? })
}
