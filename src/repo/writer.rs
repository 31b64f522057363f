//! Who changes what repositories remember: each change is one durable commit of the journal.

use std::time::Duration;

use serde::Serialize;

use super::{RepoError, identify};
use crate::event::{Body, Envelope, Event, RepoHash, Sequence, SessionId, Source, wire};
use crate::execution::AskedStores;
use crate::execution::index::IndexReader;
use crate::execution::query::QueryError;
use crate::journal::owner::Held;
use crate::journal::{Project, Recorder, clock};
use crate::repo::query::{RepoMemory, RepoView, Summary};
use crate::store::catch_up::Feeding;
use crate::store::evidence::Cache;
use crate::store::{JournalFeed, StorePlaces};

/// What an operation on a repository's memory came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RepoDone<T> {
    #[serde(flatten)]
    pub done: T,
    /// The repository that it was recorded for.
    #[serde(rename = "repoHash", serialize_with = "wire::text")]
    pub repo: RepoHash,
    /// Its last event; `None` where nothing changed.
    pub sequence: Option<Sequence>,
}

/// How long whoever changes the memory is waited for.
const TURN: Duration = Duration::from_secs(30);

/// Changes what repositories remember. What is decided on what is there holds for the moment in which
/// it is recorded: one process at a time decides.
///
/// A repository is named by its hash; `None` is the one that the project lies in.
pub struct RepoWriter<'r, 'p> {
    pub(super) project: &'p Project,
    pub(super) recorder: &'r mut Recorder<'p>,
    session: Option<SessionId>,
}

/// A repository, and what the journal must be told of it before anything else.
pub(super) struct Whose {
    pub(super) repo: RepoHash,
    pub(super) identified: Option<Body>,
}

impl<'r, 'p> RepoWriter<'r, 'p> {
    /// Records through this recorder, which must be a live one, for a session.
    pub fn new(
        project: &'p Project,
        recorder: &'r mut Recorder<'p>,
        session: Option<SessionId>,
    ) -> Self {
        Self { project, recorder, session }
    }

    /// Keeps everybody else from changing anything until it is dropped.
    pub(super) fn turn(&self) -> Result<Held, RepoError> {
        let path = self.project.owners_dir();
        let held = Held::take(&path, "repo", TURN);
        held.map_err(|source| RepoError::Lock { path, source })?.ok_or(RepoError::Busy)
    }

    /// The index, with everything that was recorded.
    pub(super) fn index(&self) -> Result<IndexReader, RepoError> {
        let places = StorePlaces::of(self.project);
        let feed = JournalFeed::of(self.project)?;
        Feeding::of(&places, &feed).index()?;
        Ok(IndexReader::open(places.index())?)
    }

    pub(super) fn whose(
        &self,
        repo: Option<RepoHash>,
        view: RepoView<'_>,
    ) -> Result<Whose, RepoError> {
        let known = |repo| Ok::<_, RepoError>(view.identity(repo)?);
        if let Some(repo) = repo
            && known(repo)?.is_some_and(|it| it.identified.is_some())
        {
            return Ok(Whose { repo, identified: None });
        }
        let current = identify(self.project.tree())?;
        match repo {
            Some(repo) if repo != current.hash => match known(repo)? {
                // Its beginning is lost; nobody here can tell it again.
                Some(_) => Ok(Whose { repo, identified: None }),
                None => Err(QueryError::NoRepository { prefix: repo.to_string() }.into()),
            },
            _ => {
                let is_known = known(current.hash)?.is_some_and(|it| it.identified.is_some());
                let identified = (!is_known).then(|| current.event());
                Ok(Whose { repo: current.hash, identified })
            }
        }
    }

    pub fn find(&self, prefix: &str) -> Result<RepoHash, RepoError> {
        let index = self.index()?;
        let found = RepoView::of(&index).find(prefix);
        if let Err(QueryError::NoRepository { .. }) = &found
            && let Ok(current) = identify(self.project.tree())
            && current.begins(prefix)
        {
            return Ok(current.hash);
        }
        Ok(found?)
    }

    /// What a repository remembers; of the project's own it may be nothing.
    pub fn memory(&self, repo: Option<RepoHash>) -> Result<RepoMemory, RepoError> {
        let stores = AskedStores::of(self.project, &Cache::of_user())?;
        let view = stores.repos();
        let repo = self.whose(repo, view)?.repo;
        let current = identify(self.project.tree())?;
        Ok(view.whole_memory(repo, Some(&current))?.unwrap_or_else(|| current.remembers_nothing()))
    }

    /// The newest summaries of a repository, the oldest of them first.
    pub fn summaries(
        &self,
        repo: Option<RepoHash>,
        newest: usize,
    ) -> Result<Vec<Summary>, RepoError> {
        let stores = AskedStores::of(self.project, &Cache::of_user())?;
        let view = stores.repos();
        let repo = self.whose(repo, view)?.repo;
        Ok(view.summaries(repo, newest)?)
    }

    /// Records facts as one commit; gives the last one's sequence, `None` where there was nothing new.
    pub(super) fn commit(&mut self, bodies: Vec<Body>) -> Result<Option<Sequence>, RepoError> {
        if bodies.is_empty() {
            return Ok(None);
        }
        let (session, now_ms) = (self.session, clock::now_ms());
        let event = |body| Event { envelope: Envelope::new(session, Source::Live, now_ms), body };
        let report = self.recorder.record(bodies.into_iter().map(event).collect())?;
        Ok(report.appended.map(|appended| appended.last))
    }

    /// Reads what was recorded back. The files are made of the rows, which have it from then on.
    pub(super) fn read_back<T>(
        &self,
        sequence: Option<Sequence>,
        read: impl FnOnce(RepoView<'_>) -> Result<Option<T>, QueryError>,
    ) -> Result<T, RepoError> {
        let sequence = sequence.unwrap_or_default();
        let unread = |source| RepoError::Unread { sequence: sequence.0, source: Box::new(source) };
        let index = self.index().map_err(unread)?;
        let found = read(RepoView::of(&index)).map_err(|error| unread(error.into()))?;
        found.ok_or(RepoError::Gone { sequence: sequence.0 })
    }
}
