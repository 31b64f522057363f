//! Looks for failures that are like those asked about.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    DebugRecord, DebugResolution, DebugSession, DebugView, Likeness, Similar, SimilarAsked,
    helping_fix,
};
use crate::event::{DebugDocument, DebugSessionId, DebugStatus, TestFailure, Verification};
use crate::execution::query::{QueryError, number, text};
use crate::store::Ask;

/// Of more failures that are asked about the first count.
const ASKED_MAX: usize = 16;
/// Sessions that are looked at, those begun last of each that have the same message, test, file.
const CANDIDATES_MAX: usize = 384;
/// And of each question at least so many.
const CANDIDATES_MIN: usize = 8;
/// Failures of one session that are looked at.
const FAILURES_MAX: usize = 1_000;

/// Which question of SQL finds candidates.
struct Key {
    condition: &'static str,
    values: Vec<Ask>,
}

/// The most alike of a session's failures.
#[derive(Clone, Copy, Debug)]
struct Best {
    likeness: Likeness,
    asked: usize,
    attempt: u32,
    place: usize,
}

/// A failure as the index has it.
struct Row {
    attempt: u32,
    place: usize,
    error_type: String,
    message: String,
    test_name: String,
    file: Option<String>,
    function: Option<String>,
}

impl DebugView<'_> {
    /// Sessions with a failure that has the same message, test or source file as one of those asked
    /// about, each with its most alike: by score, then those changed last, then by id. Of sessions that
    /// have as much in common those begun last are looked at, some hundreds.
    pub fn similar(
        &self,
        asked: &[SimilarAsked],
        exclude: Option<DebugSessionId>,
        limit: usize,
    ) -> Result<Vec<Similar>, QueryError> {
        let asked = &asked[..asked.len().min(ASKED_MAX)];
        let messages: Vec<Option<String>> = asked.iter().map(SimilarAsked::message).collect();
        let mut ranked = Vec::new();
        for candidate in self.candidates(asked, &messages)? {
            let Some(session) = self.numbered(candidate)? else { continue };
            if Some(session.id) == exclude {
                continue;
            }
            if let Some(best) = self.best(candidate, asked, &messages)? {
                ranked.push((session, best));
            }
        }
        ranked.sort_by(|(one, one_best), (other, other_best)| {
            let by_score = other_best.likeness.score().cmp(&one_best.likeness.score());
            by_score.then(other.updated_ms.cmp(&one.updated_ms)).then(one.id.cmp(&other.id))
        });
        let mut found = Vec::new();
        for (session, best) in ranked.into_iter().take(limit) {
            found.extend(self.told(session, best)?);
        }
        Ok(found)
    }

    fn candidates(
        &self,
        asked: &[SimilarAsked],
        messages: &[Option<String>],
    ) -> Result<BTreeSet<u64>, QueryError> {
        let mut keys: BTreeMap<(&'static str, String), Key> = BTreeMap::new();
        let mut add = |condition: &'static str, given: [Option<&str>; 2]| {
            let given: Vec<&str> = given.into_iter().flatten().collect();
            let values = given.iter().map(|value| text(value)).collect();
            keys.insert((condition, given.join("\0")), Key { condition, values });
        };
        for (asked, message) in asked.iter().zip(messages) {
            let (message, file) = (message.as_deref(), asked.file.as_deref());
            if let (Some(message), Some(file)) = (message, file) {
                add("message = ?1 AND file = ?2", [Some(message), Some(file)]);
            }
            if message.is_some() {
                add("message = ?1", [message, None]);
            }
            if let Some(test) = asked.test_name.as_deref() {
                add("test_name = ?1", [Some(test), None]);
            }
            if file.is_some() {
                add("file = ?1", [file, None]);
            }
        }
        let share = (CANDIDATES_MAX / keys.len().max(1)).max(CANDIDATES_MIN);
        let mut found = BTreeSet::new();
        for key in keys.into_values() {
            let sql = format!(
                "SELECT DISTINCT session FROM debug_failures WHERE {} \
                 ORDER BY session DESC LIMIT {share}",
                key.condition
            );
            found.extend(self.index.answer(&sql, &key.values, |row| row.get::<_, u64>(0))?);
        }
        Ok(found)
    }

    fn best(
        &self,
        session: u64,
        asked: &[SimilarAsked],
        messages: &[Option<String>],
    ) -> Result<Option<Best>, QueryError> {
        let sql = "SELECT attempt, place, error_type, message, test_name, file, function \
                   FROM debug_failures WHERE session = ?1 ORDER BY attempt, place LIMIT ?2";
        let values = [number(session), number(FAILURES_MAX as u64)];
        let rows = self.index.answer(sql, &values, |row| {
            Ok(Row {
                attempt: row.get(0)?,
                place: row.get(1)?,
                error_type: row.get(2)?,
                message: row.get(3)?,
                test_name: row.get(4)?,
                file: row.get(5)?,
                function: row.get(6)?,
            })
        })?;
        let mut best: Option<Best> = None;
        for row in &rows {
            for (number, (asked, message)) in asked.iter().zip(messages).enumerate() {
                let likeness = row.likeness(asked, message.as_deref());
                let is_better = best.is_none_or(|best| likeness.score() > best.likeness.score());
                // The same kind of error alone is no likeness.
                let is_alike = likeness.message || likeness.file || likeness.test;
                if is_alike && is_better {
                    let (attempt, place) = (row.attempt, row.place);
                    best = Some(Best { likeness, asked: number, attempt, place });
                }
            }
        }
        Ok(best)
    }

    fn told(&self, session: DebugSession, best: Best) -> Result<Option<Similar>, QueryError> {
        let Some(record) = self.record(session.id)? else { return Ok(None) };
        let Some(failure) = failure(&record.document, best) else { return Ok(None) };
        Ok(Some(Similar {
            resolution: resolution(&record, best.attempt),
            session,
            asked: best.asked,
            attempt: best.attempt,
            failure,
            likeness: best.likeness,
        }))
    }
}

