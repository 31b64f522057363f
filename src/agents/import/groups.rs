//! Which subagents' transcripts belong beside which session's.

use std::collections::HashMap;

use super::claude_code;
use super::format::Format;
use super::limits::BESIDE_MAX;
use super::source_file::SourceFile;

/// The files to read together, by number: a session's, and its subagents' beside it. A subagent's
/// file whose session is not among the files stands alone; so do those above [`BESIDE_MAX`], for
/// every file that is read at once takes memory.
pub fn groups(files: &[SourceFile]) -> Vec<(usize, Vec<usize>)> {
    let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut alone = Vec::new();
    let mut of_session = HashMap::new();
    for (number, file) in files.iter().enumerate() {
        if file.format != Format::ClaudeCode {
            groups.push((number, Vec::new()));
            continue;
        }
        if !file.is_subagent() {
            let stem = file.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            of_session.entry(stem).or_insert(groups.len());
            groups.push((number, Vec::new()));
            continue;
        }
        // A file that cannot be read now is reported when it is opened.
        let session = file.head().ok().and_then(|head| claude_code::session_of(&head));
        let group = session.and_then(|session| of_session.get(&session).copied());
        match group.and_then(|group| groups.get_mut(group)) {
            Some((_, beside)) if beside.len() < BESIDE_MAX => beside.push(number),
            _ => alone.push((number, Vec::new())),
        }
    }
    groups.append(&mut alone);
    groups
}
