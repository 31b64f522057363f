//! Which events of the journal touched branch memory (who asked for each, when, during what), and why a
//! key has the value that a branch sees.

use serde::Serialize;

use super::{CoreValue, Result, chain, core};
use crate::event::{Ordered, Sequence, wire};
use crate::execution::closed::signed;
use crate::execution::query::Stores;
use crate::memory::store::MemoryView;
use crate::store::Ask;
use crate::store::columns::columns;

/// Events that look at memory and change nothing.
const LOOKS: &str = "'MemoryRead', 'PromptRendered', 'PressureChecked', 'UpdatesApplied'";
const COLUMNS: &str = "o.seq, o.at_ms, s.id, o.kind, o.branch, o.key, o.record, o.node, o.run, \
     o.phase, o.door, o.execution";
const SESSIONS: &str = "LEFT JOIN sessions s ON s.number = o.session";

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemoryOp {
    pub sequence: Sequence,
    #[serde(rename = "at", serialize_with = "wire::utc")]
    pub at_ms: u64,
    pub session: Option<String>,
    /// The event's kind: `CoreSet`.
    pub kind: String,
    pub branch: String,
    pub key: Option<String>,
    /// The archival record it wrote or changed.
    pub record: Option<u64>,
    pub node: Option<String>,
    pub run: Option<String>,
    pub phase: Option<String>,
    /// The layer it came by: `primitive`, `api`, `model`, `internal`, `import`.
    #[serde(rename = "by")]
    pub door: String,
    /// The execution during which it happened.
    pub execution: Option<String>,
}

/// Which events of branch memory are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryLog {
    /// Those of these branches; of all, where none is named.
    pub branches: Vec<String>,
    /// Only what changed memory, no reads.
    pub writes_only: bool,
    pub before: Option<Sequence>,
    pub limit: usize,
}

/// What of memory an event changed, by which it can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryChange<'a> {
    Key(&'a str),
    Event(u64),
    Record(u64),
}

impl Stores {
    /// Events of branch memory, newest first.
    pub fn memory_log(&self, asked: &MemoryLog) -> Result<Vec<MemoryOp>> {
        let writes =
            if asked.writes_only { format!("AND o.kind NOT IN ({LOOKS})") } else { String::new() };
        let before = Ask::Number(asked.before.map_or(i64::MAX, |before| signed(before.0)));
        let limit = Ask::Number(i64::try_from(asked.limit).unwrap_or(i64::MAX));
        let sql = |index: &str, on: &str| {
            format!(
                "SELECT {COLUMNS} FROM memory_ops o INDEXED BY {index} {SESSIONS} \
                 WHERE {on} o.door IS NOT NULL AND o.seq < ?1 {writes} ORDER BY o.seq DESC LIMIT ?2"
            )
        };
        if asked.branches.is_empty() {
            return self.memory_ops(&sql("memory_ops_memory", ""), &[before, limit]);
        }
        let mut found = Vec::new();
        for branch in &asked.branches {
            let values = [before.clone(), limit.clone(), Ask::Text(branch.clone())];
            found.extend(self.memory_ops(&sql("memory_ops_branch", "o.branch = ?3 AND"), &values)?);
        }
        found.order_by_key(|op: &MemoryOp| std::cmp::Reverse(op.sequence));
        found.truncate(asked.limit);
        Ok(found)
    }

    /// The newest events that changed something on a branch, newest first.
    pub fn memory_history(
        &self,
        branch: &str,
        change: MemoryChange<'_>,
        limit: usize,
    ) -> Result<Vec<MemoryOp>> {
        let (layer, name) = match change {
            MemoryChange::Key(key) => ("core", key.to_owned()),
            MemoryChange::Event(id) => ("recall", id.to_string()),
            MemoryChange::Record(id) => ("archival", id.to_string()),
        };
        let sql = format!(
            "SELECT {COLUMNS} FROM memory_changes c JOIN memory_ops o ON o.seq = c.seq {SESSIONS} \
             WHERE c.layer = ?1 AND c.name = ?2 AND c.branch = ?3 ORDER BY c.seq DESC LIMIT ?4"
        );
        let limit = Ask::Number(i64::try_from(limit).unwrap_or(i64::MAX));
        let text = |text: &str| Ask::Text(text.to_owned());
        self.memory_ops(&sql, &[text(layer), Ask::Text(name), text(branch), limit])
    }

