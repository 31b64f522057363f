//! Where the work stands: what fails, and what was called last, each with the working tree that it ran in where that
//! is another than the one that is asked for.

use jiff::Timestamp;

use super::text::line;
use crate::event::Ordered;
use crate::execution::query::{QueryError, Stores, Trees};
use crate::grounding::timeline::{FailureRecord, RunPlace, TimelinePosition, TimelineScope};

impl Stores {
    /// Checks that fail, those of the tree first; what ran in none of them is left out.
    pub(super) fn pending_told(
        &self,
        scope: TimelineScope,
        trees: &Trees,
    ) -> Result<Vec<String>, QueryError> {
        let pending = self.pending_checks(scope)?;
        let of_tree = |((command, cwd), it): &(RunPlace, FailureRecord)| {
            let top = trees.of_run(command.as_deref(), cwd.as_deref())?;
            Some((top != trees.own(), format!("{}{}", failure(it), within(trees, top))))
        };
        let mut told: Vec<_> = pending.iter().filter_map(of_tree).collect();
        told.order_by_key(|it| it.0);
        Ok(told.into_iter().map(|it| it.1).collect())
    }

    pub(super) fn position_told(
        &self,
        scope: TimelineScope,
        trees: &Trees,
    ) -> Result<Option<String>, QueryError> {
        let position = self.get_timeline_position(scope)?;
        let last = position.last_execution.as_ref().map(|it| it.id.to_string());
        let sql = "SELECT command, cwd FROM executions WHERE id = ?1";
        let place: Vec<RunPlace> = last.map_or(Ok(Vec::new()), |it| self.index.all(sql, [it]))?;
        let (command, cwd) = place.into_iter().next().unwrap_or_default();
        let top = trees.of_run(command.as_deref(), cwd.as_deref());
        let place = top.map_or_else(String::new, |it| within(trees, it));
        Ok(position_told(&position).map(|it| it + &place))
    }
}

fn failure(it: &FailureRecord) -> String {
    line(&it.told().replace("\n      → ", " → "))
}

/// Of what happened in another working tree than the one that is asked for, in which.
fn within(trees: &Trees, top: &str) -> String {
    if top == trees.own() { String::new() } else { format!(" (in {})", line(&trees.told(top))) }
}

/// Nothing where nothing has happened yet. Times are of the clock, never ages: those change.
fn position_told(it: &TimelinePosition) -> Option<String> {
    let last = it.last_execution.as_ref()?;
    let mut told = format!(
        "Step {}, {} executions; the last one: {} {}",
        it.current_step,
        it.total_executions,
        last.subject(),
        last.status()
    );
    for (what, ordinal) in [("success", it.last_success), ("failure", it.last_failure)] {
        if let Some(ordinal) = ordinal {
            told.push_str(&format!("; last {what} #{ordinal}"));
        }
    }
    // A time that no calendar has is not told.
    let read = it.last_query_ms.and_then(|at_ms| i64::try_from(at_ms).ok());
    // One that no calendar has is not told.
    if let Some(at) = read.and_then(|at_ms| Timestamp::from_millisecond(at_ms).ok()) {
        told.push_str(&format!("; timeline last read {at:.3}"));
    }
    Some(line(&told))
}
