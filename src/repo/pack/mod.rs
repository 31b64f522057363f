//! Context packs (spec 004): what a repository's memory, its timeline and its map tell a model, in
//! as many characters as there is room for.
//!
//! A pure read: the same stores at the same event give the same text. Items are told whole or not at
//! all, and what is left out is counted at the end, conventions and decisions by name as far as there
//! is room. Nothing that was remembered can look like a heading
//! of ours (`plain.rs`).

mod fit;
mod gather;
mod section;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::event::{RepoHash, SessionId};
use crate::execution::query::{QueryError, Stores};
use crate::grounding::timeline::TimelineScope;

pub use section::{PackSection, SectionName};

/// A context pack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pack {
    /// Never longer than was asked for.
    pub text: String,
    /// Its characters: Unicode scalar values.
    pub chars: usize,
    /// In the order of the text; one that has nothing to tell is not here.
    pub sections: Vec<PackSection>,
}

impl Stores {
    /// A context pack, as the stores stand.
    pub fn context_pack(&self, query: &PackQuery) -> Result<Pack, QueryError> {
        Ok(fit::fit(self.pack_sections(query)?, query.chars_max))
    }
}

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

/// What a pack is asked to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackQuery {
    /// Whose memory; `None`: nobody's, where nothing was ever recorded for a repository.
    pub repo: Option<RepoHash>,
    /// Of the text, Unicode scalar values.
    pub chars_max: usize,
    /// The paths at hand, from the repository's top; where there are any, decisions that touch none
    /// of them are left out.
    pub paths: Vec<String>,
    /// Whose failures and whose position.
    pub scope: TimelineScope,
    /// The newest summaries, at most this many.
    pub summaries_max: usize,
    /// Whether the map of the tree is told.
    pub map: bool,
}
