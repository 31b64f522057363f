//! What the rows do not tell of an execution: what the clock read where the time on record is another, and
//! where its texts could not be searched for secrets as they should.

use std::path::Path;

use crate::event::Sequence;
use crate::execution::query::ExecutionDetail;
use crate::execution::replay::{Walk, Window};
use crate::journal::Reading;
use crate::redact::{UNFINISHED, WHOLE_TEXT};

/// What the clock read where an execution began and ended, where that was not believed.
#[derive(Default)]
pub struct Readings {
    pub began_ms: Option<u64>,
    pub ended_ms: Option<u64>,
    /// How its texts were searched for secrets, where that did not end as it should.
    pub searched: Vec<&'static str>,
}

const SEARCHED: [(&str, &str); 2] = [
    (
        WHOLE_TEXT,
        "a text would have cost your own patterns too much to search, and was taken out whole",
    ),
    (
        UNFINISHED,
        "a text was not searched to its end by patterns that came with the project, since that would have \
         cost too much; annals trust makes them yours",
    ),
];

impl Readings {
    /// Of an execution of this journal.
    pub fn of(journal: &Path, reading: Reading, found: &ExecutionDetail) -> Self {
        // Without the journal the rows still tell when it was recorded.
        let walk = Walk::events(journal, reading, Window::default()).ok();
        let read = |at: u64| {
            let recorded = walk.as_ref()?.get(Sequence(at)).ok()??; // as above
            Some(recorded.event.envelope)
        };
        // Of one that is open its start is the newest event.
        let ended = found.summary.outcome.map(|_| found.summary.sequence);
        let (began, ended) = (found.started_sequence.and_then(read), ended.and_then(read));
        let redactions = [&began, &ended].into_iter().flatten().flat_map(|it| &it.redactions);
        let rules: Vec<_> = redactions.map(|it| it.rule.as_str()).collect();
        let searched = SEARCHED.iter().filter(|(rule, _)| rules.contains(rule));
        Self {
            searched: searched.map(|(_, said)| *said).collect(),
            began_ms: began.and_then(|it| it.raw_at_ms),
            ended_ms: ended.and_then(|it| it.raw_at_ms),
        }
    }
}
