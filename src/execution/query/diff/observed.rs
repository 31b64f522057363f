//! What a call tells of a file: lines that it saw there, or what it put in their place.

use serde_json::Value;

use super::line_ends::LineEnds;
use super::patch::{Piece, of_patch};

/// Arguments and outputs beyond this many bytes are not read.
const BYTES_MAX: usize = 4 << 20;
/// Agents' tools cut longer lines.
const LINE_CHARS_MAX: usize = 2_000;
/// Lines that agents' tools read where nobody says how many.
const READ_LINES_MAX: usize = 2_000;
/// Under these names calls carry a patch.
const PATCHES: [&str; 4] = ["/patch", "/input", "/command", "/cmd"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// Nothing of its lines.
    Nothing,
    Saw(Seen),
    Replaced(Vec<Replacement>, Option<Seen>),
    /// The whole file; it was there before, or not.
    Wrote(String),
    Created(String),
    Patched(Piece),
    /// It changed the file, and not how is on record.
    Changed,
    /// It may have changed it, and does not name it.
    Strayed,
    /// More than is read.
    TooLarge,
}

/// Lines from the one on that has so many above it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub at: usize,
    pub lines: Vec<String>,
    pub is_whole: bool,
    /// `None` where no carriage return was shown: tools leave them out.
    pub ends: Option<LineEnds>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    pub old: String,
    pub new: String,
    pub all: bool,
}

impl Seen {
    /// Lines as they were before the edits that left them; `None` where that is not sure.
    pub fn before(self, edits: &[Replacement]) -> Option<Self> {
        let mut text = self.lines.join("\n");
        for edit in edits.iter().rev() {
            let is_sure = !edit.all && !edit.new.is_empty() && text.matches(&edit.new).count() == 1;
            if !is_sure {
                return None;
            }
            text = text.replacen(&edit.new, &edit.old, 1);
        }
        let lines = text.split('\n').map(str::to_owned).collect();
        Some(Self { lines, ..self })
    }

    /// Takes the carriage returns off, where each line but the last has one.
    fn drop_returns(&mut self) {
        let ended = self.lines.len().saturating_sub(1);
        let is_ended = |it: &String| it.ends_with('\r');
        if ended > 0 && self.lines[..ended].iter().all(is_ended) {
            self.ends = Some(LineEnds::Crlf);
            for line in self.lines.iter_mut().filter(|it| is_ended(it)) {
                line.pop();
            }
        }
    }
}

/// A call as it is stored.
pub struct Stored<'s> {
    pub tool: &'s str,
    pub arguments: &'s str,
    pub stdout: &'s str,
    /// It is known to have changed the file, or to have made it.
    pub changed: bool,
    pub created: bool,
}

impl Told {
    /// What a call tells; `is_file` says whether a path of a patch is the file's.
    pub fn of(call: &Stored<'_>, is_file: impl Fn(&str) -> bool) -> Self {
        if call.arguments.len() > BYTES_MAX || call.stdout.len() > BYTES_MAX {
            return if call.changed { Self::TooLarge } else { Self::Nothing };
        }
        // Arguments of any other shape tell of no line.
        let arguments: Value = serde_json::from_str(call.arguments).unwrap_or_default();
        let text = |at: &str| arguments.pointer(at).and_then(Value::as_str);
        if call.tool == "file_read" {
            let number = |at: &str| arguments.pointer(at).and_then(Value::as_u64);
            return seen(call.stdout, number("/offset"), number("/limit"))
                .map_or(Self::Nothing, Self::Saw);
        }
        if !call.changed {
            return Self::Nothing;
        }
        if let Some(edits) = arguments.pointer("/edits").and_then(Value::as_array) {
            return Self::Replaced(edits.iter().map(replacement).collect(), snippet(call.stdout));
        }
        if arguments.pointer("/old_string").is_some() {
            let edit = replacement(&arguments);
            return match edit.old.is_empty() {
                true => Self::Created(edit.new),
                false => Self::Replaced(vec![edit], snippet(call.stdout)),
            };
        }
        let writes = ["file_write", "file_create"].contains(&call.tool);
        if let Some(content) = text("/content").filter(|_| writes) {
            let content = content.to_owned();
            return if call.created { Self::Created(content) } else { Self::Wrote(content) };
        }
        let patch = PATCHES.iter().find_map(|at| text(at));
        let pieces = patch.map(of_patch).unwrap_or_default();
        let piece = pieces.into_iter().find(|piece| is_file(&piece.path));
        piece.map_or(Self::Changed, Self::Patched)
    }
}

fn replacement(edit: &Value) -> Replacement {
    let text = |at: &str| edit.pointer(at).and_then(Value::as_str).unwrap_or_default().to_owned();
    let all = edit.pointer("/replace_all").and_then(Value::as_bool).unwrap_or(false);
    Replacement { old: text("/old_string"), new: text("/new_string"), all }
}

/// What a read printed: numbered, as an agent's model sees it, or bare, as a hook is told it.
fn seen(stdout: &str, offset: Option<u64>, limit: Option<u64>) -> Option<Seen> {
    let all = offset.is_none_or(|it| it <= 1) && limit.is_none();
    let mut seen = numbered(stdout).or_else(|| {
        let at = usize::try_from(offset.unwrap_or(1).saturating_sub(1)).ok()?; // no file is as long
        let lines = stdout.split('\n').map(str::to_owned).collect();
        (!stdout.is_empty() && !stdout.starts_with('<')).then_some(Seen {
            at,
            lines,
            ..Seen::default()
        })
    })?;
    seen.drop_returns();
    if let Some(long) = seen.lines.iter().position(|line| line.chars().count() >= LINE_CHARS_MAX) {
        seen.lines.truncate(long);
        return Some(seen);
    }
    seen.is_whole = all && seen.at == 0 && seen.lines.len() < READ_LINES_MAX;
    if !seen.is_whole {
        drop_last_empty(&mut seen);
    }
    Some(seen)
}

/// Lines behind an edit, as they were shown with their numbers.
fn snippet(stdout: &str) -> Option<Seen> {
    let (_, shown) = stdout.split_once("`cat -n`")?;
    let mut seen = numbered(shown.split_once('\n')?.1)?;
    seen.drop_returns();
    if seen.lines.iter().any(|line| line.chars().count() >= LINE_CHARS_MAX) {
        return None;
    }
    drop_last_empty(&mut seen);
    Some(seen)
}

/// An empty last line may be the end of the file's last.
fn drop_last_empty(seen: &mut Seen) {
    if seen.lines.last().is_some_and(String::is_empty) {
        seen.lines.pop();
    }
}

/// `    12→text`, one below the other, up to the first line that is none.
fn numbered(text: &str) -> Option<Seen> {
    let mut seen: Option<Seen> = None;
    for line in text.split('\n') {
        // `cat -n` pads its numbers; a bare file's first column is not padded.
        let padded = || line.split_once('\t').filter(|(number, _)| number.len() >= 6);
        let Some((number, rest)) = line.split_once('→').or_else(padded) else { break };
        let Ok(number) = number.trim_start().parse::<usize>() else { break };
        let found =
            seen.get_or_insert_with(|| Seen { at: number.saturating_sub(1), ..Seen::default() });
        if number != found.at + found.lines.len() + 1 {
            break;
        }
        found.lines.push(rest.to_owned());
    }
    seen
}
