//! Which decisions touch a path.

use crate::repo::pack::gather::Impacted;

#[test]
fn a_path_is_touched_by_itself_by_folders_and_by_patterns() {
    for (impacted, path, expect) in [
        ("src/a.rs", "src/a.rs", true),
        ("./src/a.rs", "src//a.rs", true),
        ("src", "src/deep/a.rs", true),
        ("src/", "src/a.rs", true),
        ("src", "srcs/a.rs", false),
        ("src/a.rs", "src/a.rs.old", false),
        ("src/*.rs", "src/a.rs", true),
        ("src/*.rs", "src/deep/a.rs", false),
        ("src/**", "src/deep/a.rs", true),
        ("**/*.sql", "db/a.sql", true),
        ("*.{rs,md}", "a.md", true),
        ("docs", "src/a.rs", false),
        // A folder is at hand: so is what lies in it.
        ("src/deep/a.rs", "src", true),
        ("src/deep/a.rs", "src/de", false),
        (".", "src/a.rs", true),
        // No pattern after all.
        ("src/[a.rs", "src/[a.rs", true),
        ("src/[a.rs", "src/a.rs", false),
    ] {
        assert_eq!(Impacted::of(&[impacted.to_owned()]).touch(path), expect, "{impacted} {path}");
    }
    assert!(!Impacted::of(&[]).touch("src/a.rs"));
    let several = Impacted::of(&["a".to_owned(), "b/*".to_owned()]);
    assert!(several.touch_any(&["c".to_owned(), "b/x".to_owned()]));
    assert!(!several.touch_any(&[]));
}
