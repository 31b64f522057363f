//! The three events that close an execution, seen as one.

use std::borrow::Cow;

use crate::event::{
    Body, Closing, ExecutionId, ExecutionInterrupted, ExecutionStarted, Outcome, Recorded,
};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Closed<'a> {
    pub execution: ExecutionId,
    pub tool: &'a str,
    pub outcome: Outcome,
    pub corrects: Option<ExecutionId>,
    /// Why it was interrupted or corrected.
    pub reason: Option<&'a str>,
    /// `None` where it was interrupted.
    pub closing: Option<&'a Closing>,
}

impl<'a> Closed<'a> {
    pub(crate) fn of(recorded: &'a Recorded) -> Option<Self> {
        Some(match &recorded.event.body {
            Body::ExecutionFinished(event) => Self {
                execution: event.execution,
                tool: &event.tool,
                outcome: event.closing.outcome,
                corrects: None,
                reason: None,
                closing: Some(&event.closing),
            },
            Body::ExecutionInterrupted(event) => Self {
                execution: event.execution,
                tool: &event.tool,
                outcome: Outcome::Interrupted,
                corrects: None,
                reason: Some(&event.reason),
                closing: None,
            },
            Body::ExecutionCorrected(event) => Self {
                execution: event.execution,
                tool: &event.tool,
                outcome: event.closing.outcome,
                corrects: Some(event.corrects),
                reason: Some(&event.reason),
                closing: Some(&event.closing),
            },
            _ => return None,
        })
    }

    /// The id of its row: a start that repeats a call under another id leads to the first one's.
    pub(crate) fn row_id(&self, start: Option<&ExecutionStarted>) -> ExecutionId {
        match (start, self.corrects) {
            (Some(start), None) => start.execution,
            _ => self.execution,
        }
    }

    /// The row's `error_message` (ruling 2): NULL only for a success that corrects nothing.
    pub(crate) fn error_message(&self) -> Option<String> {
        let ended = self.ended();
        match (self.corrects, ended) {
            (None, None) => None,
            (None, Some(ended)) => Some(plain(&ended).into_owned()),
            (Some(corrected), ended) => {
                let reason = self.reason.unwrap_or_default();
                let mut message = format!("corrects {corrected}: {}", plain(reason));
                if let Some(ended) = ended {
                    message.push_str("; ");
                    message.push_str(&plain(&ended));
                }
                Some(message)
            }
        }
    }

    /// How it ended, in words; `None` where all is well.
    fn ended(&self) -> Option<Cow<'a, str>> {
        let error = self.closing.and_then(|closing| closing.error.as_deref());
        match self.outcome {
            Outcome::Ok => None,
            Outcome::Failed => Some(match error.filter(|error| !error.is_empty()) {
                Some(error) => Cow::Borrowed(error),
                None => match self.closing.and_then(|closing| closing.exit_code) {
                    Some(code) => Cow::Owned(format!("failed with exit code {code}")),
                    None => Cow::Borrowed("failed"),
                },
            }),
            Outcome::Refused => Some(Cow::Owned(format!("refused: {}", error.unwrap_or("no")))),
            Outcome::Interrupted => {
                let reason = error.or(self.reason).unwrap_or("no result was seen");
                // Only an order says so.
                let is_told = error.is_some_and(ExecutionInterrupted::is_redacted);
                let told = if is_told { "told that " } else { "" };
                Some(Cow::Owned(format!("{INTERRUPTED}{told}{reason}")))
            }
        }
    }
}

const INTERRUPTED: &str = "interrupted: ";

/// Whether a row's `error_message` says that how the call ended is redacted.
pub(crate) fn is_redacted(error: Option<&str>) -> bool {
    let reason = error.and_then(|it| it.strip_prefix(INTERRUPTED));
    reason.is_some_and(ExecutionInterrupted::is_redacted)
}

pub(crate) fn started_of(recorded: Option<&Recorded>) -> Option<&ExecutionStarted> {
    match &recorded?.event.body {
        Body::ExecutionStarted(start) => Some(start),
        _ => None,
    }
}

/// Text without NUL, at which SQLite's own text functions stop.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if text.contains('\0') {
        Cow::Owned(text.replace('\0', "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A time or a duration as SQLite holds it: what is beyond 64 signed bits stays at their end.
pub(crate) fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
