//! Repositories' memory: what they are, what holds in them, what steps came to.

use super::IndexProjector;
use crate::event::{
    Body, ConventionUpserted, DecisionRecorded, IndexStored, NoteAdded, Recorded, RepoHash,
    RepoIdentified, RepoLinked, SummaryAppended,
};
use crate::execution::closed::{plain, signed};
use crate::execution::index::{
    ConventionRow, DecisionRow, IdentityRow, NoteRow, RepoIndexRow, SummaryRow,
};
use crate::execution::json_check::is_object;
use crate::parse::content;
use crate::store::{AnomalyKind, StoreError};

/// An index above this is not kept: content that lies elsewhere is brought whole up to here.
const INDEX_BYTES_MAX: usize = 4 << 20;

impl IndexProjector {
    /// The rows of an event of a repository's memory; of any other, as [`Self::debug`].
    pub(super) fn repo(&mut self, recorded: &Recorded, body: &Body) -> Result<(), StoreError> {
        match body {
            Body::RepoIdentified(identified) => self.identified(recorded, identified),
            Body::RepoLinked(linked) => self.linked(recorded, linked),
            Body::ConventionUpserted(convention) => self.convention(recorded, convention),
            Body::ConventionRemoved(removed) => {
                let repo = self.known(recorded, removed.repo)?;
                let was = self.store.remove_convention(repo, &plain(&removed.id))?;
                self.removed(recorded, was, "convention", &removed.id)
            }
            Body::DecisionRecorded(decision) => self.decision(recorded, decision),
            Body::DecisionRemoved(removed) => {
                let repo = self.known(recorded, removed.repo)?;
                let was = self.store.remove_decision(repo, &plain(&removed.id))?;
                self.removed(recorded, was, "decision", &removed.id)
            }
            Body::NoteAdded(note) => self.noted(recorded, note),
            Body::NoteRemoved(removed) => {
                let repo = self.known(recorded, removed.repo)?;
                let was = self.store.remove_note(repo, &plain(&removed.id))?;
                self.removed(recorded, was, "note", &removed.id)
            }
            Body::SummaryAppended(appended) => self.summary(recorded, appended),
            Body::IndexStored(stored) => self.index(recorded, stored),
            body => self.debug(recorded, body),
        }
    }

    fn identified(
        &mut self,
        recorded: &Recorded,
        identified: &RepoIdentified,
    ) -> Result<(), StoreError> {
        let RepoIdentified { repo, path, remote, branch } = identified;
        let seq = recorded.sequence.0;
        let found = self.store.repo(&repo.to_string(), seq)?;
        let (path, remote) = (plain(path), remote.as_deref().map(plain));
        let branch = branch.as_deref().map(plain);
        let row =
            IdentityRow { path: &path, remote: remote.as_deref(), branch: branch.as_deref(), seq };
        if self.store.identify_repo(found.number, &row)? {
            return Ok(());
        }
        let message = format!("the repository {repo} was something else before; that counts");
        self.anomaly(recorded, AnomalyKind::Contradiction, None, message)
    }

    fn linked(&mut self, recorded: &Recorded, linked: &RepoLinked) -> Result<(), StoreError> {
        let repo = self.known(recorded, linked.repo)?;
        let with = self.known(recorded, linked.with)?;
        let at_ms = signed(recorded.event.envelope.at_ms);
        // Linked again, or with itself: it is as it was.
        self.store.link_repos(recorded.sequence.0, at_ms, repo, with).map(drop)
    }

    fn convention(
        &mut self,
        recorded: &Recorded,
        convention: &ConventionUpserted,
    ) -> Result<(), StoreError> {
        let repo = self.known(recorded, convention.repo)?;
        self.store.put_convention(&ConventionRow {
            repo,
            id: &plain(&convention.id),
            title: &plain(&convention.title),
            content: &plain(&convention.content),
            tags: &json_texts(&convention.tags),
            created_ms: convention.created_ms.map(signed),
            updated_ms: convention.updated_ms.map(signed),
            at_ms: signed(recorded.event.envelope.at_ms),
            seq: recorded.sequence.0,
        })
    }

