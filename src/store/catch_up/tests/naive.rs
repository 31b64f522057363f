//! Every query again, over all rows in memory and without an index: what the real ones must say.

use rusqlite::Connection;

use crate::store::StorePlaces;

/// An execution with all that is tied to it.
#[derive(Clone, Debug)]
pub struct Row {
    pub id: String,
    /// (at_ms, at_seq): the order of every list.
    pub at: (i64, i64),
    pub session: Option<i64>,
    pub tool: String,
    pub native_tool: Option<String>,
    pub cwd: Option<String>,
    pub outcome: Option<String>,
    pub target_key: Option<Vec<u8>>,
    pub arguments: Option<Vec<u8>>,
    pub corrected: bool,
    pub paths: Vec<(String, u8)>,
    pub symbols: Vec<String>,
    /// Label and file.
    pub diagnostics: Vec<(String, Option<String>)>,
}

impl Row {
    pub fn ran(&self) -> bool {
        matches!(self.outcome.as_deref(), Some("ok" | "failed"))
    }

    pub fn shows(&self, label: &str) -> bool {
        self.diagnostics.iter().any(|(of, _)| of == label)
    }
}

/// A resolution: the check that no longer shows it, the first and the last that did, how many,
/// and what changed in between.
pub type Resolved = (String, String, String, usize, Vec<String>);

/// Rows that count, the oldest first.
pub struct Naive(pub Vec<Row>);

impl Naive {
    pub fn of(places: &StorePlaces) -> Self {
        let conn = Connection::open(places.index()).unwrap();
        let texts = |sql: &str, seq: i64| -> Vec<(String, Option<String>)> {
            let mut rows = conn.prepare_cached(sql).unwrap();
            let found = rows.query_map([seq], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            found.collect::<Result<_, _>>().unwrap()
        };
        let mut find = conn
            .prepare(
                "SELECT seq, id, at_ms, at_seq, session, tool, native_tool, cwd, outcome, \
                 target_key, arguments_digest, corrected_by IS NOT NULL FROM executions",
            )
            .unwrap();
        let rows = find.query_map([], |row| {
            let seq = row.get(0)?;
            let paths = texts(
                "SELECT p.path, CAST(x.role AS TEXT) FROM execution_paths x JOIN paths p \
                 ON p.number = x.path WHERE x.execution = ?1",
                seq,
            );
            let symbols = texts(
                "SELECT s.name, NULL FROM execution_symbols x JOIN symbols s \
                 ON s.number = x.symbol WHERE x.execution = ?1",
                seq,
            );
            Ok(Row {
                id: row.get(1)?,
                at: (row.get(2)?, row.get(3)?),
                session: row.get(4)?,
                tool: row.get(5)?,
                native_tool: row.get(6)?,
                cwd: row.get(7)?,
                outcome: row.get(8)?,
                target_key: row.get(9)?,
                arguments: row.get(10)?,
                corrected: row.get(11)?,
                paths: paths
                    .into_iter()
                    .map(|(path, role)| (path, role.unwrap().parse().unwrap()))
                    .collect(),
                symbols: symbols.into_iter().map(|(symbol, _)| symbol).collect(),
                diagnostics: texts(
                    "SELECT coalesce(d.code, d.level), d.file_name FROM execution_diagnostics x \
                     JOIN diagnostics d ON d.number = x.diagnostic WHERE x.execution = ?1",
                    seq,
                ),
            })
        });
        let mut rows: Vec<Row> = rows.unwrap().collect::<Result<_, _>>().unwrap();
        rows.retain(|row| !row.corrected);
        rows.sort_by_key(|row| row.at);
        Self(rows)
    }

    /// The ids of what a condition lets through, the newest first.
    pub fn list(&self, condition: impl Fn(&Row) -> bool) -> Vec<String> {
        self.0.iter().rev().filter(|row| condition(row)).map(|row| row.id.clone()).collect()
    }

    /// Every resolution of a label, by the last check that showed it, the newest first.
    pub fn resolutions(&self, label: &str) -> Vec<Resolved> {
        let mut found = Vec::new();
        for (at, last) in self.0.iter().enumerate().rev() {
            if !last.ran() || !last.shows(label) || last.target_key.is_none() {
                continue;
            }
            let same = |row: &&Row| {
                row.ran() && row.tool == last.tool && row.target_key == last.target_key
            };
            let Some(next) = self.0[at + 1..].iter().find(same) else { continue };
            if next.shows(label) {
                continue;
            }
            let before = self.0[..=at].iter().rev().filter(same);
            let chain: Vec<&Row> = before.take_while(|row| row.shows(label)).collect();
            let changed = self.0.iter().filter(|row| row.at > last.at && row.at < next.at);
            let changed = changed.filter(|row| row.paths.iter().any(|(_, role)| *role > 0));
            found.push((
                next.id.clone(),
                chain.last().unwrap().id.clone(),
                last.id.clone(),
                chain.len(),
                changed.map(|row| row.id.clone()).collect(),
            ));
        }
        found
    }

    /// Ok, failed, refused, interrupted of a tool and a target, or of the same call while it was a check, which
    /// is another in each folder.
    pub fn pattern(&self, tool: &str, key: &[u8], arguments: &[u8]) -> [u64; 4] {
        ["ok", "failed", "refused", "interrupted"].map(|outcome| {
            let same = self.0.iter().filter(|row| {
                let is_same = row.target_key.as_deref() == Some(key)
                    || row.target_key.is_some() && row.arguments.as_deref() == Some(arguments);
                row.tool == tool && is_same && row.outcome.as_deref() == Some(outcome)
            });
            same.count() as u64
        })
    }

    /// Failures in a row, the newest first, of a tool with these arguments since a time.
    pub fn recent(&self, tool: &str, arguments: &[u8], since_ms: i64) -> Vec<String> {
        let same = self.0.iter().rev().filter(|row| {
            let name = row.tool == tool
                || tool == "file_write"
                    && row.tool == "file_create"
                    && row.outcome.as_deref() == Some("ok");
            name && row.arguments.as_deref() == Some(arguments) && row.ran()
        });
        same.take_while(|row| row.outcome.as_deref() == Some("failed"))
            .filter(|row| row.at.0 >= since_ms)
            .map(|row| row.id.clone())
            .collect()
    }

    /// Label, executions, sessions, first, last, still present.
    pub fn recurring(&self) -> Vec<(String, u64, u64, String, String, bool)> {
        let mut labels: Vec<&String> =
            self.0.iter().flat_map(|row| row.diagnostics.iter().map(|(label, _)| label)).collect();
        labels.sort();
        labels.dedup();
        let mut found = Vec::new();
        for label in labels {
            let with: Vec<&Row> = self.0.iter().filter(|row| row.shows(label)).collect();
            let mut sessions: Vec<i64> = with.iter().filter_map(|row| row.session).collect();
            sessions.sort_unstable();
            sessions.dedup();
            let [first, last] = [with[0], with[with.len() - 1]];
            let later = self.0.iter().any(|row| {
                last.ran()
                    && row.ran()
                    && row.at > last.at
                    && row.tool == last.tool
                    && last.target_key.is_some()
                    && row.target_key == last.target_key
            });
            let counts = (with.len() as u64, sessions.len() as u64);
            let ends = (first.id.clone(), last.id.clone());
            found.push((label.clone(), counts.0, counts.1, ends.0, ends.1, !later));
        }
        found
    }
}
