//! Any declaration of checks.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::round_trip::{text, texts};
use crate::event::*;

pub(super) fn checks_body() -> impl Strategy<Value = Body> {
    (vec(declared_check(), 0..3), vec(declared_matcher(), 0..3), text()).prop_map(
        |(checks, matchers, by)| {
            Body::ChecksDeclared(ChecksDeclared { list: CheckList { checks, matchers }, by })
        },
    )
}

fn declared_check() -> impl Strategy<Value = DeclaredCheck> {
    let kind = proptest::sample::select(CheckAspect::ALL);
    let standing = proptest::sample::select(CheckStanding::ALL);
    (text(), kind, text(), option::of(text()), standing).prop_map(
        |(command, kind, found_in, runs, standing)| DeclaredCheck {
            command,
            kind,
            found_in,
            runs,
            standing,
        },
    )
}

fn declared_matcher() -> impl Strategy<Value = DeclaredMatcher> {
    (text(), texts(), text(), option::of(text()), texts(), any::<bool>()).prop_map(
        |(name, programs, found_in, level, lines, repeat)| DeclaredMatcher {
            name,
            programs,
            found_in,
            level,
            lines,
            repeat,
        },
    )
}
