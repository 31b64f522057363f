//! Whole screens, held to their fixtures (`ANNALS_BLESS=1` writes them anew).

use crate::execution::query::around::{FileNeighbours, ServedPrompt};
use jiff::tz::TimeZone;

use super::*;
use crate::execution::query::{Around, ExecutionDetail, PathRole};
use crate::search::Part;
use crate::tui::{Chain, Detail, Filter, Said, Screen, Typed, Typing};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (40, 10)];

/// A state at every size.
fn everywhere(name: &str, state: &State) {
    for (columns, lines) in SIZES {
        holds(name, state, columns, lines);
    }
}

fn detail_of(row: Row, stdout: &str) -> Detail {
    let found = ExecutionDetail {
        summary: row.execution.clone(),
        started_sequence: Some(283),
        arguments_json: Some(
            r#"{"command":"cargo check","nested":{"path":"src/foo.rs"}}"#.to_owned(),
        ),
        error_message: Some("exit code 101".to_owned()),
        artifacts: vec![
            ("stdout".to_owned(), serde_json::json!({ "text": stdout }).to_string()),
            (
                "diagnostics".to_owned(),
                serde_json::json!([{
                    "level": "error", "message": "mismatched types", "file_name": "src/foo.rs",
                    "line_start": 42, "code": "E0308",
                }])
                .to_string(),
            ),
        ],
        paths: vec![("src/foo.rs".to_owned(), PathRole::Changed)],
        parent: None,
    };
    Detail::of(row, &found, &TimeZone::UTC)
}

#[test]
fn the_panel_of_spec_001_is_drawn() {
    everywhere("loop", &looping());
    let text = read(&drawn(&looping(), 80, 24).0);
    for words in [
        "Timeline Position: Step 5 of ???",
        "Last Execution: #142 (lsp_check) FAILED",
        "Time Since Query: 2s ago ✓",
        "RECENT HISTORY (last 5):",
        "#138 file_edit src/foo.rs",
        "→ \"Type mismatch at line 42\"",
        "You are in a failure loop. Query memory for details before retrying.",
    ] {
        assert!(text.contains(words), "no {words:?} in\n{text}");
    }
}

#[test]
fn a_project_without_anything_says_what_to_do() {
    everywhere("empty", &empty());
}

#[test]
fn hostile_content_is_told_and_obeyed_in_nothing() {
    let mut one = execution(7, HOSTILE, Some(HOSTILE), Some(HOSTILE));
    one.error = Some(HOSTILE.to_owned());
    let wide = execution(8, "file_read", Some(WIDE), Some(WIDE));
    let mut state = of_rows(vec![row(one.clone()), row(wide.clone()), row(one.clone())]);
    state.shown.title = HOSTILE.to_owned();
    state.position_of = Some(HOSTILE.to_owned());
    everywhere("hostile", &state);
    state.filter =
        Filter { tool: Some(HOSTILE.to_owned()), failed: true, text: Some(WIDE.to_owned()) };
    state.note = HOSTILE.to_owned();
    state.session = Some(session(1, HOSTILE));
    state.list_sessions(vec![session(1, HOSTILE), session(2, WIDE)]);
    let sessions = state.clone();
    state.open(detail_of(row(wide), &format!("{HOSTILE}\n#999 forged\ttab\r\n{WIDE}")));
    let mut chained = state.clone();
    chained.link(Chain::around(&row(one.clone()), &around(one)));
    let mut searched = state.clone();
    searched.list_found(found(&[Part::Prompt, Part::Command]));
    searched.note.clear();
    holds("found", &searched, 80, 24);
    let mut told = searched.clone();
    let chosen = searched.found.hits.chosen().unwrap();
    told.say(Said::of(chosen, &format!("{HOSTILE}\n\t{WIDE}"), &TimeZone::UTC));
    holds("found-text", &told, 120, 40);
    for state in [&sessions, &state, &chained, &searched, &told] {
        for (columns, lines) in SIZES {
            harmless(&drawn(state, columns, lines).0);
        }
    }
    holds("hostile-detail", &state, 80, 24);
}

/// No cell holds what a terminal would obey, and nothing is wider than its line.
fn harmless(buffer: &Buffer) {
    for cell in buffer.content() {
        let hostile = |c: char| crate::output::escape::is_hostile(c) || c == '\u{200d}';
        assert!(!cell.symbol().chars().any(hostile), "{:?}", cell.symbol());
        assert!(cell.symbol().chars().count() <= 5, "{:?}", cell.symbol());
    }
    for line in read(buffer).lines() {
        assert!(text::columns(line) <= usize::from(buffer.area.width), "{line:?}");
    }
}

