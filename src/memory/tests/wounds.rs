//! A store that is missing, damaged or another's, and a journal that cannot be written.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{Scene, scene_of};
use crate::event::{Body, Envelope, Event, Source, TimelineCheckpoint};
use crate::execution::live_recorder;
use crate::memory::{Asker, Memory, MemoryError};
use crate::store::evidence::Cache;
use crate::stores::repair::{RepairOptions, repair};

fn grown() -> Scene {
    let scene = scene_of("");
    scene.branches(&[("root", None), ("a", Some("root"))]);
    scene.done(|op| op.set_core("root", "k", "v", None, None));
    scene.done(|op| op.write_event("a", "note", "event", &[]));
    scene
}

#[test]
fn a_store_that_cannot_be_believed_is_built_anew_before_anything_is_decided() {
    let other = grown();
    other.done(|op| op.set_core("root", "k", "foreign", None, None));
    let foreign = fs::read(other.project.annals_dir().join("memory.db")).unwrap();
    let old = grown();
    let stale = fs::read(old.project.annals_dir().join("memory.db")).unwrap();
    old.done(|op| op.set_core("root", "k", "newer", None, None));
    for (wound, scene, value, is_evidence) in [
        (None, grown(), "v", false),
        (Some(Vec::new()), grown(), "v", false),
        (Some(b"this is no database at all".to_vec()), grown(), "v", false),
        (Some(foreign), grown(), "v", true),
        (Some(stale), old, "newer", false),
    ] {
        let path = scene.project.annals_dir().join("memory.db");
        for beside in ["", "-wal", "-shm"] {
            drop(fs::remove_file(format!("{}{beside}", path.display())));
        }
        if let Some(bytes) = wound {
            fs::write(&path, bytes).unwrap();
        }
        if is_evidence {
            // Nothing is decided on it, and nothing built over it, until it is set aside.
            let mut memory = scene.memory();
            let refused =
                memory.operate(&Asker::default(), |op| op.write_event("a", "note", "after", &[]));
            assert!(
                matches!(refused, Err(MemoryError::CatchUp(error)) if error.evidence().is_some())
            );
            let cache = Cache::new(None, scene.project.annals_dir(), String::new());
            repair(&scene.project, &cache, RepairOptions::default()).unwrap();
        }
        let done = scene.done(|op| op.write_event("a", "note", "after", &[]));
        assert_eq!(done.id, 2);
        assert_eq!(scene.core("a"), [format!("k={value}")]);
        assert_eq!(scene.recall_texts("a"), ["after", "event"]);
    }
}

#[test]
fn a_store_that_vanishes_under_an_open_memory_is_made_again() {
    let scene = grown();
    let mut memory = scene.memory();
    let append = |memory: &mut Memory<'_>, text: &str| {
        memory.operate(&Asker::default(), |op| op.write_event("a", "note", text, &[])).unwrap().id
    };
    assert_eq!(append(&mut memory, "1"), 2);
    for beside in ["", "-wal", "-shm"] {
        drop(fs::remove_file(scene.project.annals_dir().join(format!("memory.db{beside}"))));
    }
    assert_eq!(append(&mut memory, "2"), 3);
    assert_eq!(scene.recall_texts("a"), ["2", "1", "event"]);
}

#[test]
fn a_journal_that_takes_nothing_leaves_nothing_half_done() {
    let scene = grown();
    let (before, events) = (scene.digest(), scene.events().len());
    let mut memory = scene.memory();
    // Begun, so that the journal is open and what fails is the append.
    memory.operate(&Asker::default(), |op| op.get_core("a", "k")).unwrap();
    let big = "x".repeat(300 << 10);
    let blobs = scene.project.journal_dir().join("blobs");
    fs::create_dir_all(&blobs).unwrap();
    fs::set_permissions(&blobs, fs::Permissions::from_mode(0o500)).unwrap();
    fs::remove_dir_all(&blobs).unwrap();
    // A file where the folder of blobs belongs: no blob can be made.
    fs::write(&blobs, "in the way").unwrap();
    let done = memory.operate(&Asker::default(), |op| {
        op.set_core("a", "other", "value", None, None)?;
        // What an older build recorded of a long text: it does not fit into an event.
        op.record(crate::event::Body::ArchivalWritten(crate::event::ArchivalWritten {
            id: 1_000,
            branch: "a".to_owned(),
            text: "x".to_owned(),
            tags: Vec::new(),
            whole: Some(crate::event::Content::Inline(big.clone().into_bytes())),
            origin: crate::event::MemoryOrigin::by(crate::event::MemoryDoor::Api),
        }))
    });
    let error = done.unwrap_err();
    assert!(!error.is_refusal(), "{error:?}");
    assert_eq!((scene.digest(), scene.events().len()), (before, events));
    fs::remove_file(&blobs).unwrap();
    let done = memory.operate(&Asker::default(), |op| op.insert_archival("a", &big, &[]));
    assert!(done.unwrap().cut);
}

#[test]
fn what_others_record_meanwhile_changes_no_decision_and_is_caught_up() {
    let scene = grown();
    let mut memory = scene.memory();
    let record = || {
        let envelope = Envelope::new(None, Source::Live, crate::journal::clock::now_ms());
        let body = Body::TimelineCheckpoint(TimelineCheckpoint {
            through_sequence: 1,
            total_executions: 0,
            current_step: 0,
        });
        let mut recorder = live_recorder(&scene.project);
        recorder.record(vec![Event { envelope, body }]).unwrap();
    };
    for i in 0..4 {
        let done = memory.operate(&Asker::default(), |op| {
            let done = op.write_event("a", "note", &format!("own {i}"), &[])?;
            // Between what is decided and what is appended.
            record();
            Ok(done)
        });
        assert_eq!(done.unwrap().id, 2 + i);
        record();
    }
    assert_eq!(scene.recall("a").len(), 5);
    memory.operate(&Asker::default(), |op| op.write_event("a", "note", "last", &[])).unwrap();
    assert_eq!(scene.recall("a").len(), 6);
}
