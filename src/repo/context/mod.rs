//! Context packs of a project: its tree is looked at first, and a pack that was made of the same is
//! told again.
//!
//! What is kept between two packs lies in `.annals/packs/` and is derived: it may be deleted at any
//! time, and nothing of it is believed that does not say whose it is.

mod refresh;

#[cfg(test)]
mod tests;

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::execution::AskedStores;
use crate::execution::query::QueryError;
use crate::fault::{Class, Fault, Sorted};
use crate::journal::enclosure::OpenHow;
use crate::journal::fault;
use crate::journal::{Project, ProjectError, RecordError, derived_file, enclosure};
use crate::repo::RepoError;
use crate::repo::pack::{PackAsked, PackSession, PackTold};
use crate::repo::tree::TreeMapError;
use crate::store::evidence::{Cache, EvidenceError};
use crate::store::{Feed, FeedError, JournalFeed};

pub use refresh::{TreeSeen, refresh_tree};

/// What a caller of the library asks a pack for; what is not said is as the settings have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextAsked {
    /// Of the text, Unicode scalar values.
    pub chars_max: Option<usize>,
    /// From the repository's top.
    pub paths: Vec<String>,
    /// Another repository: its hash, or the beginning of it.
    pub repo: Option<String>,
    /// Its id, the beginning of it, or the agent's own name; else the newest.
    pub session: Option<String>,
    pub summaries_max: Option<usize>,
    /// The map of the tree is neither looked at nor told.
    pub no_map: bool,
    /// What was asked for: files that it names or means are told.
    pub prompt: Option<String>,
}

/// The context pack of a project, as it stands: its tree is looked at, and what has changed in it is
/// recorded, before anything is told. `build` tells one build of the program from another.
pub fn context(
    project: &Project,
    asked: &ContextAsked,
    build: &str,
) -> Result<PackTold, ContextError> {
    project.must_be_believed()?;
    let session = match &asked.session {
        Some(name) => PackSession::Named(name.clone()),
        None => PackSession::Newest,
    };
    let at_home = project.is_at_home();
    let current = at_home.then(|| crate::repo::identify(project.tree())).transpose()?;
    let by_settings = PackAsked::by(&project.config().repo, current.as_ref());
    let asked = PackAsked {
        repo: asked.repo.clone(),
        session,
        chars_max: asked.chars_max.unwrap_or(by_settings.chars_max),
        paths: asked.paths.clone(),
        summaries_max: asked.summaries_max.unwrap_or(by_settings.summaries_max),
        map: !asked.no_map,
        prompt: asked.prompt.clone(),
        ..by_settings
    };
    if !at_home {
        return Ok(stores(project)?.context(&asked)?);
    }
    // Where it cannot be looked at, what was recorded last is told.
    let seen = asked.map.then(|| refresh_tree(project).ok()).flatten();
    let seen = seen.map(|seen| seen.inputs);
    kept_or_made(project, &asked, seen, build, || Ok(stores(project)?.context(&asked)?))
}

/// The pack that is kept of the same, or one that is made and kept. `seen` is how the tree was found to
/// be.
pub fn kept_or_made<E>(
    project: &Project,
    asked: &PackAsked,
    seen: Option<[u8; 32]>,
    build: &str,
    make: impl FnOnce() -> Result<PackTold, E>,
) -> Result<PackTold, E> {
    let kept = KeptPacks::of(project);
    // Where the journal cannot be read, the question says so.
    let key = PackKey::of(project, asked, seen, build).ok();
    if let Some(told) = key.as_ref().and_then(|key| kept.find(key)) {
        return Ok(told);
    }
    let told = make()?;
    if let Some(key) = &key {
        kept.keep(key, &told);
    }
    Ok(told)
}

/// The stores, caught up. One that lags tells what it knows: why it does, `status` says.
fn stores(project: &Project) -> Result<AskedStores, ContextError> {
    Ok(AskedStores::of(project, &Cache::of_user())?)
}

// Packs that were made before: kept in `.annals/packs/`, told again where all that they depend on is
// the same.
//
// A file `<key>.pack` is the blake3 of what follows, in hexadecimal digits, the end of the line, and the
// pack as JSON. A whole one was written at once; any other is none.

const PACKS_MAX: usize = 64;
/// Trees of which it is remembered what they held: worktrees share no project, so there are few.
const TREES_MAX: usize = 8;
/// A larger one is made anew each time, bytes.
const PACK_BYTES_MAX: u64 = 4 << 20;

const PACK: &str = ".pack";
const TREE: &str = ".tree";
const HEX_BYTES: usize = 64;

#[derive(Debug)]
pub struct KeptPacks {
    folder: PathBuf,
}

impl KeptPacks {
    pub fn of(project: &Project) -> Self {
        Self { folder: project.packs_dir() }
    }

    /// The pack of a key; `None` where there is none that is whole.
    pub fn find(&self, key: &PackKey) -> Option<PackTold> {
        let bytes = derived_file::read(&self.path(key), PACK_BYTES_MAX)?;
        let (hash, rest) = bytes.split_at_checked(HEX_BYTES)?;
        let json = rest.strip_prefix(b"\n")?;
        // The key is part of what is hashed: a file under another name is none.
        let told = (hash == sealed(key, json).as_bytes()).then(|| serde_json::from_slice(json));
        told?.ok() // made by us and not to be read: made anew
    }

