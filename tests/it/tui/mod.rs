//! `annals tui` on a terminal, and a real project's timeline drawn.

mod drawn;
mod grid;

use std::time::{Duration, Instant};

use annals::internal::output::terminal_screen::TerminalScreen;

use crate::project::{Project, Ran};
use crate::queries::broken_and_mended;
use crate::terminal::Terminal;
use grid::Grid;

/// How long anything may take to appear.
const PATIENCE: Duration = Duration::from_secs(20);
/// Longer than the journal's end is left alone.
const SEVERAL_LOOKS: Duration = Duration::from_millis(1_800);

/// Holds that a person sees this.
#[track_caller]
fn sees(terminal: &Terminal, expect: &str) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let seen = Grid::of(&terminal.text(), 140, 50).text();
        if seen.contains(expect) {
            return;
        }
        assert!(Instant::now() < deadline, "no {expect:?} in\n{seen}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn record(project: &Project, tool: &str, path: &str) {
    let line = serde_json::json!({
        "tool": tool, "arguments": {"path": path}, "paths": [path], "session": "s1", "agent": "x",
    });
    Ran::of(project.command().arg("record").write_stdin(line.to_string())).code(0);
}

#[test]
fn a_person_looks_filters_opens_and_follows() {
    let project = broken_and_mended();
    let events = project.annals(["export", "jsonl"]).code(0).out();
    let mut terminal = Terminal::run(&project, &["tui"]);
    for expect in [
        "Timeline Position: Step",
        "Last Execution: #5 (splice_patch) FAILED",
        "RECENT HISTORY (last 5):",
        "→ \"error[E0425] src/main.rs:1: cannot find value `x`",
        "›#5",
        "q quit",
    ] {
        sees(&terminal, expect);
    }
    for (keys, expect) in [
        ("k", "›#4"),
        ("\u{1b}[A", "›#3"),
        ("f", "RECENT HISTORY (last 3; failed only):"),
        ("tlsp_check\r", "splice_patchlsp_check"),
        ("x", "RECENT HISTORY (last 5):"),
        ("/find value in:output\r", "SEARCH find value in:output (1 turn):"),
        ("\r", "#2 lsp_check FAILED"),
        ("G", "error[E0425] src/main.rs:1: cannot find value `x`"),
        ("n", "this is the last"),
        ("\u{1b}", "SEARCH find value in:output (1 turn):"),
        ("/ -value\r", "Nothing matches."),
        ("/ in:nothing\r", "in: has "),
        ("\u{1b}", "RECENT HISTORY (last 5):"),
        ("f", "RECENT HISTORY (last 3; failed only):"),
        ("gk\r", "#1 lsp_check FAILED"),
        ("n", "#2 lsp_check FAILED"),
        ("c", "Around #2 (lsp_check)"),
        ("\u{1b}", "RECENT HISTORY (last 3;"),
        ("x", "RECENT HISTORY (last 5):"),
        ("s", "SESSIONS (1, the latest first):"),
        ("j\r", "· x "),
        ("?", "looks around"),
    ] {
        if expect == "splice_patchlsp_check" {
            // The chosen row's tool stands there already: it is taken back first.
            terminal.press("t");
            sees(&terminal, "tool: ");
            terminal.press(&("\u{7f}".repeat(20) + "lsp_check\r"));
            sees(&terminal, "RECENT HISTORY (last 2; failed only, tool lsp_check):");
            continue;
        }
        terminal.press(keys);
        if expect == "looks around" {
            sees(&terminal, "what lies around the chosen one");
            terminal.press(" ");
            continue;
        }
        sees(&terminal, expect);
    }
    terminal.press("\u{1b}[F");
    sees(&terminal, "›#5");
    record(&project, "file_read", "src/new.rs");
    sees(&terminal, "›#6   file_read");
    sees(&terminal, "Last Execution: #6 (file_read) SUCCESS");
    // Who only looks holds no store.
    project.annals(["rebuild"]).code(0);
    terminal.press("p");
    sees(&terminal, "PAUSED");
    record(&project, "file_edit", "src/later.rs");
    std::thread::sleep(SEVERAL_LOOKS);
    let seen = Grid::of(&terminal.text(), 140, 50).text();
    assert!(!seen.contains("later.rs"), "paused, it moved:\n{seen}");
    terminal.press("p");
    sees(&terminal, "src/later.rs");
    terminal.resize(120, 40);
    sees(&terminal, "⏎ arguments, output, diagnostics");
    terminal.press("q");
    let all = terminal.finish(0);
    assert!(all.ends_with("\u{1b}[?25h\u{1b}[?1049l"), "{all:?}");
    let after = project.annals(["export", "jsonl"]).code(0).out();
    let fresh = after.lines().count() - events.lines().count();
    assert_eq!(fresh, 4, "looking recorded nothing: two calls, begun and ended");
}

