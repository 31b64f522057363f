//! Sealing the segment that is appended to.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{Hash, SignError, TlogError, Tree};
use crate::event::Sequence;
use crate::journal::enclosure::OpenHow;
use crate::journal::{Project, Reading, enclosure};

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

/// Whether the first record in the segment that is appended to is from before a time, Unix milliseconds.
pub fn is_due(project: &Project, before_ms: u64) -> Result<bool, TlogError> {
    let reader = project.reader()?;
    let Some(first) = reader.reader.segments().last().map(|it| it.first_sequence) else {
        return Ok(false);
    };
    Ok(reader.get(Sequence(first.0))?.is_some_and(|it| it.recorded_ms < before_ms))
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
