//! The changes of what a repository remembers.

use std::collections::BTreeSet;

use serde::Serialize;

use super::entry::{EntryKind, Expected, Given, Kind};
use super::{RepoDone, RepoError, RepoWriter, fields};
use crate::event::{
    Body, Content, IndexKind, IndexStored, RepoHash, RepoLinked, Sequence, SummaryAppended,
    SummaryMaker, wire,
};
use crate::journal::{clock, id};
use crate::redact::end_of_head;
use crate::repo::entry::Entry;
use crate::repo::query::{RepoView, Summary};

/// A summary as it is given, bytes; the settings say what is kept of it.
pub(super) const SUMMARY_BYTES_MAX: usize = 1 << 20;
/// Characters that are kept of a summary at least, whatever the settings say.
const SUMMARY_CHARS_MIN: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Removed {
    pub id: String,
    pub kind: EntryKind,
    #[serde(skip)]
    pub was: Entry,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Linked {
    /// Each is a hash on its own.
    #[serde(serialize_with = "wire::texts")]
    pub linked: Vec<RepoHash>,
}

/// An index of a repository's tree, made where it is wanted.
pub struct IndexGiven<'a> {
    pub kind: IndexKind,
    /// blake3 of what it is made from: the same, and it is the same.
    pub inputs: [u8; 32],
    /// The JSON of the whole file below `indexes/`, and the files that it tells of; `None` where it
    /// cannot be made.
    pub make: Box<dyn FnOnce() -> Option<(String, u64)> + 'a>,
}

impl RepoWriter<'_, '_> {
    /// Makes an entry, or changes what is given of the one that has the id.
    pub fn upsert<G: Given>(
        &mut self,
        repo: Option<RepoHash>,
        given: G,
        expected: Expected,
    ) -> Result<RepoDone<G::Entry>, RepoError> {
        let kind = G::Entry::KIND;
        if let Some(id) = given.id() {
            fields::id(id)?;
            self.is_no_secret("id", id)?;
        }
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = RepoView::of(&index);
        let whose = self.whose(repo, view)?;
        let known = match given.id() {
            Some(id) => view.of_id(kind, whose.repo, id)?.into_iter().next(),
            None => None,
        };
        let new_id = || id::execution(clock::now_ms()).to_string();
        let id = given.id().map_or_else(new_id, str::to_owned);
        match (&known, expected) {
            (None, Expected::Known) => return Err(RepoError::NoEntry { kind, id }),
            (Some(_), Expected::New) => return Err(RepoError::Exists { kind, id }),
            _ => {}
        }
        // What is there stays whose it is.
        let repo = known.as_ref().map_or(whose.repo, |owned| owned.repo);
        let before = known.and_then(|owned| G::Entry::of(owned.entry));
        let after = given.over(before.clone(), &id)?;
        if before.as_ref() == Some(&after) {
            return Ok(RepoDone { done: after, repo, sequence: None });
        }
        drop(index);
        let body = after.recorded(repo, None, None);
        let sequence = self.commit(whose.identified.into_iter().chain([body]).collect())?;
        let done = self.read_back(sequence, |view| {
            let found = view.of_id(kind, repo, &id)?.into_iter();
            Ok(found.filter(|owned| owned.repo == repo).find_map(|owned| G::Entry::of(owned.entry)))
        })?;
        Ok(RepoDone { done, repo, sequence })
    }

    /// Removes an entry, wherever in the repositories that are linked it is.
    pub fn remove(
        &mut self,
        repo: Option<RepoHash>,
        kind: EntryKind,
        id: &str,
    ) -> Result<RepoDone<Removed>, RepoError> {
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = RepoView::of(&index);
        let repo = self.whose(repo, view)?.repo;
        let found = view.of_id(kind, repo, id)?;
        let Some(first) = found.first() else {
            return Err(RepoError::NoEntry { kind, id: id.to_owned() });
        };
        let done = Removed { id: id.to_owned(), kind, was: first.entry.clone() };
        // With the one that counts alone, what it hid would be seen again.
        let events = found.iter().map(|owned| kind.removed(owned.repo, id)).collect();
        drop(index);
        let sequence = self.commit(events)?;
        self.read_back(sequence, |_| Ok(Some(())))?;
        Ok(RepoDone { done, repo: first.repo, sequence })
    }

    /// Ids and names are kept as they are: one that holds a secret is refused.
    pub(super) fn is_no_secret(&self, field: &str, text: &str) -> Result<(), RepoError> {
        match self.recorder.redactor().redact_text(text) == text {
            true => Ok(()),
            false => fields::refused(field, "looks like a secret, and would be kept as it is"),
        }
    }