impl Row {
    fn likeness(&self, asked: &SimilarAsked, message: Option<&str>) -> Likeness {
        let file = self.file.is_some() && self.file == asked.file;
        Likeness {
            error_type: asked.error_type.is_some_and(|it| it.as_str() == self.error_type),
            message: message == Some(self.message.as_str()),
            file,
            function: file && self.function.is_some() && self.function == asked.function,
            test: asked.test_name.as_deref() == Some(self.test_name.as_str()),
        }
    }
}

fn failure(document: &DebugDocument, best: Best) -> Option<TestFailure> {
    let mut executions = document.executions.iter();
    let execution = executions.find(|execution| execution.attempt == best.attempt)?;
    execution.failures.as_ref()?.get(best.place).cloned()
}

/// What helped against a failure that was last seen in this attempt.
fn resolution(record: &DebugRecord, attempt: u32) -> Option<DebugResolution> {
    let document = &record.document;
    let own = helping_fix(document, &record.beside, attempt);
    let executions = &document.executions;
    let after = || executions.iter().filter(|execution| execution.attempt >= attempt);
    let helped = after().find(|execution| {
        let fix = execution.fix_applied.as_ref();
        fix.is_some_and(|fix| fix.verification == Some(Verification::Passed))
    });
    let is_passed = document.status == Some(DebugStatus::Passed);
    let last = || executions.iter().rev().find(|execution| execution.fix_applied.is_some());
    let fixed = own.or(helped).or_else(|| is_passed.then(last).flatten());
    if fixed.is_none() && !is_passed {
        return None;
    }
    let through = fixed.map_or(u32::MAX, |execution| execution.attempt);
    let mut before = executions.iter().rev().filter(|execution| execution.attempt <= through);
    let analysis = before.find_map(|execution| execution.analysis.clone());
    let fix = fixed.and_then(|execution| execution.fix_applied.clone());
    (fix.is_some() || analysis.is_some()).then_some(DebugResolution { fix, analysis })
}
