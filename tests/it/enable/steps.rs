//! Asked for step by step on a terminal; shown only where there is none.

use std::fs;

use super::{LOCAL, Scratch, tree};
use crate::terminal::Terminal;

#[test]
fn without_a_terminal_it_shows_everything_and_does_nothing() {
    let scratch = Scratch::new(&[".claude"]);
    scratch.past_session();
    let (home, root) = (tree(scratch.home("").as_path()), tree(scratch.project.root()));
    for (words, code, next) in [
        (&["enable"][..], 2, "no terminal to ask on. Next: annals enable --yes"),
        (&["enable", "--dry-run"], 0, "Nothing was done. Next: annals enable"),
        (&["enable", "codex", "--enforce"], 2, "Next: annals enable codex --enforce --yes"),
    ] {
        scratch.annals(words).code(code).says("becomes a project").says("  + ").says(next);
    }
    let told = scratch.annals(&["enable", "--json"]).code(2).json();
    assert_eq!((&told["done"], &told["past_files"]), (&false.into(), &1.into()));
    assert_eq!((tree(scratch.home("").as_path()), tree(scratch.project.root())), (home, root));

    scratch.annals(&["enable", "--yes"]).code(0);
    let with = tree(scratch.project.root());
    scratch.annals(&["disable"]).code(2).says("- PreToolUse: ").says("Next: annals disable --yes");
    scratch.annals(&["disable", "--dry-run"]).code(0).says("Nothing was done");
    assert_eq!(scratch.annals(&["disable", "--json"]).code(2).json()["done"], false);
    assert_eq!(tree(scratch.project.root()), with);
}

#[test]
fn on_a_terminal_each_step_is_asked_for() {
    let scratch = Scratch::new(&[".claude", ".codex"]);
    scratch.past_session();
    let home = scratch.home("").to_string_lossy().into_owned();
    let surroundings = [("HOME", home.as_str())];
    let mut terminal = Terminal::run_with(&scratch.project, &["enable"], &surroundings);
    terminal.shows("Make it a project? [Y/n]");
    terminal.press("\r");
    terminal.shows("Import them? [Y/n]");
    terminal.press("perhaps\r");
    terminal.shows("Answer y or n.");
    terminal.press("n\r");
    terminal.shows("Claude Code: hooks in ");
    terminal.shows("Install them? [Y/n]");
    terminal.press("y\r");
    terminal.shows("Installed: 10 hooks");
    terminal.shows("Codex: hooks in ");
    terminal.shows("Install them? [Y/n]");
    terminal.press("n\r");
    terminal.shows("Next: ");
    terminal.finish(0);
    assert!(scratch.project.path(LOCAL).exists());
    assert!(!scratch.home(".codex/hooks.json").exists(), "a no is a no");
    assert_eq!(scratch.annals(&["log", "--json"]).code(0).out().trim(), "[]");

    let mut terminal = Terminal::run_with(&scratch.project, &["disable"], &surroundings);
    terminal.shows("Take them out? [Y/n]");
    terminal.press("n\r");
    terminal.shows("Nothing was done.");
    terminal.finish(0);
    assert!(scratch.project.path(LOCAL).exists());
}

#[test]
fn a_no_to_the_first_question_leaves_everything() {
    let scratch = Scratch::new(&[".claude"]);
    let home = scratch.home("").to_string_lossy().into_owned();
    let mut terminal =
        Terminal::run_with(&scratch.project, &["enable"], &[("HOME", home.as_str())]);
    terminal.shows("Make it a project? [Y/n]");
    terminal.press("n\r");
    terminal.shows("Nothing was done.");
    terminal.finish(0);
    assert_eq!(fs::read_dir(scratch.project.root()).expect("a folder").count(), 0);
}
