//! The user's cache of stores: bounded, and safe under two that build at once.

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io};

use super::EvidenceError;
use super::entry::Entry;
use crate::config::environment;
use crate::event::Ordered;
use crate::event::wire::hex_text;
use crate::journal::enclosure;
use crate::journal::private::own_folder;
use crate::store::{Feed, JournalFeed};

/// What the name of a folder begins with while stores are built in it.
pub(super) const BUILDING: &str = "building-";

/// As [`BUILDING`], where temporary files lie.
const PRIVATE: &str = "annals-";

const LOOKS: &str = "looks";

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

    pub fn of_user() -> Self {
        Self::new(
            environment::cache_folder(),
            environment::temporary_folder(),
            environment::build(),
        )
    }

    /// One that keeps nothing: what is built in it goes with who asked for it.
    pub fn of_nobody() -> Self {
        Self { folder: None, ..Self::of_user() }
    }

    pub fn build(&self) -> &str {
        &self.build
    }

    /// What stores are called: by the journal, its last event, and everything that the rows could
    /// depend on besides.
    pub(super) fn name(&self, feed: &JournalFeed<'_>, read: &[u8; 32]) -> String {
        let mark = feed.through();
        let mut hash = blake3::Hasher::new_derive_key("annals cache v1");
        hash.update(&feed.journal()).update(&mark.sequence.0.to_le_bytes()).update(&mark.chain);
        hash.update(read).update(self.build.as_bytes());
        let hash = hash.finalize().to_hex();
        format!("{}{}-{}", self.prefix(feed), mark.sequence.0, &hash[..24])
    }

    /// How the names begin of what this build made of a journal.
    fn prefix(&self, feed: &JournalFeed<'_>) -> String {
        let build = blake3::hash(self.build.as_bytes()).to_hex();
        format!("{}-{}-", hex_text(&feed.journal()), &build[..8])
    }

    /// The newest stores of a journal before where it is now, that nobody else reads: taken away from where others
    /// find them, to be caught up.
    pub(super) fn earlier(&self, feed: &JournalFeed<'_>) -> Option<Entry> {
        let folder = self.folder.as_ref()?;
        own_folder(folder).ok()?; // then nothing in it is believed
        let (prefix, end) = (self.prefix(feed), feed.through().sequence.0);
        let sequence = |name: &str| name.strip_prefix(&prefix)?.split('-').next()?.parse().ok(); // none of these
        let names = fs::read_dir(folder).ok()?.flatten(); // as above
        let of = |entry: fs::DirEntry| Some((sequence(entry.file_name().to_str()?)?, entry.path()));
        let newest = names.filter_map(of).filter(|(at, _): &(u64, _)| *at <= end).max()?;
        let aside = folder.join(format!("{BUILDING}{}-{}", std::process::id(), next()));
        Entry::take(&newest.1, &aside).ok() // somebody reads it, or could have written there
    }

    /// Where a look at a journal is remembered that nothing may be written to; none where there is
    /// no place that is the user's alone.
    pub(crate) fn look_file(&self, journal: &Path) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        let looks = folder.join(LOOKS);
        // Whatever is wrong there, the journal is looked at anew.
        ready(folder).and_then(|()| ready(&looks)).ok()?;
        let path = journal.canonicalize().ok()?; // as above
        let hash = blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex();
        let file = looks.join(format!("{}.json", &hash[..32]));
        if !file.exists() {
            prune_looks(&looks);
        }
        Some(file)
    }

    /// Forgets a look at a journal that nothing may be written to.
    pub(crate) fn forget_look(&self, journal: &Path) {
        // What stays costs a look that finds the files changed.
        if let Some(file) = self.look_file(journal) {
            drop(fs::remove_file(file));
        }
    }

    /// Stores of this name, held; none where somebody else could have made or changed them.
    pub(super) fn find(&self, name: &str) -> Option<Entry> {
        let folder = self.folder.as_ref()?;
        let root = folder.join(name);
        match own_folder(folder) {
            // Whatever is wrong with them, they can be built again.
            Ok(()) => Entry::hold(&root).ok(),
            Err(_) => {
                if ready(folder).is_ok() {
                    discard(folder, &root);
                }
                None
            }
        }
    }

    /// Clears away every store of a journal, and what dead builders left; answers those that somebody reads or
    /// builds.
    pub(crate) fn forget(&self, journal: &[u8; 16]) -> Vec<PathBuf> {
        let folders = self.folder.iter().chain([&self.temporary]);
        let own: String = journal.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut left = Vec::new();
        for path in folders.flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten())
        {
            let path = path.path();
            let name = path.file_name().map(|it| it.to_string_lossy().into_owned());
            let name = name.unwrap_or_default();
            let is_own =
                name.starts_with(&own) || name.starts_with(BUILDING) || name.starts_with(PRIVATE);
            // What has nothing to hold it by is none of ours.
            if is_own && Entry::clear(&path).is_ok_and(|is_gone| !is_gone) {
                left.push(path);
            }
        }
        left
    }

    /// A folder to build or look in, gone with its holder unless it is kept.
    pub(crate) fn private(&self) -> Result<Entry, EvidenceError> {
        if let Some(folder) = &self.folder
            && let Ok(entry) = ready(folder).and_then(|()| make(folder, BUILDING))
        {
            return Ok(entry);
        }
        let path = self.temporary.clone();
        make(&path, PRIVATE).map_err(|source| EvidenceError::Io {
            path,
            doing: "given a folder",
            source,
        })
    }

    /// Puts stores that were built where the next question finds them. Where somebody else was
    /// faster, theirs are used; what is not to be believed there is replaced; where that cannot
    /// be, ours stay private.
    pub(super) fn keep(&self, mut entry: Entry, name: &str) -> Entry {
        let Some(folder) = &self.folder else { return entry };
        if !entry.root().starts_with(folder) {
            return entry;
        }
        let root = folder.join(name);
        if entry.publish(&root).is_err() {
            if let Ok(theirs) = own_folder(folder).and_then(|()| Entry::hold(&root)) {
                return theirs;
            }
            discard(folder, &root);
            drop(entry.publish(&root)); // it answers where it is as well
        }
        prune(folder, &root);
        entry
    }
}

