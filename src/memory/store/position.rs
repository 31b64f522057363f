//! Where a row stands in a list that is newest first.

use std::cmp::Ordering;

use rusqlite::params;

use super::MemoryView;
use crate::store::StoreError;

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
    ) -> Result<Vec<Place>, StoreError> {
        let place = |row: &rusqlite::Row<'_>| Ok(Place { at: row.get(0)?, id: row.get(1)? });
        match before {
            None => self.rows(listed.first(), params![branch, limit], place),
            Some(Place { at, id }) => {
                self.rows(listed.next(), params![branch, limit, at, id], place)
            }
        }
    }

    /// How many rows of the list a branch has.
    pub fn count(&self, listed: Listed, branch: &str) -> Result<u64, StoreError> {
        Ok(self.row(listed.count(), [branch], |row| row.get(0))?.unwrap_or(0))
    }
}

macro_rules! listed {
    ($($name:ident $table:literal $index:literal $only:literal,)*) => {
        impl Listed {
            fn first(self) -> &'static str {
                match self { $(Self::$name => concat!(
                    "SELECT created_at, id FROM ", $table, " INDEXED BY ", $index,
                    " WHERE branch_id = ?1", $only, " ORDER BY created_at DESC, id DESC LIMIT ?2",
                ),)* }
            }

            fn next(self) -> &'static str {
                match self { $(Self::$name => concat!(
                    "SELECT created_at, id FROM ", $table, " INDEXED BY ", $index,
                    " WHERE branch_id = ?1", $only, " AND (created_at, id) < (?3, ?4)",
                    " ORDER BY created_at DESC, id DESC LIMIT ?2",
                ),)* }
            }

            fn count(self) -> &'static str {
                match self { $(Self::$name => concat!(
                    "SELECT count(*) FROM ", $table, " INDEXED BY ", $index,
                    " WHERE branch_id = ?1", $only,
                ),)* }
            }
        }
    };
}

listed! {
    Events "events" "idx_events_branch" "",
    Archival "archival" "idx_archival_branch" "",
    Wide "archival" "idx_archival_wide" " AND (length(CAST(text AS BLOB)) <> length(text) \
        OR instr(tags, '\\') > 0)",
}
