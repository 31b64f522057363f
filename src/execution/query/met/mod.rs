//! What ended a failure of the same cause before.

mod between;
mod broken;

use super::next_check::Coverages;
use super::{ExecutionSummary, QueryError, Stores, Trees, Trials};
use crate::parse::change::{Hunk, is_alike, is_named, name_of, of_cause};
use crate::parse::check::cause::{Cause, is_nameless, likeness};

/// Of a failure's causes, the first are asked after.
const CAUSES_MAX: usize = 4;
/// Failures of one cause that are looked at, the newest: so many that something was tried against, among so many that
/// may be in a row, as an agent that runs its check again and again leaves them.
const TRIED_MAX: usize = 8;
const FAILURES_MAX: i64 = 40;
/// And so many that anything was edited behind, whatever that was.
const EDITED_MAX: usize = 16;
/// Checks that are asked, one after the other, whether a cause is gone.
const CHECKS_MAX: usize = 4;

/// Whether a change was taken back that was tried between a failure and a later check: rows of `executions`.
pub type TakenBack<'t> = &'t dyn Fn(i64, i64) -> Result<bool, QueryError>;

/// A failure of the same cause that was ended by a change, and is the best to go by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// What both have in common: the tool, the code or the exception, the message.
    pub cause: String,
    /// The last execution that failed so.
    pub failed: ExecutionSummary,
    /// The first that would have shown it and did not.
    pub ended_by: ExecutionSummary,
    /// What was changed between the two in their sessions and may have ended it; what has to do with it first.
    pub fix: Vec<Hunk>,
    /// Files of changes after which it still failed so.
    pub in_vain: Vec<String>,
    /// The working tree that it failed in, where that was another one.
    pub tree: Option<String>,
    /// How often such a change ended it, of all times it was tried.
    pub trials: Trials,
    /// It named the same, or was at the same place.
    pub is_same: bool,
}

/// A path from the folder where it was named, where it lies below that.
pub fn below<'p>(path: &'p str, folder: Option<&str>) -> &'p str {
    let inside = folder.and_then(|it| path.strip_prefix(it.trim_end_matches('/')));
    inside.and_then(|it| it.strip_prefix('/')).unwrap_or(path)
}

/// A change that was made against a failure.
struct Trial {
    failed: i64,
    by: i64,
    /// It was not there any more, and the change was not taken back.
    has_helped: bool,
    change: Vec<Hunk>,
    /// How much alike what it names is, and whether it was at the place asked for.
    alike: (u8, bool),
    place: Option<String>,
    names: String,
    tree: Option<String>,
}

/// A failure, its place, what it names, its command line and where that was run.
type FailureRow = (i64, Option<String>, String, Option<String>, Option<String>);

impl Stores {
    /// The change that is most likely to end failures of these causes again, each with the line of code that it was
    /// found at, where that is known; `None` where none ended one, or what did was tried again since and did not
    /// help, or was taken back.
    pub fn met(
        &self,
        causes: &[(&Cause, Option<String>)],
        trees: &Trees,
        is_taken_back: TakenBack<'_>,
    ) -> Result<Option<Met>, QueryError> {
        // Hundreds of small questions: one lock for all of them.
        let _snapshot = self.index.moment()?;
        let coverages = Coverages::default();
        for (cause, line) in causes.iter().take(CAUSES_MAX) {
            let sql = "SELECT number FROM causes WHERE key = ?1";
            let Some(number) = self.index.cell::<i64>(sql, [cause.key()])? else { continue };
            let trials = self.trials(cause, number, (&coverages, trees), is_taken_back)?;
            if let Some(met) = self.best(cause, number, line.as_deref(), trials)? {
                return Ok(Some(met));
            }
        }
        Ok(None)
    }

