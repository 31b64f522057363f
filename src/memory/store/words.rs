//! The words of a branch's records: as `index.db` keeps them, or of the records themselves.

use std::collections::BTreeSet;

use super::read::tags;
use super::view::{MemoryReader, MemoryView};
use crate::execution::index::IndexReader;
use crate::memory::words::{Entry, Said};
use crate::store::Result;

/// The words that `index.db` keeps.
#[derive(Clone, Copy, Debug)]
pub struct KeptWords<'a> {
    pub index: &'a IndexReader,
    /// Records that were written or changed since.
    pub changed: &'a BTreeSet<u64>,
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
        Ok(if is_ahead { view.with(KeptWords { index, changed: &NONE }) } else { view })
    }
}

impl MemoryView<'_> {
    /// Gives the words of all records of these branches. Of what the index kept some may be of records that memory
    /// does not have.
    pub fn each_words(&self, branches: &[String], mut take: impl FnMut(&Entry<'_>)) -> Result<()> {
        let Some(KeptWords { index, changed }) = self.words else {
            return branches.iter().try_for_each(|it| self.each_record(it, &mut take));
        };
        let sql = "SELECT words FROM memory_words WHERE branch = ?1 ORDER BY first";
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
