//! A repository, as spec 004's functions work on it.

use super::{Error, Result};
use crate::event::{RepoHash, SessionId};
use crate::execution::live_recorder;
use crate::journal::{Project, id};
use crate::repo::context::{ContextAsked, context};
use crate::repo::entry::{
    Convention, ConventionGiven, Decision, DecisionGiven, EntryKind, Expected, Note, NoteGiven,
};
use crate::repo::files::{Publish, publish_repos};
use crate::repo::query::{RepoMemory, Summary};
use crate::repo::{RepoDone, RepoError, RepoIdentity, RepoWriter, identify};

/// The agent that the façade's own sessions are of.
const AGENT: &str = "repo_memory";

/// The repository that a project lies in, or another one that the project's journal knows.
pub struct Repository {
    project: Project,
    session: Option<SessionId>,
    repo: Option<RepoHash>,
}

impl Repository {
    pub(crate) fn of(project: Project) -> Self {
        Self { project, session: None, repo: None }
    }

    /// The same under a session's name, as its events are found by.
    #[must_use]
    pub fn with_session(self, name: &str) -> Self {
        Self { session: Some(id::session(AGENT, name)), ..self }
    }

    /// The same for another repository of the journal: another branch, another worktree.
    ///
    /// # Errors
    /// Where it is no hash.
    pub fn with_repo(self, repo_hash: &str) -> Result<Self> {
        Ok(Self { repo: Some(parsed(repo_hash)?), ..self })
    }

    /// Which repository the project lies in now.
    ///
    /// # Errors
    /// Where git's files cannot be read.
    pub fn identity(&self) -> Result<RepoIdentity> {
        Ok(identify(self.project.tree())?)
    }

    /// The hash of the repository that is worked on: 64 hexadecimal digits.
    ///
    /// # Errors
    /// As [`Self::identity`].
    pub fn repo_hash(&self) -> Result<String> {
        match self.repo {
            Some(repo) => Ok(repo.to_string()),
            None => Ok(self.identity()?.hash.to_string()),
        }
    }

    /// What a repository remembers, those it is linked with included.
    ///
    /// # Errors
    /// Where nothing is known of it.
    pub fn get_repo_memory(&self, repo_hash: &str) -> Result<RepoMemory> {
        let repo = parsed(repo_hash)?;
        self.work(|writer, _| writer.memory(Some(repo)))
    }

    /// Makes a convention, or changes what is given of the one that has the id.
    ///
    /// # Errors
    /// Where a field cannot be what it was given as.
    pub fn upsert_convention(&self, given: ConventionGiven) -> Result<Convention> {
        self.write(|writer, repo| writer.upsert(repo, given, Expected::Either))
    }

    /// Makes a decision, or changes what is given of the one that has the id.
    ///
    /// # Errors
    /// As [`Self::upsert_convention`].
    pub fn upsert_decision(&self, given: DecisionGiven) -> Result<Decision> {
        self.write(|writer, repo| writer.upsert(repo, given, Expected::Either))
    }

    /// Makes a note, or changes what is given of the one that has the id.
    ///
    /// # Errors
    /// As [`Self::upsert_convention`].
    pub fn upsert_note(&self, given: NoteGiven) -> Result<Note> {
        self.write(|writer, repo| writer.upsert(repo, given, Expected::Either))
    }

    /// Removes a convention.
    ///
    /// # Errors
    /// Where there is none.
    pub fn remove_convention(&self, id: &str) -> Result<()> {
        self.write(|writer, repo| writer.remove(repo, EntryKind::Convention, id)).map(drop)
    }

    /// Removes a decision.
    ///
    /// # Errors
    /// Where there is none.
    pub fn remove_decision(&self, id: &str) -> Result<()> {
        self.write(|writer, repo| writer.remove(repo, EntryKind::Decision, id)).map(drop)
    }

    /// Removes a note.
    ///
    /// # Errors
    /// Where there is none.
    pub fn remove_note(&self, id: &str) -> Result<()> {
        self.write(|writer, repo| writer.remove(repo, EntryKind::Note, id)).map(drop)
    }

    /// Keeps what a step of a run came to.
    ///
    /// # Errors
    /// As [`Self::upsert_convention`].
    pub fn append_summary(
        &self,
        run_id: &str,
        step_id: &str,
        summary_text: &str,
    ) -> Result<Summary> {
        self.write(|writer, repo| writer.append_summary(repo, run_id, step_id, summary_text))
    }

    /// What a model should know before it goes on, in at most so many characters; the tree is looked
    /// at first, and what is left out is listed at the end. A tree that cannot be looked at is no error:
    /// it is told as it was recorded last, and `annals repo map --refresh` says why.
    ///
    /// # Errors
    /// Where the project cannot be asked.
    pub fn build_context_from_memory(&self, max_chars: usize) -> Result<String> {
        let asked = ContextAsked {
            chars_max: Some(max_chars),
            repo: self.repo.map(|repo| repo.to_string()),
            ..ContextAsked::default()
        };
        Ok(context(&self.project, &asked, env!("CARGO_PKG_VERSION"))?.pack.text)
    }

    /// The newest summaries, the oldest of them first.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn summaries(&self, newest: usize) -> Result<Vec<Summary>> {
        self.work(|writer, repo| writer.summaries(repo, newest))
    }

    /// Joins the memories of two repositories; gives the hashes of all that are one then.
    ///
    /// # Errors
    /// Where the other one is not known, or is this one.
    pub fn link(&self, with: &str) -> Result<Vec<String>> {
        let with = parsed(with)?;
        let family = self.write(|writer, repo| writer.link(repo, with))?;
        Ok(family.linked.iter().map(ToString::to_string).collect())
    }

    fn work<T>(
        &self,
        work: impl FnOnce(&mut RepoWriter<'_, '_>, Option<RepoHash>) -> Result<T, RepoError>,
    ) -> Result<T> {
        let mut recorder = live_recorder(&self.project);
        let mut writer = RepoWriter::new(&self.project, &mut recorder, self.session);
        Ok(work(&mut writer, self.repo)?)
    }

    fn write<T>(
        &self,
        work: impl FnOnce(&mut RepoWriter<'_, '_>, Option<RepoHash>) -> Result<RepoDone<T>, RepoError>,
    ) -> Result<T> {
        let done = self.work(work)?;
        // What was recorded stands; `annals status` says why files lag.
        drop(publish_repos(&self.project, Publish::Newest));
        Ok(done.done)
    }
}

fn parsed(repo_hash: &str) -> Result<RepoHash> {
    let wrong = || Error::RepoHash { repo_hash: repo_hash.to_owned() };
    RepoHash::parse(repo_hash).ok_or_else(wrong)
}
