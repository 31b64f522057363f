//! The files an import reads, in the order it reads them.

use std::collections::HashSet;
use std::fs::Metadata;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;
use std::{fs, io};

use super::limits::{FILES_MAX, FOLDER_DEPTH_MAX, SNIFF_BYTES_MAX};
use super::lines::Opened;
use super::log_source::{LogSource, Reads};
use super::rests::Rest;
use super::{ImportError, Result, Skip};
use crate::agents::SOURCES;
use crate::agents::mapped::{self, Mapping};
use crate::event::Ordered;
use crate::journal::time_guard::{AHEAD_MS_MAX, EARLIEST_MS};
use crate::journal::{FOLDER, clock};

/// A regular file that may hold a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    pub path: PathBuf,
    pub bytes: u64,
    pub modified_ms: u64,
    /// Neither a pipe nor a device, which could be waited for without end.
    pub regular: bool,
    pub source: &'static LogSource,
    pub began_ms: Option<u64>,
    /// It was found in a folder, and is not named.
    pub is_found: bool,
    /// By what it is read, where a person says.
    pub mapping: Option<Arc<Mapping>>,
    /// Where it is read on from.
    pub rest: Option<Rest>,
    /// It goes on: what is half there at its end is still being written.
    pub is_ongoing: bool,
    /// Why it is known before it is opened that nothing can be read.
    trouble: Option<String>,
}

impl SourceFile {
    fn of(path: &Path, metadata: &Metadata) -> Self {
        // A file system that keeps no times gives none.
        let modified = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let modified_ms = modified.map_or(0, |since| since.as_millis() as u64);
        let regular = metadata.is_file();
        let (path, bytes) = (path.to_owned(), metadata.len());
        let source = SOURCES[0];
        let (is_found, began_ms, mapping, rest) = (false, None, None, None);
        let (is_ongoing, trouble) = (false, None);
        Self {
            path,
            bytes,
            modified_ms,
            regular,
            source,
            began_ms,
            is_found,
            mapping,
            rest,
            is_ongoing,
            trouble,
        }
    }

    /// A file or folder that was found, and that cannot even be looked at.
    fn troubled(path: &Path, why: &io::Error) -> Self {
        Self {
            path: path.to_owned(),
            bytes: 0,
            modified_ms: 0,
            regular: false,
            source: SOURCES[0],
            began_ms: None,
            is_found: true,
            mapping: None,
            rest: None,
            is_ongoing: false,
            trouble: Some(why.to_string()),
        }
    }

    pub fn is_subagent(&self) -> bool {
        let name = self.path.file_name();
        self.source.session_of.is_some()
            && name.is_some_and(|name| name.as_encoded_bytes().starts_with(b"agent-"))
    }

    /// By whose name its sessions and calls go.
    pub fn agent(&self) -> &str {
        self.mapping.as_ref().map_or(self.source.name, |mapping| &mapping.agent)
    }

    /// Up to when what it tells can have been.
    pub fn until_ms(&self) -> u64 {
        clock::now_ms().max(self.modified_ms).saturating_add(AHEAD_MS_MAX)
    }

    /// Its whole name, by which a session is called that has none.
    pub fn whole_name(&self) -> String {
        let whole = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        whole.to_string_lossy().into_owned()
    }

    /// The beginning of its text, at most [`SNIFF_BYTES_MAX`] bytes.
    pub fn head(&self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        self.open()?.take(SNIFF_BYTES_MAX as u64).read_to_end(&mut head)?;
        Ok(head)
    }

    /// Looks whether it is a log that can be read, and of which source; an empty file is one
    /// without records. Where the user `named` the source, another's is refused, and what
    /// is plainly none.
    pub fn check(&mut self, named: Option<&'static LogSource>) -> Result<(), Skip> {
        if let Some(why) = &self.trouble {
            return Err(Skip::Unreadable(why.clone()));
        }
        if !self.regular {
            return Err(Skip::NotAFile);
        }
        if self.mapping.is_some() {
            self.source = &mapped::SOURCE;
            return Ok(());
        }
        let unreadable = |error: io::Error| Skip::Unreadable(error.to_string());
        let head = self.head().map_err(unreadable)?;
        if head.is_empty() && self.open().map_err(unreadable)?.is_packed() {
            return Err(Skip::Packed);
        }
        self.source = match (LogSource::sniff(&head), named) {
            (Some(found), None) => found,
            (Some(found), Some(named)) if found == named => named,
            (Some(found), Some(_)) => return Err(Skip::Foreign(found.title)),
            (None, Some(named)) if may_be(named, &head) => named,
            (None, None) if head.is_empty() => SOURCES[0],
            (None, _) => return Err(Skip::Unknown),
        };
        if let Some(began_ms) = self.source.began_ms {
            self.began_ms = began_ms(&head);
        }
        Ok(())
    }

