//! What keys do.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::*;
use crate::search::Part;
use crate::tui::{Ask, Chain, ChainLine, Detail, Line, Said, Screen, Tone, press};

fn many(count: u64) -> State {
    of_rows((1..=count).map(|no| row(execution(no, "file_read", Some("a"), None))).collect())
}

fn key(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

fn presses(state: &mut State, keys: &str) -> Ask {
    let mut last = Ask::Nothing;
    for c in keys.chars() {
        let code = match c {
            '\n' => KeyCode::Enter,
            '\u{1b}' => KeyCode::Esc,
            '\u{8}' => KeyCode::Backspace,
            c => KeyCode::Char(c),
        };
        last = press(state, key(code));
    }
    last
}

#[test]
fn the_chosen_line_moves_and_stays_within() {
    let mut state = many(30);
    state.seen = drawn(&state, 80, 24).1;
    let page = state.seen.page_lines - 1;
    for (code, expect) in [
        (KeyCode::Up, 28),
        (KeyCode::Down, 29),
        (KeyCode::Down, 29),
        (KeyCode::PageUp, 29 - page),
        (KeyCode::Home, 0),
        (KeyCode::Up, 0),
        (KeyCode::PageDown, page),
        (KeyCode::End, 29),
    ] {
        assert_eq!(press(&mut state, key(code)), Ask::Nothing);
        assert_eq!(state.history.at, expect, "{code:?}");
    }
}

#[test]
fn older_rows_are_asked_for_where_the_oldest_is_left_behind_and_no_more_than_are_held() {
    let mut state = many(3);
    state.more = true;
    presses(&mut state, "g");
    assert_eq!(state.wanted, 200, "Home goes to the oldest that is here");
    assert_eq!(presses(&mut state, "k"), Ask::History);
    assert_eq!(state.wanted, 400);
    for _ in 0..100 {
        presses(&mut state, "k");
    }
    assert_eq!(state.wanted, 5_000);
    assert!(state.note.contains("annals log"), "{}", state.note);
}

#[test]
fn the_newest_stays_chosen_as_it_grows_and_another_one_stays_itself() {
    let rows = |range: std::ops::RangeInclusive<u64>| -> Vec<Row> {
        range.map(|no| row(execution(no, "file_read", None, None))).collect()
    };
    let mut state = of_rows(rows(1..=5));
    state.history.replace(rows(1..=7), Row::is_same);
    assert_eq!(state.history.at, 6);
    state.history.at = 3;
    state.history.replace(rows(2..=9), Row::is_same);
    assert_eq!(state.history.chosen().unwrap().execution.ordinal, Some(4));
    state.history.replace(Vec::new(), Row::is_same);
    assert_eq!((state.history.at, state.history.chosen()), (0, None));
}

#[test]
fn filters_are_typed_taken_back_and_cleared() {
    let mut state = looping();
    assert_eq!(presses(&mut state, "f"), Ask::History);
    assert!(state.filter.failed);
    presses(&mut state, "t");
    let typed = state.typing.clone().expect("a line");
    assert_eq!(typed.text, "lsp_check", "the chosen one's tool is offered");
    assert_eq!(presses(&mut state, "\u{8}\n"), Ask::History);
    assert_eq!(state.filter.tool.as_deref(), Some("lsp_chec"));
    assert_eq!(state.filter.words(), "failed only, tool lsp_chec");
    assert_eq!(presses(&mut state, "x"), Ask::History);
    assert!(state.filter.is_empty());
    presses(&mut state, "f");
    assert_eq!(presses(&mut state, "\u{1b}"), Ask::History, "Esc clears as well");
}

#[test]
fn a_search_is_typed_gone_through_and_left() {
    let mut state = looping();
    assert_eq!(presses(&mut state, "/q?f\u{7}\n"), Ask::Search, "letters are text there");
    assert_eq!(state.found.words, "q?f", "and no control is");
    assert_eq!(presses(&mut state, "/z\u{1b}"), Ask::Nothing);
    assert_eq!(presses(&mut state, "/\u{8}\u{8}\u{8}\n"), Ask::Nothing, "no words, no search");
    assert_eq!(state.found.words, "q?f", "given up");
    state.list_found(found(&[Part::Prompt, Part::Command, Part::Answer]));
    assert_eq!(presses(&mut state, "N"), Ask::Nothing);
    assert_eq!((presses(&mut state, "nn"), state.found.hits.at), (Ask::Nothing, 2));
    assert_eq!(presses(&mut state, "gj\n"), Ask::Hit);
    state.open(Detail { row: state.history.items[0].clone(), lines: Vec::new() });
    assert_eq!((presses(&mut state, "n"), state.found.hits.at), (Ask::Hit, 2), "the next hit");
    let line = Line { tone: Tone::Plain, text: "x".to_owned() };
    state.say(Said { title: "t".to_owned(), lines: vec![line; 100] });
    state.seen = drawn(&state, 80, 24).1;
    presses(&mut state, "G");
    assert_eq!((state.scroll > 0, state.scroll), (true, state.seen.scroll_max));
    assert_eq!(presses(&mut state, "n"), Ask::Nothing);
    assert_eq!(state.note, "this is the last");
    assert_eq!((presses(&mut state, "N"), state.found.hits.at), (Ask::Hit, 1));
    presses(&mut state, "\u{1b}");
    assert_eq!(state.screen, Screen::Found);
    assert_eq!(presses(&mut state, "/\n"), Ask::Search, "what was looked for is offered");
    presses(&mut state, "\u{1b}");
    assert_eq!(state.screen, Screen::History);
    presses(&mut state, &("/".to_owned() + &"a".repeat(500) + "\n"));
    assert_eq!(state.found.words.len(), 200);
}

#[test]
fn screens_are_opened_and_left() {
    let mut state = looping();
    assert_eq!(presses(&mut state, "\n"), Ask::Detail);
    let chosen = state.history.chosen().unwrap().clone();
    let line = Line { tone: Tone::Plain, text: "x".to_owned() };
    state.open(Detail { row: chosen.clone(), lines: vec![line.clone(); 100] });
    state.seen = drawn(&state, 80, 24).1;
    presses(&mut state, "jj");
    assert_eq!(state.scroll, 2);
    presses(&mut state, "G");
    assert_eq!(state.scroll, state.seen.scroll_max);
    presses(&mut state, "k");
    assert_eq!(state.scroll, state.seen.scroll_max - 1);
    assert_eq!(presses(&mut state, "b"), Ask::Detail, "the one before");
    assert_eq!(state.chosen().unwrap().execution.ordinal, Some(141));
    assert_eq!(presses(&mut state, "nn"), Ask::Nothing);
    assert!(state.note.contains("newest"), "{}", state.note);
    assert_eq!(presses(&mut state, "c"), Ask::Around);
    let lines = vec![
        ChainLine::Text(line),
        ChainLine::Row(Box::new(chosen.clone()), String::new()),
        ChainLine::Row(Box::new(state.history.items[0].clone()), String::new()),
    ];
    state.link(Chain {
        journal: 0,
        title: "t".to_owned(),
        lines,
        at: 1,
        file: Some("f".to_owned()),
    });
    presses(&mut state, "k");
    assert_eq!(state.chosen().unwrap().execution.ordinal, Some(142), "titles are not chosen");
    presses(&mut state, "j");
    assert_eq!(state.chosen().unwrap().execution.ordinal, Some(138));
    assert_eq!(presses(&mut state, "o"), Ask::File { journal: 0, path: "f".to_owned() });
    assert_eq!(presses(&mut state, "\n"), Ask::Detail);
    state.open(Detail { row: chosen, lines: Vec::new() });
    presses(&mut state, "\u{1b}");
    assert_eq!(state.screen, Screen::Chain, "back to where it came from");
    presses(&mut state, "\u{1b}");
    assert_eq!(state.screen, Screen::History);
}

#[test]
fn a_session_is_chosen_or_all() {
    let mut state = looping();
    assert_eq!(presses(&mut state, "s"), Ask::Sessions);
    state.list_sessions(vec![session(1, "one"), session(2, "two")]);
    assert_eq!(presses(&mut state, "jj\n"), Ask::History);
    assert_eq!(state.session.as_ref().unwrap().title(), "two");
    state.list_sessions(vec![session(1, "one"), session(2, "two")]);
    assert_eq!(state.sessions.at, 2, "the one that is shown");
    presses(&mut state, "g\n");
    assert_eq!(state.session, None);
}

#[test]
fn it_is_paused_helped_and_left() {
    let mut state = looping();
    presses(&mut state, "p");
    assert_eq!(state.following, Following::Paused);
    presses(&mut state, "p");
    assert_eq!(state.following, Following::Live);
    let standing = Following::Standing { why: "as of @3".to_owned() };
    state.following = standing.clone();
    presses(&mut state, "p");
    assert_eq!(state.following, standing);
    assert!(presses(&mut state, "?") == Ask::Nothing && state.help);
    assert!(presses(&mut state, "f") == Ask::Nothing && !state.help && !state.filter.failed);
    assert_eq!(presses(&mut state, "?q"), Ask::Leave);
    assert_eq!(presses(&mut state, "q"), Ask::Leave);
    let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    presses(&mut state, "/");
    assert_eq!(press(&mut state, interrupt), Ask::Leave, "also while something is typed");
    let mut empty = empty();
    for keys in ["\n", "c", "t\u{1b}", "nbo", "jkgG", "\u{1b}"] {
        assert_eq!(presses(&mut empty, keys), Ask::Nothing, "{keys:?}");
    }
}
