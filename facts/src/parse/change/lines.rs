//! Lines that a replacement, a new file or a patch takes away and brings.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change<'t> {
    pub removed: Vec<&'t str>,
    pub added: Vec<&'t str>,
}

/// A text that was put where another one was: the lines that both begin and end with go unsaid.
pub fn replaced<'t>(old: &'t str, new: &'t str) -> Change<'t> {
    let (mut removed, mut added): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let alike = removed.iter().zip(&added).take_while(|(old, new)| old == new).count();
    removed.drain(..alike);
    added.drain(..alike);
    while let (Some(old), Some(new)) = (removed.last(), added.last())
        && old == new
    {
        removed.pop();
        added.pop();
    }
    Change { removed, added }
}

pub fn written(content: &str) -> Change<'_> {
    Change { removed: Vec::new(), added: content.lines().collect() }
}

/// What a patch changes, a file each; of what is none, nothing. Both Codex's own form
/// (`*** Update File: X`) and a unified one (`+++ b/X`) are read.
pub fn of_patch(text: &str) -> Vec<(&str, Change<'_>)> {
    const FILES: [&str; 4] = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "+++ "];
    let mut found: Vec<(&str, Change<'_>)> = Vec::new();
    if !text.contains("*** Begin Patch") && !text.contains("\n+++ ") {
        return found;
    }
    for line in text.lines() {
        if let Some(path) = FILES.iter().find_map(|it| line.strip_prefix(it)) {
            let path = path.split('\t').next().unwrap_or(path).trim();
            found.push((path.strip_prefix("b/").unwrap_or(path), Change::default()));
            continue;
        }
        if line.starts_with("--- ") || line.starts_with("*** ") {
            continue;
        }
        let Some((_, change)) = found.last_mut() else { continue };
        if let Some(line) = line.strip_prefix('+') {
            change.added.push(line);
        } else if let Some(line) = line.strip_prefix('-') {
            change.removed.push(line);
        }
    }
    found
}
