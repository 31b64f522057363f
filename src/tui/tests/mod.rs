//! Screens drawn into a buffer, and keys pressed on them, without a terminal.

mod keys;
mod screens;
mod styles;
mod texts;

use std::path::PathBuf;

use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{
    Following, Found, FoundRow, List, Row, Seen, SessionRow, Shown, State, Theme, draw, text,
};
use crate::event::{ExecutionId, Outcome, Sequence, SessionId};
use crate::execution::query::{ExecutionSummary, SessionSummary};
use crate::grounding::timeline::{FailureLoop, TimelineEntry, TimelinePosition};
use crate::search::{Hit, Part, Snippet};

/// 2026-11-22 14:02:11 UTC.
const NOW_MS: u64 = 1_795_356_131_000;

/// Texts that a terminal would obey, that would look like a row, or that are wider than they seem.
const HOSTILE: &str =
    "\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}evil\u{2066}\r#999 forged SUCCESS\u{9b}31m";
const WIDE: &str = "src/日本語/ファイル名/e\u{301}\u{301}\u{301}\u{301}\u{301}/👨\u{200d}👩\u{200d}👧/a\u{200d}b.rs";

fn execution(
    ordinal: u64,
    tool: &str,
    target: Option<&str>,
    why: Option<&str>,
) -> ExecutionSummary {
    let at_ms = NOW_MS - (143 - ordinal.min(143)) * 1_000;
    ExecutionSummary {
        id: ExecutionId::v7(at_ms, &[u8::try_from(ordinal % 256).unwrap(); 10]),
        ordinal: Some(ordinal),
        sequence: 2 * ordinal,
        at_ms,
        started_ms: Some(at_ms - 320),
        session: Some(SessionId::derived([7; 16])),
        agent: Some("claude-code".to_owned()),
        tool: tool.to_owned(),
        target: target.map(str::to_owned),
        cwd: Some("/work/demo".to_owned()),
        branch: Some("main".to_owned()),
        outcome: Some(if why.is_some() { Outcome::Failed } else { Outcome::Ok }),
        exit_code: why.map(|_| 101),
        duration_ms: Some(320),
        diagnostic: why.map(str::to_owned),
        ..ExecutionSummary::default()
    }
}

fn row(execution: ExecutionSummary) -> Row {
    Row { journal: 0, name: None, execution }
}

fn entry(row: &Row) -> TimelineEntry {
    let execution = &row.execution;
    TimelineEntry {
        execution_id: execution.ordinal,
        id: execution.id,
        sequence: execution.sequence,
        timestamp: execution.at_ms,
        session: execution.session,
        tool_name: execution.tool.clone(),
        success: execution.outcome == Some(Outcome::Ok),
        outcome: execution.outcome,
        told: execution.told,
        affected_path: execution.target.clone(),
        error_summary: execution.diagnostic.clone(),
    }
}

fn empty() -> State {
    let theme = Theme { colour: false };
    let title = "demo".to_owned();
    let shown = Shown { title, zone: TimeZone::UTC, theme, window_ms: 10_000 };
    State::new(shown, Following::Live, NOW_MS)
}

/// The panel of spec 001: step 5, execution 142, a failure loop.
fn looping() -> State {
    let why = Some("Type mismatch at line 42");
    let rows = [
        execution(138, "file_edit", Some("src/foo.rs"), None),
        execution(139, "lsp_check", None, why),
        execution(140, "file_edit", Some("src/foo.rs"), None),
        execution(141, "lsp_check", None, why),
        execution(142, "lsp_check", None, why),
    ];
    of_rows(rows.into_iter().map(row).collect())
}

fn of_rows(rows: Vec<Row>) -> State {
    let mut state = empty();
    let last = entry(rows.last().expect("a row"));
    state.timeline_position = TimelinePosition {
        total_executions: 142,
        last_execution_id: last.execution_id,
        last_failure: last.execution_id,
        current_step: 5,
        last_execution: Some(last.clone()),
        last_query_ms: Some(NOW_MS - 2_000),
        ..TimelinePosition::default()
    };
    state.loops =
        vec![FailureLoop { execution: last, failures: 3, executions: vec![139, 141, 142] }];
    state.pending = 1;
    state.history.at = rows.len() - 1;
    state.history.items = rows;
    state
}

fn session(number: u8, title: &str) -> SessionRow {
    SessionRow {
        journal: 0,
        name: None,
        session: SessionSummary {
            journal: None,
            id: SessionId::derived([number; 16]),
            agent: "claude-code".to_owned(),
            native_id: format!("native-{number}"),
            model: None,
            parent: None,
            cwd: None,
            branch: None,
            title: Some(title.to_owned()),
            first_ms: NOW_MS - 90_000_000,
            last_ms: NOW_MS - u64::from(number) * 40_000_000,
            ended: false,
            prompts: 3,
            calls: 140 + u64::from(number),
            failed: 3,
            refused: 0,
            interrupted: 0,
        },
    }
}

/// What a search found, a hit a part.
fn found(parts: &[Part]) -> Found {
    let hit = |(at, part): (usize, &Part)| FoundRow {
        journal: 0,
        name: None,
        hit: Hit {
            sequence: Sequence(10 + at as u64),
            part: *part,
            at_ms: NOW_MS - 60_000,
            session: Some("11111111-2222-4333-8444-000000000001".to_owned()),
            turn: at as u64,
            tool: Some("bash_exec Bash".to_owned()).filter(|_| *part == Part::Command),
            path: None,
            model: None,
            failed: *part == Part::Command,
            score: 1.0,
            others: at as u64,
        },
        snippet: Snippet { text: format!("… what {HOSTILE} says"), marks: Vec::new() },
    };
    let items = parts.iter().enumerate().map(hit).collect::<Vec<_>>();
    let turns = items.len();
    Found { words: "round".to_owned(), hits: List { items, at: 0 }, turns, ..Found::default() }
}

fn drawn(state: &State, columns: u16, lines: u16) -> (Buffer, Seen) {
    let area = Rect::new(0, 0, columns, lines);
    let mut buffer = Buffer::empty(area);
    let seen = draw(state, area, &mut buffer);
    (buffer, seen)
}

/// What a person reads, line by line.
fn read(buffer: &Buffer) -> String {
    let area = buffer.area;
    let mut all = String::new();
    for y in 0..area.height {
        let mut line = String::new();
        let mut x = 0;
        while x < area.width {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += u16::try_from(text::columns(symbol)).unwrap().max(1);
        }
        all.push_str(line.trim_end());
        all.push('\n');
    }
    all
}

/// Holds that a screen is drawn as its fixture in tests/fixtures/tui has it.
#[track_caller]
fn holds(name: &str, state: &State, columns: u16, lines: u16) {
    let text = read(&drawn(state, columns, lines).0);
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tui");
    let file = folder.join(format!("{name}.{columns}x{lines}.txt"));
    if std::env::var_os("ANNALS_BLESS").is_some() {
        std::fs::write(&file, &text).expect("written");
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(text == expected, "{}: drawn\n{text}\nexpected\n{expected}", file.display());
}
