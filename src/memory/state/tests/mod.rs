//! The fold into `state.db` against a simple model, and the small parts.

mod model;

use serde_json::json;

use super::store::{State, StateReader};
use super::{Filter, compact};
use crate::store::StoreError;

#[test]
fn members_are_compared_as_frameworks_write_it() {
    let value = json!({"n": 3, "f": 2.5, "s": "b", "o": {"a": 1, "b": [1, 2]}, "null": null});
    let cases = [
        (json!({}), true),
        (json!({"n": 3}), true),
        (json!({"n": 3.0}), true),
        (json!({"n": "3"}), false),
        (json!({"n": 3, "s": "a"}), false),
        (json!({"n": {"$gte": 3, "$lt": 4}}), true),
        (json!({"n": {"$gt": 3}}), false),
        (json!({"f": {"$lte": 2.5}}), true),
        (json!({"f": {"$gt": 2}}), true),
        (json!({"s": {"$gt": "a"}}), true),
        (json!({"s": {"$gt": 1}}), false),
        (json!({"n": {"$ne": 4}}), true),
        (json!({"missing": {"$ne": 4}}), true),
        (json!({"missing": {"$gt": 4}}), false),
        (json!({"missing": null}), true),
        (json!({"null": null}), true),
        (json!({"o": {"a": 1}}), true),
        (json!({"o": {"a": {"$gt": 1}}}), false),
        (json!({"o": {"b": [1, 2]}}), true),
        (json!({"o": {"b": [1]}}), false),
    ];
    for (asked, takes) in cases {
        assert_eq!(Filter::of(asked.clone()).unwrap().takes(&value), takes, "{asked}");
    }
    assert_eq!(Filter::of(json!([])), None);
    assert_eq!(Filter::of(json!({"n": {"$regex": "x"}})), None);
}

#[test]
fn what_is_between_the_parts_goes_and_nothing_else() {
    let cases = [
        (" [ 1.0 ,\t2 ]\n", "[1.0,2]"),
        (r#"{ "a b" : "c  d\" e" }"#, r#"{"a b":"c  d\" e"}"#),
        (r#""\\" "#, r#""\\""#),
        (r#"{"b":1, "a":2, "b":3}"#, r#"{"b":1,"a":2,"b":3}"#),
    ];
    for (given, kept) in cases {
        assert_eq!(compact(given), kept);
    }
}

#[test]
fn a_file_with_other_tables_is_known_by_who_reads_and_by_who_writes() {
    for wound in ["DROP TABLE cursor", "DROP INDEX kv_key", "PRAGMA user_version = 77"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.db");
        drop(State::create(&path).unwrap());
        rusqlite::Connection::open(&path).unwrap().execute_batch(wound).unwrap();
        let reads = StateReader::open(&path).unwrap_err();
        let writes = State::open(&path).unwrap_err();
        for error in [reads, writes] {
            let is_told = match wound.starts_with("PRAGMA") {
                true => matches!(error, StoreError::OtherVersion { .. }),
                false => matches!(error, StoreError::SchemaDiffers { .. }),
            };
            assert!(is_told, "{wound}: {error}");
        }
    }
}
