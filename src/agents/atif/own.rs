//! What the format has no words for, as [`super::written`] tells it under `extra.annals`.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::agents::import::item::{Call, CallResult};
use crate::agents::import::loose::{Flag, List, Loose, Number, Text};
use crate::agents::import::told;
use crate::event::{ExecutionId, Outcome, tool};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Own<'a> {
    #[serde(borrow)]
    pub actor: Text<'a>,
    /// The execution that it works for.
    pub parent: Text<'a>,
    pub prompt_id: Text<'a>,
    pub message_id: Text<'a>,
    pub stop_reason: Text<'a>,
    pub cache_write_tokens: Number,
    calls: Loose<HashMap<String, Loose<End<'a>>>>,
}

/// How a call ended.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct End<'a> {
    #[serde(borrow)]
    outcome: Text<'a>,
    tool: Text<'a>,
    pub execution: Text<'a>,
    paths: Option<List<Text<'a>>>,
    cwd: Text<'a>,
    pub branch: Text<'a>,
    pub began: Text<'a>,
    pub ended: Text<'a>,
    exit_code: Option<&'a RawValue>,
    duration_ms: Number,
    error: Text<'a>,
    stderr_from: Number,
    changed: List<Loose<Changed<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Changed<'a> {
    #[serde(borrow)]
    path: Text<'a>,
    created: Flag,
}

/// What a trajectory says of its session.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct OfSession<'a> {
    #[serde(borrow)]
    pub annals: Loose<Session<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Session<'a> {
    #[serde(borrow)]
    pub session: Text<'a>,
    pub title: Text<'a>,
    pub cwd: Text<'a>,
    pub branch: Text<'a>,
}

impl Own<'_> {
    pub fn ends(&self) -> HashMap<&str, &End<'_>> {
        let ends = self.calls.0.iter().flatten();
        ends.filter_map(|(id, end)| Some((id.as_str(), end.0.as_ref()?))).collect()
    }
}

impl End<'_> {
    /// Adds to a call which execution it is, what its tool turned out to be, and where it ran.
    pub fn call(&self, call: &mut Call) {
        call.execution = self.execution.as_deref().and_then(ExecutionId::parse);
        if let Some(tool) = self.tool.to_text().filter(|it| tool::is_valid(it)) {
            call.tool = tool;
        }
        if let Some(paths) = &self.paths {
            call.paths = paths.0.iter().filter_map(Text::to_text).collect();
        }
        call.cwd = self.cwd.to_text().or(call.cwd.take());
    }

    /// How it ended; `None` where nobody knows.
    pub fn result(
        &self,
        id: String,
        scope: Option<String>,
        printed: Option<String>,
    ) -> Option<CallResult> {
        let outcome = Outcome::parse(self.outcome.as_deref()?)?;
        let mut result = CallResult::of(id, scope, outcome);
        // What is no number is none that anybody told.
        result.exit_code = self.exit_code.and_then(|raw| raw.get().parse().ok());
        result.duration_ms = self.duration_ms.to_count();
        result.error = self.error.to_text();
        let changed = self.changed.0.iter().filter_map(|it| it.0.as_ref());
        result.changes = changed
            .filter_map(|it| Some(told::changed(it.path.as_deref()?, it.created.0)))
            .collect();
        let from = self.stderr_from.to_count().and_then(|at| usize::try_from(at).ok()); // beyond any text
        let is_only_error = result.error.is_some() && printed == result.error && from.is_none();
        if let Some(printed) =
            printed.filter(|it| !(is_only_error || it.is_empty() && from.is_none()))
        {
            let (stdout, stderr) = match from.filter(|at| printed.is_char_boundary(*at)) {
                Some(at) => {
                    (Some(&printed[..at]).filter(|it| !it.is_empty()), Some(&printed[at..]))
                }
                None => (Some(printed.as_str()), None),
            };
            let bytes = |text: &str| text.as_bytes().to_vec();
            (result.stdout, result.stderr) = (stdout.map(bytes), stderr.map(bytes));
        }
        Some(result)
    }
}
