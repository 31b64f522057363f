//! Which transcripts were imported by their paths: what a journal has of them they hold as well, wherever they lie.
//!
//! `.annals/imported` is a JSON list of whole paths, the newest last. Those of an agent's own folder are found there, and
//! are not noted.

use std::io;
use std::path::PathBuf;

use crate::journal::{Project, derived_file};

/// Of more the oldest are forgotten.
const FILES_MAX: usize = 4_096;
const BYTES_MAX: u64 = 16 << 20;

fn place(project: &Project) -> PathBuf {
    project.annals_dir().join("imported")
}

fn noted(project: &Project) -> Vec<String> {
    let bytes = derived_file::read(&place(project), BYTES_MAX).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default() // none was noted
}

/// The transcripts that were imported by their paths.
pub fn imported(project: &Project) -> Vec<PathBuf> {
    noted(project).into_iter().map(PathBuf::from).collect()
}

/// Notes that these are imported.
pub(super) fn note(project: &Project, files: &[String]) -> io::Result<()> {
    let before = noted(project);
    let mut all: Vec<_> = before.iter().filter(|it| !files.contains(it)).cloned().collect();
    all.extend(files.iter().cloned());
    let older = all.len().saturating_sub(FILES_MAX);
    all.drain(..older);
    match all == before {
        true => Ok(()),
        false => derived_file::replace(&place(project), &serde_json::to_vec(&all)?),
    }
}
