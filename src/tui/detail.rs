//! One execution, whole, as lines: bounded, whatever was printed.

use jiff::tz::TimeZone;
use serde::Deserialize;

use super::text::shown;
use super::{Line, Row, Tone};
use crate::cli::{rows, show};
use crate::execution::json::text_of;
use crate::execution::query::ExecutionDetail;
use crate::output::time;

/// Of a text's beginning and of its end, what is shown.
const BEGIN_BYTES_MAX: usize = 32 << 10;
const END_BYTES_MAX: usize = 64 << 10;
/// The same in lines.
const BEGIN_LINES_MAX: usize = 1_000;
const END_LINES_MAX: usize = 2_000;
/// Paths and diagnostics that are listed.
const LISTED_MAX: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    pub row: Row,
    pub lines: Vec<Line>,
}

/// A diagnostic as `execution_log.db` keeps it.
#[derive(Deserialize)]
struct Stored {
    level: String,
    message: String,
    file_name: Option<String>,
    line_start: Option<u32>,
    code: Option<String>,
}

impl Detail {
    pub fn of(row: Row, found: &ExecutionDetail, zone: &TimeZone) -> Self {
        let mut lines = facts(&row, found, zone);
        for (path, role) in found.paths.iter().take(LISTED_MAX) {
            lines.push(fact(role.as_str(), path));
        }
        more(found.paths.len(), "path", &mut lines);
        let reference = row.reference();
        if let Some(arguments) = &found.arguments_json {
            section("ARGUMENTS", &show::pretty(arguments), &reference, &mut lines);
        }
        for (kind, json) in &found.artifacts {
            let title = kind.to_uppercase();
            match (kind.as_str(), serde_json::from_str::<Vec<Stored>>(json)) {
                ("diagnostics", Ok(list)) => diagnostics(&title, &list, &mut lines),
                _ => {
                    let text = text_of(json).unwrap_or_else(|| show::pretty(json));
                    section(&title, &text, &reference, &mut lines);
                }
            }
        }
        Self { row, lines }
    }
}

fn facts(row: &Row, found: &ExecutionDetail, zone: &TimeZone) -> Vec<Line> {
    let one = &row.execution;
    let at = |at_ms: u64| time::local(at_ms, zone);
    [
        ("journal", row.name.clone()),
        ("target", one.target.clone()),
        ("error", found.error_message.clone().or_else(|| one.error.clone())),
        ("exit code", one.exit_code.map(|code| code.to_string())),
        ("began", one.started_ms.map(at)),
        ("ended", one.outcome.map(|_| at(one.at_ms))),
        ("took", one.took().map(time::took)),
        ("agent", one.agent.clone()),
        ("actor", one.actor.clone()),
        ("native tool", one.native_tool.clone()),
        ("folder", one.cwd.clone()),
        ("branch", one.branch.clone()),
        ("session", one.session.map(|id| id.to_string())),
        ("execution", Some(one.id.to_string())),
        ("event", Some(format!("@{}", one.sequence))),
        ("inside", found.parent.clone()),
        ("corrects", one.corrects.map(|id| id.to_string())),
        ("corrected by", one.corrected_by.map(|id| id.to_string())),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some(fact(name, value.as_deref()?)))
    .collect()
}

fn fact(name: &str, value: &str) -> Line {
    let tone = if name == "error" { Tone::Bad } else { Tone::Plain };
    Line::of(tone, &format!("{name:<12} {}", both_ends(value).0))
}

fn more(count: usize, noun: &str, lines: &mut Vec<Line>) {
    if count > LISTED_MAX {
        let text = format!("and {} {noun}s more", count - LISTED_MAX);
        lines.push(Line { tone: Tone::Dim, text });
    }
}

fn title(text: &str, lines: &mut Vec<Line>) {
    lines.push(Line { tone: Tone::Plain, text: String::new() });
    lines.push(Line::of(Tone::Title, text));
}

fn diagnostics(name: &str, list: &[Stored], lines: &mut Vec<Line>) {
    title(name, lines);
    for one in list.iter().take(LISTED_MAX) {
        let code = one.code.as_ref().map(|code| format!("[{code}]")).unwrap_or_default();
        let at = one.line_start.map(|line| format!(":{line}")).unwrap_or_default();
        let file = one.file_name.as_ref().map(|file| format!(" {file}{at}")).unwrap_or_default();
        let tone = if one.level == "error" { Tone::Bad } else { Tone::Warning };
        let message = rows::short(&one.message);
        lines.push(Line::of(tone, &format!("{}{code}{file}: {message}", one.level)));
    }
    more(list.len(), "diagnostic", lines);
}

fn section(name: &str, text: &str, reference: &str, lines: &mut Vec<Line>) {
    title(name, lines);
    let (begin, end) = both_ends(text.trim_end_matches('\n'));
    let plain = |line: &str| Line {
        tone: Tone::Plain,
        text: shown(&line.trim_end_matches('\r').replace('\t', "    ")),
    };
    let whole = end.is_empty() && begin.lines().count() <= BEGIN_LINES_MAX + END_LINES_MAX;
    if whole {
        return lines.extend(begin.lines().map(plain));
    }
    let rest: Vec<&str> = begin.lines().skip(BEGIN_LINES_MAX).chain(end.lines()).collect();
    lines.extend(begin.lines().take(BEGIN_LINES_MAX).map(plain));
    let text = format!("… the middle is left out: annals show {reference}");
    lines.push(Line { tone: Tone::Dim, text });
    lines.extend(rest[rest.len().saturating_sub(END_LINES_MAX)..].iter().copied().map(plain));
}

/// A text's beginning and its end; all of it and nothing where it is short.
fn both_ends(text: &str) -> (&str, &str) {
    if text.len() <= BEGIN_BYTES_MAX + END_BYTES_MAX {
        return (text, "");
    }
    let begin = text.floor_char_boundary(BEGIN_BYTES_MAX);
    let end = text.ceil_char_boundary(text.len() - END_BYTES_MAX);
    (&text[..begin], &text[end..])
}
