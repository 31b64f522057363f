//! How each of the project's own checks stands: what its last run said.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::{QueryError, Stores};
use crate::event::{CheckAspect, CheckList, CheckStanding, DeclaredCheck};
use crate::execution::index::{LIST_BEFORE, list};
use crate::parse::check::command::calls;
use crate::parse::check::coverage::{Coverage, Site, layer};
use crate::parse::check::{CheckRules, Verdict};
use crate::parse::shell::Script;

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
    /// The working tree that it ran in, where that is another than the one that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
    #[serde(skip)]
    command: String,
    #[serde(skip)]
    need: Option<Coverage>,
}

/// The newest runs of checks: an older one says little of how things stand now.
const RUNS: &str = "SELECT ordinal AS no, \
     coalesce(verdict, CASE outcome WHEN 'ok' THEN 'passed' WHEN 'failed' THEN 'failed' ELSE 'unknown' END) \
     AS verdict, at_ms, telling, command, need, cwd, EXISTS (SELECT 1 FROM execution_coverages x \
     WHERE x.execution = executions.seq) FROM executions WHERE command IS NOT NULL AND ordinal IS NOT NULL \
     AND corrected_by IS NULL ORDER BY at_ms DESC, at_seq DESC LIMIT ?1";
/// So many runs say how things stand.
pub const RUNS_MAX: usize = 5_000;

impl Stores {
    /// The project's own checks in force.
    pub fn own_checks(&self) -> Result<CheckList, QueryError> {
        Ok(list(self.index.cell::<String>(LIST_BEFORE, [i64::MAX])?))
    }

    /// How each check of a list stands in a working tree, by so many of the newest runs: by those in it, and where
    /// there are none by those in another of its repository.
    pub fn check_states(
        &self,
        list: &CheckList,
        runs_max: usize,
        tree: &Path,
    ) -> Result<Vec<CheckState>, QueryError> {
        let trees = self.trees(tree)?;
        let found: Vec<Row> = self.index.all(RUNS, [runs_max])?;
        let (mut here, mut there): (Vec<_>, BTreeMap<String, Vec<_>>) = Default::default();
        for row in found {
            let Some(top) = trees.of_run(Some(&row.4), row.6.as_deref()) else { continue };
            let top = top.to_owned();
            let run = run(row, &top);
            match top == trees.own() {
                true => here.push(run),
                false => there.entry(top).or_default().push(run),
            }
        }
        let state = |check: &DeclaredCheck| {
            let rules = rules_of(check);
            let own = looked_at(&Script::of(&check.command), &rules);
            let last = |runs: &[(Script, CheckRun)]| last_run(check, &rules, &own, runs);
            let of_other = |(top, runs): (&String, &Vec<_>)| {
                Some(CheckRun { tree: Some(trees.told(top)), ..last(runs)? })
            };
            let newest = || there.iter().filter_map(of_other).max_by_key(|it| (it.at_ms, it.no));
            let last = last(&here).or_else(newest);
            let DeclaredCheck { command, kind, found_in, runs, standing } = check.clone();
            CheckState { command, kind, found_in, runs, standing, last }
        };
        Ok(list.checks.iter().map(state).collect())
    }
}

/// What the newest of these runs that says anything of a check says.
fn last_run(
    check: &DeclaredCheck,
    rules: &CheckRules,
    own: &[Coverage],
    runs: &[(Script, CheckRun)],
) -> Option<CheckRun> {
    let mut passed: Vec<Coverage> = Vec::new();
    runs.iter().find_map(|(script, run)| {
        let is_run = is_run_of(check, rules, &run.command, script);
        if run.verdict == Verdict::Passed.as_str() {
            passed.extend(looked_at(script, rules));
        } else if !is_run
            && run.need.as_ref().is_some_and(|it| passed.iter().any(|by| by.covers(it)))
        {
            // A part that failed and has passed since says nothing of the whole.
            return None;
        }
        run.as_of(is_run, own, || looked_at(script, rules))
    })
}

/// A row of `RUNS`.
type Row = (u64, String, u64, Option<String>, String, Option<String>, Option<String>, bool);

