//! What lies where annals has a folder of its own and is none: a file, a link, a pipe. Nothing can be put
//! there, and nothing of it is opened.

use std::io;
use std::path::{Path, PathBuf};

use super::enclosure;
use super::enclosure::{Kind, Look, owners};

/// Folders below `.annals` that are no stores: of what is a store the store's own state tells.
const FOLDERS: [&str; 11] = [
    "building",
    "debug-exports",
    "inferred",
    "journal/blobs",
    "journal/quarantine",
    "owners",
    "packs",
    "quarantine",
    "sessions",
    "stamps",
    "tlog",
];
const NAMES_MAX: u32 = 1_000;

#[derive(Clone, Debug)]
pub struct InTheWay {
    pub path: PathBuf,
    pub kind: Kind,
    owner: u32,
}

impl InTheWay {
    pub fn all(annals: &Path) -> Vec<Self> {
        FOLDERS.iter().filter_map(|name| Self::at(annals.join(name))).collect()
    }

    /// What lies in the place of one folder; `None` where that is one, or nothing is there.
    pub fn at(path: PathBuf) -> Option<Self> {
        // What cannot be looked at is told by whoever opens it.
        let Look { kind, owner, .. } = enclosure::look(&path).ok()?;
        (kind != Kind::Folder).then_some(Self { path, kind, owner })
    }

    pub fn is_foreign(&self) -> bool {
        !owners().contains(&self.owner)
    }

    /// What is wrong, and for whom.
    pub fn told(&self) -> String {
        let (path, kind) = (self.path.display(), self.kind.as_str());
        match self.is_foreign() {
            true => format!("{path} is {kind} of another user (uid {}): move it away", self.owner),
            false => format!("{path} is {kind} where a folder belongs"),
        }
    }

    /// Gives it a name beside, whatever it leads to; answers which.
    pub fn move_aside(&self) -> io::Result<PathBuf> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        for number in 1..=NAMES_MAX {
            let aside = self.path.with_file_name(format!("{name}.aside.{number}"));
            match enclosure::rename_new(&self.path, &aside) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                moved => return moved.map(|()| aside),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "a thousand names beside it are taken"))
    }
}

const LOOKED_AT_MAX: usize = 200_000;
const TOLD_MAX: usize = 8;

/// The journal tells of its own files, which are held to their checksums; what was set aside is not used.
const LEFT_OUT: [&str; 2] = ["journal", "quarantine"];

/// What of a project's own is another user's, in words; `told` is what was told already.
pub fn foreign_files(annals: &Path, told: &[InTheWay]) -> Vec<String> {
    let mut found = find(annals);
    found.retain(|(path, _)| told.iter().all(|it| it.path != *path));
    found.sort();
    let more = found.len().saturating_sub(TOLD_MAX);
    let mut told: Vec<_> =
        found.iter().take(TOLD_MAX).map(|(path, owner)| tell(path, *owner)).collect();
    if more > 0 {
        told.push(format!("{more} more below {} belong to other users", annals.display()));
    }
    told
}

fn tell(path: &Path, owner: u32) -> String {
    let said = format!("{} belongs to another user (uid {owner})", path.display());
    match path.file_name().is_some_and(|name| name == "config.toml") {
        true => format!("{said}: its settings count as a stranger's until they are allowed"),
        false => {
            format!("{said} and is left alone: make it yours if you trust it, or move it away")
        }
    }
}

fn find(annals: &Path) -> Vec<(PathBuf, u32)> {
    let owners = owners();
    let (mut found, mut looked_at) = (Vec::new(), 0);
    let mut folders = vec![annals.to_owned()];
    while let Some(folder) = folders.pop() {
        // What cannot be listed is told by who needs what is in it.
        for (name, kind) in enclosure::names(&folder).unwrap_or_default() {
            looked_at += 1;
            let path = folder.join(&name);
            if looked_at > LOOKED_AT_MAX
                || folder == annals && LEFT_OUT.iter().any(|it| name == *it)
            {
                continue;
            }
            match enclosure::look(&path) {
                Ok(look) if !owners.contains(&look.owner) => found.push((path, look.owner)),
                Ok(_) if kind == Kind::Folder => folders.push(path),
                _ => {}
            }
        }
    }
    found
}
