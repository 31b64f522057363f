//! What is checked out.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::super::RepoError;

/// What `HEAD` names where branches are kept in a table that only git reads.
const IN_A_TABLE: &str = ".invalid";

/// The branch that is checked out, without `refs/heads/`, or the commit; `None` where `HEAD` says
/// neither, or is not there.
pub(super) fn read(own: &Path) -> Result<Option<String>, RepoError> {
    let path = own.join("HEAD");
    // As git made it before it had `ref:`. A link elsewhere is a file like another.
    if let Ok(target) = fs::read_link(&path)
        && target.starts_with("refs")
    {
        return Ok(branch(target.as_os_str().as_bytes()));
    }
    Ok(crate::repo::identify::read(&path)?.and_then(|text| {
        let text = text.trim_ascii();
        match text.strip_prefix(b"ref:") {
            Some(name) => branch(name.trim_ascii()),
            None => commit(text),
        }
    }))
}

fn branch(name: &[u8]) -> Option<String> {
    let name = name.strip_prefix(b"refs/heads/").unwrap_or(name);
    let name = String::from_utf8_lossy(name);
    (!name.is_empty() && name != IN_A_TABLE).then(|| name.into_owned())
}

/// 40 hexadecimal digits (SHA-1) or 64 (SHA-256).
fn commit(text: &[u8]) -> Option<String> {
    if !matches!(text.len(), 40 | 64) || !text.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    Some(String::from_utf8_lossy(text).to_ascii_lowercase())
}
