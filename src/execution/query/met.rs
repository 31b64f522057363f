//! What ended a failure of the same cause before.

use std::collections::BTreeMap;

use serde::Serialize;

use super::next_check::Coverages;
use super::{ExecutionSummary, QueryError, Stores, Trials};
use crate::parse::check::cause::{Cause, likeness};

/// Of a failure's causes, the first are asked after.
const CAUSES_MAX: usize = 4;
/// Failures of one cause that are looked at, the newest: so many that something was tried against, among so many that
/// may be in a row, as an agent that runs its check again and again leaves them.
const TRIED_MAX: usize = 8;
const FAILURES_MAX: i64 = 40;
/// Edits between a failure and what ended it.
const EDITS_MAX: i64 = 24;
/// Files of one change.
const FILES_MAX: i64 = 16;
/// Checks that are asked, one after the other, whether a cause is gone.
const CHECKS_MAX: usize = 4;

/// Whether a change was taken back that was tried between a failure and a later check: rows of `executions`.
pub type TakenBack<'t> = &'t dyn Fn(i64, i64) -> Result<bool, QueryError>;

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
    /// Edits after which it still failed so, those of any files.
    pub in_vain: Vec<ExecutionSummary>,
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
    /// Of the newest that helped.
    ended: Option<Ended>,
    /// The newest did not help.
    has_failed_last: bool,
}

/// A failure that was ended.
struct Ended {
    failed: i64,
    by: i64,
    /// How much alike what it names is, and whether it was at the place asked for.
    alike: (u8, bool),
    place: Option<String>,
    edits: Vec<i64>,
}

impl Tried {
    /// What it is chosen by: the names are alike, it helped at the same place, its trials prove more, it is newer.
    fn rank(&self) -> Option<((u8, bool), f64, i64)> {
        let ended = self.ended.as_ref().filter(|_| !self.has_failed_last)?;
        Some((ended.alike, self.trials.bound(), ended.failed))
    }
}

impl Stores {
    /// The change that is most likely to end failures of these causes again; `None` where none ended one, or
    /// what did was tried again since and did not help, or was taken back.
    pub fn met(
        &self,
        causes: &[Cause],
        is_taken_back: TakenBack<'_>,
    ) -> Result<Option<Met>, QueryError> {
        // Hundreds of small questions: one lock for all of them.
        let _snapshot = self.index.moment()?;
        let coverages = Coverages::default();
        for cause in causes.iter().take(CAUSES_MAX) {
            let sql = "SELECT number FROM causes WHERE key = ?1";
            let Some(number) = self.index.cell::<i64>(sql, [cause.key()])? else { continue };
            if let Some(met) = self.met_one(cause, number, &coverages, is_taken_back)? {
                return Ok(Some(met));
            }
        }
        Ok(None)
    }

    fn met_one(
        &self,
        cause: &Cause,
        number: i64,
        coverages: &Coverages,
        is_taken_back: TakenBack<'_>,
    ) -> Result<Option<Met>, QueryError> {
        let mut changes: BTreeMap<Vec<String>, Tried> = BTreeMap::new();
        let (mut in_vain, mut seen) = (Vec::new(), 0);
        let found: Vec<(i64, Option<String>, String)> =
            self.index.all(FAILURES, (number, FAILURES_MAX))?;
        for (failed, place, names) in found {
            if seen == TRIED_MAX {
                break;
            }
            let Some(likeness) = likeness(&cause.kind, &names, &cause.names) else { continue };
            let Some((by, is_met_again)) = self.end_of(failed, number, coverages)? else {
                continue;
            };
            let files = self.files_of(failed, by)?;
            if files.is_empty() || !self.is_by_these(failed, by, place.as_deref(), &files)? {
                continue; // it is told by chance
            }
            seen += 1;
            let edits: Vec<i64> = self.index.column(EDITS, (failed, by, EDITS_MAX))?;
            let is_first = !changes.contains_key(&files);
            let tried = changes.entry(files).or_default();
            tried.trials.tried += 1;
            if is_met_again || is_taken_back(failed, by)? {
                tried.has_failed_last |= is_first;
                in_vain.extend(edits);
                continue;
            }
            tried.trials.helped += 1;
            let is_here = place.is_some() && place == cause.place;
            let alike = (likeness, is_here);
            if tried.ended.as_ref().is_none_or(|it| alike > it.alike) {
                tried.ended = Some(Ended { failed, by, alike, place, edits });
            }
        }
        let best = changes.into_iter().filter_map(|(files, it)| Some((it.rank()?, files, it)));
        let best = best.max_by(|(one, ..), (other, ..)| {
            let by_place = one.0.cmp(&other.0);
            by_place.then(one.1.total_cmp(&other.1)).then(one.2.cmp(&other.2))
        });
        let Some((_, files, Tried { trials, ended: Some(ended), .. })) = best else {
            return Ok(None);
        };
        let told = |execution| self.judged("1", &[], execution);
        let (Some(failed), Some(ended_by)) = (told(ended.failed)?, told(ended.by)?) else {
            return Ok(None);
        };
        let all = |edits: Vec<i64>| {
            edits.into_iter().filter_map(|it| told(it).transpose()).collect::<Result<Vec<_>, _>>()
        };
        let (edits, in_vain) = (all(ended.edits)?, all(in_vain)?);
        let (cause, place) = (cause.kind.clone(), ended.place);
        Ok(Some(Met { cause, failed, ended_by, edits, in_vain, files, place, trials }))
    }

