//! Failures that have one cause: those of an attempt as one group, and those of other attempts and sessions.

use std::collections::BTreeMap;

use super::{CauseKey, Causes, DebugRecord, DebugView, Result};
use crate::event::{DebugDocument, TestFailure};

/// Failures of other sessions that are named for one cause.
const OTHERS_MAX: usize = 20;
/// And of the same attempt.
const OWN_MAX: usize = 50;
const NAME_CHARS_MAX: usize = 200;

/// Failures of one attempt that have the same cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureGroup {
    pub attempt: u32,
    pub count: u64,
    /// Each test once, in the order in which they were told.
    pub tests: Vec<String>,
}

/// The failures of each attempt by their cause, each group with the first of it.
pub fn groups(document: &DebugDocument) -> Vec<(FailureGroup, &TestFailure)> {
    let causes = Causes::of(document);
    let mut found = Vec::new();
    for (execution, failures) in causes.with(document) {
        let mut places: BTreeMap<CauseKey, usize> = BTreeMap::new();
        for (failure, key) in failures {
            let at = *places.entry(key).or_insert_with(|| {
                let (attempt, tests) = (execution.attempt, Vec::new());
                found.push((FailureGroup { attempt, count: 0, tests }, failure));
                found.len() - 1
            });
            let Some((group, _)) = found.get_mut(at) else { continue };
            group.count += 1;
            if !group.tests.contains(&failure.test_name) {
                group.tests.push(failure.test_name.clone());
            }
        }
    }
    found
}

impl DebugView<'_> {
    /// The other failures of the same causes as an attempt's: of each group the tests beside its first, then
    /// those of other sessions, the newest first. `None` where there is none.
    pub fn related(&self, record: &DebugRecord, attempt: u32) -> Result<Option<Vec<String>>> {
        let mut names: Vec<String> = Vec::new();
        let mut add = |name: String| {
            let name: String = name.chars().take(NAME_CHARS_MAX).collect();
            if !names.contains(&name) {
                names.push(name);
            }
        };
        let groups = groups(&record.document).into_iter().map(|(group, _)| group);
        for group in groups.filter(|it| it.attempt == attempt) {
            group.tests.into_iter().skip(1).take(OWN_MAX).for_each(&mut add);
        }
        let causes = Causes::of(&record.document);
        let all = causes.with(&record.document).filter(|(it, _)| it.attempt == attempt);
        let mut keys: Vec<CauseKey> = all.flat_map(|(_, it)| it.map(|(_, key)| key)).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            let sql = "SELECT f.test_name, s.file_path, s.id FROM debug_failures f \
                       JOIN debug_sessions s ON s.number = f.session \
                       WHERE f.cause = ?1 AND s.id <> ?2 ORDER BY f.session DESC LIMIT ?3";
            let own = record.session.id.to_string();
            let found = self.index.rows(sql, (key, own, OTHERS_MAX), |row| {
                let (test, file, id): (String, String, String) =
                    (row.get(0)?, row.get(1)?, row.get(2)?);
                Ok(format!("{test} ({file}, debug session {id})"))
            })?;
            found.into_iter().for_each(&mut add);
        }
        names.truncate(crate::debug::limits::LIST_LEN_MAX);
        Ok((!names.is_empty()).then_some(names))
    }
}
