//! Search in archival memory: which records of a branch's chain say most of what is asked (`ranked.rs`), or have
//! all words; and all tags.
//!
//! For all words three ways lead to the records, and all give the same: the chain's own rows, newest first, each
//! looked at; the words that the index keeps of the chain's records; and the full-text index, whose postings are of
//! all branches. The first is short where the words are common, the second where the chain has few that may be it,
//! the third where the words are rare everywhere. The newest rows are looked at in any case, unless a word is so
//! rare that the full-text index has said all at once. What that index reads otherwise than we do (texts that hold
//! more than ASCII) is looked at row by row.

mod by_words;
mod postings;
mod ranked;
pub(crate) mod terms;

use std::collections::BTreeSet;

use super::{ArchivalRecord, Newest, Result, chain};
use crate::event::words;
use crate::memory::store::{Listed, MemoryView, Place, tags};
use crate::memory::words::Asked;

pub(in crate::memory) use ranked::Ranks;
pub(super) use terms::Terms;

/// Records that a search gives at most.
pub const SEARCH_RECORDS_MAX: usize = 10_000;

words! {
    /// Which words of a query a record must have.
    #[derive(Default)]
    pub enum Matching {
        /// Any, in whatever form; the records that say most of it first.
        #[default]
        Any = "any",
        /// All, exactly; the newest records first.
        All = "all",
    }
}

/// How long the ways are on which a search goes; what is found is the same whatever they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ways {
    /// Rows that are looked at before it is judged whether that goes on.
    pub(super) look_step: usize,
    /// Rows that are looked at where, by what was found so far, so many will do.
    pub(super) look_max: usize,
    /// Postings that are looked up one by one: where there are more, the chain's own numbers are read
    /// first.
    pub(super) rare_max: usize,
    /// So many postings cost what looking at one row does.
    pub(super) postings_a_row: usize,
}

/// As measured on a million records: a row is read in 10 µs, since the next one lies elsewhere, a
/// posting in 0.1 µs, a number of the chain's in 0.5 µs.
const WAYS: Ways = Ways { look_step: 64, look_max: 1_024, rare_max: 256, postings_a_row: 64 };

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchivalSearch<'a> {
    pub branch: &'a str,
    /// Its words are looked for in a record's text and tags; without a word, every record is found.
    pub query: &'a str,
    pub matching: Matching,
    /// Records wanted, at most `SEARCH_RECORDS_MAX`.
    pub k: usize,
    pub tags: &'a [String],
    /// Whether its ancestors' records are looked through too.
    pub include_ancestors: bool,
    /// Whether the full-text index may be asked for all words; what is found is the same.
    pub use_fts: bool,
}

impl<'a> ArchivalSearch<'a> {
    /// The newest records that a branch sees, whatever they say.
    pub fn newest(branch: &'a str, k: usize) -> Self {
        let matching = Matching::All;
        Self { branch, query: "", matching, k, tags: &[], include_ancestors: true, use_fts: false }
    }
}

/// The records that a search finds: the best first, or where all words must be there, or no word is asked for, the
/// newest.
pub fn search(view: &MemoryView<'_>, search: &ArchivalSearch<'_>) -> Result<Vec<ArchivalRecord>> {
    search_by(view, search, WAYS)
}

pub(super) fn search_by(
    view: &MemoryView<'_>,
    search: &ArchivalSearch<'_>,
    ways: Ways,
) -> Result<Vec<ArchivalRecord>> {
    let mut branches: Vec<String> =
        chain(view, search.branch)?.into_iter().map(|link| link.branch).collect();
    if !search.include_ancestors {
        branches.truncate(1);
    }
    if search.matching == Matching::Any {
        let asked = Asked::of(search.query);
        if !asked.is_empty() {
            return ranked::ranked(view, search, &asked, &branches);
        }
    }
    let wanted = Wanted::of(search);
    let mut found = Found {
        view: *view,
        wanted: &wanted,
        k: search.k.min(SEARCH_RECORDS_MAX),
        records: Vec::new(),
    };
    if wanted.asked().is_none() {
        // Of what is more than ASCII the wide rows alone can be wanted.
        found.merge(&branches, Vec::new(), None)?;
        return Ok(found.records);
    }
    let is_indexed = search.use_fts && wanted.is_indexed();
    if is_indexed && let Some(rare) = postings::rare(view, &wanted, &branches, ways)? {
        found.merge(&branches, rare, None)?;
        return Ok(found.records);
    }
    let mut newest =
        Newest::of(*view, Listed::Archival, branches.iter().map(String::as_str), None)?;
    let Some(mut last) = found.look_at(&mut newest, ways.look_step)? else {
        return Ok(found.records);
    };
    let may_be = by_words::candidates(view, &wanted, &branches)?;
    if let Some(may_be) = may_be.filter(|it| !is_indexed || it.len() <= ways.look_max) {
        let listed = postings::looked_up(view, may_be, &branches, Some(last))?;
        found.merge(&[], listed, Some(last))?;
        return Ok(found.records);
    }
    if !is_indexed {
        found.look_at(&mut newest, usize::MAX)?;
        return Ok(found.records);
    }
    let mut looked_at = ways.look_step;
    loop {
        if looked_at.saturating_mul(found.k) > ways.look_max.saturating_mul(found.records.len()) {
            // What is older, where the index would be the longer way, by looking at the rest of the rows.
            match postings::older(view, &wanted, &branches, last, ways)? {
                Some(listed) => found.merge(&branches, listed, Some(last))?,
                None => drop(found.look_at(&mut newest, usize::MAX)?),
            }
            break;
        }
        match found.look_at(&mut newest, ways.look_step)? {
            Some(then) => last = then,
            None => break,
        }
        looked_at += ways.look_step;
    }
    Ok(found.records)
}

