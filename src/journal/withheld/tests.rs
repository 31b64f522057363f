//! What is withheld: by value, by whose a record is, by time.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{Withheld, keep, keep_leaves};
use crate::event::*;
use crate::journal::id;

const ORDER: OrderId = OrderId([3; 16]);
const SECRET: &[u8] = b"k7#Vq2!mZ0pw";

fn call(at_ms: u64, name: &str) -> Event {
    let key = CallKey { agent: "claude-code".into(), scope: None, call: name.into() };
    let body = ExecutionStarted {
        execution: id::imported_execution(at_ms, &key),
        tool: "bash".into(),
        native_tool: None,
        arguments: Json("{}".into()),
        cwd: None,
        call: Some(key),
        parent: None,
        paths: Vec::new(),
        symbols: Vec::new(),
        ..ExecutionStarted::default()
    };
    let envelope = Envelope::new(Some(SessionId([7; 16])), Source::Import, at_ms);
    Event { envelope, body: Body::ExecutionStarted(body) }
}

#[test]
fn what_is_withheld_is_known_again_and_its_file_is_the_users_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("annals");
    let path = folder.join("withheld");
    assert!(Withheld::read(&path).expect("none").is_none());
    let journal = [9; 16];
    let short = keep(&path, ORDER, &[SECRET.into(), b"abcde".into()], &[call(1_000, "a")], None);
    assert_eq!(short.expect("kept"), 1);
    keep(&path, ORDER, &[SECRET.into()], &[call(1_000, "a")], Some((journal, 500))).expect("twice");
    for (path, mode) in [(&folder, 0o700), (&path, 0o600)] {
        assert_eq!(fs::metadata(path).expect("there").permissions().mode() & 0o777, mode);
    }
    let bytes = fs::read(&path).expect("readable");
    assert!(!bytes.windows(SECRET.len()).any(|it| it == SECRET));
    let withheld = Withheld::read(&path).expect("readable").expect("something");
    let here = || Some(journal);
    // Another door gives the call another time, and so another id.
    assert!(withheld.holds(&call(2_000, "a"), here));
    assert!(!withheld.holds(&call(2_000, "b"), here));
    assert!(withheld.holds(&call(499, "b"), here));
    assert!(!withheld.holds(&call(499, "b"), || Some([8; 16])));
    keep_leaves(&path, &[[5; 32], [6; 32]]).expect("kept");
    let with_leaves = Withheld::read(&path).expect("readable").expect("something");
    assert!(with_leaves.has_taken(&[6; 32]) && !with_leaves.has_taken(&[7; 32]));
    assert!(withheld.orders.contains(&withheld.order(ORDER)));
    assert!(!withheld.orders.contains(&withheld.order(OrderId([4; 16]))));
}

#[test]
fn a_line_that_a_crash_cut_withholds_nothing_and_the_next_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("annals/withheld");
    keep(&path, ORDER, &[], &[call(1, "a")], None).expect("kept");
    let mut bytes = fs::read(&path).expect("readable");
    bytes.extend_from_slice(b"record 12ab");
    fs::write(&path, bytes).expect("written");
    keep(&path, ORDER, &[], &[call(1, "b")], None).expect("kept");
    let withheld = Withheld::read(&path).expect("readable").expect("something");
    assert!(withheld.holds(&call(1, "a"), || None) && withheld.holds(&call(1, "b"), || None));
}

#[test]
fn a_file_that_others_can_read_is_not_believed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("annals/withheld");
    keep(&path, ORDER, &[], &[call(1, "a")], None).expect("kept");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("changed");
    assert!(Withheld::read(&path).is_err());
}