fn around(execution: ExecutionSummary) -> Around {
    let before = super::execution(137, "file_read", Some("src/foo.rs"), None);
    Around {
        prompt: Some(ServedPrompt {
            sequence: 270,
            at_ms: NOW_MS,
            text: "fix the types".to_owned(),
        }),
        parent: None,
        children: Vec::new(),
        children_more: false,
        corrects: None,
        corrected_by: None,
        before: vec![before.clone()],
        after: Vec::new(),
        files: vec![FileNeighbours {
            path: "src/foo.rs".to_owned(),
            role: PathRole::Changed,
            before: vec![before],
            after: Vec::new(),
        }],
        files_more: false,
        links: Vec::new(),
        execution,
    }
}

#[test]
fn every_screen_is_drawn_at_every_size() {
    let mut state = looping();
    let row = state.history.items[1].clone();
    let printed: String = (0..60).map(|line| format!("   Checking crate {line}\n")).collect();
    state.open(detail_of(row.clone(), &printed));
    everywhere("detail", &state);
    state.link(Chain::around(&row, &around(row.execution.clone())));
    everywhere("chain", &state);
    state.list_sessions(vec![session(1, "Fix the types"), session(2, "Write the parser")]);
    everywhere("sessions", &state);
    state.screen = Screen::History;
    state.help = true;
    everywhere("help", &state);
}

#[test]
fn the_position_is_on_every_screen_whatever_its_size() {
    let mut state = looping();
    let row = state.history.items[1].clone();
    state.list_sessions(vec![session(1, "one")]);
    state.detail = Some(detail_of(row.clone(), "x"));
    state.chain = Some(Chain::around(&row, &around(row.execution.clone())));
    for screen in [Screen::History, Screen::Sessions, Screen::Detail, Screen::Chain] {
        state.screen = screen;
        for (columns, lines) in SIZES {
            let text = read(&drawn(&state, columns, lines).0);
            for words in ["Step 5 of ???", "#142", "FAILED", "2s ago ✓"] {
                assert!(text.contains(words), "{screen:?}: no {words:?} in\n{text}");
            }
            let has_history = text.contains("RECENT HISTORY");
            assert!(has_history || columns < 110 || screen == Screen::Sessions, "{text}");
        }
    }
}

#[test]
fn filters_and_what_is_typed_are_on_the_screen() {
    let mut state = looping();
    state.filter.failed = true;
    state.filter.tool = Some("lsp_check".to_owned());
    state.history.items.retain(|row| row.execution.outcome == Some(Outcome::Failed));
    state.history.at = 1;
    state.following = Following::Paused;
    state.typing = Some(Typing { what: Typed::Search, text: "E0308".to_owned() });
    everywhere("filtered", &state);
    state.typing = None;
    state.history = Default::default();
    state.following = Following::Standing { why: "as of @4711".to_owned() };
    holds("nothing-matches", &state, 80, 24);
}

#[test]
fn rows_of_several_journals_name_theirs() {
    let mut state = looping();
    for (at, row) in state.history.items.iter_mut().enumerate() {
        row.name = Some(if at % 2 == 0 { "laptop" } else { "build-server-eu" }.to_owned());
    }
    state.position_of = Some("laptop".to_owned());
    state.shown.title = "2 journals".to_owned();
    holds("journals", &state, 80, 24);
}

#[test]
fn every_outcome_has_its_word() {
    let mut rows: Vec<Row> =
        (1..=5).map(|no| row(execution(no, "bash_exec", Some("make"), None))).collect();
    let outcomes = [
        Some(Outcome::Ok),
        Some(Outcome::Failed),
        Some(Outcome::Refused),
        Some(Outcome::Interrupted),
        None,
    ];
    for (row, outcome) in rows.iter_mut().zip(outcomes) {
        row.execution.outcome = outcome;
        row.execution.error = Some("said why".to_owned());
    }
    rows[4].execution.ordinal = None;
    let mut state = of_rows(rows);
    state.loops.clear();
    holds("outcomes", &state, 80, 24);
}

#[test]
fn no_size_is_too_small_to_be_drawn() {
    let mut state = looping();
    state.list_sessions(vec![session(1, "one")]);
    let row = state.history.items[1].clone();
    let around = Chain::around(&row, &around(row.execution.clone()));
    for screen in [Screen::History, Screen::Sessions, Screen::Detail, Screen::Chain] {
        (state.detail, state.chain) = (Some(detail_of(row.clone(), "x")), Some(around.clone()));
        for (help, columns, lines) in (0..2).flat_map(|help| {
            (0..130).step_by(19).flat_map(move |x| (0..40).step_by(7).map(move |y| (help, x, y)))
        }) {
            (state.screen, state.help) = (screen, help == 1);
            harmless(&drawn(&state, columns, lines).0);
        }
    }
}
