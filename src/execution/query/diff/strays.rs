//! Calls that may have changed files which they do not name.

use serde::Serialize;

use super::super::{PathRole, QueryError, Stores, list, number};
use super::file::Touch;
use super::scope::Scope;
use crate::event::target::command;
use crate::parse::shell::ShellEdits;
use crate::store::Ask;

/// Command lines that are looked at, the newest.
const CALLS_MAX: u64 = 5_000;
/// Commands that are told.
const TOLD_MAX: usize = 10;
/// Of a command, the letters that are shown.
const SHOWN_CHARS: usize = 80;
/// Longer ones are cut where questions are answered from.
const WHOLE_BYTES_MAX: usize = 390;

/// A call of which nobody knows what it changed.
#[derive(Clone, Debug)]
pub(super) struct Stray {
    pub touch: Touch,
    /// The first line of its command.
    pub shown: String,
}

/// A command that may have changed files and names none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StrayCommand {
    /// The first call of it, as `annals show` takes it.
    pub call: String,
    pub command: String,
    /// How often it ran.
    pub times: usize,
}

/// What of a scope may have changed files without naming them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Strays {
    /// In order of time, each once.
    pub commands: Vec<StrayCommand>,
    /// So many commands more.
    pub left_out: usize,
}

impl Strays {
    pub(super) fn of(strays: &[Stray], scope: &Scope) -> Self {
        let mut all = Self::default();
        for stray in strays.iter().filter(|it| scope.holds(&it.touch)) {
            match all.commands.iter_mut().find(|it| it.command == stray.shown) {
                Some(known) => known.times += 1,
                None => {
                    let (call, command) = (stray.touch.reference(), stray.shown.clone());
                    all.commands.push(StrayCommand { call, command, times: 1 });
                }
            }
        }
        all.left_out = all.commands.len().saturating_sub(TOLD_MAX);
        all.commands.truncate(TOLD_MAX);
        all
    }
}

impl Stores {
    /// Those of any session that ran while the calls of a scope did, in order of time.
    pub(super) fn strays(&self, scope: &Scope) -> Result<Vec<Stray>, QueryError> {
        let during = match &scope.sessions {
            Some(sessions) => {
                let sessions = list(sessions);
                format!(
                    "AND e.at_ms BETWEEN (SELECT min(first_ms) FROM sessions WHERE number IN ({sessions})) \
                     AND (SELECT max(last_ms) FROM sessions WHERE number IN ({sessions}))"
                )
            }
            None => String::new(),
        };
        let sql = format!(
            "SELECT e.seq, e.at_seq, e.at_ms, e.ordinal, e.session, e.tool, e.outcome, \
             coalesce(e.cwd, s.cwd), e.target FROM executions e LEFT JOIN sessions s ON s.number = e.session \
             WHERE e.tool = 'bash_exec' AND e.outcome IN ('ok', 'failed') AND e.corrected_by IS NULL \
             AND e.target IS NOT NULL AND e.at_seq BETWEEN ?1 AND ?2 {during} \
             ORDER BY e.at_ms DESC, e.at_seq DESC LIMIT ?3"
        );
        let asked: [Ask; 3] = [number(scope.from), number(scope.through), number(CALLS_MAX)];
        let found: Vec<(Touch, String)> = self.index.answer(&sql, &asked, |row| {
            let touch = Touch {
                execution: row.get(0)?,
                sequence: row.get(1)?,
                at_ms: row.get(2)?,
                ordinal: row.get(3)?,
                session: row.get(4)?,
                tool: row.get(5)?,
                outcome: row.get(6)?,
                role: PathRole::Named,
                folder: row.get(7)?,
            };
            Ok((touch, row.get(8)?))
        })?;
        let mut strays = Vec::new();
        for (touch, target) in found.into_iter().rev() {
            let whole = match touch.ordinal.filter(|_| target.len() > WHOLE_BYTES_MAX) {
                Some(ordinal) => self.stored(ordinal)?.and_then(|it| command(&it.arguments_json)),
                None => None,
            };
            if ShellEdits::of(whole.as_deref().unwrap_or(&target)).strays {
                let shown = target.lines().next().unwrap_or_default();
                let shown = shown.chars().take(SHOWN_CHARS).collect();
                strays.push(Stray { touch, shown });
            }
        }
        Ok(strays)
    }
}