#[test]
fn nothing_recorded_reaches_the_terminal_as_it_is_and_it_is_given_back_however_it_ends() {
    let project = crate::replay::keys::hostile();
    for end in ["q", "\u{3}", "TERM", "HUP", "INT"] {
        let mut terminal = Terminal::run(&project, &["tui"]);
        sees(&terminal, "RECENT HISTORY (last 1):");
        for keys in ["\r", "G", "c", "o", "\u{1b}", "s", "\u{1b}"] {
            terminal.press(keys);
        }
        match end {
            "TERM" | "HUP" | "INT" => terminal.signal(end),
            keys => terminal.press(keys),
        }
        let all = terminal.finish(0);
        assert!(all.ends_with("\u{1b}[?25h\u{1b}[?1049l"), "{end}: {all:?}");
        crate::replay::keys::harmless(&all);
    }
}

#[test]
fn no_colour_means_none() {
    let project = broken_and_mended();
    for (value, coloured) in [("1", false), ("", true)] {
        let mut terminal = Terminal::run_with(&project, &["tui"], &[("NO_COLOR", value)]);
        sees(&terminal, "RECENT HISTORY");
        terminal.press("q");
        let all = terminal.finish(0);
        let found = ["\u{1b}[38;5;1m", "\u{1b}[31m", "\u{1b}[1m", "\u{1b}[7m", "\u{1b}[2m"];
        let found = found.iter().any(|code| all.contains(code));
        assert_eq!(found, coloured, "NO_COLOR={value:?}: {all:?}");
    }
}

#[test]
fn the_past_and_a_copy_are_shown_as_they_were() {
    let project = broken_and_mended();
    for (words, expect) in
        [(&["--at", "2", "tui"][..], "as of 2"), (&["--evidence", "tui"], "evidence")]
    {
        let mut terminal = Terminal::run(&project, words);
        sees(&terminal, expect);
        let seen = Grid::of(&terminal.text(), 140, 50).text();
        assert_eq!(seen.contains("#5"), expect == "evidence", "{seen}");
        terminal.press("p");
        sees(&terminal, "nothing to pause");
        terminal.press("q");
        terminal.finish(0);
    }
    let other = broken_and_mended();
    let there = other.root().to_str().expect("UTF-8");
    let mut terminal = Terminal::run(&project, &["tui", "--dir", ".", "--dir", there, "--failed"]);
    sees(&terminal, "2 journals");
    sees(&terminal, "RECENT HISTORY (last 6; failed only):");
    terminal.press("q");
    terminal.finish(0);
}

#[test]
fn without_a_terminal_it_says_so() {
    let project = Project::new();
    project.annals(["tui"]).code(2).says("this needs a terminal");
    project.annals(["tui", "--json"]).code(2).says("annals log --json");
    let mut terminal = Terminal::run_with(&project, &["tui"], &[("TERM", "dumb")]);
    terminal.shows("this needs a terminal");
    terminal.finish(2);
    let mut terminal = Terminal::run(&project, &["tui", "--session", "nobody"]);
    terminal.shows("no session is called so");
    terminal.finish(2);
    let empty = Project::empty();
    Terminal::run(&empty, &["tui"]).finish(2);
}

/// Runs itself on a terminal, where it panics.
#[test]
fn a_panic_gives_the_terminal_back_before_it_is_told() {
    const HERE: &str = "tui::a_panic_gives_the_terminal_back_before_it_is_told";
    if std::env::var_os("ANNALS_TEST_PANICS").is_some() {
        let _screen = TerminalScreen::enter().expect("a terminal");
        panic!("seen on the first screen");
    }
    let mut itself = std::process::Command::new(std::env::current_exe().expect("this program"));
    itself.args(["--exact", HERE, "--nocapture"]).env("ANNALS_TEST_PANICS", "1");
    let all = Terminal::of(itself, 80).finish(101);
    let left = all.find("\u{1b}[?1049l").expect("it left the second screen");
    let told = all.find("seen on the first screen").expect("it told");
    assert!(left < told, "{all:?}");
}
