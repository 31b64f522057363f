//! What a hook tells of a call, read as a transcript's record of it is.

use serde_json::value::RawValue;

use super::content::Block;
use super::read_record::{call, result};
use crate::agents::import::item::{Call, CallResult};
use crate::agents::import::loose::{Loose, Text, parsed};
use crate::event::Outcome;

/// A tool's answer where it is no message: what a model would be shown of it.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Answer<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    file: Loose<FileAnswer<'a>>,
    #[serde(borrow)]
    result: Text<'a>,
    /// A command's: there where it printed nothing, too.
    #[serde(borrow)]
    stdout: Text<'a>,
}

#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct FileAnswer<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

/// A call that a hook tells of. `arguments` is JSON of any shape.
pub fn hooked_call(id: String, native_tool: String, arguments: &str) -> Option<Call> {
    let input = parsed::<&RawValue>(arguments.as_bytes());
    let block = Block {
        id: Text(Some(id.into())),
        name: Text(Some(native_tool.into())),
        input,
        ..Block::default()
    };
    call(&block)
}

/// How a call ended that a hook tells of: `error` where it failed, else the tool's own account.
pub fn hooked_result(
    id: String,
    response: Option<&RawValue>,
    error: Option<&str>,
    interrupted: bool,
) -> Option<CallResult> {
    let error_json = error.map(serde_json::to_string).transpose().unwrap_or_default();
    let error_raw = error_json.as_deref().and_then(|json| parsed::<&RawValue>(json.as_bytes()));
    let is_object = |raw: &&RawValue| raw.get().starts_with('{');
    let account = response.filter(is_object);
    let answer = account.and_then(|raw| parsed::<Answer<'_>>(raw.get().as_bytes()));
    let answer = answer.unwrap_or_default();
    let result_json = answer.result.as_deref().map(serde_json::to_string).transpose();
    let result_json = result_json.unwrap_or_default();
    let result_raw = result_json.as_deref().and_then(|json| parsed::<&RawValue>(json.as_bytes()));
    let shown = answer.content.or(answer.file.0.and_then(|file| file.content)).or(result_raw);
    let block = Block {
        tool_use_id: Text(Some(id.into())),
        content: error_raw.or(shown).or(response.filter(|raw| !is_object(raw))),
        is_error: crate::agents::import::loose::Flag(error.is_some()),
        ..Block::default()
    };
    let is_command = answer.stdout.0.is_some();
    let mut result = result(&block, account)?;
    if interrupted && result.outcome == Outcome::Failed {
        result.error = Some("stopped by the user before it ended".to_owned());
    }
    let untold = result.outcome == Outcome::Ok && result.stdout.is_none() && !is_command;
    if let (true, Some(account)) = (untold && result.stderr.is_none(), account)
        && result.file.is_none()
    {
        result.stdout = Some(account.get().as_bytes().to_vec());
    }
    Some(result)
}

/// The prompt that a hook tells of, as the transcript will have it.
pub fn prompt(text: &str) -> Option<String> {
    super::prompt::prompt(text)
}
