//! Failures of other debug sessions that look like those asked about.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::params_from_iter;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

pub use super::likeness::{Likeness, SCORE_MAX};
use super::{DebugRecord, DebugSession, DebugView, Result, cause_of, tried_against};
use crate::event::{
    Analysis, DebugDocument, DebugExecution, DebugSessionId, DebugStatus, ErrorType, Fix,
    TestFailure, Verification, normalised_message, wire,
};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimilarAsked {
    pub error_type: Option<ErrorType>,
    pub error_message: Option<String>,
    pub test_name: Option<String>,
    pub file: Option<String>,
    pub function: Option<String>,
}

impl From<&TestFailure> for SimilarAsked {
    fn from(failure: &TestFailure) -> Self {
        let at = failure.source_location.clone().unwrap_or_default();
        Self {
            error_type: Some(failure.error_type),
            error_message: Some(failure.error_message.clone()),
            test_name: Some(failure.test_name.clone()),
            file: at.file,
            function: at.function,
        }
    }
}

impl SimilarAsked {
    pub fn last_of(document: &DebugDocument) -> Vec<Self> {
        let told = document.executions.iter().rev().find_map(|it| it.failures.as_ref());
        told.into_iter().flatten().map(Self::from).collect()
    }

    /// The message as it is compared; `None` where it says nothing.
    pub(super) fn message(&self) -> Option<String> {
        let message = normalised_message(self.error_message.as_deref()?);
        (!message.is_empty()).then_some(message)
    }
}

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
/// Sessions that are looked at, those begun last of each that have the same message, test, file.
const CANDIDATES_MAX: usize = 384;
/// And of each question at least so many.
const CANDIDATES_MIN: usize = 8;
/// Failures of one session that are looked at.
const FAILURES_MAX: usize = 1_000;

/// The most alike of a session's failures.
#[derive(Clone, Copy, Debug)]
struct Best {
    likeness: Likeness,
    asked: usize,
    attempt: u32,
    place: usize,
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
    ) -> Result<Vec<Similar>> {
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
    ) -> Result<BTreeSet<u64>> {
        let mut keys: BTreeMap<(&'static str, String), Vec<String>> = BTreeMap::new();
        let mut add = |condition: &'static str, given: [Option<&str>; 2]| {
            let given: Vec<&str> = given.into_iter().flatten().collect();
            let values = given.iter().map(|value| (*value).to_owned()).collect();
            keys.insert((condition, given.join("\0")), values);
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
        for ((condition, _), values) in keys {
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
        messages: &[Option<String>],
    ) -> Result<Option<Best>> {
        let sql = "SELECT attempt, place, error_type, message, test_name, file, function \
                   FROM debug_failures WHERE session = ?1 ORDER BY attempt, place LIMIT ?2";
        let rows = self.index.rows(sql, (session, FAILURES_MAX), |row| {
            let (attempt, place) = (row.get(0)?, row.get(1)?);
            let (error_type, message, test_name): (String, String, String) =
                (row.get(2)?, row.get(3)?, row.get(4)?);
            let (file, function): (Option<String>, Option<String>) = (row.get(5)?, row.get(6)?);
            let likeness = |(asked, said): (&SimilarAsked, &Option<String>)| {
                let is_in_file = file.is_some() && file == asked.file;
                Likeness {
                    error_type: asked.error_type.is_some_and(|it| it.as_str() == error_type),
                    message: said.as_ref() == Some(&message),
                    file: is_in_file,
                    function: is_in_file && function.is_some() && function == asked.function,
                    test: asked.test_name.as_ref() == Some(&test_name),
                }
            };
            let all = asked.iter().zip(messages).map(likeness).enumerate();
            let all = all.map(|(asked, likeness)| Best { likeness, asked, attempt, place });
            Ok(all.collect::<Vec<_>>())
        })?;
        let mut best: Option<Best> = None;
        for one in rows.into_iter().flatten() {
            // The same kind of error alone is no likeness.
            let is_alike = one.likeness.message || one.likeness.file || one.likeness.test;
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
    let tried = tried_against(document, &record.beside, &cause_of(failure).key());
    let own = tried.last().filter(|it| it.helped && it.of.attempt >= attempt).map(|it| it.of);
    let executions = &document.executions;
    let after = || executions.iter().filter(|execution| execution.attempt >= attempt);
    let helped = after().find(|execution| {
        let fix = execution.fix_applied.as_ref();
        fix.is_some_and(|fix| fix.verification == Some(Verification::Passed))
    });
    let is_passed = document.status == Some(DebugStatus::Passed);
    let has_not_failed = |it: &&DebugExecution| {
        let fix = it.fix_applied.as_ref();
        fix.is_some_and(|fix| fix.verification != Some(Verification::Failed))
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
