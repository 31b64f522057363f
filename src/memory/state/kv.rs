//! Values under keys, as a branch sees them.

use rusqlite::{Row, params};
use serde::Serialize;

use super::store::{CHAIN, StateView};
use crate::event::{Json, wire};
use crate::store::Result;

/// A key of a namespace, on a branch.
#[derive(Clone, Copy, Debug)]
pub struct KvKey<'a> {
    pub branch: &'a str,
    pub namespace: &'a [String],
    pub key: &'a str,
}

/// A version of a key, or its deletion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KvEntry {
    pub namespace: Vec<String>,
    pub key: String,
    /// Of the key, counted from 1; of a deletion, the last before it.
    pub version: u64,
    /// `None`: deleted.
    pub value: Option<Json>,
    /// When the key had its first value since it was deleted.
    #[serde(rename = "created", serialize_with = "wire::utc")]
    pub created_ms: u64,
    #[serde(rename = "updated", serialize_with = "wire::utc")]
    pub updated_ms: u64,
    /// From when on it is not seen any more.
    #[serde(rename = "expires", serialize_with = "wire::utc_or_null")]
    pub over_ms: Option<u64>,
    /// That wrote it.
    pub branch: String,
    #[serde(skip)]
    pub sequence: u64,
    /// How well it fits the words that were looked for, the higher the better; `None` where none were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

impl KvEntry {
    /// Whether it is seen: it has a value, and its time is not over.
    pub fn is_live(&self, now_ms: u64) -> bool {
        self.value.is_some() && self.over_ms.is_none_or(|over| now_ms < over)
    }
}

const COLUMNS: &str = "kv.namespace, kv.key, kv.version, kv.value, kv.created_ms, kv.at_ms, \
     kv.over_ms, kv.branch, kv.seq";
const SEEN: &str = "FROM chain CROSS JOIN kv ON kv.branch = chain.branch AND kv.seq <= chain.cut";

impl StateView<'_> {
    /// What a branch sees under a key.
    pub fn get(&self, key: &KvKey<'_>, now_ms: u64) -> Result<Option<KvEntry>> {
        Ok(self.latest(key)?.filter(|entry| entry.is_live(now_ms)))
    }

    /// The last that was done to a key, as a branch sees it.
    pub fn latest(&self, key: &KvKey<'_>) -> Result<Option<KvEntry>> {
        // Of each branch the last is enough: its other versions are not read.
        let sql = format!(
            "{CHAIN} SELECT {COLUMNS} FROM kv WHERE kv.seq = (SELECT max((SELECT k.seq FROM kv k \
             WHERE k.branch = chain.branch AND k.namespace = ?2 AND k.key = ?3 \
             AND k.seq <= chain.cut ORDER BY k.seq DESC LIMIT 1)) FROM chain)"
        );
        Ok(self.rows(&sql, params![key.branch, json_of(key.namespace), key.key], entry)?.pop())
    }

    /// The version that the last put of a key had; 0 before the first.
    pub fn last_version(&self, key: &KvKey<'_>) -> Result<u64> {
        Ok(self.latest(key)?.map_or(0, |entry| entry.version))
    }

    /// One version of a key, also where it holds no more.
    pub fn version(&self, key: &KvKey<'_>, version: u64) -> Result<Option<KvEntry>> {
        let mut all = self.history(key, usize::MAX)?.into_iter();
        Ok(all.find(|entry| entry.version == version && entry.value.is_some()))
    }

    /// Versions and deletions of a key that a branch sees, the newest first.
    pub fn history(&self, key: &KvKey<'_>, most: usize) -> Result<Vec<KvEntry>> {
        let sql = format!(
            "{CHAIN} SELECT {COLUMNS} {SEEN} WHERE kv.namespace = ?2 AND kv.key = ?3 \
             ORDER BY kv.seq DESC LIMIT ?4"
        );
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.rows(&sql, params![key.branch, json_of(key.namespace), key.key, most], entry)
    }

    /// What a branch sees below a namespace, in its own and all within: by namespace and key.
    pub fn entries(&self, branch: &str, below: &[String], now_ms: u64) -> Result<Vec<KvEntry>> {
        // The last of each key is found in the index alone: other versions are not read.
        let sql = format!(
            "{CHAIN} SELECT {COLUMNS} FROM kv WHERE kv.seq IN (SELECT max(k.seq) FROM chain \
             CROSS JOIN kv k INDEXED BY kv_key ON k.branch = chain.branch AND k.seq <= chain.cut \
             WHERE k.namespace >= ?2 AND k.namespace < ?2 || char(0x10FFFF) \
             GROUP BY k.namespace, k.key) ORDER BY kv.namespace, kv.key"
        );
        let whole = json_of(below);
        let begins = whole.strip_suffix(']').unwrap_or(&whole);
        let mut found = self.rows(&sql, params![branch, begins], entry)?;
        found.retain(|entry| entry.is_live(now_ms));
        Ok(found)
    }
}

fn entry(row: &Row<'_>) -> rusqlite::Result<KvEntry> {
    let namespace: String = row.get(0)?;
    Ok(KvEntry {
        // Only what we wrote is in there.
        namespace: serde_json::from_str(&namespace).unwrap_or_default(),
        key: row.get(1)?,
        version: row.get(2)?,
        value: row.get::<_, Option<String>>(3)?.map(Json),
        created_ms: row.get(4)?,
        updated_ms: row.get(5)?,
        over_ms: row.get(6)?,
        branch: row.get(7)?,
        sequence: row.get(8)?,
        score: None,
    })
}

/// Labels as a JSON array: that of a namespace below another begins as the other's does.
pub(super) fn json_of(namespace: &[String]) -> String {
    serde_json::json!(namespace).to_string()
}
