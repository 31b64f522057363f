//! Where a row stands in a list that is newest first.

use std::cmp::Ordering;

use rusqlite::params;

use super::{MemoryView, WIDE};
use crate::store::Result;

/// Where a row stands among those of its list: by time, then by number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Unix seconds, as the row has them.
    pub at: f64,
    pub id: u64,
}

impl Eq for Place {}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        self.at.total_cmp(&other.at).then(self.id.cmp(&other.id))
    }
}

/// A list of rows of a branch, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    Events,
    Archival,
    /// Of the archive, what the full-text index folds otherwise than we do.
    Wide,
}

impl MemoryView<'_> {
    /// The places of a branch's newest rows, or of those before `before`.
    pub fn newest(
        &self,
        listed: Listed,
        branch: &str,
        before: Option<Place>,
        limit: u64,
    ) -> Result<Vec<Place>> {
        let place = |row: &rusqlite::Row<'_>| Ok(Place { at: row.get(0)?, id: row.get(1)? });
        let select = |before: &str| {
            let from = listed.rows();
            format!(
                "SELECT created_at, id FROM {from}{before} ORDER BY created_at DESC, id DESC LIMIT ?2"
            )
        };
        match before {
            None => self.rows(&select(""), params![branch, limit], place),
            Some(Place { at, id }) => {
                let sql = select(" AND (created_at, id) < (?3, ?4)");
                self.rows(&sql, params![branch, limit, at, id], place)
            }
        }
    }

    /// How many rows of the list a branch has.
    pub fn count(&self, listed: Listed, branch: &str) -> Result<u64> {
        let sql = format!("SELECT count(*) FROM {}", listed.rows());
        Ok(self.row(&sql, [branch], |row| row.get(0))?.unwrap_or(0))
    }
}

impl Listed {
    /// The rows of the branch `?1`, along an index.
    fn rows(self) -> String {
        match self {
            Self::Events => "events INDEXED BY idx_events_branch WHERE branch_id = ?1".to_owned(),
            Self::Archival => {
                "archival INDEXED BY idx_archival_branch WHERE branch_id = ?1".to_owned()
            }
            Self::Wide => {
                format!("archival INDEXED BY idx_archival_wide WHERE branch_id = ?1 AND ({WIDE})")
            }
        }
    }
}
