//! The files an import reads, in the order it reads them.

use std::collections::HashSet;
use std::fs::Metadata;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use std::{fmt, fs, io};

use super::limits::{FILES_MAX, FOLDER_DEPTH_MAX, SNIFF_BYTES_MAX};
use super::lines::Opened;
use super::rests::Rest;
use super::{ImportError, Result, Skip};
use crate::agents::Agent;
use crate::event::Ordered;

/// A regular file that may hold a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    pub path: PathBuf,
    pub bytes: u64,
    pub modified_ms: u64,
    /// Neither a pipe nor a device, which could be waited for without end.
    pub regular: bool,
    pub format: Agent,
    pub began_ms: Option<u64>,
    /// Where it is read on from.
    pub rest: Option<Rest>,
}

impl SourceFile {
    fn of(path: &Path, metadata: &Metadata) -> Self {
        // A file system that keeps no times gives none.
        let modified = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let modified_ms = modified.map_or(0, |since| since.as_millis() as u64);
        let regular = metadata.is_file();
        let (path, bytes) = (path.to_owned(), metadata.len());
        let format = Agent::ClaudeCode;
        Self { path, bytes, modified_ms, regular, format, began_ms: None, rest: None }
    }

    pub fn is_subagent(&self) -> bool {
        let name = self.path.file_name();
        self.format.facts().session_of.is_some()
            && name.is_some_and(|name| name.as_encoded_bytes().starts_with(b"agent-"))
    }

    /// The beginning of its text, at most [`SNIFF_BYTES_MAX`] bytes.
    pub fn head(&self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        self.open()?.take(SNIFF_BYTES_MAX as u64).read_to_end(&mut head)?;
        Ok(head)
    }

    /// Looks whether it is a transcript that can be read, and of which agent; an empty file is one
    /// without records. Where the user `named` the format, another agent's is refused, and what
    /// is plainly none.
    pub fn check(&mut self, named: Option<Agent>) -> Result<(), Skip> {
        if !self.regular {
            return Err(Skip::NotAFile);
        }
        let head = self.head()?;
        if head.is_empty() && self.open()?.is_packed() {
            return Err(Skip::Packed);
        }
        self.format = match (Format::sniff(&head), named) {
            (Some(Format::Of(found)), None) => found,
            (Some(Format::Of(found)), Some(named)) if found == named => named,
            (Some(Format::SweAgent | Format::OpenHands | Format::Zstd), Some(named)) => named,
            (Some(found), _) => return Err(Skip::Foreign(found)),
            (None, Some(named)) if may_be_records(&head) => named,
            (None, None) if head.is_empty() => Agent::ClaudeCode,
            (None, _) => return Err(Skip::Unknown),
        };
        if let Some(began_ms) = self.format.facts().began_ms {
            self.began_ms = began_ms(&head);
        }
        Ok(())
    }

    pub fn open(&self) -> io::Result<Opened> {
        Opened::open(&self.path)
    }
}

/// Whether a file that begins so, without a record that is known, may be damaged or of a version to
/// come: an object begins in it, and but for what a crash leaves, NULs, it is text.
fn may_be_records(head: &[u8]) -> bool {
    let is_binary = |byte: &&u8| byte.is_ascii_control() && !b"\0\t\n\r".contains(byte);
    let said = head.iter().any(|byte| *byte != 0 && !byte.is_ascii_whitespace());
    let binary = head.iter().filter(is_binary).count();
    !said || (binary * 64 <= head.len() && head.windows(2).any(|it| it == b"{\""))
}

/// The files at these paths: each file itself, each folder's `*.jsonl`, compressed or not, at any of
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
            found = transcripts_in(path).map_err(read)?;
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

/// A folder's transcripts at any of its levels, in the order they were last written.
pub fn transcripts_in(folder: &Path) -> io::Result<Vec<SourceFile>> {
    let mut found = Vec::new();
    walk(folder, 0, &mut found)?;
    found.order_by(|a, b| (a.modified_ms, &a.path).cmp(&(b.modified_ms, &b.path)));
    Ok(found)
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
        let named = is_named(&path);
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

/// Whether a file is named as transcripts are. A compressed one beside its plain text is an older
/// state of it.
fn is_named(path: &Path) -> bool {
    let is = |path: &Path, wanted: &str| path.extension().is_some_and(|found| found == wanted);
    if is(path, "zst") {
        let plain = path.with_extension("");
        return is(&plain, "jsonl") && !plain.exists();
    }
    is(path, "jsonl")
}

/// What writes a file, as far as that is recognised: others' transcripts are not read here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Of(Agent),
    SweAgent,
    OpenHands,
    Zstd,
}

impl Format {
    /// The format of a file that begins so; `None` where nothing is recognised. At most
    /// `SNIFF_BYTES_MAX` are looked at, and a first line may be damaged or cut.
    pub fn sniff(head: &[u8]) -> Option<Self> {
        let head = &head[..head.len().min(SNIFF_BYTES_MAX)];
        if head.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) {
            return Some(Self::Zstd);
        }
        let own = Agent::ALL.iter().find(|agent| (agent.facts().is_transcript)(head));
        if let Some(agent) = own {
            return Some(Self::Of(*agent));
        }
        let text = String::from_utf8_lossy(head);
        let has = |key: &str| text.contains(key);
        if has("\"trajectory\"") && (has("\"observation\"") || has("\"environment\"")) {
            return Some(Self::SweAgent);
        }
        let event = has("\"timestamp\"") && has("\"source\"");
        (event && (has("\"action\"") || has("\"observation\"") || has("\"kind\"")))
            .then_some(Self::OpenHands)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Of(agent) => agent.title(),
            Self::SweAgent => "SWE-agent",
            Self::OpenHands => "OpenHands",
            Self::Zstd => "zstd-compressed",
        })
    }
}
