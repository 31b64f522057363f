//! `annals diff`: what an agent changed in files.

use std::path::Path;

use super::{Context, Exit, Result, catch_up, counted};
use crate::execution::query::diff::{
    Diff, FileDiff, LineEnds, Scope, Section, StrayCommand, Strays,
};
use crate::execution::query::{QueryError, Stores};
use crate::output::escape;
use crate::output::stream::Colour;
use crate::output::table::Table;

/// What an agent changed in files, as one diff a file
///
/// Composed from the recorded edits and writes, and from what was read of the files before. Where a chain of
/// edits is broken (a shell command or a person changed the file in between) or lines are not known, a line
/// that begins with `#` says so: `git apply` passes over it, over files outside of the project, and over what does
/// not fit the files as they were before. At the end stand, behind `#`, commands that may have changed files and name none. On a terminal, what would drive it is escaped; a pipe and a file get the
/// bytes as they are.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A session (its id, the beginning of it, or the agent's own name), a step of one (SESSION/3), a call
    /// (142, @4711, a UUID's beginning, `last`), or from one to another (142..187) [default: the newest
    /// session that changed a file]
    #[arg(value_name = "SESSION|STEP|REF..REF")]
    subject: Option<String>,
    /// Only this file, or what lies below this folder
    path: Option<String>,
    /// How many lines of which files, not which
    #[arg(long)]
    stat: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let opened = catch_up::open_all(context)?;
    let mut found = Vec::new();
    let mut missing = None;
    for one in &opened {
        match scope(&one.stores, args.subject.as_deref()) {
            Ok(scope) => {
                let path = args.path.as_deref().map(|path| super::trace::path(one, path));
                let today = |it: &Path| LineEnds::of(&super::blame::now(one, it)?);
                found.push(one.stores.diff(&scope, path.as_deref(), &today)?);
            }
            Err(error @ QueryError::NotFound { .. }) => missing = Some(error),
            Err(error) => return Err(error.into()),
        }
    }
    if let (true, Some(error)) = (found.is_empty(), missing) {
        return Err(error.into());
    }
    if context.output.as_json_of_journals(&found)? {
        return Ok(Exit::Fine);
    }
    if found.iter().all(|diff| diff.files.is_empty()) {
        context.output.line("Nothing recorded there changed a file. Next: annals sessions")?;
        found.iter().try_for_each(|diff| strays(diff, context))?;
        return Ok(Exit::Fine);
    }
    for diff in &found {
        if args.stat {
            stat(diff, context)?;
        } else {
            print(diff, context)?;
        }
    }
    Ok(Exit::Fine)
}

fn scope(stores: &Stores, subject: Option<&str>) -> std::result::Result<Scope, QueryError> {
    let step = subject.and_then(|it| it.rsplit_once('/'));
    match step.and_then(|(session, number)| Some((session, number.parse::<u64>().ok()?))) {
        Some((session, number)) => stores.step_scope(session, number),
        None => stores.scope(subject),
    }
}

fn stat(diff: &Diff, context: &mut Context) -> Result<()> {
    let mut table = Table::new(&["file", ">added", ">removed", "besides"]);
    for file in &diff.files {
        let of = |section: &Section| section.notes.first().cloned();
        let note = file.sections.iter().find_map(of).or(file.notes.first().cloned());
        let cells = [
            file.path.clone(),
            file.added.to_string(),
            file.removed.to_string(),
            note.unwrap_or_default(),
        ];
        table.row(None, &cells);
    }
    table.print(&mut context.output)?;
    let sum = |of: fn(&FileDiff) -> usize| diff.files.iter().map(of).sum::<usize>();
    let (files, added, removed) =
        (diff.files.len() as u64, sum(|it| it.added), sum(|it| it.removed));
    let files = counted(files, "file");
    context.output.line(format_args!("{files}, {added} lines added, {removed} removed"))?;
    left_out(diff, context)
}

fn left_out(diff: &Diff, context: &mut Context) -> Result<()> {
    if diff.left_out > 0 {
        let files = counted(diff.left_out as u64, "more file");
        context.output.line(format_args!("# {files} left out: name a folder"))?;
    }
    strays(diff, context)
}

/// Commands of which nobody knows what they changed.
fn strays(diff: &Diff, context: &mut Context) -> Result<()> {
    let Strays { commands, left_out } = &diff.strays;
    if commands.is_empty() {
        return Ok(());
    }
    context.output.line("# May also have changed files, and names none:")?;
    for StrayCommand { call, command, times } in commands {
        let again = if *times > 1 { format!(", {times} times") } else { String::new() };
        let line = format!("#   call {call} ({command}{again})");
        context.output.line(escape::line(&line))?;
    }
    if *left_out > 0 {
        let more = counted(*left_out as u64, "more command");
        context.output.line(format_args!("#   and {more}"))?;
    }
    Ok(())
}

fn print(diff: &Diff, context: &mut Context) -> Result<()> {
    for file in &diff.files {
        for section in &file.sections {
            notes(file, &section.notes, context)?;
            for line in &section.unplaced {
                let line = format!("# {}", escape::block(line).trim_end());
                context.output.coloured(Colour::Yellow, line)?;
            }
            let mut lines = section.diff.split_terminator('\n');
            let is_comment = file.is_outside() || !section.applies;
            lines.try_for_each(|line| print_line(line, is_comment, context))?;
        }
        notes(file, &file.notes, context)?;
    }
    left_out(diff, context)
}

fn notes(file: &FileDiff, notes: &[String], context: &mut Context) -> Result<()> {
    for note in notes {
        let line = format!("# {}: {note}", file.path);
        let line = escape::line(&line).into_owned();
        context.output.coloured(Colour::Yellow, line)?;
    }
    Ok(())
}

fn print_line(line: &str, is_comment: bool, context: &mut Context) -> Result<()> {
    let colour = match line.as_bytes() {
        _ if line.starts_with("+++ ") || line.starts_with("--- ") => Some(Colour::Bold),
        [b'+', ..] => Some(Colour::Green),
        [b'-', ..] => Some(Colour::Red),
        [b'@', ..] => Some(Colour::Dim),
        [b' ' | b'\\', ..] => None,
        _ => Some(Colour::Bold),
    };
    let output = &mut context.output;
    let text = if output.terminal { escape::block(line) } else { line.into() };
    let comment = if is_comment { "# " } else { "" };
    Ok(output.coloured(colour, format_args!("{comment}{text}"))?)
}
