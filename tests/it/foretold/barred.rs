//! A journal that may not be written.

use std::fs;

use super::wounds::{LOCK, plant};
use super::{Wound, all_foretold};

const BARRED: &[Wound] = &[
    (
        "a second name of the segment",
        |it| fs::hard_link(it.segment(), it.path("twin")).expect("linked"),
        &["the journal in "],
    ),
    (
        "a second name of the segment and of the lock",
        |it| {
            fs::hard_link(it.segment(), it.path("twin")).expect("linked");
            fs::hard_link(it.path(LOCK), it.path("lock")).expect("linked");
            plant(it, "packs")
        },
        &["the journal in "],
    ),
];

#[test]
fn that_nothing_can_be_repaired_before_it_is_writable_is_foretold() {
    all_foretold(BARRED);
}
