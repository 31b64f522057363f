//! What ended a failure of the same cause before.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{ExecutionSummary, QueryError, Stores, Trials};
use crate::parse::check::cause::Cause;

/// Of a failure's causes, the first are asked after.
const CAUSES_MAX: usize = 4;
/// Failures of one cause that are looked at, the newest.
const FAILURES_MAX: i64 = 24;
/// Edits between a failure and what ended it.
const EDITS_MAX: i64 = 24;
/// Files of one change.
const FILES_MAX: i64 = 16;

/// A failure of the same cause that was ended by a change, and is the best to go by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Met {
    /// What both have in common: the tool, the code or the exception, the message.
    pub cause: String,
    /// The last execution that failed so.
    pub failed: ExecutionSummary,
    /// The first that would have shown it and did not.
    pub ended_by: ExecutionSummary,
    /// What was edited between the two in their sessions, the oldest first.
    pub edits: Vec<ExecutionSummary>,
    /// From the root, by name.
    pub files: Vec<String>,
    /// Where the last failed so: the file, or the test.
    pub place: Option<String>,
    /// How often a change of these files ended it, of all times it was tried.
    #[serde(flatten)]
    pub trials: Trials,
}

/// A path from the folder where it was named, where it lies below that.
pub fn below<'p>(path: &'p str, folder: Option<&str>) -> &'p str {
    let inside = folder.and_then(|it| path.strip_prefix(it.trim_end_matches('/')));
    inside.and_then(|it| it.strip_prefix('/')).unwrap_or(path)
}

/// What was tried by changing the same files: how often it helped, and when last.
#[derive(Default)]
struct Tried {
    trials: Trials,
    /// Of the newest that helped: the failure, what ended it, whether it was at one of the places asked for.
    ended: Option<(i64, i64, bool)>,
    /// The newest did not help.
    has_failed_last: bool,
    edits: Vec<i64>,
    place: Option<String>,
}

impl Stores {
    /// The change that is most likely to end failures of these causes again; `None` where none ended one, or
    /// what did was tried again since and did not help. `but`: files that were changed already without help.
    pub fn met(&self, causes: &[Cause], but: &[String]) -> Result<Option<Met>, QueryError> {
        for cause in causes.iter().take(CAUSES_MAX) {
            let sql = "SELECT number FROM causes WHERE key = ?1";
            let Some(number) = self.index.cell::<i64>(sql, [cause.key()])? else { continue };
            if let Some(met) = self.met_one(cause, number, but)? {
                return Ok(Some(met));
            }
        }
        Ok(None)
    }

    fn met_one(
        &self,
        cause: &Cause,
        number: i64,
        but: &[String],
    ) -> Result<Option<Met>, QueryError> {
        let coverages = self.coverages()?;
        let mut changes: BTreeMap<Vec<String>, Tried> = BTreeMap::new();
        let found: Vec<(i64, Option<String>)> = self.index.all(FAILURES, (number, FAILURES_MAX))?;
        for (failed, place) in found {
            let Some(next) = self.next_of_all(failed, &coverages)? else { continue };
            let edits: Vec<i64> = self.index.column(EDITS, (failed, next, EDITS_MAX))?;
            let files = self.files_of(failed, next)?;
            if files.is_empty() {
                continue; // nothing was changed: it is told by chance
            }
            let is_met_again = self.index.cell::<i64>(HAS, (next, number))?.is_some();
            let is_first = !changes.contains_key(&files);
            let tried = changes.entry(files).or_default();
            tried.trials.tried += 1;
            if is_met_again {
                tried.has_failed_last |= is_first;
                continue;
            }
            tried.trials.helped += 1;
            let is_here = place.is_some() && place == cause.place;
            if tried.ended.is_none_or(|(.., before)| is_here && !before) {
                tried.ended = Some((failed, next, is_here));
                tried.edits = edits;
                tried.place = place;
            }
        }
        let is_news = |files: &[String]| but.is_empty() || !files.iter().all(|it| but.contains(it));
        let mut best: Option<(Vec<String>, Tried)> = None;
        for (files, tried) in changes {
            let Some((failed, _, is_here)) = tried.ended.filter(|_| !tried.has_failed_last) else {
                continue;
            };
            let rank = |(failed, is_here, bound): (i64, bool, f64)| (is_here, bound, failed);
            let is_better = best.as_ref().and_then(|(_, it)| it.ended.map(|ended| (it, ended)));
            let is_better = is_better.is_none_or(|(it, (before, _, was_here))| {
                rank((failed, is_here, tried.trials.bound()))
                    > rank((before, was_here, it.trials.bound()))
            });
            if is_news(&files) && is_better {
                best = Some((files, tried));
            }
        }
        let Some((files, tried)) = best else { return Ok(None) };
        let Some((failed, ended_by, _)) = tried.ended else { return Ok(None) };
        let told = |execution| self.judged("1", &[], execution);
        let (Some(failed), Some(ended_by)) = (told(failed)?, told(ended_by)?) else {
            return Ok(None);
        };
        let edits = tried.edits.into_iter().filter_map(|it| told(it).transpose());
        let edits = edits.collect::<Result<_, _>>()?;
        let (cause, trials, place) = (cause.kind.clone(), tried.trials, tried.place);
        Ok(Some(Met { cause, failed, ended_by, edits, files, place, trials }))
    }