    /// Joins the memories of two repositories: whoever asks for either is given both from now on.
    pub fn link(
        &mut self,
        repo: Option<RepoHash>,
        with: RepoHash,
    ) -> Result<RepoDone<Linked>, RepoError> {
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = RepoView::of(&index);
        let whose = self.whose(repo, view)?;
        let other = self.whose(Some(with), view)?;
        let repo = whose.repo;
        if repo == other.repo {
            return fields::refused("with", "is the repository itself: name another one");
        }
        let family = view.family(repo)?;
        if family.contains(&with) {
            return Ok(RepoDone { done: Linked { linked: family }, repo, sequence: None });
        }
        let common = common_ids(view, repo, with)?;
        if !common.is_empty() {
            let why = format!("has ids that are here too: {}; rename one first", common.join(", "));
            return fields::refused("with", &why);
        }
        drop(index);
        let told = [whose.identified, other.identified].into_iter().flatten();
        let linked = Body::RepoLinked(RepoLinked { repo, with });
        let sequence = self.commit(told.chain([linked]).collect())?;
        let linked = self.read_back(sequence, |view| view.family(repo).map(Some))?;
        Ok(RepoDone { done: Linked { linked }, repo, sequence })
    }

    /// Records those indexes of the tree that the project lies in which say something else than the
    /// last ones; gives how many.
    pub fn store_indexes(
        &mut self,
        given: Vec<IndexGiven<'_>>,
    ) -> Result<RepoDone<u64>, RepoError> {
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = RepoView::of(&index);
        let whose = self.whose(None, view)?;
        let repo = whose.repo;
        let mut bodies = Vec::new();
        for one in given {
            let last = view.index_file(repo, one.kind)?;
            if last.as_ref().is_some_and(|last| last.inputs == one.inputs) {
                continue;
            }
            let Some((content, files)) = (one.make)() else { continue };
            // Made from something else, it may say the same.
            if last.is_some_and(|last| last.content == content) {
                continue;
            }
            bodies.push(Body::IndexStored(IndexStored {
                repo,
                index: one.kind,
                content: Content::Inline(content.into_bytes()),
                files,
                inputs: one.inputs,
            }));
        }
        let done = bodies.len() as u64;
        if done > 0 {
            bodies.splice(0..0, whose.identified);
        }
        drop(index);
        let sequence = self.commit(bodies)?;
        Ok(RepoDone { done, repo, sequence })
    }

    /// Keeps a summary of a step of a run. Of one that is longer than the settings say its beginning is
    /// kept, and how much was left out.
    pub fn append_summary(
        &mut self,
        repo: Option<RepoHash>,
        run_id: &str,
        step_id: &str,
        text: &str,
    ) -> Result<RepoDone<Summary>, RepoError> {
        for (field, name) in [("runId", run_id), ("stepId", step_id)] {
            fields::run(field, name)?;
            self.is_no_secret(field, name)?;
        }
        if text.trim().is_empty() {
            return fields::refused("summary", "is empty: say something");
        }
        if text.len() > SUMMARY_BYTES_MAX {
            let why = format!("has {} bytes; {SUMMARY_BYTES_MAX} at most", text.len());
            return fields::refused("summary", &why);
        }
        let whose = {
            let index = self.index()?;
            self.whose(repo, RepoView::of(&index))?
        };
        let repo = whose.repo;
        let chars_max = self.project.config().repo.summary_max_chars;
        let summary = match text.chars().count() as u64 > chars_max {
            // A secret that is cut in two would not be known as one any more.
            true => cut_summary(&self.recorder.redactor().redact_text(text), chars_max),
            false => text.to_owned(),
        };
        let body = Body::SummaryAppended(SummaryAppended {
            repo,
            run_id: run_id.to_owned(),
            step_id: step_id.to_owned(),
            summary,
            made_by: SummaryMaker::Caller,
            step: None,
            through: None,
            created_ms: None,
        });
        let sequence = self.commit(whose.identified.into_iter().chain([body]).collect())?;
        let last = sequence.unwrap_or_default();
        let done = self.read_back(sequence, |view| {
            let before = Sequence(last.0.saturating_sub(1));
            let found = view.summaries_after(repo, before, last, 1)?;
            Ok(found.into_iter().next().map(|(_, summary)| summary))
        })?;
        Ok(RepoDone { done, repo, sequence })
    }
}

/// Entries of one kind and id: of two the memory of both would tell one alone.
fn common_ids(
    view: RepoView<'_>,
    repo: RepoHash,
    with: RepoHash,
) -> Result<Vec<String>, RepoError> {
    let named = |repo| -> Result<BTreeSet<String>, RepoError> {
        let mut names = BTreeSet::new();
        for kind in EntryKind::ALL {
            names.extend(view.entries(*kind, repo)?.iter().map(Entry::name));
        }
        Ok(names)
    };
    Ok(named(repo)?.intersection(&named(with)?).cloned().collect())
}

/// A summary of at most so many characters (200 at least): what is left out is counted at its end.
pub fn cut_summary(text: &str, chars_max: u64) -> String {
    let chars_max = usize::try_from(chars_max).unwrap_or(usize::MAX).max(SUMMARY_CHARS_MIN);
    let count = text.chars().count();
    if count <= chars_max {
        return text.to_owned();
    }
    // The longest that the note can be is taken off first: then it fits whatever it counts.
    let note = |left: usize| format!("\n[{left} more characters were left out]");
    let kept = chars_max.saturating_sub(note(count).len());
    let end = text.char_indices().nth(kept).map_or(text.len(), |(at, _)| at);
    let begin = &text[..text.floor_char_boundary(end_of_head(text.as_bytes(), end))];
    format!("{begin}{}", note(count - begin.chars().count()))
}
