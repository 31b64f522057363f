//! Conventions, decisions and notes: made, changed, removed.

use super::{
    ConventionGiven, DecisionGiven, Expected, NoteGiven, RepoDone, RepoError, RepoWriter, fields,
};
use crate::event::{Body, ConventionRemoved, DecisionRemoved, NoteRemoved, RepoHash};
use crate::journal::{clock, id};
use crate::repo::query::{Convention, Decision, Entry, EntryKind, Note, OwnedEntry, RepoView};

impl RepoWriter<'_, '_> {
    /// Makes a convention, or changes what is given of the one that has the id.
    pub fn upsert_convention(
        &mut self,
        repo: Option<RepoHash>,
        given: ConventionGiven,
        expected: Expected,
    ) -> Result<RepoDone<Convention>, RepoError> {
        let of = Of { kind: EntryKind::Convention, id: given.id.clone(), expected };
        let done = self.upsert(repo, of, |before, repo, id| {
            let before = before.and_then(Entry::convention);
            given.over(before.as_ref(), repo, id)
        })?;
        read_back(done, Entry::convention)
    }

    /// Makes a decision, or changes what is given of the one that has the id.
    pub fn upsert_decision(
        &mut self,
        repo: Option<RepoHash>,
        given: DecisionGiven,
        expected: Expected,
    ) -> Result<RepoDone<Decision>, RepoError> {
        let of = Of { kind: EntryKind::Decision, id: given.id.clone(), expected };
        let done = self.upsert(repo, of, |before, repo, id| {
            let before = before.and_then(Entry::decision);
            given.over(before.as_ref(), repo, id)
        })?;
        read_back(done, Entry::decision)
    }

    /// Makes a note, or changes what is given of the one that has the id.
    pub fn upsert_note(
        &mut self,
        repo: Option<RepoHash>,
        given: NoteGiven,
        expected: Expected,
    ) -> Result<RepoDone<Note>, RepoError> {
        let of = Of { kind: EntryKind::Note, id: given.id.clone(), expected };
        let done = self.upsert(repo, of, |before, repo, id| {
            let before = before.and_then(Entry::note);
            given.over(before.as_ref(), repo, id)
        })?;
        read_back(done, Entry::note)
    }

    /// Removes an entry, wherever in the repositories that are linked it is; gives what it was.
    pub fn remove(
        &mut self,
        repo: Option<RepoHash>,
        kind: EntryKind,
        id: &str,
    ) -> Result<RepoDone<Entry>, RepoError> {
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = RepoView::of(&index);
        let repo = self.whose(repo, view)?.repo;
        let found = of_kind(view, repo, kind, id)?;
        let Some(first) = found.first() else {
            return Err(RepoError::NoEntry { kind, id: id.to_owned() });
        };
        let (done, repo) = (first.entry.clone(), first.repo);
        // With the one that counts alone, what it hid would be seen again.
        let events = found.iter().map(|owned| removed(owned.repo, kind, id)).collect();
        drop(index);
        let sequence = self.commit(events)?;
        // The files are made of the rows: they must have it before anybody writes them.
        self.index().map_err(|source| RepoError::Unread {
            sequence: sequence.map_or(0, |sequence| sequence.0),
            source: Box::new(source),
        })?;
        Ok(RepoDone { done, repo, sequence })
    }

    fn upsert(
        &mut self,
        repo: Option<RepoHash>,
        of: Of,
        over: impl FnOnce(Option<Entry>, RepoHash, String) -> Result<Option<Body>, RepoError>,
    ) -> Result<RepoDone<Entry>, RepoError> {
        let Of { kind, id, expected } = of;
        if let Some(id) = &id {
            fields::id(id)?;
            self.is_no_secret("id", id)?;
        }
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = RepoView::of(&index);
        let whose = self.whose(repo, view)?;
        let known = match &id {
            Some(id) => of_kind(view, whose.repo, kind, id)?.into_iter().next(),
            None => None,
        };
        let id = id.unwrap_or_else(|| id::execution(clock::now_ms()).to_string());
        match (&known, expected) {
            (None, Expected::Known) => return Err(RepoError::NoEntry { kind, id }),
            (Some(_), Expected::New) => return Err(RepoError::Exists { kind, id }),
            _ => {}
        }
        // What is there stays whose it is.
        let repo = known.as_ref().map_or(whose.repo, |owned| owned.repo);
        let before = known.map(|owned| owned.entry);
        let Some(body) = over(before.clone(), repo, id.clone())? else {
            let done = before.ok_or(RepoError::NoEntry { kind, id })?;
            return Ok(RepoDone { done, repo, sequence: None });
        };
        drop(index);
        let sequence = self.commit(whose.identified.into_iter().chain([body]).collect())?;
        let found = self.index().and_then(|index| of_kind(RepoView::of(&index), repo, kind, &id));
        let at = sequence.map_or(0, |sequence| sequence.0);
        let found =
            found.map_err(|source| RepoError::Unread { sequence: at, source: Box::new(source) })?;
        let found = found.into_iter().find(|owned| owned.repo == repo);
        let done = found.ok_or(RepoError::Gone { sequence: at })?.entry;
        Ok(RepoDone { done, repo, sequence })
    }

    /// Ids and names are kept as they are: one that holds a secret is refused.
    pub(super) fn is_no_secret(&self, field: &str, text: &str) -> Result<(), RepoError> {
        match self.recorder.redactor().redact_text(text) == text {
            true => Ok(()),
            false => fields::refused(field, "looks like a secret, and would be kept as it is"),
        }
    }
}

/// Which entry is meant.
struct Of {
    kind: EntryKind,
    id: Option<String>,
    expected: Expected,
}

/// The entries of an id and a kind, the one that counts first.
pub(super) fn of_kind(
    view: RepoView<'_>,
    repo: RepoHash,
    kind: EntryKind,
    id: &str,
) -> Result<Vec<OwnedEntry>, RepoError> {
    let mut found = view.entries(repo, id)?;
    found.retain(|owned| owned.entry.kind() == kind);
    Ok(found)
}

/// The fact that an entry is gone.
pub(super) fn removed(repo: RepoHash, kind: EntryKind, id: &str) -> Body {
    let id = id.to_owned();
    match kind {
        EntryKind::Convention => Body::ConventionRemoved(ConventionRemoved { repo, id }),
        EntryKind::Decision => Body::DecisionRemoved(DecisionRemoved { repo, id }),
        EntryKind::Note => Body::NoteRemoved(NoteRemoved { repo, id }),
    }
}

fn read_back<T>(
    done: RepoDone<Entry>,
    of: impl FnOnce(Entry) -> Option<T>,
) -> Result<RepoDone<T>, RepoError> {
    let RepoDone { done, repo, sequence } = done;
    let at = sequence.map_or(0, |sequence| sequence.0);
    let done = of(done).ok_or(RepoError::Gone { sequence: at })?;
    Ok(RepoDone { done, repo, sequence })
}
