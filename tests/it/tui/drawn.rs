//! A real project's timeline, drawn: the screen that docs/using.md shows.

use annals::internal::event::{Body, Envelope, Event, ReadBy, Source, StepBegun, TimelineQueried};
use annals::internal::journal::{Project as Opened, id};
use annals::internal::tui::{Ask, Feed, Following, Journal, Shown, State, Theme, draw};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::project::{Project, Ran};

/// 2026-11-20 14:02:00 UTC.
const BEGUN_MS: u64 = 1_795_183_320_000;
const AGENT: &str = "claude-code";
const SESSION: &str = "fix-the-types";

const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/tui/project.80x24.txt");
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/using.md");

fn at(second: u64) -> u64 {
    BEGUN_MS + second * 1_000
}

/// Records a call as an agent does.
fn call(project: &Project, second: u64, tool: &str, path: &str, fails: bool) {
    let ended = Timestamp::from_millisecond(i64::try_from(at(second)).unwrap()).unwrap();
    let mut line = serde_json::json!({
        "tool": tool, "paths": [path], "arguments": {"path": path}, "at": ended.to_string(),
        "session": SESSION, "agent": AGENT, "duration_ms": 800, "exit_code": 0,
    });
    if tool == "lsp_check" {
        line["arguments"] = serde_json::json!({"command": "cargo check"});
    }
    if fails {
        line["exit_code"] = 101.into();
        line["diagnostics"] = serde_json::json!([{
            "level": "error", "message": "mismatched types", "file_name": path, "line_start": 42,
            "code": "E0308",
        }]);
    }
    Ran::of(project.command().arg("record").write_stdin(line.to_string())).code(0);
}

/// Appends an event that a hook records.
fn event(project: &Project, second: u64, body: Body) {
    let opened = Opened::open(project.root()).expect("a project");
    let session = id::session(AGENT, SESSION);
    let envelope = Envelope::new(Some(session), Source::Hook, at(second));
    let events = [Event { envelope, body }];
    opened.journal().expect("a journal").append(&events, at(second)).expect("appended");
}

fn step(project: &Project, second: u64, title: &str) {
    event(project, second, Body::StepBegun(StepBegun { title: Some(title.to_owned()) }));
}

#[test]
fn the_screen_in_the_documents_is_drawn_from_a_real_project() {
    let project = Project::new();
    step(&project, 0, "look");
    call(&project, 1, "file_read", "src/foo.rs", false);
    step(&project, 2, "fix the types");
    for second in [4, 8, 12] {
        call(&project, second, "file_edit", "src/foo.rs", false);
        call(&project, second + 2, "lsp_check", "src/foo.rs", true);
    }
    let query = "memory_query(timeline_summary, last=10)".to_owned();
    let read = TimelineQueried { query, by: ReadBy::Asked, through_sequence: 17, returned: 7 };
    event(&project, 20, Body::TimelineQueried(read));
    project.annals(["status"]).code(0);

    let theme = Theme { colour: false };
    let title = "demo".to_owned();
    let shown = Shown { title, zone: TimeZone::UTC, theme, window_ms: 10_000 };
    let mut state = State::new(shown, Following::Live, at(22));
    let opened = Opened::open(project.root()).expect("a project");
    let feed = Feed::new(vec![Journal::live(None, opened).expect("its journal")]);
    feed.answer(Ask::History, &mut state);
    assert_eq!(state.note, "");
    let area = Rect::new(0, 0, 80, 24);
    let mut buffer = Buffer::empty(area);
    draw(&state, area, &mut buffer);
    let line = |y| (0..80).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    let lines: Vec<String> = (0..24).map(|y| line(y).trim_end().to_owned()).collect();
    let text = lines.join("\n") + "\n";
    if std::env::var_os("ANNALS_BLESS").is_some() {
        std::fs::write(FIXTURE, &text).expect("written");
    }
    let expected = std::fs::read_to_string(FIXTURE).unwrap_or_default();
    assert_eq!(text, expected, "run with ANNALS_BLESS=1 where a screen was changed on purpose");
    let page = std::fs::read_to_string(PAGE).expect("the page");
    let shown: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    assert!(page.contains(&shown), "docs/using.md shows another screen than\n{shown}");
}
