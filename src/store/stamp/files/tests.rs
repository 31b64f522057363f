//! What of a store's files a stamp goes by.

use std::fs;
use std::time::Duration;

use super::super::{Known, Stamping, is_doubtful_within, known, tests};
use crate::store::Identity;
use crate::store::lock::beside;

#[test]
fn what_another_program_was_about_to_change_voids_the_stamp() {
    let (_folder, path) = tests::built();
    assert_eq!(known(&path), Some(Known::Same));
    let journal = beside(&path, "-journal");
    fs::write(&journal, "").unwrap();
    assert_eq!(known(&path), Some(Known::Same), "an empty one takes nothing back");
    fs::write(&journal, [0; 512]).unwrap();
    assert_eq!(known(&path), Some(Known::Same), "one that is done with neither");
    fs::write(&journal, "pages as they were").unwrap();
    assert_eq!(known(&path), None);
    fs::remove_file(&journal).unwrap();
    assert_eq!(known(&path), Some(Known::Same));
}

#[test]
fn times_of_whole_seconds_are_known_for_that() {
    let identity = |modified: i64, changed: i64| {
        let text = format!(
            r#"{{"bytes":1,"device":2,"inode":3,"modified_ns":{modified},"changed_ns":{changed}}}"#
        );
        serde_json::from_str::<Identity>(&text).unwrap()
    };
    let second = 1_790_000_000_000_000_000;
    assert!(identity(second, second).is_of_a_second());
    assert!(!identity(second, second + 1).is_of_a_second());
    assert!(!identity(second + 4_000_000, second).is_of_a_second());
}

#[test]
fn who_waits_for_a_store_that_is_written_learns_that_it_is() {
    let (_folder, path) = tests::built();
    let wait = |ms| is_doubtful_within(&path, Duration::from_millis(ms));
    assert_eq!(wait(0), Some(false));
    tests::others(&path, "INSERT INTO t VALUES (9)");
    let held = Stamping::take(&path).unwrap();
    assert_eq!(wait(20), None, "one of ours may be writing it");
    drop(held);
    assert_eq!(wait(0), Some(true));
}
