//! What a search wants of a record, and what the full-text index can tell of that.

use super::super::seconds::tags;
use super::{ArchivalSearch, Terms};
use crate::execution::query::QueryError;
use crate::memory::query::ArchivalRecord;
use crate::memory::store::MemoryView;

/// Tags that the full-text index is asked for; the others are only looked at.
const TAGS_ASKED_MAX: usize = 32;
/// Bytes of a tag that it is asked for.
const TAG_BYTES_MAX: usize = 4_096;

/// Words that are tried for being rare.
const WORDS_TRIED_MAX: usize = 8;

/// What a search wants of a record.
pub(super) struct Wanted<'a> {
    terms: Terms,
    tags: &'a [String],
}

/// What the full-text index can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Records of ASCII alone are found by this, and perhaps more.
    Match(String),
    /// No record of ASCII alone can be wanted.
    Nothing,
}

impl<'a> Wanted<'a> {
    pub(super) fn of(search: &ArchivalSearch<'a>) -> Self {
        Self { terms: Terms::of(search.query), tags: search.tags }
    }

    /// Whether the full-text index can tell anything.
    pub(super) fn is_indexed(&self) -> bool {
        self.asked() != Asked::Match(String::new())
    }

    /// The record of this number, where it is wanted.
    pub(super) fn record(
        &self,
        view: &MemoryView<'_>,
        id: u64,
    ) -> Result<Option<ArchivalRecord>, QueryError> {
        let row = view.record_if(id, |text, tags| self.is_met_by(text, tags))?;
        Ok(row.map(ArchivalRecord::from))
    }

    fn is_met_by(&self, text: &str, json: &str) -> bool {
        if self.tags.is_empty() && !json.contains('\\') {
            // As JSON writes them, such tags have the same words as they have themselves.
            return self.terms.are_in([text, json].into_iter());
        }
        let tags = tags(json);
        let texts = std::iter::once(text).chain(tags.iter().map(String::as_str));
        self.tags.iter().all(|tag| tags.contains(tag)) && self.terms.are_in(texts)
    }

    /// Words that every wanted record of ASCII alone has, in whichever column.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let in_tags =
            self.tags.iter().flat_map(|tag| tag.split(|c: char| !c.is_ascii_alphanumeric()));
        let words = self.terms.ascii.iter().map(String::as_str).chain(in_tags);
        words.filter(|word| !word.is_empty() && word.len() <= TAG_BYTES_MAX).take(WORDS_TRIED_MAX)
    }

    /// The question for the full-text index: every word in text or tags, and every tag's words, one
    /// after the other, in the tags. Nothing but ASCII letters and digits of what a person typed is
    /// in it.
    pub(super) fn asked(&self) -> Asked {
        let mut asked: Vec<String> = Vec::new();
        if !self.terms.wide.is_empty() {
            return Asked::Nothing;
        }
        asked.extend(self.terms.ascii.iter().map(|term| format!("{{text tags}} : \"{term}\"")));
        for tag in self.tags.iter().take(TAGS_ASKED_MAX) {
            if !tag.bytes().all(|byte| (b' '..=b'~').contains(&byte)) || tag.contains(['"', '\\']) {
                return Asked::Nothing;
            }
            let words: Vec<&str> =
                tag.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
            if !words.is_empty() && tag.len() <= TAG_BYTES_MAX {
                asked.push(format!("{{tags}} : \"{}\"", words.join(" ")));
            }
        }
        Asked::Match(asked.join(" AND "))
    }
}
