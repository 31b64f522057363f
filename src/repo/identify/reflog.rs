//! Commits as git's own log of `HEAD` has them, of what was made in this very folder.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::RepoError;
use super::git_files::{find, open};

/// Of the log's end so much is read.
const BYTES_MAX: u64 = 4 << 20;

/// A commit that was made here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedCommit {
    pub id: String,
    pub at_ms: u64,
    pub subject: String,
}

/// The newest commits that were made in the working tree at a folder, in order; none where it has no such log.
pub fn logged_commits(root: &Path) -> Result<Vec<LoggedCommit>, RepoError> {
    let Some(folders) = find(root)? else { return Ok(Vec::new()) };
    let path = folders.own.join("logs").join("HEAD");
    // A repository may keep none; without it the recorded commits are all that is known.
    let Ok(mut file) = open(&path) else { return Ok(Vec::new()) };
    let mut bytes = Vec::new();
    let read = file.metadata().and_then(|about| {
        let from = about.len().saturating_sub(BYTES_MAX);
        file.seek(SeekFrom::Start(from))?;
        (&mut file).take(BYTES_MAX).read_to_end(&mut bytes)
    });
    read.map_err(|source| RepoError::GitFile { path, source })?;
    Ok(String::from_utf8_lossy(&bytes).lines().filter_map(commit).collect())
}

/// `OLD NEW Name <mail> 1700000000 +0100<tab>commit: subject`
fn commit(line: &str) -> Option<LoggedCommit> {
    let (head, message) = line.split_once('\t')?;
    let (what, subject) = message.split_once(": ")?;
    let is_commit = what == "commit" || what.starts_with("commit (") || what == "cherry-pick";
    let id = head.split(' ').nth(1).filter(|id| is_commit && id.len() >= 40)?;
    let seconds: u64 = head.rsplit(' ').nth(1)?.parse().ok()?; // else the line is cut
    let at_ms = seconds.checked_mul(1_000)?;
    Some(LoggedCommit { id: id.to_owned(), at_ms, subject: subject.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::commit;

    #[test]
    fn a_line_of_the_log_tells_a_commit_or_something_else() {
        let id = "a".repeat(40);
        let line =
            |rest: &str| format!("{} {id} A B <a@b> 1700000000 +0100\t{rest}", "0".repeat(40));
        for (rest, expected) in [
            ("commit: Say: this", Some("Say: this")),
            ("commit (amend): x", Some("x")),
            ("commit (initial): x", Some("x")),
            ("checkout: moving from a to b", None),
            ("reset: moving to HEAD", None),
        ] {
            let found = commit(&line(rest));
            assert_eq!(found.as_ref().map(|it| it.subject.as_str()), expected, "{rest}");
            assert!(found.is_none_or(|it| it.id == id && it.at_ms == 1_700_000_000_000), "{rest}");
        }
        assert_eq!(commit("a cut line"), None);
    }
}