    fn decision(
        &mut self,
        recorded: &Recorded,
        decision: &DecisionRecorded,
    ) -> Result<(), StoreError> {
        let repo = self.known(recorded, decision.repo)?;
        self.store.put_decision(&DecisionRow {
            repo,
            id: &plain(&decision.id),
            summary: &plain(&decision.summary),
            rationale: &plain(&decision.rationale),
            impacted_paths: &json_texts(&decision.impacted_paths),
            created_ms: decision.created_ms.map(signed),
            at_ms: signed(recorded.event.envelope.at_ms),
            seq: recorded.sequence.0,
        })
    }

    fn noted(&mut self, recorded: &Recorded, note: &NoteAdded) -> Result<(), StoreError> {
        let repo = self.known(recorded, note.repo)?;
        self.store.put_note(&NoteRow {
            repo,
            id: &plain(&note.id),
            content: &plain(&note.content),
            source: note.source.as_str(),
            created_ms: note.created_ms.map(signed),
            at_ms: signed(recorded.event.envelope.at_ms),
            seq: recorded.sequence.0,
        })
    }

    fn summary(
        &mut self,
        recorded: &Recorded,
        appended: &SummaryAppended,
    ) -> Result<(), StoreError> {
        let repo = self.known(recorded, appended.repo)?;
        self.store.add_summary(&SummaryRow {
            seq: recorded.sequence.0,
            repo,
            run_id: &plain(&appended.run_id),
            step_id: &plain(&appended.step_id),
            summary: &plain(&appended.summary),
            made_by: appended.made_by.as_str(),
            step: appended.step,
            created_ms: signed(appended.created_ms.unwrap_or(recorded.event.envelope.at_ms)),
        })
    }

    /// The one before stays where this one cannot be read: it says more than none.
    fn index(&mut self, recorded: &Recorded, stored: &IndexStored) -> Result<(), StoreError> {
        let repo = self.known(recorded, stored.repo)?;
        let kind = stored.index.as_str();
        let Some(text) = content::whole(&stored.content, INDEX_BYTES_MAX) else {
            let message = format!("the {kind} of {} is not there to be read", stored.repo);
            return self.anomaly(recorded, AnomalyKind::LostContent, None, message);
        };
        if !is_object(text) {
            let message = format!("the {kind} of {} is no JSON object", stored.repo);
            return self.anomaly(recorded, AnomalyKind::InvalidJson, None, message);
        }
        self.store.put_repo_index(&RepoIndexRow {
            repo,
            kind,
            content: text,
            files: signed(stored.files),
            inputs: &stored.inputs,
            at_ms: signed(recorded.event.envelope.at_ms),
            seq: recorded.sequence.0,
        })
    }

    /// The number of a repository that something was recorded for.
    fn known(&mut self, recorded: &Recorded, repo: RepoHash) -> Result<u64, StoreError> {
        let found = self.store.repo(&repo.to_string(), recorded.sequence.0)?;
        if found.is_new {
            let message = format!("no event before tells what the repository {repo} is");
            self.anomaly(recorded, AnomalyKind::UnknownRepository, None, message)?;
        }
        Ok(found.number)
    }

    fn removed(
        &mut self,
        recorded: &Recorded,
        was_there: bool,
        what: &str,
        id: &str,
    ) -> Result<(), StoreError> {
        if was_there {
            return Ok(());
        }
        let message = format!("the {what} {id:?} was removed and is not there");
        self.anomaly(recorded, AnomalyKind::UnknownMemory, None, message)
    }
}

fn json_texts(texts: &[String]) -> String {
    let texts: Vec<serde_json::Value> =
        texts.iter().map(|text| plain(text).into_owned().into()).collect();
    serde_json::Value::from(texts).to_string()
}
