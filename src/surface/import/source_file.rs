//! The files an import reads, in the order it reads them.

use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::error::{ImportError, Skip};
use super::format::Format;
use super::limits::{FILES_MAX, FOLDER_DEPTH_MAX, SNIFF_BYTES_MAX};

/// A regular file that may hold a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    pub path: PathBuf,
    pub bytes: u64,
    /// When it was last written, Unix milliseconds.
    pub modified_ms: u64,
    /// Neither a pipe nor a device, which could be waited for without end.
    pub regular: bool,
}

impl SourceFile {
    fn of(path: &Path, metadata: &Metadata) -> Self {
        // A file system that keeps no times gives none.
        let modified = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let modified_ms = modified.map_or(0, |since| since.as_millis() as u64);
        let regular = metadata.is_file();
        Self { path: path.to_owned(), bytes: metadata.len(), modified_ms, regular }
    }

    /// Whether its name is that of a subagent's own transcript.
    pub fn is_subagent(&self) -> bool {
        self.path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"agent-"))
    }

    /// Its beginning, at most [`SNIFF_BYTES_MAX`] bytes.
    pub fn head(&self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        File::open(&self.path)?.take(SNIFF_BYTES_MAX as u64).read_to_end(&mut head)?;
        Ok(head)
    }

    /// Whether it is a transcript that can be read; an empty file is one without records, and
    /// where the format was named its content is not asked.
    pub fn check(&self, named: bool) -> Result<(), Skip> {
        if !self.regular {
            return Err(Skip::NotAFile);
        }
        let head = self.head()?;
        if named {
            return Ok(());
        }
        match Format::sniff(&head) {
            Some(Format::ClaudeCode) => Ok(()),
            None if head.is_empty() => Ok(()),
            Some(other) => Err(Skip::Foreign(other)),
            None => Err(Skip::Unknown),
        }
    }

    /// Opens it for reading from the start.
    pub fn open(&self) -> io::Result<BufReader<File>> {
        const BUFFER_BYTES: usize = 256 << 10;
        Ok(BufReader::with_capacity(BUFFER_BYTES, File::open(&self.path)?))
    }
}

/// The files at these paths: each file itself, each folder's `*.jsonl` at any of its levels.
///
/// Links to folders are not followed, so no loop is entered; what is not a regular file is not
/// opened, so no pipe is waited for. A folder's files come in the order they were last written, so
/// that a resumed session comes after the one it repeats; subagents' files come last.
pub fn source_files(paths: &[PathBuf]) -> Result<Vec<SourceFile>, ImportError> {
    let (mut files, mut seen) = (Vec::new(), HashSet::new());
    for path in paths {
        let read = |source| ImportError::Read { path: path.clone(), source };
        let metadata = fs::metadata(path).map_err(read)?;
        let mut found = Vec::new();
        if metadata.is_dir() {
            walk(path, 0, &mut found).map_err(read)?;
            if found.is_empty() {
                return Err(ImportError::NothingFound { path: path.clone() });
            }
            found.sort_by(|a, b| (a.modified_ms, &a.path).cmp(&(b.modified_ms, &b.path)));
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
    files.sort_by_key(SourceFile::is_subagent);
    Ok(files)
}

fn walk(folder: &Path, depth: usize, found: &mut Vec<SourceFile>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        // A link that leads nowhere, or a file that went away, is none of ours.
        let Ok(own) = fs::symlink_metadata(&path) else { continue };
        if own.is_dir() {
            if depth < FOLDER_DEPTH_MAX {
                walk(&path, depth + 1, found)?;
            }
            continue;
        }
        let named = path.extension().is_some_and(|extension| extension == "jsonl");
        // A link that leads nowhere is none of ours either.
        let target = if named { fs::metadata(&path).ok() } else { None };
        if let Some(metadata) = target.filter(Metadata::is_file)
            && found.len() <= FILES_MAX
        {
            found.push(SourceFile::of(&path, &metadata));
        }
    }
    Ok(())
}

/// Where Claude Code keeps the sessions of the project at `root`: a folder named by the path, every
/// character but letters and digits as `-`.
pub fn past_sessions(config: Option<&Path>, home: Option<&Path>, root: &Path) -> Option<PathBuf> {
    let config = match (config, home) {
        (Some(config), _) => config.to_owned(),
        (None, Some(home)) => home.join(".claude"),
        (None, None) => return None,
    };
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let folder: String = root.to_string_lossy().chars().map(plain).collect();
    Some(config.join("projects").join(folder))
}
