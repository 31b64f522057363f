//! Signing a checkpoint of a project's journal.

use super::{Checkpoint, Note, SecretKey, TlogError, Tree};
use crate::event::fault::{Class, Fault, Sorted};
use crate::event::{Body, CheckpointSigned, Envelope, Event, Source};
use crate::journal::{Project, ProjectError, Reading, clock, derived_file};

const BYTES_MAX: u64 = super::NOTE_BYTES_MAX;

#[derive(Debug, thiserror::Error)]
pub enum SignError {
    #[error(transparent)]
    Tlog(#[from] TlogError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(
        "the journal does not contain the checkpoint that was signed last ({size} records): nothing is signed"
    )]
    Inconsistent { size: u64 },
}

impl Fault for SignError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Tlog(error) => error.sorted(),
            Self::Project(error) => error.sorted(),
            Self::Inconsistent { .. } => Class::Contradicted.alone(),
        }
    }
}

/// Signs what the journal holds on disk, where it contains what was seen and what was signed before; keeps the
/// checkpoint beside the tiles, and records it.
pub fn sign(project: &Project, key: &SecretKey) -> Result<(Checkpoint, Note), SignError> {
    project.must_contain_seen()?;
    let journal = project.journal()?;
    let through = journal.sync().map_err(TlogError::from)?;
    let folder = project.tlog_dir();
    let dir = project.journal_dir();
    let tree = Tree::of(&dir, Reading::Live, Some(folder.clone()), Some(through.sequence))?;
    let place = folder.join("checkpoint");
    // One that is no checkpoint of ours says nothing.
    let last = derived_file::read(&place, BYTES_MAX).and_then(|it| String::from_utf8(it).ok());
    let last = last.and_then(|it| Note::parse(&it).ok()); // as above
    let last = last.filter(|it| it.is_signed_by(&key.public()));
    if let Some(last) = last.and_then(|it| Checkpoint::parse(&it.text).ok())
        && (last.size > tree.size() || tree.root(last.size)? != last.root)
    {
        return Err(SignError::Inconsistent { size: last.size });
    }
    let (size, mark) = (tree.size(), tree.mark());
    let checkpoint = Checkpoint { journal: tree.journal(), size, root: tree.root(size)?, mark };
    let note = key.sign(checkpoint.text());
    let body = Body::CheckpointSigned(CheckpointSigned {
        origin: super::origin(&checkpoint.journal),
        tree_size: size,
        root: checkpoint.root,
        key: key.public().to_string(),
    });
    let now_ms = clock::now_ms();
    let event = Event { envelope: Envelope::new(None, Source::Annals, now_ms), body };
    journal.append(&[event], now_ms).map_err(TlogError::from)?;
    let kept = derived_file::replace(&place, note.to_string().as_bytes());
    kept.map_err(|source| TlogError::Io { path: place, did: "written", source })?;
    Ok((checkpoint, note))
}
