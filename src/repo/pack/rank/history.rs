//! What is on record of the files that were touched last, as the index has it.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::words::numbers;
use super::{AtHand, RankedFile, rank};
use crate::execution::query::{QueryError, Stores};

/// Touches that are looked at, the newest.
const TOUCHES_MAX: i64 = 4_000;
/// Prompts of their sessions, and the characters of each.
const PROMPTS_MAX: i64 = 400;
const PROMPT_CHARS_MAX: i64 = 1_500;

/// What one session did to a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Touch {
    pub path: String,
    /// 0: of none.
    pub session: i64,
    pub changed: bool,
    pub at_ms: u64,
}

/// A session, and the words of one of its prompts, as numbers.
pub(super) type Said = (i64, Vec<u64>);

/// What is on record of the newest executions: read once, ranked by whatever is at hand.
#[derive(Debug)]
pub struct FileHistory {
    touches: Vec<Touch>,
    branches: BTreeMap<i64, Option<String>>,
    prompts: Vec<(i64, String)>,
    /// The words of each, once they are asked for.
    said: OnceCell<Vec<Said>>,
    failing: BTreeSet<String>,
}

impl FileHistory {
    /// Files that matter now, those that matter most first.
    pub fn that_matter(&self, hand: &AtHand, most: usize) -> Vec<RankedFile> {
        let said = || self.said.get_or_init(|| said(&self.prompts)).as_slice();
        let mut found = rank(hand, &self.touches, &self.branches, &said, &self.failing);
        found.truncate(most);
        found
    }
}

/// Where a session worked.
#[derive(Clone, Debug, Default)]
struct Place {
    cwd: Option<String>,
    branch: Option<String>,
}

impl Stores {
    pub fn file_history(&self) -> Result<FileHistory, QueryError> {
        let rows: Vec<Row> = self.index.all(TOUCHES, [TOUCHES_MAX])?;
        let sessions: BTreeSet<i64> = rows.iter().filter_map(|row| row.2).collect();
        let places = sessions.iter().map(|session| Ok((*session, self.place(*session)?)));
        let places = places.collect::<Result<BTreeMap<_, _>, QueryError>>()?;
        Ok(FileHistory {
            touches: self.touches(rows, &places)?,
            prompts: self.prompts_of(&sessions)?,
            said: OnceCell::new(),
            failing: self.index.column::<String>(FAILING_FILES, [])?.into_iter().collect(),
            branches: places.into_iter().map(|(session, at)| (session, at.branch)).collect(),
        })
    }

    fn place(&self, session: i64) -> Result<Place, QueryError> {
        let rows: Vec<(Option<String>, Option<String>)> = self.index.all(PLACE_OF, [session])?;
        let place = rows.into_iter().next().map(|(cwd, branch)| Place { cwd, branch });
        Ok(place.unwrap_or_default())
    }

    /// By session and file, from the folder where the session worked. Paths are read once each: they are few, and
    /// were touched often.
    fn touches(
        &self,
        rows: Vec<Row>,
        places: &BTreeMap<i64, Place>,
    ) -> Result<Vec<Touch>, QueryError> {
        let oldest = rows.last().map_or(0, |row| row.0);
        let corrected: HashSet<i64> = self.index.column(CORRECTED, [oldest])?.into_iter().collect();
        let mut newest: BTreeMap<(i64, Option<i64>, bool, Option<String>), u64> = BTreeMap::new();
        for (execution, path, session, changed, at_ms) in rows {
            if corrected.contains(&execution) {
                continue;
            }
            let is_told = session.and_then(|it| places.get(&it)).is_some_and(|it| it.cwd.is_some());
            let cwd = if is_told { None } else { self.index.cell(CWD_OF, [execution])?.flatten() };
            let last = newest.entry((path, session, changed, cwd)).or_default();
            *last = at_ms.max(*last);
        }
        let mut paths: BTreeMap<i64, Option<String>> = BTreeMap::new();
        let mut all: BTreeMap<(String, i64, bool), u64> = BTreeMap::new();
        for ((number, session, changed, own), at_ms) in newest {
            let path = match paths.get(&number) {
                Some(path) => path.as_deref(),
                None => {
                    let path = self.index.cell(PATH_OF, [number])?;
                    paths.entry(number).or_insert(path).as_deref()
                }
            };
            let told = session.and_then(|it| places.get(&it)).and_then(|it| it.cwd.as_deref());
            let path = path.and_then(|path| below(path, told.or(own.as_deref())));
            let Some(path) = path else { continue };
            let last = all.entry((path, session.unwrap_or(0), changed)).or_default();
            *last = at_ms.max(*last);
        }
        let touch = |((path, session, changed), at_ms)| Touch { path, session, changed, at_ms };
        Ok(all.into_iter().map(touch).collect())
    }

    /// The newest prompts, those of these sessions: of others it matters only that they were.
    fn prompts_of(&self, sessions: &BTreeSet<i64>) -> Result<Vec<(i64, String)>, QueryError> {
        let newest: Vec<(i64, i64)> = self.index.all(PROMPTS, [PROMPTS_MAX])?;
        let mut found = Vec::new();
        for (number, session) in newest.into_iter().filter(|(_, it)| sessions.contains(it)) {
            let text = self.index.cell(PROMPT_OF, [number, PROMPT_CHARS_MAX])?;
            found.extend(text.map(|text| (session, text)));
        }
        Ok(found)
    }
}

/// A path from the folder where it was named; `None` of what lies elsewhere, or is no file's.
pub(super) fn below(path: &str, cwd: Option<&str>) -> Option<String> {
    let path = match cwd.and_then(|cwd| path.strip_prefix(cwd.trim_end_matches('/'))) {
        Some(inside) => inside.strip_prefix('/')?,
        None => path.trim_start_matches("./"),
    };
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_inside = !path.starts_with(['/', '~', '.']) || name == path && path.starts_with('.');
    let is_ours =
        is_inside && !path.split('/').any(|it| matches!(it, ".." | "node_modules" | ".git"));
    (is_ours && (name.contains('.') || name == "Makefile")).then(|| path.to_owned())
}

pub(super) fn said(prompts: &[(i64, String)]) -> Vec<Said> {
    prompts.iter().map(|(session, text)| (*session, numbers(text))).collect()
}

/// An execution, a path of it, its session, whether it changed it, and when it ended.
type Row = (i64, i64, Option<i64>, bool, u64);

const TOUCHES: &str = "SELECT execution, path, session, role > 0, at_ms FROM execution_paths \
     ORDER BY execution DESC LIMIT ?1";

const CORRECTED: &str = "SELECT seq FROM executions WHERE corrected_by IS NOT NULL AND seq >= ?1";

const CWD_OF: &str = "SELECT cwd FROM executions WHERE seq = ?1";

const PATH_OF: &str = "SELECT path FROM paths WHERE number = ?1";

const PLACE_OF: &str = "SELECT cwd, branch FROM sessions WHERE number = ?1";

const PROMPTS: &str = "SELECT seq, session FROM prompts WHERE session IS NOT NULL AND actor IS NULL \
     ORDER BY seq DESC LIMIT ?1";

const PROMPT_OF: &str = "SELECT substr(text, 1, ?2) FROM prompts WHERE seq = ?1";

/// Files that pending failures' diagnostics speak of.
const FAILING_FILES: &str = "SELECT DISTINCT d.file_name FROM pending n \
     JOIN execution_diagnostics y ON y.execution = n.execution \
     JOIN diagnostics d ON d.number = y.diagnostic \
     WHERE n.session = -1 AND d.file_name IS NOT NULL LIMIT 64";
