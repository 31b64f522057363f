//! What is kept between two readings is bounded.

use super::*;

#[test]
fn what_is_quiet_for_long_is_kept_no_longer_and_begins_anew() {
    let (root, others) = (Path::new("/p"), BTreeSet::new());
    let reading = || {
        let mut of = OfSession { open_at: vec![5], ..OfSession::default() };
        of.read(6);
        let kept = Sessions(vec![([1; 16], of)]);
        Reading::new(root, None, &others, kept)
    };
    assert_eq!(reading().kept(6 + QUIET_EVENTS).0.len(), 1);
    assert_eq!(reading().kept(7 + QUIET_EVENTS).0.len(), 0);
    let started = ExecutionStarted {
        execution: ExecutionId([2; 16]),
        parent: None,
        tool: "bash_exec".to_owned(),
        native_tool: None,
        actor: None,
        arguments: crate::event::Json("{}".to_owned()),
        paths: Vec::new(),
        symbols: Vec::new(),
        cwd: None,
        branch: None,
        call: None,
    };
    let open = BTreeMap::from([(started.execution, (Sequence(5), started))]);
    let mut of = OfSession { last: 6, open, ..OfSession::default() };
    // The beginning of a call that was open is read again, and is no news of it.
    for (sequence, last, left) in [
        (6 + QUIET_EVENTS, 6 + QUIET_EVENTS, 1),
        (5, 6 + QUIET_EVENTS, 1),
        (6 + 2 * QUIET_EVENTS, 6 + 2 * QUIET_EVENTS, 1),
        (7 + 3 * QUIET_EVENTS, 7 + 3 * QUIET_EVENTS, 0),
    ] {
        of.read(sequence);
        assert_eq!((of.last, of.open.len()), (last, left), "{sequence}");
    }
}

/// Debug memory keeps lines: one odd name must not end its learning.
#[test]
fn a_name_with_control_characters_is_kept_as_a_line() {
    let root = Path::new("/p");
    for name in ["a\u{1b}[31m.py", "/p/a\u{1b}[31m.py"] {
        assert_eq!(placed(root, name, root), "a\u{fffd}[31m.py");
    }
    assert_eq!(placed(root, "/q/a\nb.py", root), "/q/a\u{fffd}b.py");
}
