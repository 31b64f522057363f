//! Commits that were made in a session, as `git commit` told of them: `[branch abc1234] subject`.

use serde::Serialize;

use super::{ExecutionSummary, QueryError, Stores};
use crate::event::{SessionId, wire};
use crate::execution::json::text_of;
use crate::store::Ask;

/// Digits of a commit's id that name it.
const DIGITS_MIN: usize = 4;
/// Commands that are looked at for one answer, the newest.
const COMMANDS_MAX: usize = 10_000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Commit {
    /// As git printed it, or whole where git's own log has it.
    pub commit: String,
    pub branch: Option<String>,
    pub subject: String,
    pub session: Option<SessionId>,
    /// The call that made it; `null` where git's own log alone tells of it.
    pub call: Option<String>,
    #[serde(rename = "at", serialize_with = "wire::utc")]
    pub at_ms: u64,
    #[serde(skip)]
    pub execution: Option<ExecutionSummary>,
}

impl Stores {
    /// Recorded commits in order of time: of one id or its beginning, or all.
    pub fn commits(&self, id: Option<&str>) -> Result<Vec<Commit>, QueryError> {
        // Git prints seven digits or more; of a whole id the rest is not there to be found.
        let printed = id.map(|id| id.get(..id.len().min(7)).unwrap_or_default());
        let sql = "SELECT e.seq, a.content_json FROM executions e \
                   JOIN log.executions l ON l.rowid = e.ordinal \
                   JOIN log.execution_artifacts a ON a.execution_id = l.id \
                   AND a.artifact_type = 'stdout' \
                   WHERE e.tool = 'bash_exec' AND e.corrected_by IS NULL \
                   AND (l.arguments_json LIKE '%git%commit%' OR l.arguments_json LIKE '%cherry-pick%') \
                   AND instr(a.content_json, ?1) > 0 ORDER BY e.at_ms DESC, e.at_seq DESC LIMIT ?2";
        let limit = Ask::Number(COMMANDS_MAX as i64);
        let asked = [Ask::Text(printed.unwrap_or("] ").to_owned()), limit];
        let found: Vec<(i64, String)> =
            self.index.answer(sql, &asked, |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut commits = Vec::new();
        for (row, json) in found.into_iter().rev() {
            let text = text_of(&json).unwrap_or_default();
            for (branch, commit, subject) in text.lines().filter_map(told) {
                let is_it = |id: &str| id.starts_with(commit) || commit.starts_with(id);
                if !id.is_none_or(is_it) {
                    continue;
                }
                let Some(execution) = self.judged("1", &[], row)? else { continue };
                commits.push(Commit {
                    commit: commit.to_owned(),
                    branch: Some(branch.to_owned()),
                    subject: subject.to_owned(),
                    session: execution.session,
                    call: Some(execution.reference()),
                    at_ms: execution.at_ms,
                    execution: Some(execution),
                });
            }
        }
        Ok(commits)
    }

    /// The recorded commit of an id or its beginning.
    pub fn commit(&self, id: &str) -> Result<Option<Commit>, QueryError> {
        let is_id = (DIGITS_MIN..=64).contains(&id.len()) && is_hex(id);
        if !is_id {
            return Ok(None);
        }
        let mut found = self.commits(Some(&id.to_ascii_lowercase()))?;
        // A commit that was amended without a change keeps its id.
        found.dedup_by(|one, other| one.commit == other.commit);
        match found.len() {
            0 | 1 => Ok(found.pop()),
            count => Err(QueryError::Ambiguous { reference: id.to_owned(), count }),
        }
    }
}

/// Branch, id and subject of a line that git prints of a commit.
fn told(line: &str) -> Option<(&str, &str, &str)> {
    let (head, subject) = line.trim_start().strip_prefix('[')?.split_once("] ")?;
    let (branch, id) = head.rsplit_once(' ')?;
    let branch = branch.strip_suffix(" (root-commit)").unwrap_or(branch);
    ((7..=64).contains(&id.len()) && is_hex(id) && !branch.is_empty())
        .then_some((branch, id, subject))
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn a_commit_is_told_by_the_line_that_git_prints() {
        for (line, expected) in [
            ("[main abc1234] Say: [x] y", Some(("main", "abc1234", "Say: [x] y"))),
            ("[main (root-commit) abc1234] First", Some(("main", "abc1234", "First"))),
            ("[detached HEAD abc1234f] x", Some(("detached HEAD", "abc1234f", "x"))),
            ("[soph/x-1 0123456] 12 files", Some(("soph/x-1", "0123456", "12 files"))),
            ("[main abc] too short", None),
            ("[main nothexx] x", None),
            ("[abc1234] no branch", None),
            ("12 files changed", None),
        ] {
            assert_eq!(told(line), expected, "{line}");
        }
    }
}
