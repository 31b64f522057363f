//! Changes what repositories remember: each change is one durable commit of the journal.

use std::time::Duration;

use super::{RepoError, identify};
use crate::event::{Body, Envelope, Event, RepoHash, Sequence, SessionId, Source};
use crate::execution::index::IndexReader;
use crate::execution::query::QueryError;
use crate::journal::owner::Held;
use crate::journal::{Project, Recorder, clock};
use crate::repo::query::RepoView;
use crate::store::JournalFeed;
use crate::store::catch_up::{BATCH_EVENTS_MAX, catch_up_store};
use crate::stores::{StoreName, StorePlaces};

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
        let places = StorePlaces::of(self.project.root());
        let feed = JournalFeed::of(self.project)?;
        catch_up_store(StoreName::Index, &places, &feed, BATCH_EVENTS_MAX)?;
        Ok(IndexReader::open(&places.index)?)
    }

    /// The repository that is meant.
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
        let current = identify(self.project.root())?;
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

    /// The repository whose hash begins so.
    pub fn find(&self, prefix: &str) -> Result<RepoHash, RepoError> {
        let index = self.index()?;
        let found = RepoView::of(&index).find(prefix);
        if let Err(QueryError::NoRepository { .. }) = &found
            && let Ok(current) = identify(self.project.root())
            && current.begins(prefix)
        {
            return Ok(current.hash);
        }
        Ok(found?)
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
}
