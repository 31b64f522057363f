//! Executions whose owner is gone.

use super::*;
use crate::event::{ExecutionInterrupted, SessionEnded};
use crate::execution::{import_recorder, live_recorder, sweep_dead_owners};
use crate::journal::owner::Owner;

#[test]
fn an_execution_is_interrupted_only_when_its_owner_is_gone() {
    let scene = scene();
    let mut recorder = live_recorder(&scene.project);
    let (held, started) = scene.started(Source::Live, now(), "held");
    let owner = Owner::hold(&scene.project.owners_dir(), held).unwrap();
    let (left, abandoned) = scene.started(Source::Live, now(), "left");
    let (_, unowned) = scene.started(Source::Live, now(), "unowned");
    recorder.record(vec![started, abandoned, unowned]).unwrap();
    assert_eq!(recorder.sweep().unwrap().recorded, 0);

    // What the kernel leaves of an owner that was killed: the file, and no lock.
    let lock = |id| scene.project.owners_dir().join(format!("{id}.lock"));
    std::fs::write(lock(left), "").unwrap();
    assert_eq!(recorder.sweep().unwrap().recorded, 1, "the one whose owner died");
    assert!(!lock(left).exists());
    assert_eq!(recorder.sweep().unwrap().recorded, 0, "once");
    drop(owner);
    std::fs::write(lock(held), "").unwrap();
    assert_eq!(live_recorder(&scene.project).sweep().unwrap().recorded, 1);
}

#[test]
fn an_execution_that_ended_meanwhile_is_not_swept() {
    let scene = scene();
    let mut sweeper = live_recorder(&scene.project);
    let (execution, started) = scene.started(Source::Live, now(), "a");
    sweeper.record(vec![started]).unwrap();
    // The sweeper's facts say open from here on.
    let mut runner = live_recorder(&scene.project);
    runner.record(vec![scene.finished(Source::Live, now(), execution)]).unwrap();
    // Killed between its last record and letting go.
    let lock = scene.project.owners_dir().join(format!("{execution}.lock"));
    std::fs::write(lock, "").unwrap();
    assert_eq!(sweeper.sweep().unwrap().recorded, 0);
    assert_eq!(scene.names(), ["ExecutionStarted", "ExecutionFinished"]);
}

#[test]
fn a_hooks_execution_is_interrupted_when_its_session_ended_and_an_imports_is_not() {
    let scene = scene();
    let mut recorder = live_recorder(&scene.project);
    let (_, hook) = scene.started(Source::Hook, now(), "hook");
    let (_, imported) = scene.started(Source::Import, now(), "import");
    recorder.record(vec![hook, imported]).unwrap();
    assert_eq!(recorder.sweep().unwrap().recorded, 0);
    let ended = Body::SessionEnded(SessionEnded { reason: "exit".into() });
    recorder.record(vec![scene.event(Source::Hook, now(), ended)]).unwrap();
    assert_eq!(recorder.sweep().unwrap().recorded, 1);
    let Some(Event { body: Body::ExecutionInterrupted(interrupted), .. }) = scene.recorded().pop()
    else {
        panic!("nothing was interrupted");
    };
    assert_eq!(interrupted.tool, "bash_exec");
}

#[test]
fn a_dead_owner_is_noticed_by_whoever_looks_next() {
    let scene = scene();
    let (execution, started) = scene.started(Source::Live, now(), "a");
    live_recorder(&scene.project).record(vec![started]).unwrap();
    assert_eq!(sweep_dead_owners(&scene.project).unwrap().recorded, 0);
    let owner = Owner::hold(&scene.project.owners_dir(), execution).unwrap();
    assert_eq!(sweep_dead_owners(&scene.project).unwrap().recorded, 0);
    // A killed process lets go of the lock and leaves the file; a copy of it is none of ours.
    owner.die();
    let lock = scene.project.owners_dir().join(format!("{execution}.lock"));
    let kept = lock.with_extension("kept");
    std::fs::rename(&lock, &kept).unwrap();
    std::fs::copy(&kept, &lock).unwrap();
    assert_eq!(sweep_dead_owners(&scene.project).unwrap().recorded, 0);
    std::fs::rename(&kept, &lock).unwrap();
    assert_eq!(sweep_dead_owners(&scene.project).unwrap().recorded, 1);
    assert_eq!(scene.names(), ["ExecutionStarted", "ExecutionInterrupted"]);
}

#[test]
fn an_import_gives_up_no_call_that_a_hook_watches_until_its_session_ended() {
    let scene = scene();
    let (execution, hook) = scene.started(Source::Hook, now(), "hook");
    let mut live = live_recorder(&scene.project);
    live.record(vec![hook]).unwrap();
    let given_up = || {
        let (tool, reason) = ("bash_exec".to_owned(), "no result".to_owned());
        let body = ExecutionInterrupted { execution, tool, reason };
        let event = scene.event(Source::Import, now(), Body::ExecutionInterrupted(body));
        let mut import = import_recorder(&scene.project);
        let report = import.record(vec![event]).unwrap();
        import.finish().unwrap();
        report.recorded
    };
    assert_eq!(given_up(), 0, "it still runs");
    assert_eq!(live.sweep_session(scene.session).unwrap().recorded, 0);
    let ended = Body::SessionEnded(SessionEnded { reason: "exit".into() });
    live.record(vec![scene.event(Source::Hook, now(), ended)]).unwrap();
    assert_eq!(given_up(), 1, "it never will");
    assert_eq!(live.sweep_session(scene.session).unwrap().recorded, 0, "once");
}
