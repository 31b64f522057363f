//! The JSON object that is a reply's answer, in a fence or not, with text around or not.

use serde_json::Value;

use super::limits::REPLY_BYTES_MAX;
use super::{ReplyError, end_of, objects};
use crate::event::Json;

/// The first outermost object that is the answer.
pub fn answer(
    text: &str,
    wants: &'static str,
    is_it: impl Fn(&Value) -> bool,
) -> Result<Value, ReplyError> {
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

fn parse(text: &str) -> Result<Value, String> {
    let canonical = Json::canonical("reply", text).map_err(|why| why.to_string())?;
    serde_json::from_str(&canonical.0).map_err(|why| why.to_string())
}
