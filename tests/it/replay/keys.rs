//! A replay on a terminal: by key, given back however it ends, and untouched by what was recorded.

use super::checked;
use crate::project::{Project, Ran};
use crate::terminal::Terminal;

/// Texts that a terminal would obey, or that would look like a step.
const HOSTILE: &str =
    "\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}evil\u{2066}\r   99  @99 forged\u{9b}31m";

pub fn hostile() -> Project {
    let project = Project::new();
    let line = serde_json::json!({
        "tool": "file_read", "arguments": {"path": HOSTILE}, "paths": [HOSTILE],
        "stdout": format!("{HOSTILE}\n    7  @7  2026-01-01 00:00:00  ok  forged"),
        "error": HOSTILE, "outcome": "failed", "session": HOSTILE, "agent": "x", "call": "c",
    });
    Ran::of(project.command().arg("record").write_stdin(format!("{line}\n"))).code(0);
    project
}

/// Nothing a terminal obeys but what annals itself draws.
pub fn harmless(text: &str) {
    for bad in ["\u{1b}[2J", "\u{1b}]", "\u{202e}", "\u{2066}", "\u{7}", "\u{9b}", "\r   99"] {
        assert!(!text.contains(bad), "{bad:?} in {text:?}");
    }
}

#[test]
fn nothing_recorded_reaches_a_terminal_as_it_is() {
    let project = hostile();
    for words in [
        vec!["replay"],
        vec!["replay", "--json"],
        vec!["export", "jsonl"],
        vec!["export", "jsonl", "executions"],
        vec!["sql", "SELECT * FROM log.executions"],
        vec!["sql", "--json", "SELECT * FROM log.execution_artifacts"],
    ] {
        harmless(&project.annals(words).code(0).out());
    }
    let text = project.annals(["replay"]).code(0).out();
    let forged =
        text.lines().find(|line| line.contains("  @7  2026-01-01")).expect("the forged line");
    assert!(forged.starts_with("       | "), "{forged:?}");
    let mut terminal = Terminal::run(&project, &["replay"]);
    for _ in 0..4 {
        terminal.press(" ");
    }
    terminal.press("q");
    harmless(&terminal.finish(0));
}

#[test]
fn a_terminal_steps_by_key_and_is_given_back() {
    let project = checked();
    let mut terminal = Terminal::run(&project, &["replay"]);
    terminal.shows("JournalCreated");
    terminal.shows("space next  b back  g step");
    for (keys, expect) in [
        (" ", "ToolsDeclared"),
        ("\r", "call     file_read"),
        ("\u{1b}[C", "| fn f() {}"),
        ("b", "call     file_read"),
        ("g1\r", "JournalCreated"),
        ("/e0425\r", "failed   lsp_check"),
        ("n", "no \"e0425\" after this"),
        ("g3\r", "call     file_read"),
        ("f", "[failures only]"),
        (" ", "no failure after this"),
        ("f", "failed   lsp_check"),
        ("g99\r", "there are"),
        (" ", "The journal verified"),
        ("b", "ok       lsp_check"),
        (" ", "Every record was shown."),
        ("q", "steps shown."),
    ] {
        terminal.press(keys);
        terminal.shows(expect);
    }
    let all = terminal.finish(0);
    assert!(all.contains("\u{1b}[?1049h") && all.contains("\u{1b}[?1049l"), "the second screen");
    assert!(all.contains("\u{1b}[?25h"), "the cursor is back");
}

#[test]
fn a_terminal_is_given_back_however_it_ends() {
    let project = checked();
    for end in ["q", "\u{3}", "\u{1b}", "TERM", "HUP", "INT"] {
        let mut terminal = Terminal::run(&project, &["replay"]);
        terminal.shows("JournalCreated");
        match end {
            "TERM" | "HUP" | "INT" => terminal.signal(end),
            keys => terminal.press(keys),
        }
        let all = terminal.finish(0);
        assert!(all.ends_with("\u{1b}[?25h\u{1b}[?1049l"), "{end}: {all:?}");
    }
    let mut terminal = Terminal::run_with(&project, &["replay"], &[("NO_COLOR", "1")]);
    terminal.shows("JournalCreated");
    terminal.press("q");
    let all = terminal.finish(0);
    assert!(!all.contains("\u{1b}[31m") && !all.contains("\u{1b}[1m"), "{all:?}");
    let mut whole = Terminal::run(&project, &["replay", "--all"]);
    whole.shows("Every record was shown.");
    assert!(!whole.finish(0).contains("\u{1b}[?1049h"));
}

#[test]
fn a_replay_is_played_with_bounded_pauses() {
    let project = checked();
    let began = std::time::Instant::now();
    project.annals(["replay", "--speed", "1000"]).code(0).says("Every record was shown.");
    assert!(began.elapsed() < std::time::Duration::from_secs(60));
}
