//! The hooks' log keeps what it is told, over damage and from many at once.

use super::*;

fn fault(what: &str) -> Option<HookFault> {
    Some(HookFault { at_ms: 7, hook: "Stop".into(), what: what.into(), not_recorded: true })
}

#[test]
fn counts_times_and_the_last_fault_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(HookLog::read(dir.path(), "codex"), None);
    for (hook, at_ms, fault) in
        [("Stop", 5, None), ("Stop", 9, fault("first")), ("Odd\nname", 3, fault("second"))]
    {
        HookLog::note(dir.path(), "codex", hook, at_ms, fault);
    }
    let log = HookLog::read(dir.path(), "codex").unwrap();
    assert_eq!(log.hooks["Stop"], HookCount { fired: 2, last_ms: 9 });
    assert_eq!((log.faults, log.not_recorded, log.last_ms()), (2, 2, Some(9)));
    assert_eq!(log.last_fault.unwrap().what, "second");
    assert_eq!(HookLog::read(dir.path(), "claude-code"), None);
}

#[test]
fn whatever_lies_in_its_place_costs_no_more_than_the_counts() {
    let long = "x".repeat(3_000);
    for before in ["", "{", "[]", "\0\0", "{\"hooks\":3}", long.as_str()] {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("hooks")).unwrap();
        std::fs::write(dir.path().join("hooks/codex.json"), before).unwrap();
        HookLog::note(dir.path(), "codex", "Stop", 1, fault(&"é".repeat(2_000)));
        let log = HookLog::read(dir.path(), "codex").unwrap();
        assert_eq!(log.hooks["Stop"].fired, 1, "{before}");
        assert!(log.last_fault.unwrap().what.len() <= TEXT_BYTES_MAX);
    }
}

#[test]
fn a_link_is_not_followed_and_a_folder_not_minded() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("hooks")).unwrap();
    std::fs::write(dir.path().join("victim"), "keep").unwrap();
    std::os::unix::fs::symlink("../victim", dir.path().join("hooks/codex.json")).unwrap();
    std::fs::create_dir(dir.path().join("hooks/claude-code.json")).unwrap();
    HookLog::note(dir.path(), "codex", "Stop", 1, None);
    HookLog::note(dir.path(), "claude-code", "Stop", 1, None);
    assert_eq!(std::fs::read_to_string(dir.path().join("victim")).unwrap(), "keep");
}

#[test]
fn many_at_once_leave_a_log_that_can_be_read() {
    let dir = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                (0..20).for_each(|at| HookLog::note(dir.path(), "codex", "Stop", at, None));
            });
        }
    });
    let fired = HookLog::read(dir.path(), "codex").unwrap().hooks["Stop"].fired;
    assert!((1..=160).contains(&fired), "{fired}");
}
