//! A file, and the calls that had to do with it.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::super::{PathRole, QueryError, Stores, list, number, text};
use super::observed::{Stored, Told};
use super::scope::Scope;
use crate::event::Outcome;
use crate::execution::json::text_of;
use crate::store::Ask;

/// Tools of the contract that change files by arguments that tell how.
const EDITORS: [&str; 5] = ["file_edit", "file_write", "file_create", "splice_patch", "file_patch"];

/// Calls on one file that are looked at, the newest.
const TOUCHES_MAX: u64 = 5_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Where it is, or was.
    pub place: PathBuf,
    /// How it is shown: from the root, else from the session's folder, else whole.
    pub label: String,
}

impl File {
    /// Whether it is this path, or lies below it.
    pub fn is_at(&self, path: &str) -> bool {
        Path::new(&self.label).starts_with(path) || self.place.starts_with(path)
    }
}

/// A call that had to do with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touch {
    /// Its row in `index.db`.
    pub execution: i64,
    pub sequence: u64,
    pub ordinal: Option<u64>,
    pub at_ms: u64,
    pub session: Option<i64>,
    pub(super) tool: String,
    pub(super) outcome: Outcome,
    pub(super) role: PathRole,
    pub(super) folder: Option<String>,
}

impl Touch {
    pub fn is_editor(&self) -> bool {
        EDITORS.contains(&self.tool.as_str())
    }

    pub fn is_change(&self) -> bool {
        self.role != PathRole::Named
    }

    /// How `annals show` takes it.
    pub fn reference(&self) -> String {
        self.ordinal.map_or_else(|| format!("@{}", self.sequence), |no| no.to_string())
    }
}

impl Stores {
    /// Files that calls of a scope changed.
    pub(super) fn files_changed(&self, scope: &Scope) -> Result<Vec<File>, QueryError> {
        let of = match &scope.sessions {
            Some(sessions) => format!("AND e.session IN ({})", list(sessions)),
            None => String::new(),
        };
        let sql = format!(
            "SELECT DISTINCT p.path, coalesce(e.cwd, s.cwd), s.cwd FROM execution_paths x \
             JOIN executions e ON e.seq = x.execution JOIN paths p ON p.number = x.path \
             LEFT JOIN sessions s ON s.number = e.session \
             WHERE x.role > 0 AND x.at_seq BETWEEN ?1 AND ?2 AND e.corrected_by IS NULL {of}"
        );
        let bounds = [number(scope.from), number(scope.through)];
        let found =
            self.index.answer(&sql, &bounds, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let root = self.root()?;
        let (mut files, mut met) = (Vec::new(), BTreeSet::new());
        for (path, folder, begun_in) in found {
            let (path, folder, begun_in): (String, Option<String>, Option<String>) =
                (path, folder, begun_in);
            let place = placed(&root, folder.as_deref(), &path);
            if met.insert(place.clone()) {
                let label = label(&place, &root, begun_in.as_deref());
                files.push(File { place, label });
            }
        }
        Ok(files)
    }

    /// Where the project was when its journal was made.
    pub(super) fn root(&self) -> Result<PathBuf, QueryError> {
        let root = self.index.cell::<String>(crate::execution::index::ROOT, [])?;
        Ok(root.map_or_else(|| self.places.root.clone(), PathBuf::from))
    }

    /// The calls that had to do with a file, up to an event, in order of time.
    pub(super) fn file_touches(&self, file: &File, through: u64) -> Result<Vec<Touch>, QueryError> {
        let sql = "SELECT e.seq, e.at_seq, e.ordinal, e.session, e.tool, e.outcome, x.role, \
                   coalesce(e.cwd, s.cwd), x.at_ms, p.path FROM paths p \
                   JOIN execution_paths x ON x.path = p.number \
                   JOIN executions e ON e.seq = x.execution \
                   LEFT JOIN sessions s ON s.number = e.session \
                   WHERE p.name = ?1 AND x.at_seq <= ?2 AND e.corrected_by IS NULL \
                   AND (e.outcome = 'ok' OR e.outcome = 'failed' AND x.role > 0) \
                   ORDER BY x.at_ms DESC, x.at_seq DESC LIMIT ?3";
        let name = file.place.file_name().unwrap_or_default().to_string_lossy();
        let asked: [Ask; 3] = [text(&name), number(through), number(TOUCHES_MAX)];
        let found: Vec<(Touch, String)> = self.index.answer(sql, &asked, |row| {
            let touch = Touch {
                execution: row.get(0)?,
                sequence: row.get(1)?,
                ordinal: row.get(2)?,
                session: row.get(3)?,
                tool: row.get(4)?,
                outcome: row.get(5)?,
                role: row.get(6)?,
                folder: row.get(7)?,
                at_ms: row.get(8)?,
            };
            Ok((touch, row.get(9)?))
        })?;
        let root = self.root()?;
        let is_it =
            |touch: &Touch, path: &str| placed(&root, touch.folder.as_deref(), path) == file.place;
        let mut touches: Vec<Touch> = found
            .into_iter()
            .filter(|(touch, path)| is_it(touch, path))
            .filter(|(touch, _)| touch.outcome == Outcome::Ok || !touch.is_editor())
            .map(|(touch, _)| touch)
            .collect();
        touches.reverse();
        // A file that a call named in two ways is met twice.
        touches.dedup_by_key(|touch| touch.execution);
        Ok(touches)
    }

    /// What a call tells of the file's lines.
    pub(super) fn told(&self, touch: &Touch, file: &File) -> Result<Told, QueryError> {
        if !touch.is_editor() && touch.tool != "file_read" {
            return Ok(if touch.is_change() { Told::Changed } else { Told::Nothing });
        }
        let stored = match touch.ordinal {
            Some(ordinal) => self.stored(ordinal)?,
            None => None,
        };
        let Some(stored) = stored else {
            return Ok(if touch.is_change() { Told::Changed } else { Told::Nothing });
        };
        let stdout = stored.artifacts.iter().find(|(kind, _)| kind == "stdout");
        let stdout = stdout.and_then(|(_, json)| text_of(json));
        let call = Stored {
            tool: &touch.tool,
            arguments: &stored.arguments_json,
            stdout: stdout.as_deref().unwrap_or_default(),
            changed: touch.is_change(),
            created: touch.role == PathRole::Created,
        };
        let root = self.root()?;
        let is_it = |path: &str| placed(&root, touch.folder.as_deref(), path) == file.place;
        Ok(Told::of(&call, is_it))
    }
}

/// A path from the folder that it was named in, without what leads back.
pub(super) fn placed(root: &Path, folder: Option<&str>, path: &str) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in root.join(folder.unwrap_or_default()).join(path).components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    whole
}

pub(super) fn label(place: &Path, root: &Path, begun_in: Option<&str>) -> String {
    let inside = place.strip_prefix(root).or_else(|_| place.strip_prefix(begun_in.unwrap_or("/")));
    inside.unwrap_or(place).to_string_lossy().into_owned()
}