/// Makes the cache's folder: the user's own, and nobody else's to look into. What was in it while
/// others could write there is cleared away, where nobody reads it: names may have been exchanged.
fn ready(folder: &Path) -> io::Result<()> {
    enclosure::make_folders(folder)?;
    let about = fs::symlink_metadata(folder)?;
    if !about.is_dir() || about.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    if about.mode() & 0o077 != 0 {
        fs::set_permissions(folder, Permissions::from_mode(0o700))?;
        if about.mode() & 0o022 != 0 {
            for entry in fs::read_dir(folder)?.flatten() {
                drop(Entry::clear(&entry.path())); // held, or not ours: the latter is not believed
            }
        }
    }
    // A file system without modes may have changed nothing.
    own_folder(folder)
}

fn discard(folder: &Path, root: &Path) {
    // What stays is never believed, and ours are private then.
    drop(Entry::discard(
        root,
        &folder.join(format!("{BUILDING}{}-{}", std::process::id(), next())),
    ));
}

fn next() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn make(folder: &Path, prefix: &str) -> io::Result<Entry> {
    loop {
        let name = format!("{prefix}{}-{}", std::process::id(), next());
        match Entry::make(&folder.join(name)) {
            // What a dead process of this number left.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made,
        }
    }
}

pub(super) const ENTRIES_MAX: usize = 24;
/// Their bytes, the one just built not counted.
const BYTES_MAX: u64 = 4 << 30;

const LOOKS_MAX: usize = 256;

pub(super) fn prune_looks(folder: &Path) {
    // As below.
    let Ok(listed) = fs::read_dir(folder) else { return };
    let about = |entry: fs::DirEntry| Some((entry.metadata().ok()?.mtime(), entry.path()));
    let mut looks: Vec<_> = listed.flatten().filter_map(about).collect();
    looks.sort_unstable();
    for (_, path) in looks.iter().rev().skip(LOOKS_MAX - 1) {
        drop(fs::remove_file(path)); // it can be made again
    }
}

/// Clears away what was not used for longest, above the limits, and what dead builders left; never
/// `new`, and nothing that somebody reads.
pub(super) fn prune(folder: &Path, new: &Path) {
    // What cannot be listed or removed now may be so for the next.
    let Ok(listed) = fs::read_dir(folder) else { return };
    let mut entries: Vec<(i64, u64, PathBuf)> = Vec::new();
    for path in listed.flatten().map(|entry| entry.path()).filter(|path| path != new) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        if name.is_some_and(|name| name.starts_with(BUILDING)) {
            drop(Entry::clear(&path)); // held: somebody builds there
        } else if let Ok((used, bytes)) = Entry::about(&path) {
            entries.push((used, bytes, path));
        }
    }
    entries.order_by(|one, other| other.cmp(one));
    let mut sum = 0_u64;
    for (at, (_, bytes, path)) in entries.iter().enumerate() {
        sum = sum.saturating_add(*bytes);
        if at + 1 >= ENTRIES_MAX || sum > BYTES_MAX {
            drop(Entry::clear(path)); // held: somebody reads it
        }
    }
}