    fn files_of(&self, failed: i64, next: i64) -> Result<Vec<String>, QueryError> {
        let found: Vec<(String, Option<String>)> =
            self.index.all(FILES, (failed, next, FILES_MAX))?;
        let files = found.into_iter().map(|(path, cwd)| below(&path, cwd.as_deref()).to_owned());
        let mut files: Vec<String> = files.collect();
        files.sort_unstable();
        files.dedup();
        Ok(files)
    }
}

impl Stores {
    /// What a file, told from the root, was broken by last: the cause, and the execution that failed so.
    pub fn last_broken(
        &self,
        file: &str,
    ) -> Result<Option<(String, ExecutionSummary)>, QueryError> {
        let Some((cause, failed)) = self.index.all::<(String, i64)>(BROKEN, [file])?.pop() else {
            return Ok(None);
        };
        Ok(self.judged("1", &[], failed)?.map(|failed| (cause, failed)))
    }
}

const BROKEN: &str = "SELECT c.kind, x.execution FROM execution_causes x \
     JOIN causes c ON c.number = x.cause JOIN executions e ON e.seq = x.execution \
     WHERE x.place = ?1 AND e.corrected_by IS NULL \
     ORDER BY x.at_ms DESC, x.at_seq DESC LIMIT 1";

const FAILURES: &str = "SELECT x.execution, x.place FROM execution_causes x \
     JOIN executions e ON e.seq = x.execution \
     WHERE x.cause = ?1 AND e.corrected_by IS NULL ORDER BY x.at_ms DESC, x.at_seq DESC LIMIT ?2";

const HAS: &str = "SELECT 1 FROM execution_causes WHERE execution = ?1 AND cause = ?2";

/// What changed files between two executions in their sessions.
macro_rules! between {
    ($what:literal, $order:literal) => {
        concat!(
            "SELECT DISTINCT ",
            $what,
            " FROM executions f CROSS JOIN executions n CROSS JOIN execution_paths x \
             JOIN executions e ON e.seq = x.execution JOIN paths p ON p.number = x.path \
             LEFT JOIN sessions s ON s.number = e.session \
             WHERE f.seq = ?1 AND n.seq = ?2 AND x.role > 0 \
             AND (x.at_ms, x.at_seq) > (f.at_ms, f.at_seq) \
             AND (x.at_ms, x.at_seq) < (n.at_ms, n.at_seq) AND e.corrected_by IS NULL \
             AND e.outcome = 'ok' AND (e.session IS f.session OR e.session IS n.session) ORDER BY ",
            $order,
            " LIMIT ?3"
        )
    };
}

const EDITS: &str = between!("x.execution", "x.at_ms, x.at_seq");
const FILES: &str = between!("p.path, coalesce(s.cwd, e.cwd)", "p.path");
