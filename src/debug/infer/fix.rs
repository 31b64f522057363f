//! What was edited between two attempts, as one fix.

use super::edit::Edit;
use super::{DIFF_BYTES_MAX, FILES_MAX, QUOTED_CHARS_MAX};
use crate::event::Fix;
use crate::parse::change::{Hunk, is_prose};

/// How what is described here begins. Any other description somebody wrote.
const CHANGED: &str = "Changed ";

/// Whether a description is none of somebody's own words.
pub fn is_worked_out(description: &str) -> bool {
    description.starts_with(CHANGED)
}

/// With the words of whoever described it already.
pub fn joined(fix: Fix, known: Option<&Fix>) -> Fix {
    match known.filter(|it| !is_worked_out(&it.description)) {
        None => fix,
        Some(known) => Fix {
            description: known.description.clone(),
            diff_summary: known.diff_summary.clone().or(fix.diff_summary),
            files_changed: known.files_changed.clone().or(fix.files_changed),
            diff: known.diff.clone().or(fix.diff),
            verification: None,
        },
    }
}

/// Whether it is recorded so: what was redacted does not count.
pub fn is_known(fix: &Fix, known: Option<&Fix>) -> bool {
    known.is_some_and(|known| {
        fix.diff_summary == known.diff_summary
            && fix.files_changed == known.files_changed
            && fix.diff.is_some() == known.diff.is_some()
    })
}

/// What edits came to, as one fix; `None` of none that a check could see. The time is the last one's.
pub fn fix(edits: &[Edit]) -> Option<(u64, Fix)> {
    let is_seen = |it: &&Edit| it.files.is_empty() || it.files.iter().any(|it| !is_prose(it));
    let edits: Vec<&Edit> = edits.iter().filter(is_seen).collect();
    let last = edits.last()?;
    let mut files: Vec<String> = Vec::new();
    for file in edits.iter().flat_map(|edit| &edit.files).filter(|it| !is_prose(it)) {
        if files.len() < FILES_MAX && !files.contains(file) {
            files.push(file.clone());
        }
    }
    let added: u64 = edits.iter().map(|edit| edit.added).sum();
    let removed = edits.iter().map(|edit| edit.removed).sum::<Option<u64>>();
    let removed = removed.map_or_else(|| "?".to_owned(), |count| count.to_string());
    let mut diff = String::new();
    for edit in &edits {
        if diff.len() + edit.diff.len() <= DIFF_BYTES_MAX {
            diff.push_str(&edit.diff);
        }
    }
    // How many lines a shell's command changed nobody recorded.
    let is_counted = edits.iter().any(|edit| edit.command.is_none());
    let fix = Fix {
        description: description(&edits, &files),
        diff_summary: is_counted.then(|| format!("+{added}/-{removed} lines")),
        files_changed: (!files.is_empty()).then_some(files),
        diff: (!diff.is_empty()).then_some(diff),
        verification: None,
    };
    Some((last.at_ms, fix))
}

/// What is told of a part of a fix; of one that somebody described, his words.
pub fn described(fix: &Fix, part: &[Hunk]) -> String {
    if !is_worked_out(&fix.description) {
        return fix.description.clone();
    }
    let mut files: Vec<String> = part.iter().map(|it| it.file.clone()).collect();
    files.dedup();
    let lines: Vec<(char, &str)> = part.iter().flat_map(Hunk::lines).collect();
    let first =
        |sign| lines.iter().find(|(it, _)| *it == sign).map(|(_, line)| line.trim().to_owned());
    let count = |sign| lines.iter().filter(|(it, _)| *it == sign).count();
    let (came, went) = (first('+').unwrap_or_default(), first('-'));
    let edit = Edit { first: went.map(|it| (it, came)), ..Edit::default() };
    format!("{} (+{}/-{} lines)", description(&[&edit], &files), count('+'), count('-'))
}

fn description(edits: &[&Edit], files: &[String]) -> String {
    let mut text = match files {
        [] => "Changed files that the journal does not name".to_owned(),
        [one] => format!("Changed {one}"),
        [one, rest @ ..] => format!("Changed {one} and {} more", rest.len()),
    };
    let quoted = |line: &String| {
        let line: String = line.chars().take(QUOTED_CHARS_MAX).collect();
        line.replace(['\n', '\r'], " ")
    };
    if let Some((went, came)) = edits.iter().find_map(|edit| edit.first.as_ref()) {
        match came.is_empty() {
            true => text.push_str(&format!(": `{}` went", quoted(went))),
            false => text.push_str(&format!(": `{}` became `{}`", quoted(went), quoted(came))),
        }
    } else if let Some(command) = edits.iter().find_map(|edit| edit.command.as_ref()) {
        text.push_str(&format!(": `{}`", quoted(command)));
    }
    text
}
