//! Owner locks.

use super::*;

#[test]
fn an_execution_is_owned_until_its_owner_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let owners = folder.path().join("owners");
    let (one, other) = (crate::command::id::execution(1), crate::command::id::execution(1));
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
    let execution = crate::command::id::execution(1);
    fs::write(place(folder.path(), execution), "").unwrap();
    assert!(Owner::is_gone(folder.path(), execution));
}
