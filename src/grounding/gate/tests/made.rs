//! Events of a session, folded as they are made.

use crate::event::{
    Body, Closing, Envelope, Event, ExecutionFinished, ExecutionId, ExecutionStarted, Json,
    Outcome, ReadBy, Recorded, Sequence, SessionId, Source, TimelineQueried,
};
use crate::grounding::fold::{Grounding, GroundingRules};

pub const SESSION: SessionId = SessionId([5; 16]);
/// 2025-12-24.
pub const NOW_MS: u64 = 1_766_534_400_000;

/// A session's fold, and what tells it.
pub struct Made {
    pub grounding: Grounding,
    pub rules: GroundingRules,
    sequence: u64,
}

impl Made {
    pub fn new() -> Self {
        let rules = GroundingRules::default();
        Self { grounding: Grounding::new(SESSION), rules, sequence: 0 }
    }

    /// An event of the session, so long before [`NOW_MS`].
    pub fn at(self, ago_ms: u64, body: Body) -> Self {
        self.clamped(NOW_MS - ago_ms, None, body)
    }

    /// An event at the session's time, where the clock read another one.
    pub fn clamped(mut self, at_ms: u64, raw_ms: Option<u64>, body: Body) -> Self {
        self.sequence += 1;
        let envelope =
            Envelope { raw_at_ms: raw_ms, ..Envelope::new(Some(SESSION), Source::Live, at_ms) };
        let event = Event { envelope, body };
        let recorded = Recorded { sequence: Sequence(self.sequence), recorded_ms: at_ms, event };
        self.grounding.apply(&recorded, &self.rules);
        self
    }

    pub fn read(self, ago_ms: u64) -> Self {
        self.at(ago_ms, read())
    }

    /// A whole execution.
    pub fn ran(self, ago_ms: u64, tool: &str, arguments: &str, outcome: Outcome) -> Self {
        let execution = ExecutionId::v7(NOW_MS - ago_ms, &[self.sequence as u8; 10]);
        let (started, finished) = execution_of(execution, tool, arguments, outcome);
        self.at(ago_ms, started).at(ago_ms, finished)
    }
}

pub fn read() -> Body {
    let query = "memory_query(timeline_summary, last=10)".to_owned();
    Body::TimelineQueried(TimelineQueried {
        query,
        by: ReadBy::Asked,
        through_sequence: 0,
        returned: 0,
    })
}

pub fn execution_of(
    execution: ExecutionId,
    tool: &str,
    arguments: &str,
    outcome: Outcome,
) -> (Body, Body) {
    let started = ExecutionStarted {
        execution,
        tool: tool.to_owned(),
        native_tool: None,
        call: None,
        actor: None,
        parent: None,
        arguments: Json(arguments.to_owned()),
        paths: Vec::new(),
        symbols: Vec::new(),
        cwd: None,
        branch: None,
    };
    let closing = Closing {
        outcome,
        exit_code: None,
        duration_ms: None,
        error: (outcome == Outcome::Failed).then(|| "Type mismatch in src/foo.rs:42".to_owned()),
        stdout: None,
        stderr: None,
        diagnostics: None,
        paths: Vec::new(),
        symbols: Vec::new(),
        changed: Vec::new(),
    };
    let finished = ExecutionFinished { execution, tool: tool.to_owned(), closing };
    (Body::ExecutionStarted(started), Body::ExecutionFinished(finished))
}
