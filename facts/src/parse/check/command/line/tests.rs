//! Command lines that were read a moment ago.

use std::sync::Arc;

use super::{LINES_MAX, Line};
use crate::event::{CheckList, CheckStanding, DeclaredCheck};
use crate::parse::check::{CheckRules, Kind};

#[test]
fn a_line_that_was_read_a_moment_ago_is_not_read_again_and_is_what_it_is() {
    let none = CheckRules::default();
    let own: CheckRules = CheckList {
        checks: vec![DeclaredCheck {
            command: "./ci.sh".into(),
            kind: Kind::Test,
            found_in: "config.toml".into(),
            standing: CheckStanding::InForce,
            runs: None,
        }],
        ..CheckList::default()
    }
    .into();
    assert!(Line::of("./ci.sh", &none).calls.is_empty());
    assert_eq!(Line::of("./ci.sh", &own).calls.len(), 1);
    assert!(Line::of("./ci.sh", &none).calls.is_empty());
    for number in 0..3 * LINES_MAX {
        let command = format!("cargo test t{number} && echo {number}");
        let (first, again) = (Line::of(&command, &none), Line::of(&command, &none));
        let read = Line::read(&command, &none);
        for line in [&first, &again] {
            assert_eq!((&line.script, &line.calls), (&read.script, &read.calls));
        }
    }
    let long = format!("cargo test {}", "x".repeat(4 << 10));
    assert!(!Arc::ptr_eq(&Line::of(&long, &none), &Line::of(&long, &none)));
}
