//! Failures of other debug sessions that look like those asked about.

use std::collections::BTreeSet;

use rusqlite::params_from_iter;
use rusqlite::types::{ToSql, ToSqlOutput};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

pub use super::failure::SimilarAsked;
pub use super::likeness::{Likeness, SCORE_MAX};
use super::{
    CauseKey, Causes, DebugRecord, DebugSession, DebugView, Result, cause_of, is_taken_back,
    tried_against,
};
use crate::event::{
    Analysis, DebugDocument, DebugExecution, DebugSessionId, DebugStatus, Fix, Ordered,
    TestFailure, Verification, wire,
};

/// A failure of another debug session that looks like one that is asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Similar {
    pub session: DebugSession,
    /// Which of those asked about it is like: a place in what was given.
    pub asked: usize,
    pub attempt: u32,
    pub failure: TestFailure,
    pub likeness: Likeness,
    pub resolution: Option<DebugResolution>,
}

impl Serialize for Similar {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut it = to.serialize_struct("Similar", 10)?;
        it.serialize_field("session_id", &self.session.id)?;
        it.serialize_field("file_path", &self.session.file_path)?;
        it.serialize_field("status", &self.session.status)?;
        it.serialize_field("updated_at", &wire::utc_text(self.session.updated_ms))?;
        it.serialize_field("attempt", &self.attempt)?;
        it.serialize_field("score", &self.score())?;
        it.serialize_field("score_max", &SCORE_MAX)?;
        it.serialize_field("because", &self.likeness.reasons())?;
        it.serialize_field("failure", &self.failure)?;
        it.serialize_field("resolution", &self.resolution)?;
        it.end()
    }
}

impl Similar {
    pub fn score(&self) -> u32 {
        self.likeness.score()
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DebugResolution {
    /// The fix that passed, or the last one before the session did.
    pub fix: Option<Fix>,
    pub analysis: Option<Analysis>,
}

/// Of more failures that are asked about the first count.
const ASKED_MAX: usize = 16;
/// Sessions that are looked at, those begun last of each that have the same cause, test, file.
const CANDIDATES_MAX: usize = 384;
/// And of each question at least so many.
const CANDIDATES_MIN: usize = 8;
/// Failures of one session that are looked at.
const FAILURES_MAX: usize = 1_000;

/// What candidates are looked for by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Key(CauseKey),
    Text(String),
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Key(key) => key.to_sql(),
            Self::Text(text) => text.to_sql(),
        }
    }
}

/// The most alike of a session's failures.
#[derive(Clone, Copy, Debug)]
struct Best {
    likeness: Likeness,
    asked: usize,
    attempt: u32,
    place: usize,
}

