//! What must never reach a terminal bare.

use super::{block, is_hostile, json, line};

#[test]
fn hostile_text_becomes_visible_and_plain_text_stays() {
    for (given, one_line, lines) in [
        ("plain ünïcode 漢字 🦀", "plain ünïcode 漢字 🦀", "plain ünïcode 漢字 🦀"),
        ("a\nb\tc", "a\\nb\\tc", "a\nb\tc"),
        ("\u{1b}[2J", "\\x1b[2J", "\\x1b[2J"),
        ("x\u{9b}31m", "x\\x9b31m", "x\\x9b31m"),
        ("over\rwrite", "over\\rwrite", "over\\rwrite"),
        ("\u{202e}evil", "\\u{202e}evil", "\\u{202e}evil"),
        ("\u{e0041}", "\\u{e0041}", "\\u{e0041}"),
        ("bell\u{7}", "bell\\x07", "bell\\x07"),
    ] {
        assert_eq!(line(given), one_line);
        assert_eq!(block(given), lines);
        assert!(!line(given).chars().any(is_hostile));
    }
}

#[test]
fn json_stays_the_same_json() {
    let text = "a\u{9b}\u{202e}\u{7f}\u{e0041}\n";
    let serialized = serde_json::to_string(text).expect("a string serializes");
    let escaped = json(&serialized);
    assert!(!escaped.chars().any(is_hostile));
    assert_eq!(serde_json::from_str::<String>(&escaped).expect("still JSON"), text);
}
