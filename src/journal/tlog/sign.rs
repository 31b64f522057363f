//! Signing a checkpoint of a project's journal.

use std::path::Path;

use super::{Checkpoint, Note, PublicKey, Sign, TlogError, Tree};
use crate::event::{Body, CheckpointSigned, Envelope, Event, Source};
use crate::fault::{Class, Fault, Sorted};
use crate::journal::trust::outside::{self, Kind};
use crate::journal::{Project, ProjectError, Reading, clock, derived_file};

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
pub fn sign(project: &Project, key: &dyn Sign) -> Result<(Checkpoint, Note), SignError> {
    project.must_contain_seen()?;
    let journal = project.journal()?;
    let through = journal.sync().map_err(TlogError::from)?;
    let (dir, folder) = (project.journal_dir(), project.tlog_dir());
    let tree = Tree::of(&dir, Reading::Live, Some(folder), Some(through.sequence))?;
    let id = tree.journal();
    if let Some((Checkpoint { size, root, .. }, _)) = last(&dir, &id)
        && !tree.root(size).is_ok_and(|found| found == root)
        // A tile of those before may be another: the records themselves decide.
        && !Tree::afresh(&dir, Reading::Live)?.root(size).is_ok_and(|found| found == root)
    {
        return Err(SignError::Inconsistent { size });
    }
    let (size, mark) = (tree.size(), tree.mark());
    let checkpoint = Checkpoint { journal: id, size, root: tree.root(size)?, mark };
    let note = key.sign(checkpoint.text())?;
    let body = Body::CheckpointSigned(CheckpointSigned {
        origin: super::origin(&checkpoint.journal),
        tree_size: size,
        root: checkpoint.root,
        key: key.public().to_string(),
    });
    let now_ms = clock::now_ms();
    let event = Event { envelope: Envelope::new(None, Source::Annals, now_ms), body };
    journal.append(&[event], now_ms).map_err(TlogError::from)?;
    keep(project, &id, &note)?;
    Ok((checkpoint, note))
}

/// The checkpoint that was signed last, as the user's own state has it.
pub fn last(journal: &Path, id: &[u8; 16]) -> Option<(Checkpoint, Note)> {
    let text = String::from_utf8(outside::text(Kind::Checkpoint, journal, id)?).ok()?; // none of ours
    let note = Note::parse(&text).ok()?; // as above
    let checkpoint = Checkpoint::parse(&note.text).ok()?; // as above
    (checkpoint.journal == *id).then_some((checkpoint, note))
}

fn keep(project: &Project, id: &[u8; 16], note: &Note) -> Result<(), TlogError> {
    let (text, place) = (note.to_string(), project.tlog_dir().join("checkpoint"));
    let kept = derived_file::replace(&place, text.as_bytes());
    kept.map_err(|source| TlogError::Io { path: place, did: "written", source })?;
    // Where it cannot be kept there, the next one is held to what was seen alone.
    drop(outside::keep(Kind::Checkpoint, &project.journal_dir(), id, text.as_bytes()));
    Ok(())
}

/// Adds what witnesses signed to the last checkpoint that is kept; how many signatures were new.
pub fn take_cosignatures(
    project: &Project,
    cosigned: &Note,
    witnesses: &[PublicKey],
) -> Result<usize, TlogError> {
    let id = project.reader()?.id();
    let what = "there is no checkpoint that this is of: annals checkpoint signs one".to_owned();
    let (_, mut note) = last(&project.journal_dir(), &id)
        .filter(|(_, note)| note.text == cosigned.text)
        .ok_or(TlogError::Refused { what })?;
    let found = note.take(cosigned, witnesses);
    if found > 0 {
        keep(project, &id, &note)?;
    }
    Ok(found)
}
