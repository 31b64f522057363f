//! What somebody asks a context pack for, and what they are told.

use serde::{Deserialize, Serialize};

use super::{Pack, PackQuery};
use crate::event::{RepoHash, SessionId};
use crate::execution::query::{QueryError, Stores};
use crate::grounding::timeline::TimelineScope;

/// What somebody asks a context pack for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackAsked {
    /// A repository's hash, or the beginning of it.
    pub repo: Option<String>,
    /// The repository that the project lies in; `None` of a copy, which lies elsewhere: the one that
    /// was worked on last is meant.
    pub current: Option<RepoHash>,
    pub session: PackSession,
    /// See [`PackQuery`].
    pub chars_max: usize,
    pub paths: Vec<String>,
    pub summaries_max: usize,
    pub map: bool,
}

/// Whose failures and position are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackSession {
    /// Its id, the beginning of it, or the agent's own name.
    Named(String),
    Is(SessionId),
    /// The newest; where there is none the whole project.
    Newest,
}

/// A pack, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackTold {
    /// The last event that it knows of.
    pub sequence: u64,
    /// Whose memory: 64 hexadecimal digits; `None` where the journal has none.
    pub repo: Option<String>,
    /// The working tree's top folder, the remote and the branch, as they were recorded.
    pub path: Option<String>,
    pub remote: Option<String>,
    pub branch: Option<String>,
    /// Whose failures and position; `None`: the whole project's.
    pub session: Option<String>,
    pub chars_max: usize,
    pub pack: Pack,
}

impl Stores {
    /// The context pack that somebody asks for, as the stores stand.
    ///
    /// # Errors
    /// Where the repository or the session is not known, or a store cannot be read.
    pub fn context(&self, asked: &PackAsked) -> Result<PackTold, QueryError> {
        let repo = self.repo_asked(asked)?;
        let scope = match &asked.session {
            PackSession::Named(name) => TimelineScope::Session(self.session_named(name)?),
            PackSession::Is(session) => TimelineScope::Session(*session),
            PackSession::Newest => {
                self.newest_session()?.map_or(TimelineScope::Project, TimelineScope::Session)
            }
        };
        let query = PackQuery {
            repo,
            chars_max: asked.chars_max,
            paths: asked.paths.clone(),
            scope,
            summaries_max: asked.summaries_max,
            map: asked.map,
        };
        let pack = self.context_pack(&query)?;
        let identity = repo.map(|repo| self.repos().identity(repo)).transpose()?.flatten();
        let (path, remote, branch) =
            identity.map_or((None, None, None), |it| (it.path, it.remote, it.branch));
        Ok(PackTold {
            sequence: self.last_sequence()?,
            repo: repo.map(|repo| repo.to_string()),
            path,
            remote,
            branch,
            session: scope.session().map(|session| session.to_string()),
            chars_max: asked.chars_max,
            pack,
        })
    }

    fn repo_asked(&self, asked: &PackAsked) -> Result<Option<RepoHash>, QueryError> {
        let Some(prefix) = &asked.repo else {
            return match asked.current {
                Some(current) => Ok(Some(current)),
                None => Ok(self.repos().repos()?.first().map(|identity| identity.repo)),
            };
        };
        match (self.repos().find(prefix), asked.current) {
            // Nothing was recorded for it yet.
            (Err(QueryError::NoRepository { .. }), Some(current))
                if prefix.len() >= 4 && current.to_string().starts_with(&prefix.to_lowercase()) =>
            {
                Ok(Some(current))
            }
            (found, _) => found.map(Some),
        }
    }
}
