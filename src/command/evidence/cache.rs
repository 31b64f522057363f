//! The user's cache of stores: bounded, and safe under two that build at once.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::EvidenceError;
use super::entry::Entry;
use super::prune::prune;
use crate::command::feed::{Feed, JournalFeed};

/// What the name of a folder begins with while stores are built in it.
pub(super) const BUILDING: &str = "building-";

/// The user's cache of stores. What is in it can be deleted at any time.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: Option<PathBuf>,
    temporary: PathBuf,
    build: String,
}

impl Cache {
    /// `folder` is where stores are kept, `temporary` where a private folder is made if nothing can
    /// be written there. `build` tells one build of the program from another: stores are used by
    /// the build that made them alone.
    pub fn new(folder: Option<PathBuf>, temporary: PathBuf, build: String) -> Self {
        Self { folder, temporary, build }
    }

    /// What stores are called: by the journal, its last event, and everything that the rows could
    /// depend on besides.
    pub(super) fn name(&self, feed: &JournalFeed<'_>, read: &[u8; 32]) -> String {
        let mark = feed.through();
        let mut hash = blake3::Hasher::new_derive_key("annals cache v1");
        hash.update(&feed.journal()).update(&mark.sequence.0.to_le_bytes()).update(&mark.chain);
        hash.update(read).update(self.build.as_bytes());
        let journal: String = feed.journal().iter().map(|byte| format!("{byte:02x}")).collect();
        let hash = hash.finalize().to_hex();
        format!("{journal}-{}-{}", mark.sequence.0, &hash[..24])
    }

    /// Stores of this name, held.
    pub(super) fn find(&self, name: &str) -> Option<Entry> {
        // Whatever is wrong with them, they can be built again.
        Entry::hold(&self.folder.as_ref()?.join(name)).ok()
    }

    /// A folder to build in: in the cache, else a private one.
    pub(super) fn begin(&self) -> Result<Entry, EvidenceError> {
        if let Some(folder) = &self.folder
            && let Ok(entry) = ready(folder).and_then(|()| make(folder, BUILDING))
        {
            return Ok(entry);
        }
        let path = self.temporary.clone();
        make(&path, "annals-").map_err(|source| EvidenceError::Io {
            path,
            doing: "given a folder",
            source,
        })
    }

    /// Puts stores that were built where the next question finds them. Where somebody else was
    /// faster, theirs are used; where that cannot be, ours stay private.
    pub(super) fn keep(&self, mut entry: Entry, name: &str) -> Entry {
        let Some(folder) = &self.folder else { return entry };
        if !entry.root().starts_with(folder) {
            return entry;
        }
        let root = folder.join(name);
        if entry.publish(&root).is_err()
            && let Ok(theirs) = Entry::hold(&root)
        {
            return theirs;
        }
        prune(folder, &root);
        entry
    }

    /// A private folder for what is looked at and thrown away.
    pub(super) fn private(&self) -> Result<Entry, EvidenceError> {
        self.begin()
    }
}

/// Makes the cache's folder: the user's own, and nobody else's to look into.
fn ready(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let about = fs::symlink_metadata(folder)?;
    if !about.is_dir() || about.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    if about.mode() & 0o077 != 0 {
        fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    }
    Ok(())
}

fn make(folder: &Path, prefix: &str) -> io::Result<Entry> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{prefix}{}-{number}", std::process::id());
        match Entry::make(&folder.join(name)) {
            // What a dead process of this number left.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made,
        }
    }
}