    /// The check that showed whether a failure's cause was gone, and whether it was not. One that failed for what the
    /// edits before it had broken, or nobody knows where, shows nothing: then the next one.
    fn end_of(
        &self,
        failed: i64,
        number: i64,
        coverages: &Coverages,
    ) -> Result<Option<(i64, bool)>, QueryError> {
        let mut next = self.next_of_all(failed, failed, coverages)?;
        for _ in 0..CHECKS_MAX {
            let Some(check) = next else { break };
            if self.index.cell::<i64>(HAS, (check, number))?.is_some() {
                return Ok(Some((check, true)));
            }
            let places: Vec<Option<String>> = self.index.column(NEW_PLACES, (check, failed))?;
            let edited = self.files_of(failed, check)?;
            let is_own = |place: &Option<String>| {
                let place = place.as_deref().map(name_of);
                place.is_none_or(|place| edited.iter().any(|it| name_of(it) == place))
            };
            let is_understood = self.index.cell::<i64>(IS_TOLD, [check])?.is_some();
            if is_understood && !places.iter().any(is_own) {
                return Ok(Some((check, false)));
            }
            next = self.next_of_all(failed, check, coverages)?;
        }
        Ok(None)
    }

    /// Whether a change of these files may be what ended a failure: another session that changed other files than
    /// the one that it was in did not.
    fn is_by_these(
        &self,
        failed: i64,
        by: i64,
        place: Option<&str>,
        files: &[String],
    ) -> Result<bool, QueryError> {
        let file = place.map(name_of).filter(|it| it.contains('.') && !it.contains(':'));
        let is_elsewhere = file.is_some_and(|file| !files.iter().any(|it| name_of(it) == file));
        Ok(!is_elsewhere || self.index.cell::<i64>(IS_ONE_SESSION, (failed, by))?.is_some())
    }

    fn files_of(&self, failed: i64, next: i64) -> Result<Vec<String>, QueryError> {
        let found: Vec<(String, Option<String>)> =
            self.index.all(FILES, (failed, next, FILES_MAX))?;
        let files = found.into_iter().map(|(path, cwd)| below(&path, cwd.as_deref()).to_owned());
        let mut files: Vec<String> = files.filter(|it| is_code(it)).collect();
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

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a change of a file, told from the root, may end a failure: neither what is only written about the code
/// does, nor what lies outside the repository.
pub fn is_code(path: &str) -> bool {
    !is_prose(path) && !path.starts_with(['/', '~']) && !path.starts_with("../")
}

/// Whether a file is only written about the code: no check looks at it.
pub fn is_prose(path: &str) -> bool {
    let ending = name_of(path).rsplit_once('.').map(|it| it.1.to_lowercase());
    ending.is_some_and(|it| matches!(it.as_str(), "md" | "markdown" | "rst" | "txt" | "adoc"))
}

const FAILURES: &str = "SELECT x.execution, x.place, x.names FROM execution_causes x \
     JOIN executions e ON e.seq = x.execution \
     WHERE x.cause = ?1 AND e.corrected_by IS NULL ORDER BY x.at_ms DESC, x.at_seq DESC LIMIT ?2";

/// Of a check that failed: the places of causes that an earlier one did not have.
const NEW_PLACES: &str = "SELECT x.place FROM execution_causes x WHERE x.execution = ?1 \
     AND NOT EXISTS (SELECT 1 FROM execution_causes y WHERE y.execution = ?2 AND y.cause = x.cause)";

/// Whether a check ended well, or is known to have failed for something.
const IS_TOLD: &str = "SELECT 1 FROM executions e WHERE e.seq = ?1 AND (e.outcome = 'ok' \
     OR EXISTS (SELECT 1 FROM execution_causes x WHERE x.execution = e.seq))";

const IS_ONE_SESSION: &str = "SELECT 1 FROM executions f JOIN executions n ON n.session IS f.session \
     WHERE f.seq = ?1 AND n.seq = ?2";

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
