//! What `index.db` has of repositories' memory (spec 004): what they are, which are one family, what holds
//! in them, what steps came to.

use std::borrow::Cow;

use rusqlite::{ToSql, params};

use super::entry::{EntryKind, convention, decision, note};
use crate::event::{Body, IndexStored, Recorded, RepoHash, RepoIdentified};
use crate::execution::closed::{plain, signed};
use crate::execution::index::{Index, IndexPart};
use crate::execution::json::is_object;
use crate::parse::content;
use crate::store::columns::insert;
use crate::store::{AnomalyKind, Concern, StoreError};

/// An index above this is not kept: content that lies elsewhere is brought whole up to here.
const INDEX_BYTES_MAX: usize = 4 << 20;

/// Events of repositories' memory.
pub const REPOS: Concern = Concern {
    last: "SELECT max(last_seq) FROM repos",
    next: "SELECT last_seq FROM repos WHERE last_seq > ?1 ORDER BY last_seq LIMIT 1",
};

/// The rows of repositories' memory in the index.
#[derive(Clone, Copy, Debug)]
pub struct RepoRows;

impl IndexPart for RepoRows {
    fn apply(
        &mut self,
        index: &mut Index,
        recorded: &Recorded,
        _session: Option<u64>,
    ) -> Result<(), StoreError> {
        let (seq, at_ms) = (recorded.sequence.0, recorded.event.envelope.at_ms);
        let mut fold = Fold { index, recorded, seq, at_ms: signed(at_ms) };
        match &recorded.event.body {
            Body::RepoIdentified(identified) => fold.identified(identified),
            Body::RepoLinked(linked) => {
                let (repo, other) = (fold.known(linked.repo)?, fold.known(linked.with)?);
                fold.link(repo, other)
            }
            Body::ConventionUpserted(it) => {
                let times = [("created_ms", it.created_ms), ("updated_ms", it.updated_ms)];
                fold.entry(EntryKind::Convention, it.repo, &it.id, &convention::row(it), &times)
            }
            Body::DecisionRecorded(it) => {
                let times = [("created_ms", it.created_ms)];
                fold.entry(EntryKind::Decision, it.repo, &it.id, &decision::row(it), &times)
            }
            Body::NoteAdded(it) => {
                let times = [("created_ms", it.created_ms)];
                fold.entry(EntryKind::Note, it.repo, &it.id, &note::row(it), &times)
            }
            Body::ConventionRemoved(it) => fold.remove(EntryKind::Convention, it.repo, &it.id),
            Body::DecisionRemoved(it) => fold.remove(EntryKind::Decision, it.repo, &it.id),
            Body::NoteRemoved(it) => fold.remove(EntryKind::Note, it.repo, &it.id),
            Body::SummaryAppended(appended) => {
                let repo = fold.known(appended.repo)?;
                insert!(
                    fold.index,
                    repo_summaries {
                        seq,
                        repo,
                        run_id: plain(&appended.run_id),
                        step_id: plain(&appended.step_id),
                        summary: plain(&appended.summary),
                        made_by: appended.made_by.as_str(),
                        step: appended.step,
                        created_ms: signed(appended.created_ms.unwrap_or(at_ms)),
                    }
                )
                .map(drop)
            }
            Body::IndexStored(stored) => fold.index_stored(stored),
            _ => Ok(()),
        }
    }
}

/// An event of a repository's memory. A time that it does not tell is its own; of an entry that was
/// there, when that was made.
struct Fold<'a> {
    index: &'a mut Index,
    recorded: &'a Recorded,
    seq: u64,
    at_ms: i64,
}

