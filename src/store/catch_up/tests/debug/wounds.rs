//! Files of debug memory that somebody changed or took away.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::digests;
use super::history::session;
use super::told::{Told, failure};
use crate::event::{DebugAuthor, ErrorType};
use crate::store::StoreName;
use crate::store::catch_up::catch_up;

fn learned() -> Told {
    let mut told = Told::new();
    told.open(0, "src/a.ts");
    told.attempt(0, 1, vec![failure(ErrorType::TypeError, "m", "src/a.ts")]);
    told.learn(0, DebugAuthor::Annals, "null access", Some((1, 1)));
    told
}

#[test]
fn documents_are_files_of_ours_alone_and_whole_json() {
    let told = learned();
    drop(told.stores());
    let places = told.places();
    let folder = places.path(StoreName::DEBUG_MEMORY);
    let name = format!("{}.json", session(0));
    for file in [folder.join(&name), folder.join("effectiveness").join(&name)] {
        let text = fs::read_to_string(&file).unwrap();
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
        assert!(!text.contains("null,") && !text.contains("[]") && text.ends_with('\n'), "{text}");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
    let tallies = fs::read_to_string(folder.join("effectiveness").join(&name)).unwrap();
    let tallies: serde_json::Value = serde_json::from_str(&tallies).unwrap();
    let counted = serde_json::json!([{"pattern": "null access", "successes": 1, "trials": 1}]);
    assert_eq!(tallies, counted);
}

#[test]
fn a_journal_without_debug_memory_has_no_folder_for_it() {
    let mut told = Told::new();
    told.tell(crate::event::Body::SessionEnded(crate::event::SessionEnded { reason: "x".into() }));
    drop(told.stores());
    assert!(!told.places().path(StoreName::DEBUG_MEMORY).exists());
}

#[test]
fn what_somebody_changed_or_took_away_is_made_anew() {
    type Wound = fn(&std::path::Path, &str);
    let wounds: [(Wound, &str); 6] = [
        (|folder, _| fs::remove_dir_all(folder).unwrap(), "deleted"),
        (|folder, name| fs::write(folder.join(name), "{}").unwrap(), "written over"),
        (|folder, name| fs::remove_file(folder.join(name)).unwrap(), "document deleted"),
        (|folder, name| fs::write(folder.join("beside").join(name), "{").unwrap(), "cut"),
        (|folder, name| fs::remove_file(folder.join("beside").join(name)).unwrap(), "beside gone"),
        (
            |folder, name| {
                fs::remove_file(folder.join(name)).unwrap();
                std::os::unix::fs::symlink("/etc/passwd", folder.join(name)).unwrap();
            },
            "a link",
        ),
    ];
    for (wound, what) in wounds {
        let mut told = learned();
        drop(told.stores());
        let places = told.places();
        wound(places.path(StoreName::DEBUG_MEMORY), &format!("{}.json", session(0)));
        told.attempt(0, 2, Vec::new());
        // The first finds it, where it did not replace it at once.
        drop(catch_up(&places, told.feed()));
        assert!(catch_up(&places, told.feed()).is_current(), "{what}");
        let live = digests(&places);
        let anew = super::super::places(&told.folder.path().join("anew"));
        super::rebuilt(&anew, told.feed());
        assert_eq!(live, digests(&anew), "{what}");
    }
}