    /// Keeps a pack for the next time, where it is of the very event that the key is of.
    pub fn keep(&self, key: &PackKey, told: &PackTold) {
        if told.sequence != key.sequence {
            return;
        }
        let Ok(json) = serde_json::to_vec(told) else { return };
        let bytes = [sealed(key, &json).as_bytes(), b"\n", &json].concat();
        if bytes.len() as u64 <= PACK_BYTES_MAX {
            // What is not kept is made again.
            drop(derived_file::replace(&self.path(key), &bytes));
            self.prune();
        }
    }

    /// Where it is remembered what a tree held.
    pub fn tree(&self, top: &Path) -> PathBuf {
        let hash = blake3::hash(top.as_os_str().as_encoded_bytes()).to_hex();
        self.folder.join(format!("{}{TREE}", &hash[..16]))
    }

    fn path(&self, key: &PackKey) -> PathBuf {
        let hash = blake3::Hash::from_bytes(key.hash).to_hex();
        self.folder.join(format!("{}{PACK}", &hash[..32]))
    }

    /// Lets the oldest go, and what dead writers left.
    fn prune(&self) {
        let Ok(names) = enclosure::names(&self.folder) else { return };
        let mut packs = Vec::new();
        let mut trees = Vec::new();
        for (name, _) in names {
            let path = self.folder.join(&name);
            let name = name.to_string_lossy();
            let Ok(look) = enclosure::look(&path) else { continue };
            if name.ends_with(PACK) {
                packs.push((look.changed, path));
            } else if name.ends_with(TREE) {
                trees.push((look.changed, path));
            } else if name.starts_with(derived_file::NEW) {
                // Whoever writes one now does so within moments.
                trees.push(((0, 0), path));
            }
        }
        for (mut files, most) in [(packs, PACKS_MAX), (trees, TREES_MAX)] {
            files.sort();
            for (_, path) in files.iter().rev().skip(most) {
                drop(enclosure::remove(path)); // somebody else was faster
            }
        }
    }
}

fn sealed(key: &PackKey, json: &[u8]) -> String {
    blake3::Hasher::new_keyed(&key.hash).update(json).finalize().to_hex().to_string()
}

/// Of the settings' file this much is looked at, bytes: of more nothing is settings.
const CONFIG_BYTES_MAX: u64 = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackKey {
    hash: [u8; 32],
    /// The last event that a pack of this key knows of.
    sequence: u64,
}

impl PackKey {
    /// The key of what is asked of a project, as it stands. `seen` is how its tree was found to be.
    pub fn of(
        project: &Project,
        asked: &PackAsked,
        seen: Option<[u8; 32]>,
        build: &str,
    ) -> Result<Self, ContextError> {
        let feed = JournalFeed::asked(project)?;
        let mark = feed.through();
        let mut hash = blake3::Hasher::new_derive_key("annals pack 4");
        let mut part = |bytes: &[u8]| {
            hash.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        };
        part(&feed.journal());
        part(&mark.sequence.0.to_le_bytes());
        part(&mark.chain);
        part(build.as_bytes());
        part(&config(project));
        part(asked.repo.as_deref().unwrap_or_default().as_bytes());
        part(asked.current.as_ref().map_or(&[], |current| &current.hash.0));
        let (kind, session): (u8, &[u8]) = match &asked.session {
            PackSession::Named(name) => (1, name.as_bytes()),
            PackSession::Is(session) => (2, &session.0),
            PackSession::Newest => (3, &[]),
        };
        part(&[kind, u8::from(asked.map)]);
        part(session);
        part(&(asked.chars_max as u64).to_le_bytes());
        part(&(asked.summaries_max as u64).to_le_bytes());
        part(seen.as_ref().map_or(&[], |seen| seen));
        part(asked.prompt.as_deref().unwrap_or_default().as_bytes());
        for path in &asked.paths {
            part(path.as_bytes());
        }
        Ok(Self { hash: *hash.finalize().as_bytes(), sequence: mark.sequence.0 })
    }
}

fn config(project: &Project) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Settings that could not be read opened no project.
    let read = enclosure::open(&project.config_path(), OpenHow::Read)
        .and_then(|file| file.take(CONFIG_BYTES_MAX).read_to_end(&mut bytes));
    drop(read);
    bytes
}

/// Why what is known of a tree could not be brought up to date, or a pack not be made.
#[derive(Debug, thiserror::Error)]
pub enum ContextError {
    #[error(transparent)]
    Repo(#[from] RepoError),
    #[error(transparent)]
    Tree(#[from] TreeMapError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    Stores(#[from] EvidenceError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error("the map of the tree could not be written as JSON")]
    Json(#[from] serde_json::Error),
}

impl Fault for ContextError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Repo(error) => error.sorted(),
            Self::Tree(TreeMapError::Top { source, .. }) => fault::of_io(source),
            Self::Tree(TreeMapError::Endless { .. }) => Class::Refused.alone(),
            Self::Record(error) => error.sorted(),
            Self::Project(error) => error.sorted(),
            Self::Query(error) => error.sorted(),
            error => fault::of_causes(error),
        }
    }
}