impl Fold<'_> {
    /// Says what a repository is, unless that was said.
    fn identified(&mut self, identified: &RepoIdentified) -> Result<(), StoreError> {
        let RepoIdentified { repo, path, remote, branch, common } = identified;
        let (number, _) = self.repo(*repo)?;
        let doing = "telling what a repository is";
        let (path, remote) = (plain(path), remote.as_deref().map(plain));
        let branch = branch.as_deref().map(plain);
        // The main working tree has git's folder in it.
        let common = common.as_deref().map_or_else(|| format!("{path}/.git").into(), plain);
        let sql = "UPDATE repos SET path = ?2, remote = ?3, branch = ?4, identified_seq = ?5, \
                   common = ?6 WHERE number = ?1 AND identified_seq IS NULL";
        self.index.write(doing, sql, params![number, path, remote, branch, self.seq, common])?;
        let sql = "SELECT 1 FROM repos WHERE number = ?1 AND path = ?2 AND remote IS ?3 \
                   AND branch IS ?4";
        let same = params![number, path, remote, branch];
        if self.index.find(doing, sql, same, |_| Ok(()))?.is_some() {
            return Ok(());
        }
        let message = format!("the repository {repo} was something else before; that counts");
        self.index.anomaly(self.recorded, AnomalyKind::Contradiction, None, message)
    }

    /// Makes two repositories' families one. Linked again, or with itself: it is as it was.
    fn link(&self, repo: u64, other: u64) -> Result<(), StoreError> {
        let doing = "linking repositories";
        let family = |number: u64| {
            let sql = "SELECT family FROM repos WHERE number = ?1";
            let found = self.index.find(doing, sql, [number], |row| row.get::<_, u64>(0))?;
            Ok::<_, StoreError>(found.unwrap_or(number))
        };
        let (one, two) = (family(repo)?, family(other)?);
        insert!(self.index, repo_links { seq: self.seq, at_ms: self.at_ms, repo, other })?;
        let sql = "UPDATE repos SET family = ?2 WHERE family = ?1";
        self.index.write(doing, sql, [one.max(two), one.min(two)]).map(drop)
    }

    /// Writes the row of an entry: its own texts, and the times that the fact tells.
    fn entry(
        &mut self,
        kind: EntryKind,
        repo: RepoHash,
        id: &str,
        texts: &[(&str, Cow<'_, str>)],
        times: &[(&str, Option<u64>)],
    ) -> Result<(), StoreError> {
        let repo = self.known(repo)?;
        let id = plain(id);
        let told: Vec<_> = times.iter().map(|(_, at_ms)| at_ms.map(signed)).collect();
        let mut values: Vec<&dyn ToSql> = vec![&repo, &id, &self.at_ms, &self.seq];
        let (mut names, mut marks, mut changes) = (String::new(), String::new(), String::new());
        for ((name, _), at_ms) in times.iter().zip(&told) {
            values.push(at_ms);
            let mark = values.len();
            // What was made stays made then.
            let else_then = if *name == "created_ms" { "created_ms" } else { "?3" };
            names.push_str(&format!(", {name}"));
            marks.push_str(&format!(", coalesce(?{mark}, ?3)"));
            changes.push_str(&format!(", {name} = coalesce(?{mark}, {else_then})"));
        }
        for (name, text) in texts {
            values.push(text);
            let mark = values.len();
            names.push_str(&format!(", {name}"));
            marks.push_str(&format!(", ?{mark}"));
            changes.push_str(&format!(", {name} = ?{mark}"));
        }
        let table = kind.table();
        let sql = format!(
            "INSERT INTO {table} (repo, id, seq{names}) VALUES (?1, ?2, ?4{marks}) \
             ON CONFLICT (repo, id) DO UPDATE SET seq = ?4{changes}"
        );
        self.index.write("writing a repository's memory", &sql, values.as_slice()).map(drop)
    }

    /// The one before stays where this one cannot be read: it says more than none.
    fn index_stored(&mut self, stored: &IndexStored) -> Result<(), StoreError> {
        let repo = self.known(stored.repo)?;
        let kind = stored.index.as_str();
        let Some(content) = content::whole(&stored.content, INDEX_BYTES_MAX) else {
            let message = format!("the {kind} of {} is not there to be read", stored.repo);
            return self.index.anomaly(self.recorded, AnomalyKind::LostContent, None, message);
        };
        if !is_object(content) {
            let message = format!("the {kind} of {} is no JSON object", stored.repo);
            return self.index.anomaly(self.recorded, AnomalyKind::InvalidJson, None, message);
        }
        insert!(
            self.index,
            "INSERT OR REPLACE INTO",
            repo_indexes {
                repo,
                kind,
                content,
                files: signed(stored.files),
                inputs: stored.inputs,
                at_ms: self.at_ms,
                seq: self.seq,
            }
        )
        .map(drop)
    }

    fn remove(&mut self, kind: EntryKind, repo: RepoHash, id: &str) -> Result<(), StoreError> {
        let repo = self.known(repo)?;
        let doing = "taking from a repository's memory";
        let sql = format!("DELETE FROM {} WHERE repo = ?1 AND id = ?2", kind.table());
        if self.index.write(doing, &sql, params![repo, plain(id)])? > 0 {
            return Ok(());
        }
        let message = format!("the {kind} {id:?} was removed and is not there");
        self.index.anomaly(self.recorded, AnomalyKind::UnknownMemory, None, message)
    }

    /// The number of a repository that something was recorded for.
    fn known(&mut self, repo: RepoHash) -> Result<u64, StoreError> {
        let (number, is_new) = self.repo(repo)?;
        if is_new {
            let message = format!("no event before tells what the repository {repo} is");
            self.index.anomaly(self.recorded, AnomalyKind::UnknownRepository, None, message)?;
        }
        Ok(number)
    }

    /// A repository's number, and whether it was given just now. This is its last event now.
    fn repo(&self, repo: RepoHash) -> Result<(u64, bool), StoreError> {
        let doing = "looking a repository up";
        let hash = repo.to_string();
        let sql = "UPDATE repos SET last_seq = ?2 WHERE hash = ?1 RETURNING number";
        if let Some(number) =
            self.index.find(doing, sql, params![hash, self.seq], |row| row.get(0))?
        {
            return Ok((number, false));
        }
        // Its own family, until it is linked.
        let sql = "INSERT INTO repos (number, hash, family, last_seq) \
                   SELECT n, ?1, n, ?2 FROM (SELECT coalesce(max(number), 0) + 1 AS n FROM repos)";
        self.index.write(doing, sql, params![hash, self.seq])?;
        Ok((self.index.last_row(), true))
    }
}