    pub fn memory_fork(&self, branch: &str) -> Result<Option<MemoryOp>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM memory_ops o INDEXED BY memory_ops_branch {SESSIONS} \
             WHERE o.branch = ?1 AND o.kind = 'BranchForked' ORDER BY o.seq LIMIT 1"
        );
        Ok(self.memory_ops(&sql, &[Ask::Text(branch.to_owned())])?.pop())
    }

    /// What was imported to a branch: the kind and the time of each event.
    pub fn memory_imported(&self, branch: &str) -> Result<Vec<(String, u64)>> {
        let sql = "SELECT kind, at_ms FROM memory_ops INDEXED BY memory_ops_branch \
                   WHERE branch = ?1 AND door = 'import'";
        let values = [Ask::Text(branch.to_owned())];
        Ok(self.index.answer(sql, &values, |row| Ok((row.get(0)?, row.get(1)?)))?)
    }

    fn memory_ops(&self, sql: &str, values: &[Ask]) -> Result<Vec<MemoryOp>> {
        Ok(self.index.answer(sql, values, |row| {
            columns!(row => MemoryOp {
                sequence, at_ms, session, kind, branch, key, record, node, run, phase, door, execution
            })
        })?)
    }
}

/// Why a key has the value that a branch sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    pub branch: String,
    pub key: String,
    pub value: WhyValue,
    /// What happened to the key on the branch and its ancestors, and the forks that it came through,
    /// in the order of the journal.
    pub steps: Vec<WhyStep>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyValue {
    Seen(CoreValue),
    Deleted {
        on: String,
    },
    /// It had to go, on this branch; its value lies in this record of the archive.
    Evicted {
        on: String,
        record: u64,
    },
    /// Its time is over; this branch had set it.
    Over {
        on: String,
    },
    /// Nobody that it can be seen from ever set it.
    Never,
}

/// An event that has to do with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyStep {
    pub op: MemoryOp,
    /// Whether it is of the branch that decides what is seen, or a fork on the way from there; the
    /// others happened above and are hidden.
    pub decides: bool,
}

impl Stores {
    /// Why a branch sees what it sees under a key, by the newest `limit` events of each branch.
    pub fn memory_why(
        &self,
        view: &MemoryView<'_>,
        (branch, key): (&str, &str),
        now_ms: u64,
        limit: usize,
    ) -> Result<Why> {
        let mut steps = Vec::new();
        let mut decider: Option<MemoryOp> = None;
        let mut forks = Vec::new();
        for link in chain(view, branch)? {
            let history = self.memory_history(&link.branch, MemoryChange::Key(key), limit)?;
            if let Some(last) = history.first() {
                let decides = decider.is_none();
                decider.get_or_insert_with(|| last.clone());
                // What lies above a branch comes through its fork.
                let through = history.into_iter().chain(forks.drain(..));
                steps.extend(through.map(|op| WhyStep { op, decides }));
            }
            forks.extend(self.memory_fork(&link.branch)?);
        }
        steps.order_by_key(|step| step.op.sequence);
        let value = match (core(view, branch, now_ms)?.remove(key), decider) {
            (Some(value), _) => WhyValue::Seen(value),
            (None, None) => WhyValue::Never,
            (None, Some(last)) => unseen(last),
        };
        Ok(Why { branch: branch.to_owned(), key: key.to_owned(), value, steps })
    }
}

/// Why nothing is seen where this happened last.
fn unseen(last: MemoryOp) -> WhyValue {
    let on = last.branch;
    match (last.kind.as_str(), last.record) {
        ("CoreDeleted", _) => WhyValue::Deleted { on },
        ("CoreEvicted", Some(record)) => WhyValue::Evicted { on, record },
        _ => WhyValue::Over { on },
    }
}
