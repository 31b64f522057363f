//! What a path means.

use std::fs;
use std::path::Path;

use tempfile::tempdir;

use super::*;

#[test]
fn a_path_is_what_lies_there() {
    let folder = tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    let segment = "0000000000-00000000000000000001.seg";
    for journal in ["project/.annals/journal", "copy/journal", "bare"] {
        fs::create_dir_all(at(journal)).unwrap();
        fs::write(at(journal).join(segment), "x").unwrap();
    }
    fs::create_dir(at("empty")).unwrap();
    let lone = format!("bare/{segment}");
    for (given, kind, journal, root) in [
        ("project", SourceKind::Project, "project/.annals/journal", Some("project")),
        ("project/.annals", SourceKind::Project, "project/.annals/journal", Some("project")),
        (
            "project/.annals/journal",
            SourceKind::Journal,
            "project/.annals/journal",
            Some("project"),
        ),
        ("copy", SourceKind::Journal, "copy/journal", None),
        ("copy/journal", SourceKind::Journal, "copy/journal", None),
        ("bare", SourceKind::Journal, "bare", None),
        (lone.as_str(), SourceKind::File, lone.as_str(), None),
    ] {
        let found = Source::of(&at(given)).unwrap();
        let real = |path: &Path| path.canonicalize().unwrap();
        assert_eq!(found.kind, kind, "{given}");
        assert_eq!(real(&found.journal), real(&at(journal)), "{given}");
        assert_eq!(found.root.as_deref().map(real), root.map(|root| real(&at(root))), "{given}");
        assert_eq!(found.is_writable(), kind == SourceKind::Project, "{given}");
    }
    assert!(matches!(Source::of(&at("empty")), Err(SourceError::Nothing { .. })));
    assert!(matches!(Source::of(&at("absent")), Err(SourceError::Absent { .. })));
    let inside = at("project/src");
    fs::create_dir(&inside).unwrap();
    assert_eq!(Source::find(&inside).unwrap().unwrap().label(), "project");
    assert_eq!(Source::of(&at("project/.annals")).unwrap().label(), "project");
}