    /// Whether it may well be none of a log: it was found by an ending that much else has.
    pub fn may_be_foreign(&self) -> bool {
        const COMMON: &[&str] = &[".json", ".db", ".txt", ".log"];
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let is_own = || {
            SOURCES
                .iter()
                .flat_map(|it| it.endings)
                .any(|ending| !COMMON.contains(ending) && name.ends_with(ending))
        };
        self.is_found && !is_own()
    }

    pub fn open(&self) -> io::Result<Opened> {
        Opened::open(&self.path)
    }
}

/// Whether a log can tell of this time.
pub fn can_be(at_ms: u64, until_ms: u64) -> bool {
    (EARLIEST_MS..=until_ms).contains(&at_ms)
}

/// Whether a file that begins so, without a record that is known, may be damaged or of a version to
/// come: of JSON lines, an object begins in it, and but for what a crash leaves, NULs, it is text.
fn may_be(named: &LogSource, head: &[u8]) -> bool {
    if !matches!(named.reads, Reads::Lines(_)) {
        return head.is_empty();
    }
    let is_binary = |byte: &&u8| byte.is_ascii_control() && !b"\0\t\n\r".contains(byte);
    let said = head.iter().any(|byte| *byte != 0 && !byte.is_ascii_whitespace());
    let binary = head.iter().filter(is_binary).count();
    !said || (binary * 64 <= head.len() && head.windows(2).any(|it| it == b"{\""))
}

/// The files at these paths: each file itself, of each folder those that are named as logs are, at any of
/// its levels.
///
/// Links to folders are not followed, so no loop is entered; what is not a regular file is not
/// opened, so no pipe is waited for. A folder's files come in the order they were last written, so
/// that a resumed session comes after the one it repeats; subagents' files come last.
pub fn source_files(paths: &[PathBuf]) -> Result<Vec<SourceFile>> {
    let (mut files, mut seen) = (Vec::new(), HashSet::new());
    for path in paths {
        let read = |source| ImportError::Read { path: path.clone(), source };
        let metadata = fs::metadata(path).map_err(read)?;
        let mut found = Vec::new();
        if metadata.is_dir() {
            found = logs_in(path, SOURCES).map_err(read)?;
            if found.is_empty() {
                return Err(ImportError::NothingFound { path: path.clone() });
            }
        } else {
            found.push(SourceFile::of(path, &metadata));
        }
        for file in found {
            let same = fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
            if seen.insert(same) {
                files.push(file);
            }
        }
    }
    if files.len() > FILES_MAX {
        return Err(ImportError::TooManyFiles { files_max: FILES_MAX });
    }
    files.order_by_key(SourceFile::is_subagent);
    Ok(files)
}

/// A folder's files at any of its levels that are named as logs of these sources are, in the order they
/// were last written.
pub fn logs_in(folder: &Path, sources: &[&LogSource]) -> io::Result<Vec<SourceFile>> {
    let mut found = Vec::new();
    walk(folder, 0, sources, &mut found)?;
    found.order_by(|a, b| (a.modified_ms, &a.path).cmp(&(b.modified_ms, &b.path)));
    Ok(found)
}

/// The names of a folder's JSON files, in their order; none where there is no such folder.
pub fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(names),
        entries => entries?,
    };
    for entry in entries.take(FILES_MAX) {
        // A name that is no text is none that they give.
        names.extend(entry?.file_name().into_string().ok().filter(|name| name.ends_with(".json")));
    }
    names.order_by(Ord::cmp);
    Ok(names)
}

fn walk(
    folder: &Path,
    depth: usize,
    sources: &[&LogSource],
    found: &mut Vec<SourceFile>,
) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if depth > 0 => {
            found.push(SourceFile::troubled(folder, &error));
            return Ok(());
        }
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        // One that went away meanwhile is none of ours.
        let Ok(own) = fs::symlink_metadata(&path) else { continue };
        if own.is_dir() {
            // What is annals' own is nobody's log.
            if depth < FOLDER_DEPTH_MAX && !path.ends_with(FOLDER) {
                walk(&path, depth + 1, sources, found)?;
            }
            continue;
        }
        if is_named(&path, sources) && found.len() <= FILES_MAX {
            found.push(match fs::metadata(&path) {
                Ok(metadata) => SourceFile { is_found: true, ..SourceFile::of(&path, &metadata) },
                Err(error) => SourceFile::troubled(&path, &error),
            });
        }
    }
    Ok(())
}

/// Whether a file is named as logs are. A compressed one beside its plain text is an older state of it.
fn is_named(path: &Path, sources: &[&LogSource]) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name.ends_with(".zst") {
        let plain = path.with_extension("");
        return name.ends_with(".jsonl.zst") && !plain.exists();
    }
    sources.iter().flat_map(|source| source.endings).any(|ending| name.ends_with(ending))
}
