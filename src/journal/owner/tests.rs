//! Owner locks.

use std::fs;

use super::*;

impl Owner {
    /// What a process that is killed leaves: the file, and no lock.
    pub fn die(self) {
        fs2::FileExt::unlock(&self.file).unwrap();
        std::mem::forget(self);
    }
}

#[test]
fn an_execution_is_owned_until_its_owner_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let owners = folder.path().join("owners");
    let (one, other) = (crate::journal::id::execution(1), crate::journal::id::execution(1));
    assert!(!Owner::is_gone(&owners, one), "an owner that never was is not gone");
    let owner = Owner::hold(&owners, one).unwrap();
    assert!(!Owner::is_gone(&owners, one));
    assert!(!Owner::is_gone(&owners, other));
    assert!(Owner::hold(&owners, one).is_err());
    drop(owner);
    assert!(!Owner::is_gone(&owners, one), "it let go of what it had finished");
    assert_eq!(fs::read_dir(&owners).unwrap().count(), 0);
}

#[test]
fn a_lock_file_that_a_dead_process_left_is_free() {
    let folder = tempfile::tempdir().unwrap();
    let execution = crate::journal::id::execution(1);
    Owner::hold(folder.path(), execution).unwrap().die();
    assert!(Owner::is_gone(folder.path(), execution));
    assert!(Owner::any_is_gone(folder.path()));
}

#[test]
fn only_the_very_file_that_was_locked_tells_its_owner_gone() {
    let folder = tempfile::tempdir().unwrap();
    let [here, there] = ["here", "there"].map(|name| folder.path().join(name));
    let execution = crate::journal::id::execution(1);
    Owner::hold(&here, execution).unwrap().die();
    fs::create_dir(&there).unwrap();
    let (ours, copied) = (place(&here, execution), place(&there, execution));
    fs::copy(&ours, &copied).unwrap();
    assert!(!Owner::is_gone(&there, execution), "a copy");
    assert!(Owner::is_left(&there, execution), "that a repair may close");

    let said = fs::read_to_string(&ours).unwrap();
    let words: Vec<_> = said.split_whitespace().collect();
    for (text, gone) in [
        (said.clone(), true),
        (format!("of-another-boot {} {}", words[1], words[2]), true),
        (format!("{} {} {}1", words[0], words[1], words[2]), false),
        (format!("{} {}1 {}", words[0], words[1], words[2]), false),
        (format!("{said} more"), false),
        (String::new(), false),
        ("x".repeat(1 << 20), false),
    ] {
        fs::write(&ours, &text).unwrap();
        assert_eq!(Owner::is_gone(&here, execution), gone, "{:.60}", text);
        assert!(Owner::is_left(&here, execution));
    }
    fs::remove_file(&ours).unwrap();
    fs::create_dir(&ours).unwrap();
    assert!(!Owner::is_left(&here, execution), "no file");
}

#[test]
fn one_at_a_time_has_a_lock_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let take = || Held::take(folder.path(), "node-x", std::time::Duration::ZERO).unwrap();
    assert!(!Held::is_held(folder.path(), "node-x"));
    let first = take().unwrap();
    assert!(Held::is_held(folder.path(), "node-x") && take().is_none());
    drop(first);
    assert!(!Held::is_held(folder.path(), "node-x"));
    // What a killed process leaves is free.
    fs::write(folder.path().join("node-x.lock"), "").unwrap();
    assert!(!Held::is_held(folder.path(), "node-x"));
    assert!(!Owner::any_is_gone(folder.path()), "it is no execution's");
    drop(take().unwrap());
    // However many want it at once, two never have it.
    let (inside, entered) = (std::sync::Mutex::new(()), std::sync::atomic::AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let within = std::time::Duration::from_secs(60);
                    let held = Held::take(folder.path(), "nodes", within).unwrap().unwrap();
                    let alone = inside.try_lock().expect("two have it");
                    entered.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    drop(alone);
                    drop(held);
                }
            });
        }
    });
    assert_eq!(entered.into_inner(), 400);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
