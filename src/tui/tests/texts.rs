//! Texts in columns, parts of lists, and the bounds of a detail.

use jiff::tz::TimeZone;

use super::super::text::{columns, cut, fit, shown, wrap};
use super::super::view::viewport::seen as view_seen;
use super::*;
use crate::execution::query::ExecutionDetail;
use crate::tui::Detail;

#[test]
fn texts_are_cut_and_wrapped_by_the_columns_they_take() {
    for (text, wide, expect) in [
        ("plain", 5, "plain"),
        ("plain", 4, "pla…"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("", 3, ""),
    ] {
        assert_eq!(cut(text, wide), expect, "{text} in {wide}");
        assert_eq!(columns(&fit(text, wide)), wide, "{text} fitted in {wide}");
    }
    assert_eq!(wrap("abcdef", 4), ["abcd", "ef"]);
    assert_eq!(wrap("日本語", 4), ["日本", "語"]);
    assert_eq!(wrap("", 4), [""]);
}

#[test]
fn what_terminals_disagree_about_is_taken_apart() {
    for (text, expect) in [
        ("a\u{1b}[2Jb", "a\\x1b[2Jb"),
        ("a\nb", "a\\nb"),
        ("\u{202e}x", "\\u{202e}x"),
        ("👨\u{200d}👩", "👨👩"),
        ("⚠\u{fe0f} x", "⚠ x"),
        ("a\u{200d}b", "a\\u{200d}b"),
        ("a\u{fe0f}", "a\\u{fe0f}"),
        ("e\u{301}\u{301}\u{301}\u{301}\u{301}", "e\u{301}\u{301}\u{301}"),
    ] {
        assert_eq!(shown(text), expect, "{text:?}");
    }
}

#[test]
fn the_chosen_line_is_always_seen() {
    for (heights, chosen, lines, expect) in [
        (&[1, 1, 1][..], 2, 5, 0..3),
        (&[1, 2, 1, 2], 3, 3, 2..4),
        (&[1, 1, 1, 1, 1, 1, 1], 6, 3, 4..7),
        (&[1, 1, 1, 1, 1, 1, 1], 0, 3, 0..3),
        (&[1, 1, 1, 1, 1, 1, 1], 3, 3, 2..5),
        (&[2], 0, 1, 0..1),
        (&[], 0, 4, 0..0),
    ] {
        assert_eq!(view_seen(heights, chosen, lines), expect, "{heights:?} {chosen} {lines}");
    }
    for chosen in 0..50 {
        for lines in 2..20 {
            let heights: Vec<usize> = (0..50).map(|at| 1 + at % 2).collect();
            let seen = view_seen(&heights, chosen, lines);
            assert!(seen.contains(&chosen), "{chosen} in {lines}: {seen:?}");
            assert!(heights[seen.clone()].iter().sum::<usize>() <= lines, "{seen:?}");
        }
    }
}

#[test]
fn a_detail_is_bounded_whatever_was_printed() {
    let one = row(execution(1, "bash_exec", None, None));
    for (printed, bytes_max, is_cut) in [
        ("x".repeat(4 << 20), 120 << 10, true),
        ("y\n".repeat(1 << 18), 120 << 10, true),
        ("first\n".to_owned() + &"z\n".repeat(4_000) + "last", 120 << 10, true),
        ("first\n".to_owned() + &"z\n".repeat(2_000) + "last", 120 << 10, false),
        ("日".repeat(1 << 18), 120 << 10, true),
    ] {
        let found = ExecutionDetail {
            summary: one.execution.clone(),
            started_sequence: None,
            arguments_json: None,
            error_message: Some("e".repeat(1 << 20)),
            artifacts: vec![(
                "stdout".to_owned(),
                serde_json::json!({ "text": printed }).to_string(),
            )],
            paths: vec![],
            parent: None,
        };
        let detail = Detail::of(one.clone(), &found, &TimeZone::UTC);
        let bytes: usize = detail.lines.iter().map(|line| line.text.len()).sum();
        assert!(bytes < bytes_max + (64 << 10), "{bytes}");
        assert!(detail.lines.len() < 3_100, "{}", detail.lines.len());
        let told = detail.lines.iter().any(|line| line.text.contains("annals show 1"));
        assert_eq!(told, is_cut, "what is left out is told");
        if printed.starts_with("first") {
            let has = |text: &str| detail.lines.iter().any(|line| line.text == text);
            assert!(has("first") && has("last"));
        }
    }
}
