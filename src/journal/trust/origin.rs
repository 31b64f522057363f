//! Where a journal comes from: what others remembered is no advice to an agent of this user.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::Allowed;
use super::begun::{self, Standing};
use crate::event::{Body, Sequence};
use crate::journal::project::machine;
use crate::journal::{FOLDER, JournalReader};

/// Where a journal comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// This user began it.
    Own,
    /// Somebody else did, and the user allowed what it remembers.
    Allowed,
    /// It came with a clone, or a copy.
    Foreign {
        /// What its first event says, where it can be read.
        machine: String,
        root: String,
    },
}

impl Origin {
    /// Whether what it remembers may be given to an agent.
    pub fn is_believed(&self) -> bool {
        !matches!(self, Self::Foreign { .. })
    }
}

/// Where the journal of the project in this folder comes from. Own is one that the user's state remembers in
/// this folder, wherever that lies now, and a whole copy of it; where nothing is remembered, one whose first
/// event names this machine and this folder, and the folder is the user's: it is remembered from then on. One
/// that cannot be read is foreign.
pub fn origin(root: &Path) -> Origin {
    let foreign = |machine, root| Origin::Foreign { machine, root };
    let annals = root.join(FOLDER);
    let (Ok(reader), Ok(root)) =
        (JournalReader::open(&annals.join("journal")), root.canonicalize())
    else {
        return foreign(String::new(), String::new());
    };
    let id = reader.id();
    let standing = begun::standing(&root, &reader);
    if standing == Standing::Own {
        return Origin::Own;
    }
    let created = match reader.get(Sequence(1)).map(|first| first.map(|it| it.event.body)) {
        Ok(Some(Body::JournalCreated(created))) => Some(created),
        _ => None,
    };
    let is_here = created.as_ref().is_some_and(|created| {
        created.machine == machine::label() && created.root == root.to_string_lossy()
    });
    let owner = fs::symlink_metadata(&annals).map(|about| about.uid());
    let is_here = is_here && standing == Standing::Unknown;
    if is_here && owner.is_ok_and(|owner| owner == rustix::process::geteuid().as_raw()) {
        // Where that cannot be remembered it is judged so again.
        drop(begun::note_begun(&root, &id, false));
        return Origin::Own;
    }
    match Allowed::of(&root).has_journal(&id) {
        true => Origin::Allowed,
        false => created.map_or_else(
            || foreign(String::new(), String::new()),
            |created| foreign(created.machine, created.root),
        ),
    }
}
