//! Packs that were made before: kept in `.annals/packs/`, told again where all that they depend on is
//! the same.
//!
//! A file `<key>.pack` is the blake3 of what follows, in hexadecimal digits, the end of the line, and the
//! pack as JSON. A whole one was written at once; any other is none.

use std::path::{Path, PathBuf};

use super::PackKey;
use crate::journal::{Project, derived_file, enclosure};
use crate::repo::pack::PackTold;

/// Packs that are kept.
const PACKS_MAX: usize = 64;
/// Trees of which it is remembered what they held: worktrees share no project, so there are few.
const TREES_MAX: usize = 8;
/// A larger one is made anew each time, bytes.
const PACK_BYTES_MAX: u64 = 4 << 20;

const PACK: &str = ".pack";
const TREE: &str = ".tree";
const HEX_BYTES: usize = 64;

/// Packs that were made before.
#[derive(Debug)]
pub struct KeptPacks {
    folder: PathBuf,
}

impl KeptPacks {
    /// Those of a project.
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
