//! Colours: there where they are wanted, and nowhere needed.

use ratatui::style::{Color, Modifier, Style};

use super::*;
use crate::tui::Mark;

/// The style of the cell where this text begins.
fn style_of(state: &State, text: &str) -> Style {
    let (buffer, _) = drawn(state, 80, 24);
    for y in 0..24 {
        let line: String = (0..80).map(|x| buffer[(x, y)].symbol()).collect();
        if let Some(at) = line.find(text) {
            let x = u16::try_from(line[..at].chars().count()).unwrap();
            return buffer[(x, y)].style();
        }
    }
    panic!("no {text:?} on the screen")
}

#[test]
fn outcomes_and_marks_have_their_colours() {
    let mut state = looping();
    state.shown.theme = Theme { colour: true };
    state.history.at = 4;
    for (text, colour) in [
        ("FAILED", Color::Red),
        ("SUCCESS", Color::Green),
        ("2s ago ✓", Color::Green),
        ("live", Color::Green),
        ("You are in a failure loop", Color::Red),
    ] {
        assert_eq!(style_of(&state, text).fg, Some(colour), "{text}");
    }
    let reversed = style_of(&state, "›#142").add_modifier;
    assert!(reversed.contains(Modifier::REVERSED), "the chosen line");
    state.now_ms += 60_000;
    assert_eq!(style_of(&state, "1m ago ✗").fg, Some(Color::Red));
    state.timeline_position.last_query_ms = None;
    assert_eq!(style_of(&state, "never –").fg, Some(Color::Yellow));
}

#[test]
fn without_colour_there_is_none_and_nothing_is_lost() {
    let mut state = looping();
    state.shown.theme = Theme { colour: true };
    let (coloured, _) = drawn(&state, 80, 24);
    state.shown.theme = Theme { colour: false };
    let (plain, _) = drawn(&state, 80, 24);
    assert_eq!(read(&coloured), read(&plain));
    let bare = Buffer::empty(plain.area)[(0, 0)].style();
    assert!(plain.content().iter().all(|cell| cell.style() == bare), "no style anywhere");
    assert!(read(&plain).contains("›#142"), "the chosen line has a sign");
}

#[test]
fn the_mark_says_whether_a_read_still_holds() {
    for (read_ms, expect, mark) in [
        (None, "never", Mark::Never),
        (Some(NOW_MS), "0s ago", Mark::Fresh),
        (Some(NOW_MS - 10_000), "10s ago", Mark::Fresh),
        (Some(NOW_MS - 10_001), "10s ago", Mark::Stale),
        (Some(NOW_MS - 119_000), "1m ago", Mark::Stale),
        (Some(NOW_MS - 7_300_000), "2h ago", Mark::Stale),
        (Some(NOW_MS - 172_800_000), "2d ago", Mark::Stale),
        (Some(0), "20779d ago", Mark::Stale),
        (Some(NOW_MS + 5), "0s ago", Mark::Fresh),
    ] {
        let since = crate::tui::Since::of(read_ms, NOW_MS, 10_000);
        assert_eq!((since.text.as_str(), since.mark), (expect, mark), "{read_ms:?}");
    }
}
