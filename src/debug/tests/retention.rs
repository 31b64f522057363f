//! Documents are kept as long as the settings say, to the millisecond, and archived before they go.

use serde_json::json;

use super::super::ExpiredSession;
use super::super::schema::everything;
use super::*;
use crate::event::debug_time;

const DAY_MS: u64 = 86_400_000;
/// 2026-01-01
const T0: u64 = 1_767_225_600_000;

fn expire(project: &Project, at_ms: u64, dry_run: bool) -> Result<Vec<ExpiredSession>, DebugError> {
    work(project, |it| {
        it.set_at_ms(at_ms);
        it.expire(dry_run)
    })
}

/// Imports a document that was changed last at [`T0`].
fn document_of(project: &Project, status: &str, is_learnt: bool) -> DebugSessionId {
    let mut document = everything();
    let number = bodies(project).len();
    document["session_id"] = json!(format!("019a0000-0000-7000-8000-{number:012}"));
    document["updated_at"] = json!(debug_time(T0));
    document["status"] = json!(status);
    if !is_learnt {
        document["learnings"].as_object_mut().unwrap().remove("patterns_identified");
    }
    let text = document.to_string();
    let import = |it: &mut DebugWriter<'_, '_>| {
        it.set_at_ms(T0);
        it.import("f", text.as_bytes(), false)
    };
    work(project, import).unwrap().sessions[0].session
}

#[test]
fn the_longest_that_applies_counts_to_the_millisecond() {
    let cases = [
        ("passed", false, 30),
        ("failed", false, 30),
        ("in_progress", false, 30),
        ("passed", true, 60),
        ("escalated", false, 90),
        ("escalated", true, 90),
    ];
    let (_dir, project) = project("");
    for (status, is_learnt, days) in cases {
        let session = document_of(&project, status, is_learnt);
        let due = T0 + days * DAY_MS;
        assert_eq!(expire(&project, due - 1, false).unwrap(), [], "{status}");
        let told = expire(&project, due, true).unwrap();
        assert_eq!(told.len(), 1, "{status}");
        assert_eq!((told[0].session, told[0].updated_ms), (session, T0));
        assert_eq!((u64::from(told[0].days), &told[0].archived), (days, &None));
        // Only told so far.
        document(&project, session);
        assert_eq!(expire(&project, due, false).unwrap(), told);
        assert_eq!(expire(&project, due, false).unwrap(), []);
        let gone = work(&project, |it| it.attempt(session, passing("1"))).unwrap_err();
        assert!(matches!(gone, DebugError::Expired { .. }) && gone.is_refusal());
    }
}

#[test]
fn a_change_keeps_it_from_then_on_and_the_settings_say_how_long() {
    let (_dir, project) = project("[debug]\nretention_days = 1\nretention_learned_days = 0\n");
    let at = |at_ms: u64, path: &'static str| {
        work(&project, |it| {
            it.set_at_ms(at_ms);
            it.attempt_at(file(path), failing("1", &[failure("t", path)])).unwrap().done.session
        })
    };
    let session = at(T0, "a");
    assert_eq!(at(T0 + DAY_MS / 2, "a"), session);
    assert_eq!(expire(&project, T0 + DAY_MS, false).unwrap(), []);
    let told = expire(&project, T0 + DAY_MS + DAY_MS / 2, false).unwrap();
    assert_eq!(told.iter().map(|it| it.session).collect::<Vec<_>>(), [session]);
    assert!(matches!(bodies(&project).pop(), Some(Body::DebugSessionExpired(it)) if it.days == 1));
    // Another begins for the same file.
    assert_ne!(at(T0 + 2 * DAY_MS, "a"), session);
    // It comes back where that is asked for.
    let mut document = everything();
    document["session_id"] = json!(session.to_string());
    let text = document.to_string();
    let back = |replace| work(&project, |it| it.import("f", text.as_bytes(), replace));
    let refused = back(false).unwrap_err();
    assert!(matches!(refused, DebugError::Taken { is_expired: true, .. }));
    assert!(refused.to_string().contains("--replace"), "{refused}");
    back(true).unwrap();
    assert_eq!(value(&project, session)["file_path"], document["file_path"]);
    assert!(back(false).unwrap().sessions[0].is_known);
}

#[test]
fn what_goes_is_archived_first_or_stays() {
    let (_dir, project) = project("[debug]\narchive = \"old/debug\"\n");
    let session = document_of(&project, "passed", true);
    let before = value(&project, session);
    let folder = project.root().join("old");
    // It cannot be archived: it stays.
    fs::write(&folder, "in the way").unwrap();
    let refused = expire(&project, T0 + 60 * DAY_MS, false).unwrap_err();
    assert!(matches!(refused, DebugError::File { .. }) && !refused.is_refusal());
    assert_eq!(value(&project, session), before);
    fs::remove_file(&folder).unwrap();
    let told = expire(&project, T0 + 60 * DAY_MS, false).unwrap();
    let path = folder.join(format!("debug/{session}.json"));
    assert_eq!(told[0].archived.as_deref(), path.to_str());
    let kept: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(kept, before);
    let left: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 1);
}

#[test]
fn what_an_escalation_left_is_told_and_one_that_passed_since_is_kept_as_long() {
    let (_dir, project) = project("[debug]\nattempts_max = 1\n");
    let at = |given| {
        work(&project, |it| {
            it.set_at_ms(T0);
            it.attempt_at(file("a"), given).unwrap()
        })
    };
    let session = at(failing("1", &[failure("t", "a")])).done.session;
    assert_eq!(at(passing("2")).status, DebugStatus::Passed);
    assert_eq!(expire(&project, T0 + 90 * DAY_MS - 1, false).unwrap(), []);
    let told = expire(&project, T0 + 90 * DAY_MS, false).unwrap();
    let left = format!(".annals/debug-exports/{session}.json");
    assert_eq!((told[0].days, told[0].left.as_ref()), (90, Some(&left)));
    assert!(project.root().join(left).is_file());
}
