//! How each of the project's own checks stands: what its last run said.

use serde::Serialize;

use super::{QueryError, Stores};
use crate::event::{CheckAspect, CheckList, CheckStanding, DeclaredCheck};
use crate::execution::index::{LIST_BEFORE, list};
use crate::parse::check::CheckRules;
use crate::parse::shell::Script;
use crate::store::columns::columns;

/// A check of the project, and its last run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckState {
    pub command: String,
    pub kind: CheckAspect,
    /// The project's file that has it, `config.toml`, or `user`.
    pub found_in: String,
    /// The command line behind it, where that was read.
    pub runs: Option<String>,
    pub standing: CheckStanding,
    /// `None`: it was never run, as far as is recorded.
    pub last: Option<CheckRun>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckRun {
    /// Its number in the log.
    pub no: u64,
    /// `passed`, `failed` or `unknown`.
    pub verdict: String,
    pub at_ms: u64,
    pub telling: Option<String>,
    #[serde(skip)]
    command: String,
}

/// The newest runs of checks: an older one says little of how things stand now.
const RUNS: &str = "SELECT ordinal AS no, \
     coalesce(verdict, CASE outcome WHEN 'ok' THEN 'passed' WHEN 'failed' THEN 'failed' ELSE 'unknown' END) \
     AS verdict, at_ms, telling, command FROM executions WHERE command IS NOT NULL AND ordinal IS NOT NULL \
     AND corrected_by IS NULL ORDER BY at_ms DESC, at_seq DESC LIMIT 5000";

impl Stores {
    /// The project's own checks in force.
    pub fn own_checks(&self) -> Result<CheckList, QueryError> {
        Ok(list(self.index.cell::<String>(LIST_BEFORE, [i64::MAX])?))
    }

    /// How each check of a list stands.
    pub fn check_states(&self, list: &CheckList) -> Result<Vec<CheckState>, QueryError> {
        let runs: Vec<CheckRun> = self.index.rows(
            RUNS,
            [],
            |row| columns!(row => CheckRun { no, verdict, at_ms, telling, command }),
        )?;
        let runs: Vec<(Script, CheckRun)> =
            runs.into_iter().map(|it| (Script::of(&it.command), it)).collect();
        let state = |check: &DeclaredCheck| {
            let rules = rules_of(check);
            let is_its = |it: &&(Script, CheckRun)| is_run_of(check, &rules, &it.1.command, &it.0);
            let found = runs.iter().find(is_its);
            let DeclaredCheck { command, kind, found_in, runs, standing } = check.clone();
            CheckState {
                command,
                kind,
                found_in,
                runs,
                standing,
                last: found.map(|it| it.1.clone()),
            }
        };
        Ok(list.checks.iter().map(state).collect())
    }
}

/// The rules that know one check alone.
pub fn rules_of(check: &DeclaredCheck) -> CheckRules {
    CheckList { checks: vec![check.clone()], ..CheckList::default() }.into()
}

/// Whether a command line runs a declared check.
pub fn is_run_of(
    check: &DeclaredCheck,
    rules: &CheckRules,
    command: &str,
    script: &Script,
) -> bool {
    check.runs.as_deref() == Some(command) || rules.is_called_by(script)
}
