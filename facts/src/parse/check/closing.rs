//! The diagnostics of a recorded execution.

use super::command::{self, CheckKind};
use super::coverage::{Site, joined};
use super::diagnostic::{self, Diagnostic};
use super::{CheckReader, CheckReport, CheckRules, RUST};
use crate::event::target::{self, CallDigest};
use crate::event::tool::Stake;
use crate::event::{Closing, Outcome};
use crate::parse::check::lines::OutputStream;
use crate::parse::content;
use crate::parse::shell::Script;

/// Of each output, the bytes that are read: half of them from its beginning, half from its end.
const OUTPUT_BYTES_MAX: usize = 1 << 20;

/// Tools that check without a command line.
const TOOLS: [&str; 2] = ["lsp_check", "splice_patch"];

/// What a shell says of a command that was ended by an interrupt.
const INTERRUPTED: i32 = 130;

/// A longer command line is no check's.
const COMMAND_BYTES_MAX: usize = 4 << 10;

/// The command line of a call that is a check, by its arguments.
pub fn command_of(arguments: &str, own: &CheckRules) -> Option<String> {
    target::command(arguments).filter(|it| is_check(it, own))
}

/// What makes two calls ones on the same: of a check, where it looks too, as far as the line begins with it.
pub fn call_key(key: CallDigest, check: Option<&str>, site: Site<'_>) -> CallDigest {
    let Some(check) = check else { return key };
    let mut folder = String::new();
    for command in &Script::of(check).commands {
        match command.words.as_slice() {
            [cd, to] if cd == "cd" => folder = joined(&folder, to),
            _ => break,
        }
    }
    let folder = site.path_of(&folder);
    if folder.is_empty() { key } else { key.within(&folder) }
}

/// As [`command_of`], and whether the call's exit code of 1 only answers what it asks; a check's never does.
pub fn called(arguments: &str, own: &CheckRules) -> (Option<String>, bool) {
    let command = target::command(arguments).filter(|it| it.len() <= COMMAND_BYTES_MAX);
    let Some(command) = command else { return (None, false) };
    let line = command::Line::of_begun(&command, own);
    match line.calls.is_empty() {
        true => (None, line.script.asks()),
        false => (Some(command), false),
    }
}

/// The latter alone.
pub fn asks(arguments: &str, check: Option<&str>) -> bool {
    let command = target::command(arguments).filter(|it| it.len() <= COMMAND_BYTES_MAX);
    check.is_none() && command.is_some_and(|it| Script::of(&it).asks())
}

/// Whether a call has a command line that is no longer than a check's.
pub fn may_be_one(arguments: &str) -> bool {
    target::command(arguments).is_some_and(|it| it.len() <= COMMAND_BYTES_MAX)
}

/// Whether a command line checks anything.
fn is_check(command: &str, own: &CheckRules) -> bool {
    command.len() <= COMMAND_BYTES_MAX && !command::Line::of(command, own).calls.is_empty()
}

/// What there is to know of a command line before it ends.
#[derive(Default)]
pub struct Begun {
    pub kind: CheckKind,
    pub is_check: bool,
    /// As [`asks`].
    pub asks: bool,
    /// Its code may say no of what it asks or searches, and it surely changes files whatever that says.
    pub edits: bool,
    /// It surely changes files behind its last check.
    pub edits_last: bool,
    /// What may be lost where it fails; of a line that changes no file, what it is about.
    pub stake: Stake,
    pub subjects: Vec<String>,
    /// As [`Script::asks_for_files`].
    pub asks_for_files: bool,
}

impl Begun {
    pub fn of(command: &str, own: &CheckRules) -> Self {
        let line = command::Line::of(command, own);
        let is_short = command.len() <= COMMAND_BYTES_MAX;
        let is_check = is_short && !line.calls.is_empty();
        let asks = is_short && !is_check && line.script.asks();
        let edits = (asks || is_check) && line.script.edits();
        let (kind, stake) = (CheckKind::of_calls(&line.script, &line.calls), line.script.stake());
        let subjects = if stake < Stake::Files { line.script.subjects() } else { Vec::new() };
        let asks_for_files = asks && line.script.asks_for_files();
        let last = line.calls.last().filter(|_| is_check);
        let edits_last = last.is_some_and(|it| line.script.edits_behind(it.at));
        Self { kind, is_check, asks, edits, edits_last, stake, subjects, asks_for_files }
    }
}

/// What an execution's check said; `None` where it was none. `command` is its command line.
pub fn report(
    tool: &str,
    command: Option<&str>,
    own: &CheckRules,
    closing: &Closing,
) -> Option<CheckReport> {
    let as_if = || TOOLS.contains(&tool).then_some(RUST);
    let mut reader = CheckReader::of(command.or_else(as_if)?, own);
    if !reader.is_check() {
        return None;
    }
    let printed =
        [(OutputStream::Stdout, &closing.stdout), (OutputStream::Stderr, &closing.stderr)];
    for (from, content) in printed {
        match content.as_ref().map(|it| content::text(it, OUTPUT_BYTES_MAX)) {
            Some(Some(text)) => reader.feed(from, text.as_bytes()),
            Some(None) => reader.miss(),
            None => {}
        }
    }
    // Transcripts tell of a failure, and not always the number that it ended with.
    let code = match closing.outcome {
        Outcome::Ok => closing.exit_code.or(Some(0)),
        Outcome::Failed => closing.exit_code.or(Some(1)),
        // As far as it came it may have said that all is well.
        Outcome::Refused | Outcome::Interrupted => Some(INTERRUPTED),
    };
    let mut report = reader.finish(code);
    if command.is_none() {
        // What it looked at its caller has not told.
        report.coverage.clear();
    }
    Some(report)
}

/// What the checks of a command line said, of which only what it printed is known.
pub fn printed(command: &str, own: &CheckRules, printed: &str) -> CheckReport {
    let mut reader = CheckReader::of(command, own);
    reader.feed(OutputStream::Stdout, printed.as_bytes());
    reader.finish(None)
}

/// An execution's diagnostics: the recorded ones; where none were recorded, those that a check printed
/// and that have a code or a place.
pub fn of_report(report: Option<&CheckReport>, closing: &Closing) -> Vec<Diagnostic> {
    if let Some(json) = &closing.diagnostics {
        return diagnostic::recorded(&json.0);
    }
    let mut found = report.map(CheckReport::diagnostics).unwrap_or_default();
    found.retain(|one| one.code.is_some() || one.file_name.is_some());
    for one in &mut found {
        let texts = [Some(&mut one.message), one.file_name.as_mut(), one.code.as_mut()];
        for text in texts.into_iter().flatten().filter(|text| text.contains('\0')) {
            *text = text.replace('\0', "\u{fffd}");
        }
    }
    found
}
