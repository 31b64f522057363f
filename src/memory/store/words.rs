//! The words of a branch's records: as `index.db` keeps them, or of the records themselves.

use std::collections::BTreeSet;

use super::read::tags;
use super::view::{MemoryReader, MemoryView};
use crate::execution::index::IndexReader;
use crate::memory::vectors::{Near, cosine};
use crate::memory::words::{Entry, Said};
use crate::store::Result;

/// The words that `index.db` keeps.
#[derive(Clone, Copy, Debug)]
pub struct KeptWords<'a> {
    pub index: &'a IndexReader,
    /// Records that were written or changed since.
    pub changed: &'a BTreeSet<u64>,
    /// What is asked, as vectors, where the settings' command made some.
    pub near: &'a [Near],
}

static NONE: BTreeSet<u64> = BTreeSet::new();

impl MemoryReader {
    /// As [`Self::view`], beside the index, whose words are read where it knows all that memory does.
    pub fn view_beside<'a>(&'a self, index: &'a IndexReader) -> Result<MemoryView<'a>> {
        let view = self.view();
        let (kept, own) = (index.cursor()?, self.cursor()?);
        let is_ahead = kept.zip(own).is_some_and(|(kept, own)| {
            kept.position.journal == own.position.journal
                && kept.position.sequence >= own.position.sequence
        });
        Ok(if is_ahead { view.with(KeptWords { index, changed: &NONE, near: &[] }) } else { view })
    }
}

impl MemoryView<'_> {
    /// Gives the words of all records of these branches. Of what the index kept some may be of records that memory
    /// does not have.
    pub fn each_words(&self, branches: &[String], mut take: impl FnMut(&Entry<'_>)) -> Result<()> {
        let Some(KeptWords { index, changed, .. }) = self.words else {
            return branches.iter().try_for_each(|it| self.each_record(it, &mut take));
        };
        let sql = "SELECT keys FROM memory_words WHERE branch = ?1 ORDER BY first";
        for branch in branches {
            index.rows(sql, [branch], |row| {
                let kept = Entry::all(row.get_ref(0)?.as_blob()?);
                kept.filter(|it| !changed.contains(&it.id)).for_each(|it| take(&it));
                Ok(())
            })?;
        }
        for id in changed {
            if let Some(it) = self.record(*id)?
                && branches.contains(&it.branch)
            {
                take(&Said::of(&it.text, &it.tags).entry(it.id, it.at_ms));
            }
        }
        Ok(())
    }

    /// The records of these branches whose vectors are nearest to this query's, the nearest first; none where
    /// the query has no vector. A record that was changed since has no meaning that is known.
    pub fn nearest(&self, query: &str, branches: &[String], most: usize) -> Result<Vec<u64>> {
        let Some(KeptWords { index, changed, near }) = self.words else { return Ok(Vec::new()) };
        let Some(near) = near.iter().find(|it| it.query == query) else { return Ok(Vec::new()) };
        let mut found: Vec<(f64, u64)> = Vec::new();
        let sql = "SELECT record, vector FROM memory_vectors WHERE branch = ?1 AND model = ?2 \
                   ORDER BY record";
        for branch in branches {
            index.rows(sql, (branch, &near.model), |row| {
                let (id, alike) = (row.get(0)?, cosine(&near.vector, row.get_ref(1)?.as_blob()?));
                if alike > 0.0 && !changed.contains(&id) {
                    found.push((alike, id));
                }
                Ok(())
            })?;
        }
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        Ok(found.into_iter().take(most).map(|it| it.1).collect())
    }

    /// The records that have a vector; `None` where no index says so.
    pub fn embedded(&self) -> Result<Option<BTreeSet<u64>>> {
        let Some(KeptWords { index, changed, .. }) = self.words else { return Ok(None) };
        let rows =
            index.rows("SELECT record FROM memory_vectors", [], |row| row.get::<_, u64>(0))?;
        Ok(Some(rows.into_iter().filter(|id| !changed.contains(id)).collect()))
    }

    /// The numbers of all records.
    pub fn record_ids(&self) -> Result<Vec<u64>> {
        self.rows("SELECT id FROM archival ORDER BY id", [], |row| row.get(0))
    }

    fn each_record(&self, branch: &str, take: &mut impl FnMut(&Entry<'_>)) -> Result<()> {
        let sql = "SELECT id, created_at, text, tags FROM archival INDEXED BY idx_archival_branch \
                   WHERE branch_id = ?1";
        let read = self.rows(sql, [branch], |row| {
            let (id, at) = (row.get(0)?, super::read::ms(row.get(1)?));
            let said = Said::of(row.get_ref(2)?.as_str()?, &tags(row.get_ref(3)?.as_str()?));
            take(&said.entry(id, at));
            Ok(())
        });
        read.map(drop)
    }
}