/// What was found so far, newest first.
struct Found<'v, 'w> {
    view: MemoryView<'v>,
    wanted: &'w Wanted<'w>,
    k: usize,
    records: Vec<ArchivalRecord>,
}

impl Found<'_, '_> {
    /// Looks at the next `rows` rows; answers with the last of them where there may be more to find.
    fn look_at(&mut self, newest: &mut Newest<'_>, rows: usize) -> Result<Option<Place>> {
        let mut last = None;
        for _ in 0..rows {
            if self.records.len() >= self.k {
                return Ok(None);
            }
            let Some((place, _)) = newest.take()? else { return Ok(None) };
            self.records.extend(self.wanted.record(&self.view, place.id)?);
            last = Some(place);
        }
        Ok(last)
    }

    /// Takes what is wanted of these rows, and of those before `last` that the full-text index may
    /// not find.
    fn merge(
        &mut self,
        branches: &[String],
        listed: Vec<Place>,
        last: Option<Place>,
    ) -> Result<()> {
        let branches = if self.view.has_wide()? { branches } else { &[] };
        let branches = branches.iter().map(String::as_str);
        let mut wide = Newest::of(self.view, Listed::Wide, branches, last)?;
        let (mut listed, mut next_wide) = (listed.into_iter().peekable(), wide.take()?);
        let mut seen = BTreeSet::new();
        while self.records.len() < self.k {
            let wide_place = next_wide.map(|(place, _)| place);
            let place = match listed.peek().copied().max(wide_place) {
                None => break,
                place if place == wide_place => {
                    next_wide = wide.take()?;
                    wide_place
                }
                _ => listed.next(),
            };
            if let Some(place) = place
                && seen.insert(place.id)
            {
                self.records.extend(self.wanted.record(&self.view, place.id)?);
            }
        }
        Ok(())
    }
}

/// Tags that the full-text index is asked for; the others are only looked at.
const TAGS_ASKED_MAX: usize = 32;
/// Bytes of a tag that it is asked for.
const TAG_BYTES_MAX: usize = 4_096;

/// Words that are tried for being rare.
const WORDS_TRIED_MAX: usize = 8;

struct Wanted<'a> {
    terms: Terms,
    tags: &'a [String],
}

impl<'a> Wanted<'a> {
    fn of(search: &ArchivalSearch<'a>) -> Self {
        Self { terms: Terms::of(search.query), tags: search.tags }
    }

    /// Whether the full-text index can tell anything.
    fn is_indexed(&self) -> bool {
        self.asked().is_none_or(|asked| !asked.is_empty())
    }

    /// The record of this number, where it is wanted.
    fn record(&self, view: &MemoryView<'_>, id: u64) -> Result<Option<ArchivalRecord>> {
        Ok(view.record_if(id, |text, tags| self.is_met_by(text, tags))?)
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
    fn words(&self) -> impl Iterator<Item = &str> {
        let in_tags =
            self.tags.iter().flat_map(|tag| tag.split(|c: char| !c.is_ascii_alphanumeric()));
        let words = self.terms.ascii.iter().map(String::as_str).chain(in_tags);
        words.filter(|word| !word.is_empty() && word.len() <= TAG_BYTES_MAX).take(WORDS_TRIED_MAX)
    }

    /// The question for the full-text index, by which records of ASCII alone are found, and perhaps more: every
    /// word in text or tags, and every tag's words, one after the other, in the tags. Nothing but ASCII letters
    /// and digits of what a person typed is in it. `None` where no record of ASCII alone can be wanted.
    fn asked(&self) -> Option<String> {
        let mut asked: Vec<String> = Vec::new();
        if !self.terms.wide.is_empty() {
            return None;
        }
        asked.extend(self.terms.ascii.iter().map(|term| format!("{{text tags}} : \"{term}\"")));
        for tag in self.tags.iter().take(TAGS_ASKED_MAX) {
            if !tag.bytes().all(|byte| (b' '..=b'~').contains(&byte)) || tag.contains(['"', '\\']) {
                return None;
            }
            let words: Vec<&str> =
                tag.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
            if !words.is_empty() && tag.len() <= TAG_BYTES_MAX {
                asked.push(format!("{{tags}} : \"{}\"", words.join(" ")));
            }
        }
        Some(asked.join(" AND "))
    }
}
