//! What changed between a failure and a later check, in their sessions.

use super::below;
use crate::execution::index::PathRole;
use crate::execution::query::{QueryError, Stores};
use crate::parse::change::{
    FailedBy, FailureKind, Hunk, is_code, is_judged, of_arguments, remedy, renamed,
};
use crate::parse::check::coverage::{Coverage, layer};

/// Edits, and files of them.
const EDITS_MAX: usize = 24;
const ROWS_MAX: i64 = 64;
const FILES_MAX: i64 = 16;
/// A call with longer arguments tells of no line.
const ARGUMENTS_BYTES_MAX: usize = 128 << 10;

/// An edit: its row, its ordinal and id, its tool, what it was about; a file of it, from which folder, in what role.
type EditRow = (i64, Option<u64>, String, String, Option<String>, String, Option<String>, PathRole);

impl Stores {
    /// What of the edits may be what ended the failure, or was tried against it in vain, see [`remedy`]; `None` where
    /// there was none.
    pub(super) fn change(
        &self,
        failed: i64,
        by: i64,
        names: &str,
        is_of_test: bool,
        is_in_vain: bool,
    ) -> Result<Option<Vec<Hunk>>, QueryError> {
        let mut hunks = self.hunks(failed, by)?;
        if hunks.is_empty() {
            return Ok(None);
        }
        let said: Vec<Option<String>> = self.index.column(SAID, [failed])?;
        let said = said.into_iter().flatten().collect::<Vec<_>>().join("\n");
        let kind = self.kind_of(failed, is_of_test)?;
        let of = FailedBy { kind, said: &said, names };
        if !is_in_vain {
            if !self.index.ran_again(failed, by, &renamed(&hunks))? {
                return Ok(Some(Vec::new()));
            }
            let commands = self.index.commands_between(failed, by)?;
            let judged = commands.iter().filter(|it| is_judged(it, of));
            hunks.extend(judged.map(|it| Hunk::of_command("", it)));
        }
        Ok(Some(remedy(hunks, of)))
    }

    fn kind_of(&self, failed: i64, is_of_test: bool) -> Result<FailureKind, QueryError> {
        let sql = "SELECT need FROM executions WHERE seq = ?1";
        let need: Option<String> = self.index.cell::<Option<String>>(sql, [failed])?.flatten();
        let layers = need.and_then(|it| Coverage::parse(&it)).map_or(layer::CODE, |it| it.layers);
        Ok(match layers & (layer::LINT | layer::FORMAT) {
            _ if is_of_test => FailureKind::OfTest,
            0 => FailureKind::OfCode,
            _ => FailureKind::Told,
        })
    }

    fn hunks(&self, failed: i64, by: i64) -> Result<Vec<Hunk>, QueryError> {
        let rows: Vec<EditRow> = self.index.all(EDITS, (failed, by, ROWS_MAX))?;
        let (mut hunks, mut edits) = (Vec::new(), 0);
        for of_one in rows.chunk_by(|one, other| one.0 == other.0) {
            let files: Vec<(&str, bool)> = of_one
                .iter()
                .map(|row| (below(&row.5, row.6.as_deref()), row.7 == PathRole::Created))
                .collect();
            let Some((_, ordinal, id, tool, target, ..)) = of_one.first() else { continue };
            edits += 1;
            if edits > EDITS_MAX {
                break;
            }
            let (file, is_new) = files.first().copied().unwrap_or_default();
            if tool == "bash_exec" {
                let command = target.as_deref().unwrap_or_default();
                hunks.extend(files.iter().map(|(file, _)| Hunk::of_command(file, command)));
                continue;
            }
            let arguments = match (ordinal, &self.log) {
                (Some(ordinal), Some(log)) => log.arguments(*ordinal, id, ARGUMENTS_BYTES_MAX)?,
                _ => None,
            };
            for mut hunk in of_arguments(arguments.as_deref().unwrap_or_default(), file) {
                hunk.is_new = is_new && (hunk.is_whole || hunk.removed.is_empty());
                // A patch names its files from where it ran.
                if let Some((known, _)) = files.iter().find(|(it, _)| hunk.file.ends_with(it)) {
                    hunk.file = (*known).to_owned();
                }
                hunks.push(hunk);
            }
        }
        Ok(hunks)
    }

    pub(super) fn files_of(&self, failed: i64, next: i64) -> Result<Vec<String>, QueryError> {
        let found: Vec<(String, Option<String>)> =
            self.index.all(FILES, (failed, next, FILES_MAX))?;
        let files = found.into_iter().map(|(path, cwd)| below(&path, cwd.as_deref()).to_owned());
        let mut files: Vec<String> = files.filter(|it| is_code(it)).collect();
        files.sort_unstable();
        files.dedup();
        Ok(files)
    }
}

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

const EDITS: &str = between!(
    "x.execution, e.ordinal, e.id, e.tool, e.target, p.path, coalesce(s.cwd, e.cwd), x.role",
    "x.at_ms, x.at_seq, x.execution, p.path"
);
const FILES: &str = between!("p.path, coalesce(s.cwd, e.cwd)", "p.path");

/// What a failure said, as far as the index has it.
const SAID: &str = "SELECT telling FROM executions WHERE seq = ?1 \
     UNION ALL SELECT * FROM (SELECT coalesce(x.place, '') || ' ' || x.names FROM execution_causes x \
     WHERE x.execution = ?1 LIMIT 16) \
     UNION ALL SELECT * FROM (SELECT coalesce(d.file_name, '') || ' ' || d.message FROM execution_diagnostics y \
     JOIN diagnostics d ON d.number = y.diagnostic WHERE y.execution = ?1 LIMIT 32)";
