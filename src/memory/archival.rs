//! Archival memory: texts with tags, found by search.

use super::core::archived;
use super::limits::RESULTS_MAX;
use super::operation::{Operation, check_text};
use super::results::ArchivalDone;
use super::texts::{beginning, part_tag, pieces, without_part};
use super::{MemoryError, Result, tags};
use crate::event::{ArchivalUpdated, ArchivalWritten, Body, Event, MemoryDoor, MemoryQuery};
use crate::memory::query::{self as memory, ArchivalRecord, Matching};
use crate::parse::reply::{ArchivalChange, ArchivalWrite};

impl Operation<'_> {
    /// Archives a text under a branch, or finds the equal one there is.
    pub fn insert_archival(
        &mut self,
        branch: &str,
        text: &str,
        tags: &[String],
    ) -> Result<ArchivalDone> {
        let branch = self.branch(branch)?;
        self.archive(&branch, text, tags.to_vec())
    }

    /// As [`Self::insert_archival`]; what is said of it besides becomes tags. Its `branch_id`, or
    /// the branch of its `node_id`, counts before the one asked, where there is one.
    pub fn mem_archival_write(
        &mut self,
        branch: &str,
        write: &ArchivalWrite,
    ) -> Result<ArchivalDone> {
        let said = ["branch_id", "node_id"].map(|key| tags::meta_of(&write.meta, key));
        let branch = self.branch_said(said, branch)?;
        let tags = self.tags_of(&write.tags, &write.meta);
        self.archive(&branch, &write.text, tags)
    }

    /// One record; `None` where there is none.
    pub fn mem_archival_get(&mut self, id: u64) -> Result<Option<ArchivalRecord>> {
        let found = self.view()?.record(id)?;
        let branch = found.as_ref().map_or("", |found| found.branch.as_str());
        let (query, results) = (MemoryQuery::Record { id }, usize::from(found.is_some()));
        self.record_read(branch, query, results)?;
        Ok(found)
    }

    /// Records that a branch sees, that have the words, any or all of them, and all tags.
    pub fn search_archival(
        &mut self,
        branch: &str,
        (query, matching): (&str, Matching),
        k: Option<u64>,
        include_ancestors: bool,
        tags: &[String],
    ) -> Result<Vec<ArchivalRecord>> {
        let branch = &self.branch(branch)?;
        tags::check(tags)?;
        let k = k.unwrap_or(self.config().retrieval_k).clamp(1, RESULTS_MAX);
        let use_fts = self.config().use_fts;
        // They were stored without what redaction takes out.
        let asked = self.redacted(query);
        let asked_tags: Vec<String> = tags.iter().map(|tag| self.redacted(tag)).collect();
        let search = memory::ArchivalSearch {
            branch,
            query: &asked,
            matching,
            k: k as usize,
            tags: &asked_tags,
            include_ancestors,
            use_fts,
        };
        let found = memory::search(&self.view_with_words()?, &search)?;
        let (query, tags) = (beginning(query, 4_096, 16_384).to_owned(), tags.to_vec());
        let query = MemoryQuery::Archival { query, k, tags, include_ancestors };
        self.record_read(branch, query, found.len())?;
        Ok(found)
    }

    /// What memory archives by itself; gives the record.
    pub(super) fn archive_itself(
        &mut self,
        branch: &str,
        text: &str,
        tags: Vec<String>,
    ) -> Result<u64> {
        Ok(self.by(MemoryDoor::Internal, |operation| operation.archive(branch, text, tags))?.id)
    }

    /// Archives a text; one that is too long for a record in several, in its order.
    pub(super) fn archive(
        &mut self,
        branch: &str,
        text: &str,
        tags: Vec<String>,
    ) -> Result<ArchivalDone> {
        check_text("the text", text)?;
        tags::check(&tags)?;
        if text.trim().is_empty() {
            return Err(MemoryError::Empty { what: "the text to be archived" });
        }
        // Redacted before it is cut: half a secret is no longer known for one.
        let text = self.redacted(text);
        let pieces = pieces(&text, self.config().archival_max_chars);
        let first = self.view()?.last_ids()?.archival + 1;
        let mut events = Vec::with_capacity(pieces.len());
        for (number, (id, piece)) in (1..).zip((first..).zip(&pieces)) {
            let tags = tags_of_piece(&tags, number, pieces.len());
            events.push(self.written(id, branch, piece, tags)?);
        }
        let mut done = ArchivalDone { id: first, branch: branch.to_owned(), ..Default::default() };
        if let Some(known) = self.known_records(branch, &events)? {
            (done.id, done.written) = (known, false);
        } else {
            done.written = true;
            events.into_iter().try_for_each(|event| self.push(event))?;
        }
        done.cut = pieces.len() > 1;
        done.records = (done.id..).take(pieces.len()).collect();
        Ok(done)
    }

    /// The first of records of the branch that say the very same, one after the other.
    fn known_records(&mut self, branch: &str, events: &[Event]) -> Result<Option<u64>> {
        let view = self.view()?;
        let mut known = None;
        for (number, event) in (0..).zip(events) {
            let (text, tags) = archived(event);
            match known {
                None => match view.same_record(branch, text, tags)? {
                    Some(id) => known = Some(id),
                    None => return Ok(None),
                },
                Some(first) => {
                    let same = view
                        .record(first + number)?
                        .filter(|it| it.branch == branch && it.text == text && it.tags == tags);
                    if same.is_none() {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(known)
    }

    pub(super) fn written(
        &self,
        id: u64,
        branch: &str,
        text: &str,
        tags: Vec<String>,
    ) -> Result<Event> {
        let (branch, text, origin) = (branch.to_owned(), text.to_owned(), self.origin());
        let written = ArchivalWritten { id, branch, text, tags, whole: None, origin };
        self.prepared(Body::ArchivalWritten(written))
    }

    /// Changes a record. With a branch, only one of its own.
    pub fn mem_archival_update(
        &mut self,
        branch: Option<&str>,
        change: &ArchivalChange,
    ) -> Result<()> {
        let branch = branch.map(|branch| self.branch(branch)).transpose()?;
        let id = change.id;
        let Some(record) = self.view()?.record(id)? else {
            return Err(MemoryError::NoRecord { id: id.to_string() });
        };
        if let Some(branch) = branch.filter(|branch| *branch != record.branch) {
            return Err(MemoryError::ForeignRecord { id, owner: record.branch, branch });
        }
        let tags = match (&change.tags, change.meta.is_empty()) {
            (None, true) => None,
            (tags, _) => {
                let tags = tags.as_ref().unwrap_or(&record.tags);
                Some(tags::with_meta(tags, &change.meta))
            }
        };
        tags::check(tags.as_deref().unwrap_or_default())?;
        let Some(text) = &change.text else {
            return match tags {
                None => Ok(()),
                tags => self.changed(id, record.branch, None, tags),
            };
        };
        check_text("the text", text)?;
        let text = self.redacted(text);
        let pieces = pieces(&text, self.config().archival_max_chars);
        let branch = record.branch;
        if pieces.len() == 1 {
            return self.changed(id, branch, Some(text), tags);
        }
        // The record has the beginning; the rest goes on in records of its own.
        let all = without_part(&tags.unwrap_or(record.tags));
        let tags = |number| tags_of_piece(&all, number, pieces.len());
        self.changed(id, branch.clone(), Some(pieces[0].to_owned()), Some(tags(1)))?;
        for (number, piece) in (2..).zip(&pieces[1..]) {
            let next = self.view()?.last_ids()?.archival + 1;
            let event = self.written(next, &branch, piece, tags(number))?;
            let (text, tags) = archived(&event);
            if self.view()?.same_record(&branch, text, tags)?.is_none() {
                self.push(event)?;
            }
        }
        Ok(())
    }

    fn changed(
        &mut self,
        id: u64,
        branch: String,
        text: Option<String>,
        tags: Option<Vec<String>>,
    ) -> Result<()> {
        let origin = self.origin();
        let updated = ArchivalUpdated { id, branch, text, tags, whole: None, origin };
        self.record(Body::ArchivalUpdated(updated))
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

/// Tags, and which of several pieces it is.
fn tags_of_piece(tags: &[String], number: usize, count: usize) -> Vec<String> {
    let part = (count > 1).then(|| part_tag(number, count));
    tags.iter().cloned().chain(part).collect()
}