impl DebugView<'_> {
    /// Sessions with a failure that has the same cause, test or source file as one of those asked
    /// about, each with its most alike: by score, then those changed last, then by id. Of sessions that
    /// have as much in common those begun last are looked at, some hundreds.
    pub fn similar(
        &self,
        asked: &[SimilarAsked],
        exclude: Option<DebugSessionId>,
        limit: usize,
    ) -> Result<Vec<Similar>> {
        let asked = &asked[..asked.len().min(ASKED_MAX)];
        let causes: Vec<Vec<CauseKey>> = asked.iter().map(SimilarAsked::keys).collect();
        let mut ranked = Vec::new();
        for candidate in self.candidates(asked, &causes)? {
            let Some(session) = self.numbered(candidate)? else { continue };
            if Some(session.id) == exclude {
                continue;
            }
            if let Some(best) = self.best(candidate, asked, &causes)? {
                ranked.push((session, best));
            }
        }
        ranked.order_by(|(one, one_best), (other, other_best)| {
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
        causes: &[Vec<CauseKey>],
    ) -> Result<BTreeSet<u64>> {
        let mut keys: BTreeSet<(&'static str, Vec<Value>)> = BTreeSet::new();
        for (asked, causes) in asked.iter().zip(causes) {
            let file = asked.file.clone().map(Value::Text);
            for cause in causes {
                let cause = Value::Key(*cause);
                keys.insert(("cause = ?1", vec![cause.clone()]));
                if let Some(file) = &file {
                    keys.insert(("cause = ?1 AND file = ?2", vec![cause, file.clone()]));
                }
            }
            if let Some(test) = asked.test_name.clone() {
                keys.insert(("test_name = ?1", vec![Value::Text(test)]));
            }
            if let Some(file) = file {
                keys.insert(("file = ?1", vec![file]));
            }
        }
        let share = (CANDIDATES_MAX / keys.len().max(1)).max(CANDIDATES_MIN);
        let mut found = BTreeSet::new();
        for (condition, values) in keys {
            let sql = format!(
                "SELECT DISTINCT session FROM debug_failures WHERE {condition} \
                 ORDER BY session DESC LIMIT {share}"
            );
            found.extend(self.index.column::<u64>(&sql, params_from_iter(values))?);
        }
        Ok(found)
    }

    fn best(
        &self,
        session: u64,
        asked: &[SimilarAsked],
        causes: &[Vec<CauseKey>],
    ) -> Result<Option<Best>> {
        let sql = "SELECT attempt, place, error_type, cause, test_name, file, function \
                   FROM debug_failures WHERE session = ?1 ORDER BY attempt, place LIMIT ?2";
        let rows = self.index.rows(sql, (session, FAILURES_MAX), |row| {
            let (attempt, place) = (row.get(0)?, row.get(1)?);
            let (error_type, cause, test_name): (String, CauseKey, String) =
                (row.get(2)?, row.get(3)?, row.get(4)?);
            let (file, function): (Option<String>, Option<String>) = (row.get(5)?, row.get(6)?);
            let likeness = |(asked, causes): (&SimilarAsked, &Vec<CauseKey>)| {
                let is_in_file = file.is_some() && file == asked.file;
                Likeness {
                    error_type: asked.error_type.is_some_and(|it| it.as_str() == error_type),
                    cause: causes.contains(&cause),
                    file: is_in_file,
                    function: is_in_file && function.is_some() && function == asked.function,
                    test: asked.test_name.as_ref() == Some(&test_name),
                }
            };
            let all = asked.iter().zip(causes).map(likeness).enumerate();
            let all = all.map(|(asked, likeness)| Best { likeness, asked, attempt, place });
            Ok(all.collect::<Vec<_>>())
        })?;
        let mut best: Option<Best> = None;
        for one in rows.into_iter().flatten() {
            // The same kind of error alone is no likeness.
            let is_alike = one.likeness.cause || one.likeness.file || one.likeness.test;
            if is_alike && best.is_none_or(|best| one.likeness.score() > best.likeness.score()) {
                best = Some(one);
            }
        }
        Ok(best)
    }

    fn told(&self, session: DebugSession, best: Best) -> Result<Option<Similar>> {
        let Some(record) = self.record(session.id)? else { return Ok(None) };
        let Some(failure) = failure(&record.document, best) else { return Ok(None) };
        Ok(Some(Similar {
            resolution: resolution(&record, best.attempt, &failure),
            session,
            asked: best.asked,
            attempt: best.attempt,
            failure,
            likeness: best.likeness,
        }))
    }
}

fn failure(document: &DebugDocument, best: Best) -> Option<TestFailure> {
    let mut executions = document.executions.iter();
    let execution = executions.find(|execution| execution.attempt == best.attempt)?;
    execution.failures.as_ref()?.get(best.place).cloned()
}

fn resolution(
    record: &DebugRecord,
    attempt: u32,
    failure: &TestFailure,
) -> Option<DebugResolution> {
    let document = &record.document;
    let tried =
        tried_against(document, &record.beside, &Causes::of(document), &cause_of(failure).key());
    let stands = |it: &DebugExecution| !is_taken_back(document, &record.beside, it.attempt);
    let own = tried.last().filter(|it| it.helped && it.of.attempt >= attempt).map(|it| it.of);
    let own = own.filter(|it| stands(it));
    let executions = &document.executions;
    let after = || executions.iter().filter(|execution| execution.attempt >= attempt);
    let helped = after().find(|execution| {
        let fix = execution.fix_applied.as_ref();
        fix.is_some_and(|fix| fix.verification == Some(Verification::Passed)) && stands(execution)
    });
    let is_passed = document.status == Some(DebugStatus::Passed);
    let has_not_failed = |it: &&DebugExecution| {
        let fix = it.fix_applied.as_ref();
        fix.is_some_and(|fix| fix.verification != Some(Verification::Failed)) && stands(it)
    };
    let last = || executions.iter().rev().find(has_not_failed);
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