/// A run in a tree, told from the top of that.
fn run(row: Row, top: &str) -> (Script, CheckRun) {
    let (no, verdict, at_ms, telling, command, need, _, has_looked) = row;
    let script = Script::of(&command);
    let need = need.as_deref().and_then(Coverage::parse).map(|it| it.below(top));
    let is_idle = verdict == Verdict::Passed.as_str()
        && !has_looked
        && !looked_at(&script, &CheckRules::default()).is_empty();
    // It found nothing to check.
    let verdict = if is_idle { Verdict::Unknown.as_str().to_owned() } else { verdict };
    (script, CheckRun { no, verdict, at_ms, telling, tree: None, command, need })
}

/// What the checks of a line look at, from the project's folder: a line may go there first.
fn looked_at(script: &Script, rules: &CheckRules) -> Vec<Coverage> {
    let found = calls(script, rules).into_iter().filter_map(|it| it.coverage);
    let folder = |it: &Coverage| {
        if it.folder.starts_with('/') { String::new() } else { it.folder.clone() }
    };
    found.map(|it| Coverage { folder: folder(&it), ..it }.placed(Site::default())).collect()
}

impl CheckRun {
    /// What it says of a check that looks at `own`: one that passed must have looked at all of it, one that
    /// failed at some, also where it was not called by its name. `None`: nothing.
    fn as_of(
        &self,
        is_run: bool,
        own: &[Coverage],
        ran: impl Fn() -> Vec<Coverage>,
    ) -> Option<Self> {
        let as_it_is = |says: bool| says.then(|| self.clone());
        if self.verdict == Verdict::Passed.as_str() && !own.is_empty() {
            let is_whole =
                |it: &Coverage| own.iter().any(|own| own.program == it.program && it.covers(own));
            return as_it_is(ran().iter().any(is_whole));
        }
        let need = self.need.as_ref().filter(|_| !own.is_empty());
        let Some(need) = need else { return as_it_is(is_run) };
        let is_part = |own: &Coverage| {
            let is_same = own.program == need.program && own.config == need.config;
            own.layers & need.layers != 0
                && (is_run && need.is_built_as(own) || is_same && own.places.is_empty())
        };
        if own.iter().any(is_part) {
            return as_it_is(true);
        }
        // Tests ran: what builds before them in the same line passed.
        let is_built = |own: &Coverage| !own.language.is_empty() && own.language == need.language;
        let passed = is_run && need.layers == layer::RUN && own.iter().any(is_built);
        passed.then(|| Self {
            verdict: Verdict::Passed.as_str().to_owned(),
            telling: None,
            ..self.clone()
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::check::CheckReader;
    use crate::parse::check::coverage::need;
    use crate::parse::check::lines::OutputStream;

    #[test]
    fn a_build_for_another_system_says_nothing_of_the_projects_own() {
        let check = DeclaredCheck {
            command: "go build ./...".to_owned(),
            kind: CheckAspect::Build,
            found_in: String::new(),
            runs: None,
            standing: CheckStanding::InForce,
        };
        let rules = rules_of(&check);
        let own = looked_at(&Script::of(&check.command), &rules);
        for (command, printed, is_told) in [
            ("go build ./...", "# x/a\na/a.go:3:2: undefined: y\n", true),
            ("GOOS=windows go build ./...", "# x/a\na/a.go:3:2: undefined: y\n", false),
            ("export GOARCH=arm64; go build ./...", "# x/a\na/a.go:3:2: undefined: y\n", false),
            ("go build ./...", "", true),
            ("GOOS=windows go build ./...", "", false),
        ] {
            let mut reader = CheckReader::of(command, &rules);
            reader.feed(OutputStream::Stdout, printed.as_bytes());
            let report = reader.finish(Some(i32::from(!printed.is_empty())));
            let report = report.placed(Site::default());
            let run = CheckRun {
                no: 1,
                verdict: report.verdict.as_str().to_owned(),
                at_ms: 0,
                telling: None,
                tree: None,
                command: command.to_owned(),
                need: need(&report),
            };
            let told = last_run(&check, &rules, &own, &[(Script::of(command), run)]);
            assert_eq!(told.is_some(), is_told, "{command}: {printed}");
        }
    }
}
