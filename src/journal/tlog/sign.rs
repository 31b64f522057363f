//! Signing a checkpoint of a project's journal.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::state::known;
use super::{Checkpoint, Hash, Keys, Note, SecretKey, TlogError, Tree};
use crate::event::fault::{Class, Fault, Sorted};
use crate::event::{Body, CheckpointSigned, Envelope, Event, Source};
use crate::journal::enclosure::OpenHow;
use crate::journal::trust::outside::{self, Kind};
use crate::journal::trust::user_config;
use crate::journal::{Project, ProjectError, Reading, clock, derived_file, enclosure};

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

/// Rounds in which others were faster, before it is given up.
const SEAL_ROUNDS_MAX: u32 = 16;

/// A segment that nothing is added to any more.
#[derive(Clone, Debug)]
pub struct Sealed {
    pub segment: u64,
    pub path: PathBuf,
    pub size: u64,
    pub root: Hash,
}

/// Ends the segment that is appended to with the root over all records so far, and makes its file read-only;
/// `None` where it holds nothing yet.
pub fn seal(project: &Project) -> Result<Option<Sealed>, SignError> {
    project.must_contain_seen()?;
    let (journal, dir, folder) = (project.journal()?, project.journal_dir(), project.tlog_dir());
    for _ in 0..SEAL_ROUNDS_MAX {
        let last = journal.sync().map_err(TlogError::from)?.sequence;
        let tree = Tree::of(&dir, Reading::Live, Some(folder.clone()), Some(last))?;
        let (size, root) = (tree.size(), tree.root(tree.size())?);
        match journal.seal(last, size, root) {
            Err(error) if error.overtaken().is_some() => {}
            sealed => {
                let Some(segment) = sealed.map_err(TlogError::from)? else { return Ok(None) };
                let path = protect(&dir, segment)?;
                return Ok(Some(Sealed { segment, path, size, root }));
            }
        }
    }
    let what = "others record all the time: try again when fewer do".to_owned();
    Err(TlogError::Refused { what }.into())
}

/// Makes a segment's file read-only.
fn protect(dir: &Path, segment: u64) -> Result<PathBuf, TlogError> {
    let prefix = format!("{segment:010}-");
    let set = || {
        let names = enclosure::names(dir)?;
        let name = names.into_iter().find(|(name, _)| name.to_string_lossy().starts_with(&prefix));
        let path = dir.join(name.ok_or(io::ErrorKind::NotFound)?.0);
        let file = enclosure::open(&path, OpenHow::Read)?;
        file.set_permissions(Permissions::from_mode(0o444))?;
        Ok(path)
    };
    set().map_err(|source| TlogError::Io { path: dir.to_owned(), did: "made read-only", source })
}

/// Records that a session's end takes into the tree at most: it is to be short.
const BRIEF_RECORDS_MAX: u64 = 20_000;

/// As [`sign`], by the user's own key where there is one, the user wants it, and it does not take long. Whether it
/// was.
pub fn sign_at_end(project: &Project) -> Result<bool, SignError> {
    let is_wanted = user_config().is_ok_and(|config| config.checkpoint.automatic);
    let Some(keys) = Keys::of_user().filter(|_| is_wanted) else { return Ok(false) };
    let Some(key) = keys.secret()? else { return Ok(false) };
    let end = project.journal()?.watermark().sequence.0;
    let (dir, id) = (project.journal_dir(), project.journal()?.id());
    let known = known(&project.tlog_dir(), &dir, &id).map_or(0, |state| state.sequence);
    if end.saturating_sub(known) > BRIEF_RECORDS_MAX {
        return Ok(false);
    }
    sign(project, &key).map(|_| true)
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
    let id = tree.journal();
    // One that is no checkpoint of ours says nothing.
    let last = outside::text(Kind::Checkpoint, &dir, &id).and_then(|it| String::from_utf8(it).ok());
    let last = last.and_then(|it| Note::parse(&it).ok()); // as above
    if let Some(Checkpoint { size, root, .. }) =
        last.and_then(|it| Checkpoint::parse(&it.text).ok())
        && !tree.root(size).is_ok_and(|found| found == root)
        // A tile of those before may be another: the records themselves decide.
        && !Tree::afresh(&dir, Reading::Live)?.root(size).is_ok_and(|found| found == root)
    {
        return Err(SignError::Inconsistent { size });
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
    let (text, place) = (note.to_string(), folder.join("checkpoint"));
    let kept = derived_file::replace(&place, text.as_bytes());
    kept.map_err(|source| TlogError::Io { path: place, did: "written", source })?;
    // Where it cannot be kept there, the next one is held to what was seen alone.
    drop(outside::keep(Kind::Checkpoint, &dir, &id, text.as_bytes()));
    Ok((checkpoint, note))
}
