//! The past as `index.db` knows it: the same answers, and none needed.

use std::fs;

use super::*;
use crate::event::{Content, PromptSubmitted};
use crate::execution::{import_recorder, live_recorder};
use crate::journal::Group;
use crate::store::JournalFeed;
use crate::store::catch_up::catch_up;

fn catch_up_all(project: &Project) {
    catch_up(&crate::stores::places(project.root()), &JournalFeed::of(project).unwrap());
    assert!(project.index_path().is_file());
}

fn prompt(scene: &Scene) -> Event {
    let text = Content::Inline(b"do it".to_vec());
    let prompt = PromptSubmitted {
        text,
        native_id: Some("p1".into()),
        actor: None,
        attachments: Vec::new(),
    };
    scene.event(Source::Import, now(), Body::PromptSubmitted(prompt))
}

#[test]
fn what_the_index_holds_is_known_without_the_journal() {
    let scene = scene();
    let mut recorder = live_recorder(&scene.project);
    let start = now();
    let (closed, started) = scene.started(Source::Live, start, "closed");
    let finished = scene.finished(Source::Live, start, closed);
    let (interrupted, left) = scene.started(Source::Live, start, "left");
    let (_, open) = scene.started(Source::Import, start, "open");
    recorder.declare(&["web_fetch".into()], "test").unwrap();
    recorder
        .record(vec![started.clone(), finished.clone(), left.clone(), open.clone(), prompt(&scene)])
        .unwrap();
    fs::write(scene.project.owners_dir().join(format!("{interrupted}.lock")), "").unwrap();
    assert_eq!(recorder.sweep().unwrap().recorded, 1);
    catch_up_all(&scene.project);
    let before = scene.recorded().len();

    let mut recorder = live_recorder(&scene.project);
    let all = vec![started, finished, left, open, prompt(&scene)];
    let report = recorder.record(all).unwrap();
    assert_eq!((report.recorded, report.duplicates), (0, 5));
    assert_eq!(recorder.declare(&["web_fetch".into()], "test").unwrap().duplicates, 1);
    let late = scene.finished(Source::Live, now(), interrupted);
    assert_eq!(recorder.record(vec![late]).unwrap().corrected, 1);
    let back = scene.started(Source::Live, start - 60_001, "back").1;
    let told = Group { events: vec![back], is_timed: true };
    assert!(recorder.record_groups(vec![told]).is_err(), "the session's last time is known");
    assert_eq!(recorder.interrupt_imported(None).unwrap().recorded, 1);
    assert_eq!(scene.recorded().len(), before + 2);
}

#[test]
fn events_after_the_index_are_read_from_the_journal() {
    let scene = scene();
    catch_up_all(&scene.project);
    let (execution, started) = scene.started(Source::Live, now(), "a");
    live_recorder(&scene.project).record(vec![started.clone()]).unwrap();
    let mut recorder = live_recorder(&scene.project);
    let finished = scene.finished(Source::Live, now(), execution);
    let report = recorder.record(vec![started, finished]).unwrap();
    assert_eq!((report.recorded, report.duplicates), (1, 1));
}

#[test]
fn a_call_that_is_told_again_behind_the_index_stays_what_it_was() {
    let scene = scene();
    let (execution, started) = scene.started(Source::Import, now(), "a");
    let all = vec![started, scene.finished(Source::Import, now(), execution)];
    let import = || import_recorder(&scene.project).record(all.clone()).unwrap();
    assert_eq!(import().recorded, 2);
    catch_up_all(&scene.project);
    // As a hook does that can read nothing.
    let again = scene.started(Source::Hook, now(), "a").1;
    scene.project.journal().unwrap().append(&[again], now()).unwrap();
    assert_eq!(import().recorded, 0);
}

#[test]
fn recording_does_not_depend_on_an_index_that_is_broken_foreign_or_gone() {
    let other = scene();
    catch_up_all(&other.project);
    let foreign = fs::read(other.project.index_path()).unwrap();
    for damage in ["none", "gone", "text", "cut", "foreign", "pages"] {
        let scene = scene();
        let (_, started) = scene.started(Source::Live, now(), "a");
        live_recorder(&scene.project).record(vec![started.clone()]).unwrap();
        catch_up_all(&scene.project);
        let index = scene.project.index_path();
        let bytes = fs::read(&index).unwrap();
        let damaged = match damage {
            "text" => b"not a database".to_vec(),
            "cut" => bytes[..bytes.len() / 2].to_vec(),
            "foreign" => foreign.clone(),
            "pages" => {
                let mut bytes = bytes.clone();
                bytes[8192..].fill(0xff);
                bytes
            }
            _ => bytes.clone(),
        };
        fs::write(&index, damaged).unwrap();
        if damage == "gone" {
            fs::remove_file(&index).unwrap();
        }
        let mut recorder = live_recorder(&scene.project);
        let (_, fresh) = scene.started(Source::Live, now(), "b");
        let report = recorder.record(vec![started, fresh]).unwrap();
        assert_eq!((report.recorded, report.duplicates), (1, 1), "{damage}");
    }
}