    /// What was tried against a cause, the newest first.
    fn trials(
        &self,
        cause: &Cause,
        number: i64,
        (coverages, trees): (&Coverages, &Trees),
        is_taken_back: TakenBack<'_>,
    ) -> Result<Vec<Trial>, QueryError> {
        let (mut trials, mut edited) = (Vec::new(), 0);
        let mut found: Vec<FailureRow> = self.index.all(FAILURES, (number, FAILURES_MAX))?;
        found.retain(|row| trees.of_run(row.3.as_deref(), row.4.as_deref()).is_some());
        if cause.is_of_test && !cause.is_general && self.is_flaky(&found)? {
            return Ok(trials);
        }
        for (failed, place, names, command, cwd) in found {
            if trials.len() == TRIED_MAX || edited == EDITED_MAX {
                break;
            }
            let Some(likeness) = likeness(&cause.kind, &names, &cause.names) else { continue };
            let Some((by, is_met_again)) = self.end_of(failed, number, coverages)? else {
                continue;
            };
            let change = self.change(failed, by, &names, cause.is_of_test, is_met_again)?;
            let Some(change) = change else { continue };
            edited += 1;
            if change.is_empty() || !self.is_by_these(failed, by, place.as_deref(), &change)? {
                continue; // nothing was tried, or it is told by chance
            }
            let has_helped = !is_met_again && !is_taken_back(failed, by)?;
            let is_here = place.is_some() && place == cause.place;
            let alike = (likeness, is_here);
            let tree = trees.other(command.as_deref(), cwd.as_deref());
            trials.push(Trial { failed, by, has_helped, change, alike, place, names, tree });
        }
        Ok(trials)
    }

