//! What the other branches and working trees of the same repository remember (ruling 13): shown as inherited, with
//! where it comes from, until they are linked.

use std::path::Path;

use rusqlite::params;
use serde::Serialize;

use super::{IDENTITY, RepoMemory, RepoView, identity};
use crate::event::{RepoHash, wire};
use crate::execution::index::ROOT;
use crate::execution::query::QueryError;
use crate::repo::RepoIdentity;
use crate::repo::entry::{Convention, Decision, Kind, Note};

/// Other branches and working trees that are looked at, those worked on last.
const KIN_MAX: u32 = 16;

/// By what one is told to be of the same repository as another: the same git folder, or the same remote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub hash: RepoHash,
    /// The working tree's top folder.
    pub top: String,
    /// Git's folder, which all its branches and working trees share.
    pub common: String,
    /// The URL of `origin` without credentials.
    pub remote: Option<String>,
    pub branch: Option<String>,
}

/// What one of them remembers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inherited {
    #[serde(serialize_with = "wire::text")]
    pub repo_hash: RepoHash,
    /// The working tree's top folder.
    pub path: Option<String>,
    pub branch: Option<String>,
    pub conventions: Vec<Convention>,
    pub decisions: Vec<Decision>,
    pub notes: Vec<Note>,
}

impl Inherited {
    /// In a few words, for one who is at `top`.
    pub fn from(&self, top: &str) -> String {
        let branch = self.branch.as_deref().map(|it| format!("branch {it}"));
        let tree = self.path.as_deref().filter(|it| top != *it).map(|it| format!("tree {it}"));
        let parts: Vec<_> = branch.into_iter().chain(tree).collect();
        format!("inherited from {}", parts.join(", "))
    }

    fn is_empty(&self) -> bool {
        self.conventions.is_empty() && self.decisions.is_empty() && self.notes.is_empty()
    }
}

impl RepoView<'_> {
    /// What a repository remembers, with what it inherits; `None`: it is neither recorded nor the one at hand.
    pub fn whole_memory(
        &self,
        repo: RepoHash,
        current: Option<&RepoIdentity>,
    ) -> Result<Option<RepoMemory>, QueryError> {
        let current = current.filter(|it| it.hash == repo);
        let memory = self.memory(repo)?.or_else(|| Some(current?.remembers_nothing()));
        let origin = match current {
            Some(current) => Some(current.origin()),
            None => self.origin(repo)?,
        };
        let inherited = origin.as_ref().map_or(Ok(Vec::new()), |it| self.inherited(it))?;
        Ok(memory.map(|it| RepoMemory { inherited, ..it }))
    }

    /// By what a recorded repository is told; `None` of one that nothing tells of.
    pub fn origin(&self, repo: RepoHash) -> Result<Option<Origin>, QueryError> {
        let sql =
            "SELECT path, common, remote, branch FROM repos WHERE hash = ?1 AND common IS NOT NULL";
        let found: Vec<(_, _, _, _)> = self.index.all(sql, [repo.to_string()])?;
        let origin =
            |(top, common, remote, branch)| Origin { hash: repo, top, common, remote, branch };
        Ok(found.into_iter().map(origin).next())
    }

    /// What the same repository's others remember, those worked on last first. What it says itself, or one before
    /// it, is not there again.
    pub fn inherited(&self, of: &Origin) -> Result<Vec<Inherited>, QueryError> {
        // Of those that are linked one speaks for all.
        let sql = format!(
            "{IDENTITY} WHERE (r.common = ?1 OR r.remote = ?2 OR r.common = ?4) \
             AND r.family NOT IN (SELECT family FROM repos WHERE hash = ?3) \
             AND NOT EXISTS (SELECT 1 FROM repos o WHERE o.family = r.family \
                 AND (o.last_seq, o.number) > (r.last_seq, r.number)) \
             ORDER BY last DESC, r.number DESC LIMIT {KIN_MAX}"
        );
        let before = self.before(&of.common)?;
        let asked = params![of.common, of.remote, of.hash.to_string(), before];
        let kin = self.index.rows(&sql, asked, identity)?;
        let mut told = (self.list(of.hash)?, self.list(of.hash)?, self.list(of.hash)?);
        let mut found = Vec::new();
        for one in kin.into_iter().flatten() {
            let inherited = Inherited {
                repo_hash: one.repo,
                conventions: new(&mut told.0, self.list(one.repo)?),
                decisions: new(&mut told.1, self.list(one.repo)?),
                notes: new(&mut told.2, self.list(one.repo)?),
                path: one.path,
                branch: one.branch,
            };
            found.extend(Some(inherited).filter(|it| !it.is_empty()));
        }
        Ok(found)
    }
}

impl RepoView<'_> {
    /// Where a path of the project lay when its journal was begun: a project that is moved takes its journal along,
    /// and a repository without a remote is told by its place alone.
    fn before(&self, path: &str) -> Result<Option<String>, QueryError> {
        let began_at: Option<String> = self.index.cell(ROOT, [])?;
        let root = self.index.conn.path().parent().and_then(Path::parent);
        let root = root.map(|it| it.to_string_lossy().into_owned());
        let inside = root.as_deref().and_then(|it| path.strip_prefix(it));
        let moved = began_at.zip(inside).filter(|(_, it)| it.is_empty() || it.starts_with('/'));
        Ok(moved.map(|(began_at, inside)| format!("{began_at}{inside}")).filter(|it| it != path))
    }

    /// The same branch of the repository, as it was told before the project was moved.
    pub fn earlier(&self, of: &Origin) -> Result<Option<RepoHash>, QueryError> {
        let Some(common) = self.before(&of.common)? else { return Ok(None) };
        let sql = "SELECT hash FROM repos WHERE common = ?1 AND branch IS ?2 AND hash <> ?3 \
                   ORDER BY last_seq DESC LIMIT 1";
        let found: Option<String> =
            self.index.cell(sql, params![common, of.branch, of.hash.to_string()])?;
        Ok(found.as_deref().and_then(RepoHash::parse))
    }
}

/// Those that were not told, which are from now on.
fn new<T: Kind>(told: &mut Vec<T>, found: Vec<T>) -> Vec<T> {
    let is_new = |it: &T| !told.iter().any(|one| one.id() == it.id());
    let found: Vec<T> = found.into_iter().filter(is_new).collect();
    told.extend(found.iter().cloned());
    found
}
