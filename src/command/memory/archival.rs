//! Archival memory: texts with tags, found by search.

use super::core::archived;
use super::cut::{beginning, fits};
use super::limits::{RESULTS_MAX, ROW_BYTES_MAX};
use super::operation::{Operation, check_text};
use super::results::ArchivalDone;
use super::{MemoryError, tags};
use crate::command::reply::{ArchivalChange, ArchivalWrite};
use crate::event::{
    ArchivalUpdated, ArchivalWritten, Body, Content, MemoryDoor, MemoryQuery, MemoryRead,
};
use crate::query::memory::{self, ArchivalRecord};

impl Operation<'_> {
    /// Archives a text under a branch, or finds the equal one there is.
    ///
    /// # Errors
    /// Where there is no such branch, or it is too long.
    pub fn insert_archival(
        &mut self,
        branch: &str,
        text: &str,
        tags: &[String],
    ) -> Result<ArchivalDone, MemoryError> {
        let branch = self.branch(branch)?;
        self.archive(MemoryDoor::Primitive, &branch, text, tags.to_vec())
    }

    /// As [`Self::insert_archival`]; what is said of it besides becomes tags. Its `branch_id`, or
    /// the branch of its `node_id`, counts before the one asked, where there is one.
    ///
    /// # Errors
    /// As [`Self::insert_archival`].
    pub fn mem_archival_write(
        &mut self,
        branch: &str,
        write: &ArchivalWrite,
    ) -> Result<ArchivalDone, MemoryError> {
        let mut of = None;
        for said in ["branch_id", "node_id"] {
            if let (None, Some(name)) = (&of, tags::meta_of(&write.meta, said)) {
                of = memory::branch_of(&self.view()?, name)?;
            }
        }
        let branch = match of {
            Some(of) => of,
            None => self.branch(branch)?,
        };
        let tags = self.tags_of(&write.tags, &write.meta);
        self.archive(MemoryDoor::Api, &branch, &write.text, tags)
    }

    /// Changes a record. With a branch, only one of its own.
    ///
    /// # Errors
    /// Where there is no such record or branch, or it is another's.
    pub fn mem_archival_update(
        &mut self,
        branch: Option<&str>,
        change: &ArchivalChange,
    ) -> Result<(), MemoryError> {
        let branch = branch.map(|branch| self.branch(branch)).transpose()?;
        self.change_record(MemoryDoor::Api, branch.as_deref(), change)
    }

    /// Records that a branch sees, that have all words and all tags, the newest first.
    ///
    /// # Errors
    /// Where there is no such branch.
    pub fn retrieve_archival(
        &mut self,
        branch: &str,
        query: &str,
        k: Option<u64>,
        include_ancestors: bool,
        tags: &[String],
    ) -> Result<Vec<ArchivalRecord>, MemoryError> {
        let branch = self.branch(branch)?;
        self.search_archival(MemoryDoor::Primitive, &branch, query, k, include_ancestors, tags)
    }

    /// As [`Self::retrieve_archival`], ancestors included.
    ///
    /// # Errors
    /// As [`Self::retrieve_archival`].
    pub fn mem_archival_search(
        &mut self,
        branch: &str,
        query: &str,
        tags: &[String],
        k: Option<u64>,
    ) -> Result<Vec<ArchivalRecord>, MemoryError> {
        let branch = self.branch(branch)?;
        self.search_archival(MemoryDoor::Api, &branch, query, k, true, tags)
    }

    /// One record; `None` where there is none.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn mem_archival_get(&mut self, id: u64) -> Result<Option<ArchivalRecord>, MemoryError> {
        let found = memory::record(&self.view()?, id)?;
        let branch = found.as_ref().map_or_else(String::new, |found| found.branch.clone());
        let (query, results) = (MemoryQuery::Record { id }, u64::from(found.is_some()));
        let origin = self.origin(MemoryDoor::Api);
        self.record(Body::MemoryRead(MemoryRead { branch, query, results, origin }))?;
        Ok(found)
    }

    pub(super) fn search_archival(
        &mut self,
        by: MemoryDoor,
        branch: &str,
        query: &str,
        k: Option<u64>,
        include_ancestors: bool,
        tags: &[String],
    ) -> Result<Vec<ArchivalRecord>, MemoryError> {
        tags::check(tags)?;
        let k = k.unwrap_or(self.config().retrieval_k).clamp(1, RESULTS_MAX);
        let use_fts = self.config().use_fts;
        // They were stored without what redaction takes out.
        let asked = self.redacted(query);
        let asked_tags: Vec<String> = tags.iter().map(|tag| self.redacted(tag)).collect();
        let search = memory::ArchivalSearch {
            branch,
            query: &asked,
            k: k as usize,
            tags: &asked_tags,
            include_ancestors,
            use_fts,
        };
        let found = memory::search(&self.view()?, &search)?;
        let (query, tags) = (beginning(query, 4_096, 16_384).to_owned(), tags.to_vec());
        let query = MemoryQuery::Archival { query, k, tags, include_ancestors };
        let (branch, origin) = (branch.to_owned(), self.origin(by));
        let results = found.len() as u64;
        self.record(Body::MemoryRead(MemoryRead { branch, query, results, origin }))?;
        Ok(found)
    }

    /// Archives a text; the beginning of one that is too long, with all of it in the journal.
    pub(super) fn archive(
        &mut self,
        by: MemoryDoor,
        branch: &str,
        text: &str,
        tags: Vec<String>,
    ) -> Result<ArchivalDone, MemoryError> {
        check_text("the text", text)?;
        tags::check(&tags)?;
        if text.trim().is_empty() {
            return Err(MemoryError::Empty { what: "the text to be archived" });
        }
        let (text, whole) = self.cut_to_record(text);
        let cut = whole.is_some();
        let id = self.view()?.last_ids()?.archival + 1;
        let origin = self.origin(by);
        let written = ArchivalWritten { id, branch: branch.to_owned(), text, tags, whole, origin };
        let event = self.prepared(Body::ArchivalWritten(written))?;
        let branch = branch.to_owned();
        // Of a text that was cut the beginning alone says nothing of the rest.
        if !cut {
            let (text, tags) = archived(&event);
            if let Some(id) = memory::same_record(&self.view()?, &branch, text, tags)? {
                return Ok(ArchivalDone { id, branch, written: false, cut });
            }
        }
        self.push(event)?;
        Ok(ArchivalDone { id, branch, written: true, cut })
    }

    pub(super) fn change_record(
        &mut self,
        by: MemoryDoor,
        branch: Option<&str>,
        change: &ArchivalChange,
    ) -> Result<(), MemoryError> {
        let id = change.id;
        let Some(record) = memory::record(&self.view()?, id)? else {
            return Err(MemoryError::NoRecord { id: id.to_string() });
        };
        if let Some(branch) = branch.filter(|branch| *branch != record.branch) {
            let (owner, branch) = (record.branch, branch.to_owned());
            return Err(MemoryError::ForeignRecord { id, owner, branch });
        }
        let tags = match (&change.tags, change.meta.is_empty()) {
            (None, true) => None,
            (tags, _) => {
                let tags = tags.as_ref().unwrap_or(&record.tags);
                Some(tags::with_meta(tags, &change.meta))
            }
        };
        tags::check(tags.as_deref().unwrap_or_default())?;
        let (text, whole) = match &change.text {
            None => (None, None),
            Some(text) => {
                check_text("the text", text)?;
                let (text, whole) = self.cut_to_record(text);
                (Some(text), whole)
            }
        };
        if text.is_none() && tags.is_none() {
            return Ok(());
        }
        let (branch, origin) = (record.branch, self.origin(by));
        let updated = ArchivalUpdated { id, branch, text, tags, whole, origin };
        self.record(Body::ArchivalUpdated(updated))
    }

    /// A text as a record holds it, and all of it where that is less.
    fn cut_to_record(&self, text: &str) -> (String, Option<Content>) {
        let chars = usize::try_from(self.config().archival_max_chars).unwrap_or(usize::MAX).max(1);
        if fits(text, chars, ROW_BYTES_MAX) {
            return (text.to_owned(), None);
        }
        // Redacted before it is cut: half a secret is no longer known for one.
        let kept = beginning(&self.redacted(text), chars, ROW_BYTES_MAX).to_owned();
        (kept, Some(Content::Inline(text.as_bytes().to_vec())))
    }

    /// A record's tags, with what is said of it and of who asks.
    pub(super) fn tags_of(&self, tags: &[String], meta: &[(String, String)]) -> Vec<String> {
        let mut meta = meta.to_vec();
        let origin = &self.asker.origin;
        let known = [("run_id", &origin.run), ("node_id", &origin.node), ("phase", &origin.phase)];
        for (key, value) in known {
            if let (Some(value), None) = (value, tags::meta_of(&meta, key)) {
                meta.push((key.to_owned(), value.clone()));
            }
        }
        tags::with_meta(tags, &meta)
    }
}