    /// Whether one of the failures was behind or before a run of the same that passed, with nothing between that may
    /// have changed anything: what passes by itself nothing mends.
    fn is_flaky(&self, failures: &[FailureRow]) -> Result<bool, QueryError> {
        for (failed, ..) in failures {
            if self.index.cell::<i64>(IS_FLAKY, [failed])?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Of what helped, and not in vain since, the one that names are most alike of; of several the one that helped at
    /// the same place, then the one whose trials prove most, then the newest.
    fn best(
        &self,
        cause: &Cause,
        number: i64,
        line: Option<&str>,
        trials: Vec<Trial>,
    ) -> Result<Option<Met>, QueryError> {
        let mut ranked = Vec::new();
        for one in trials.iter().filter(|it| it.has_helped && fits(it, cause, line)) {
            let again = trials.iter().filter(|it| is_alike(&one.change, &it.change));
            if again.clone().next().is_some_and(|newest| !newest.has_helped) {
                continue;
            }
            let (tried, helped) = (again.clone().count(), again.filter(|it| it.has_helped).count());
            ranked.push((Trials { helped: helped as u64, tried: tried as u64 }, one));
        }
        let best = ranked.into_iter().rev().max_by(|(proven, one), (other_proven, other)| {
            let by_names = one.alike.cmp(&other.alike);
            by_names.then(proven.bound().total_cmp(&other_proven.bound()))
        });
        let Some((proven, one)) = best else { return Ok(None) };
        let told = |execution| self.judged("1", &[], execution);
        let (Some(failed), Some(ended_by)) = (told(one.failed)?, told(one.by)?) else {
            return Ok(None);
        };
        let others: Vec<(Option<String>, String)> = self.index.all(OTHERS, (one.failed, number))?;
        let others: Vec<Cause> = others
            .into_iter()
            .map(|(place, names)| Cause { place, names, ..Cause::default() })
            .collect();
        let own = Cause { place: one.place.clone(), names: one.names.clone(), ..Cause::default() };
        let vain = trials.iter().filter(|it| !it.has_helped).flat_map(|it| &it.change);
        let mut in_vain: Vec<String> = vain.map(|it| it.file.clone()).collect();
        in_vain.sort_unstable();
        in_vain.dedup();
        Ok(Some(Met {
            cause: cause.kind.clone(),
            failed,
            ended_by,
            fix: of_cause(one.change.clone(), &own, &others),
            in_vain,
            tree: one.tree.clone(),
            trials: proven,
            is_same: one.alike.1 || one.alike.0 == 3 && !one.names.trim().is_empty(),
        }))
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
        change: &[Hunk],
    ) -> Result<bool, QueryError> {
        let file = place.map(name_of).filter(|it| it.contains('.') && !it.contains(':'));
        let is_there = |file: &str| change.iter().any(|it| name_of(&it.file) == file);
        let is_elsewhere = file.is_some_and(|file| !is_there(file));
        Ok(!is_elsewhere || self.index.cell::<i64>(IS_ONE_SESSION, (failed, by))?.is_some())
    }
}

/// Whether what helped may help again: where other things are named than then, it must have to do with those that were,
/// and it must not bring the very code that fails now.
fn fits(one: &Trial, cause: &Cause, line: Option<&str>) -> bool {
    let is_same = one.alike.0 == 3;
    let has_name =
        is_same || is_nameless(&one.names) || one.change.iter().any(|it| is_named(it, &one.names));
    let subject = cause.names.split_whitespace().next();
    let subject = subject.filter(|it| it.contains(['.', '(']));
    let line = line.map(str::trim).filter(|it| it.chars().any(char::is_alphanumeric));
    let brings = |hunk: &Hunk| {
        let mut new = hunk.new_lines();
        let is_there = |it: &str| {
            subject.is_some_and(|name| it.contains(name))
                || line.is_some_and(|line| it.trim() == line)
        };
        let was_there = subject.is_some_and(|name| hunk.removed.iter().any(|it| it.contains(name)));
        !was_there && new.any(is_there)
    };
    has_name && !one.change.iter().any(brings)
}

const FAILURES: &str = "SELECT x.execution, x.place, x.names, e.command, e.cwd FROM execution_causes x \
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

/// Whether the run of the same check before or behind a failure passed in its session with no call between but checks
/// and reading, and nothing asked for.
const IS_FLAKY: &str = "SELECT 1 FROM executions f CROSS JOIN (SELECT -1 AS side UNION ALL SELECT 1) \
     JOIN executions m ON m.seq = CASE side WHEN 1 THEN \
     (SELECT m.seq FROM executions m WHERE m.session = f.session AND m.target_key = f.target_key \
     AND m.tool = f.tool AND m.corrected_by IS NULL AND (m.at_ms, m.at_seq) > (f.at_ms, f.at_seq) \
     ORDER BY m.at_ms, m.at_seq LIMIT 1) ELSE \
     (SELECT m.seq FROM executions m WHERE m.session = f.session AND m.target_key = f.target_key \
     AND m.tool = f.tool AND m.corrected_by IS NULL AND (m.at_ms, m.at_seq) < (f.at_ms, f.at_seq) \
     ORDER BY m.at_ms DESC, m.at_seq DESC LIMIT 1) END \
     WHERE f.seq = ?1 AND m.verdict = 'passed' AND m.partial IS NULL \
     AND NOT EXISTS (SELECT 1 FROM prompts p WHERE p.session = f.session \
     AND p.seq BETWEEN min(f.at_seq, m.at_seq) AND max(f.at_seq, m.at_seq)) \
     AND NOT EXISTS (SELECT 1 FROM executions e WHERE e.session = f.session \
     AND (e.at_ms, e.at_seq) > (min(f.at_ms, m.at_ms), min(f.at_seq, m.at_seq)) \
     AND (e.at_ms, e.at_seq) < (max(f.at_ms, m.at_ms), max(f.at_seq, m.at_seq)) \
     AND e.checked IS NULL AND e.tool NOT IN ('file_read', 'file_search', 'file_glob'))";

const HAS: &str = "SELECT 1 FROM execution_causes WHERE execution = ?1 AND cause = ?2";

/// What a failure had for causes besides one.
const OTHERS: &str = "SELECT place, names FROM execution_causes \
     WHERE execution = ?1 AND cause <> ?2 LIMIT 16";
