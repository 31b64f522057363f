//! A project's executions, and why something about them cannot be done.

use std::path::Path;

use crate::event::SessionId;
use crate::execution::query::{QueryError, Stores};
use crate::execution::sweep_dead_owners;
use crate::execution::{AskedStores, Contradiction};
use crate::journal::{Project, ProjectError, RecordError, id};
use crate::store::catch_up::{CatchUpReport, catch_up};
use crate::store::doubt::settle_project;
use crate::store::evidence::{Cache, EvidenceError};
use crate::store::{FeedError, JournalFeed, StorePlaces};

/// The temporal log's file, in the project's root.
pub const EXECUTION_LOG_DB: &str = "execution_log.db";

/// The agent that the façade's own sessions are of.
pub(super) const AGENT: &str = "execution_tools";

/// The execution database of a project.
///
/// While one is open its stores are caught up by every process, but none can replace the files
/// under it: `annals rebuild` answers *locked* meanwhile.
pub struct ExecutionDb {
    project: Project,
    stores: AskedStores,
    session: String,
}

impl ExecutionDb {
    pub(crate) fn of(project: Project) -> Result<Self> {
        let places = StorePlaces::of(&project);
        settle_project(&project, &Cache::of_user());
        let report = match project.is_at_home() {
            true => feed(&project, &places)?,
            false => catch_up(&places, &JournalFeed::asked(&project)?),
        };
        // They are fed on, so that nobody else finds them under the name of what they were.
        let stores = AskedStores::after(&project, &report, &Cache::of_nobody())?;
        Ok(Self { project, stores, session: "default".to_owned() })
    }

    /// The same under another session's name: a session's timestamps never run back (I3).
    #[must_use]
    pub fn with_session(self, name: &str) -> Self {
        Self { session: name.to_owned(), ..self }
    }

    /// The session's name, as [`Self::with_session`] gave it.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// The project's root: where the database files lie.
    pub fn root(&self) -> &Path {
        self.project.root()
    }

    /// `execution_log.db`, for any SQLite.
    pub fn execution_log_path(&self) -> &Path {
        self.stores.places().execution_log()
    }

    /// `codegraph.db`, which magellan shares.
    pub fn code_graph_path(&self) -> &Path {
        self.stores.places().code_graph()
    }

    /// Why the files are not the project's own, where they are not: one of those says something that the
    /// journal does not, and is kept as evidence until `annals repair` sets it aside. Answers come from
    /// fresh ones in a temporary folder meanwhile, which goes with this value.
    pub fn contradicts(&self) -> Option<Contradiction> {
        self.stores.contradicts()
    }

    /// Every query there is, of the stores as they stand.
    pub fn stores(&self) -> &Stores {
        &self.stores
    }

    pub(crate) fn project(&self) -> &Project {
        &self.project
    }

    pub(crate) fn session_id(&self) -> SessionId {
        id::session(AGENT, &self.session)
    }

    /// Feeds the stores what the journal has.
    pub(crate) fn catch_up(&self) -> Result<CatchUpReport> {
        feed(&self.project, self.stores.places())
    }
}

fn feed(project: &Project, places: &StorePlaces) -> Result<CatchUpReport> {
    sweep_dead_owners(project)?;
    let feed = JournalFeed::of(project)?;
    Ok(catch_up(places, &feed))
}

impl std::fmt::Debug for ExecutionDb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExecutionDb").field("root", &self.root()).finish_non_exhaustive()
    }
}

/// Why a call of the façade fails. A failed record is never a reason to treat the tool's own
/// result otherwise.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// For callers: the verdict that spec 000's example returns where
    /// `has_failed_recently` says so. Nothing here returns it by itself.
    #[error("this action failed recently: look why, then try another")]
    KnownAntiPattern,
    #[error("the call's arguments cannot be written as JSON")]
    Arguments { source: serde_json::Error },
    #[error("the diagnostics cannot be written as JSON")]
    Diagnostics { source: serde_json::Error },
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error(transparent)]
    Stores(#[from] EvidenceError),
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// What the façade's calls give.
pub type Result<T, E = Error> = std::result::Result<T, E>;
