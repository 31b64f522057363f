//! Where this user had files written that hold what a journal says: reports, exports, bundles, copies. annals finds
//! none of them by itself, so whoever takes something out of the journal is told of them from here.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{has, hex, place, read};
use crate::config::environment;
use crate::journal::{clock, derived_file, enclosure};

/// Files that are remembered of one journal: beyond that those that are gone are forgotten, then the oldest.
const FILES_MAX: usize = 4_096;
const BYTES_MAX: u64 = 32 << 20;

/// A file or a folder that was written from a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub path: PathBuf,
    /// What it is, in a word: `report`, `bundle`.
    pub what: String,
    pub at_ms: u64,
}

#[derive(Serialize, Deserialize)]
struct Line {
    what: String,
    at_ms: u64,
    path: String,
    /// The bytes of a path that is no text, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
}

/// Remembers one, before anything is written there: twice is once.
///
/// # Errors
/// Where nothing can be remembered: then nobody looks there by itself.
pub fn note(journal: &[u8; 16], what: &str, path: &Path) -> io::Result<()> {
    // By its real folder, whatever link leads there by then.
    let absolute = if is_served(path) { path.to_owned() } else { std::path::absolute(path)? };
    let folder = absolute.parent().and_then(|it| it.canonicalize().ok()); // it is told by who writes there
    let path = match (folder, absolute.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => absolute,
    };
    let mut known = all(journal);
    if known.iter().any(|it| it.path == path && it.what == what) {
        return Ok(());
    }
    let one = Written { path, what: what.to_owned(), at_ms: clock::now_ms() };
    let to = place(&name(journal))?;
    if known.len() < FILES_MAX {
        // Each with a line end before it: what a death cut short is a line of its own.
        return enclosure::append(&to)?.write_all(format!("\n{}\n", line(&one)?).as_bytes());
    }
    known.retain(|it| it.path.symlink_metadata().is_ok());
    known.drain(..(known.len() + 1).saturating_sub(FILES_MAX));
    known.push(one);
    let lines = known.iter().map(line).collect::<io::Result<Vec<_>>>()?;
    derived_file::replace(&to, (lines.join("\n") + "\n").as_bytes())
}

/// Whether it is the address of a server that was sent something, and no path.
pub fn is_served(path: &Path) -> bool {
    [b"http://".as_slice(), b"https://"]
        .iter()
        .any(|it| path.as_os_str().as_bytes().starts_with(it))
}

/// Where the list lies, where it is there and cannot be read: nothing is known then of what was written.
pub fn unread(journal: &[u8; 16]) -> Option<PathBuf> {
    let name = name(journal);
    match has(&name) && read(&name, BYTES_MAX).is_none() {
        true => environment::state_folder().map(|folder| folder.join(name)),
        false => None,
    }
}

/// What was written from a journal, the oldest first.
pub fn all(journal: &[u8; 16]) -> Vec<Written> {
    let bytes = read(&name(journal), BYTES_MAX).unwrap_or_default();
    String::from_utf8_lossy(&bytes).lines().filter_map(parse).collect()
}

fn line(one: &Written) -> io::Result<String> {
    let Written { path, what, at_ms } = one.clone();
    let bytes = path.to_str().is_none().then(|| hex(path.as_os_str().as_bytes()));
    let path = path.to_string_lossy().into_owned();
    serde_json::to_string(&Line { what, at_ms, path, bytes }).map_err(io::Error::from)
}

fn parse(line: &str) -> Option<Written> {
    let Line { what, at_ms, path, bytes } = serde_json::from_str(line).ok()?; // no line of ours
    let path = match bytes {
        None => path.into(),
        Some(bytes) => {
            let bytes = data_encoding::HEXLOWER.decode(bytes.as_bytes()).ok()?; // as above
            OsString::from_vec(bytes).into()
        }
    };
    Some(Written { path, what, at_ms })
}

fn name(journal: &[u8; 16]) -> String {
    format!("written-{}", hex(journal))
}
