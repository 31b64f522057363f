//! Context packs (spec 004): what a repository's memory, its timeline and its map tell a model, in
//! as many characters as there is room for.
//!
//! A pure read: the same stores at the same event give the same text. Items are told whole or not at
//! all, and what is left out is counted at the end, conventions and decisions by name as far as there
//! is room. Nothing that was remembered can look like a heading of ours.

mod fit;
mod gather;
mod inherited;
mod rank;
mod stands;
mod text;

#[cfg(test)]
mod tests;

pub use rank::AtHand;
use serde::{Deserialize, Serialize};

use crate::config::RepoConfig;
use crate::event::{RepoHash, SessionId, words};
use crate::execution::query::{QueryError, Stores};
use crate::grounding::timeline::TimelineScope;
use crate::repo::RepoIdentity;
use crate::repo::query::Origin;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pack {
    /// Of the text: Unicode scalar values.
    pub chars: usize,
    /// Never longer than was asked for.
    pub text: String,
    /// In the order of the text; one that has nothing to tell is not here.
    pub sections: Vec<PackSection>,
}

impl Stores {
    pub fn context_pack(&self, query: &PackQuery) -> Result<Pack, QueryError> {
        Ok(fit::fit(self.pack_sections(query)?, query.chars_max))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackAsked {
    /// A repository's hash, or the beginning of it.
    pub repo: Option<String>,
    /// The repository that the project lies in; `None` of a copy, which lies elsewhere: the one that
    /// was worked on last is meant.
    pub current: Option<Origin>,
    pub session: PackSession,
    /// See [`PackQuery`].
    pub chars_max: usize,
    pub paths: Vec<String>,
    pub summaries_max: usize,
    pub map: bool,
    /// What was asked for: files that it names or means are told.
    pub prompt: Option<String>,
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

impl PackAsked {
    /// What is asked where nothing is said, by the settings.
    pub fn by(settings: &RepoConfig, current: Option<&RepoIdentity>) -> Self {
        let most = |set: u64| usize::try_from(set).unwrap_or(usize::MAX);
        Self {
            repo: None,
            current: current.map(RepoIdentity::origin),
            session: PackSession::Newest,
            chars_max: most(settings.context_max_chars),
            paths: Vec::new(),
            summaries_max: most(settings.context_summaries),
            map: true,
            prompt: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PackTold {
    /// Which of several journals it is of; `None` where one was asked.
    pub journal: Option<String>,
    /// The last event that it knows of.
    pub sequence: u64,
    /// Whose memory: 64 hexadecimal digits; `None` where the journal has none.
    pub repo_hash: Option<String>,
    /// The working tree's top folder, the remote and the branch, as they were recorded.
    pub path: Option<String>,
    pub remote: Option<String>,
    pub branch: Option<String>,
    /// Whose failures and position; `None`: the whole project's.
    pub session: Option<String>,
    #[serde(rename = "maxChars")]
    pub chars_max: usize,
    #[serde(flatten)]
    pub pack: Pack,
    /// It came with a clone: no advice of this user's, unless `annals trust` says so.
    pub foreign: bool,
    /// Why the map of the tree is not up to date, where it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map_lag: Option<String>,
}

impl Stores {
    pub fn context(&self, asked: &PackAsked) -> Result<PackTold, QueryError> {
        let repo = self.repo_asked(asked)?;
        let current = asked.current.as_ref().filter(|it| Some(it.hash) == repo);
        let origin = match (current, repo) {
            (Some(current), _) => Some(current.clone()),
            (None, Some(repo)) => self.repos().origin(repo)?,
            (None, None) => None,
        };
        let scope = match &asked.session {
            PackSession::Named(name) => TimelineScope::Session(self.session_named(name)?),
            PackSession::Is(session) => TimelineScope::Session(*session),
            PackSession::Newest => {
                self.newest_session()?.map_or(TimelineScope::Project, TimelineScope::Session)
            }
        };
        let query = PackQuery {
            repo,
            origin,
            chars_max: asked.chars_max,
            paths: asked.paths.clone(),
            scope,
            summaries_max: asked.summaries_max,
            map: asked.map,
            prompt: asked.prompt.clone(),
        };
        let pack = self.context_pack(&query)?;
        let identity = repo.map(|repo| self.repos().identity(repo)).transpose()?.flatten();
        let (path, remote, branch) =
            identity.map_or((None, None, None), |it| (it.path, it.remote, it.branch));
        Ok(PackTold {
            journal: None,
            sequence: self.last_sequence()?,
            repo_hash: repo.map(|repo| repo.to_string()),
            path,
            remote,
            branch,
            session: scope.session().map(|session| session.to_string()),
            chars_max: asked.chars_max,
            pack,
            foreign: false,
            map_lag: None,
        })
    }

    fn repo_asked(&self, asked: &PackAsked) -> Result<Option<RepoHash>, QueryError> {
        let Some(prefix) = &asked.repo else {
            return match &asked.current {
                Some(current) => Ok(Some(current.hash)),
                None => Ok(self.repos().repos()?.first().map(|identity| identity.repo)),
            };
        };
        match (self.repos().find(prefix), asked.current.as_ref().map(|it| it.hash)) {
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackQuery {
    /// Whose memory; `None`: nobody's, where nothing was ever recorded for a repository.
    pub repo: Option<RepoHash>,
    /// What it inherits by; `None`: nothing.
    pub origin: Option<Origin>,
    /// Of the text, Unicode scalar values.
    pub chars_max: usize,
    /// The paths at hand, from the repository's top; where there are any, decisions that touch none
    /// of them are left out.
    pub paths: Vec<String>,
    /// Whose failures and whose position.
    pub scope: TimelineScope,
    /// The newest summaries, at most this many.
    pub summaries_max: usize,
    pub map: bool,
    pub prompt: Option<String>,
}

words! {
    /// Which part of a pack: in the order of the text.
    pub enum SectionName {
        Conventions = "conventions",
        Decisions = "decisions",
        Notes = "notes",
        Summaries = "summaries",
        PendingFailures = "pending_failures",
        Position = "position",
        Checks = "checks",
        Files = "files",
        RepoMap = "repo_map",
    }
}

pub(super) struct Said {
    /// The heading in the text, after `## `.
    pub heading: &'static str,
    /// What its items are called, one and several.
    pub noun: [&'static str; 2],
    /// Of each thousand characters this many are its own; what it does not need is for all.
    pub share: usize,
}

impl SectionName {
    pub(super) fn said(self) -> Said {
        let (heading, noun, share) = match self {
            Self::Conventions => ("Conventions", ["convention", "conventions"], 200),
            Self::Decisions => ("Decisions", ["decision", "decisions"], 120),
            Self::Notes => ("Notes", ["note", "notes"], 60),
            Self::Summaries => ("Latest summaries", ["summary", "summaries"], 150),
            Self::PendingFailures => {
                ("Pending failures", ["pending failure", "pending failures"], 100)
            }
            Self::Position => {
                ("Timeline position", ["timeline position", "timeline positions"], 40)
            }
            Self::Checks => ("Checks", ["check", "checks"], 60),
            Self::Files => ("Files that matter now", ["file", "files"], 230),
            Self::RepoMap => ("Repo map", ["entry of the repo map", "entries of the repo map"], 40),
        };
        Said { heading, noun, share }
    }

    /// So many of its items, what matters most, go in before anything else does.
    fn firsts(self) -> usize {
        if self == Self::Summaries { 2 } else { 0 }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PackSection {
    #[serde(rename = "section")]
    pub name: SectionName,
    /// What is told, as it stands in the text without the mark of a list.
    pub items: Vec<String>,
    /// Items that are not told.
    pub left_out: u64,
    /// Names of some of these, what matters most first; none where they are only counted.
    #[serde(rename = "leftOutNames")]
    pub named: Vec<String>,
}
