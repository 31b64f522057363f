//! Patterns find what the regex crate finds, in a number of steps that is known before.

use std::ops::Range;

use super::search::Search;
use super::{Allowance, MATCHES_MAX, Spent};

fn search(regex: &str) -> Search {
    Search::new(regex, super::MADE_BYTES_MAX).unwrap()
}

/// What is found, and the steps that it took.
fn found(regex: &str, text: &[u8]) -> (Vec<Range<usize>>, Result<(), Spent>, u64) {
    let mut allowance = Allowance::new();
    allowance.grant(text.len());
    let (before, mut ranges) = (allowance.steps(), Vec::new());
    let ended = search(regex).each(text, &mut allowance, |found, _| {
        ranges.push(found.secret);
        Ok(())
    });
    (ranges, ended, before - allowance.steps())
}

#[test]
fn a_pattern_finds_what_the_regex_crate_finds() {
    let patterns = [
        "a",
        "ab|a",
        "a|ab",
        "a+",
        "a+?b",
        "(?:ab)+c?",
        "[ab]{2,4}",
        r"\bab\b",
        r"\Bb",
        "^a|c$",
        "(?m)^[a-c]+$",
        "(?i)AB",
        r"a(?<secret>b*)c",
        r"(?:(?<secret>a)|b)+c",
        r"\w+ \w+",
        "é|a",
        "(?s-u).b",
        r"[^a\n]b",
        ".*c|a",
        r"(?<secret>a{1,3})b|c",
        "a??b",
        r"(?-u:\xff)+",
        r"\d{2,}",
    ];
    let letters: [&[u8]; 9] = [b"a", b"b", b"c", b"A", b" ", b"\n", b"7", "é".as_bytes(), b"\xff"];
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        letters[(state >> 33) as usize % letters.len()]
    };
    for length in (0..400).map(|at| at % 40) {
        let text: Vec<u8> = (0..length).flat_map(|_| next().to_vec()).collect();
        for pattern in patterns {
            let regex = regex::bytes::Regex::new(pattern).unwrap();
            let expect = regex.captures_iter(&text).filter_map(|captures| {
                let whole = captures.get(0).filter(|whole| !whole.is_empty())?;
                Some(captures.name("secret").unwrap_or(whole).range())
            });
            let shown = String::from_utf8_lossy(&text);
            assert_eq!(found(pattern, &text).0, expect.collect::<Vec<_>>(), "{pattern} {shown:?}");
        }
    }
}

#[test]
fn steps_follow_the_length_of_the_text() {
    let text = "word and words, 4711 ".repeat(1_000);
    for pattern in ["[A-Za-z0-9_]", "staff [0-9]+", "[a-z]{1,50}", r"\b\w+@\w+\b", ".*4711"] {
        let (_, ended, half) = found(pattern, &text.as_bytes()[..text.len() / 2]);
        assert_eq!(ended, Ok(()), "{pattern}");
        let (_, ended, whole) = found(pattern, text.as_bytes());
        assert_eq!(ended, Ok(()), "{pattern}");
        assert!(whole <= 2 * half + half / 10, "{pattern}: {half}, then {whole}");
        assert!(whole <= 64 * text.len() as u64, "{pattern}: {whole} steps");
    }
    let (_, _, seldom) = found("staff [0-9]+", text.as_bytes());
    assert!(seldom < text.len() as u64, "what cannot begin is passed over: {seldom}");
}

#[test]
fn what_costs_more_than_it_may_ends() {
    let text = "A".repeat(100_000);
    let (_, ended, steps) = found(".*[^A-Z]|[A-Z]", text.as_bytes());
    assert_eq!(ended, Err(Spent), "{steps}");
    let mut allowance = Allowance::new();
    assert!((0..MATCHES_MAX).all(|_| allowance.matched().is_ok()));
    assert_eq!(allowance.matched(), Err(Spent));
}
