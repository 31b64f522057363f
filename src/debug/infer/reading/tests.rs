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
    let mut of = OfSession { last: 6, ..OfSession::default() };
    of.folder = Some(root.to_owned());
    of.read(6 + QUIET_EVENTS);
    assert_eq!(of.last, 6 + QUIET_EVENTS);
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
