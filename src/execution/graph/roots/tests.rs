//! Paths in every form, as keys and as the names that a graph may have.

use std::path::Path;

use super::Roots;

#[test]
fn a_path_has_one_key_however_it_is_told() {
    let roots = Roots::new(Path::new("/home/me/project"), None);
    let cases: [(&str, Option<&str>, &str); 15] = [
        ("src/lib.rs", None, "src/lib.rs"),
        ("./src/lib.rs", None, "src/lib.rs"),
        ("/home/me/project/src/lib.rs", None, "src/lib.rs"),
        ("/home/me/project/src/./x/../lib.rs", Some("/tmp"), "src/lib.rs"),
        ("lib.rs", Some("/home/me/project/src"), "src/lib.rs"),
        ("../lib.rs", Some("/home/me/project/src/cart"), "src/lib.rs"),
        ("../src/lib.rs", Some("tests"), "src/lib.rs"),
        ("src//lib.rs", Some("/home/me/project/"), "src/lib.rs"),
        ("file:///home/me/project/src/lib.rs", None, "src/lib.rs"),
        ("../other/lib.rs", None, "/home/me/other/lib.rs"),
        ("/home/me/project2/lib.rs", None, "/home/me/project2/lib.rs"),
        ("../../../../../etc/passwd", None, "/etc/passwd"),
        (".", None, ""),
        ("/home/me/project/", Some("/tmp"), ""),
        ("..", Some("/home/me/project/src"), ""),
    ];
    for (path, cwd, expect) in cases {
        assert_eq!(roots.key(path, cwd).as_str(), expect, "{path} in {cwd:?}");
    }
}

#[test]
fn a_project_that_moved_is_still_itself() {
    let mut roots = Roots::new(Path::new("/somewhere/else"), None);
    assert_eq!(
        roots.key("lib.rs", Some("/home/me/project/src")).as_str(),
        "/home/me/project/src/lib.rs"
    );
    roots.tell_from("/home/me/project/");
    for (path, cwd) in [
        ("lib.rs", Some("/home/me/project/src")),
        ("/home/me/project/src/lib.rs", None),
        ("/somewhere/else/src/lib.rs", None),
        ("src/lib.rs", None),
    ] {
        assert_eq!(roots.key(path, cwd).as_str(), "src/lib.rs", "{path} in {cwd:?}");
    }
    for nowhere in ["", "/", "relative"] {
        roots.tell_from(nowhere);
        assert_eq!(roots.key("/etc/passwd", None).as_str(), "/etc/passwd", "{nowhere}");
    }
}

#[test]
fn a_link_to_the_project_is_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().canonicalize().unwrap().join("real");
    std::fs::create_dir(&real).unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let roots = Roots::new(&link, None);
    for root in [&real, &link] {
        let path = root.join("src/lib.rs");
        assert_eq!(roots.key(&path.to_string_lossy(), None).as_str(), "src/lib.rs");
    }
}

#[test]
fn a_file_is_looked_for_under_every_name_that_magellan_gave() {
    // The index's root, a path, and the names it may have.
    let cases: [(Option<&str>, &str, &[&str]); 6] = [
        (None, "a.rs", &["a.rs", "./a.rs", "/p/a.rs"]),
        (Some("/p"), "a.rs", &["a.rs", "./a.rs", "/p/a.rs"]),
        // Another folder's graph, copied with the project.
        (
            Some("/workspace/sample"),
            "a.rs",
            &["a.rs", "./a.rs", "/p/a.rs", "/workspace/sample/a.rs"],
        ),
        // Only a part of the project was indexed, or more than it.
        (Some("/p/core"), "core/a.rs", &["a.rs", "./a.rs", "/p/core/a.rs"]),
        (Some("/p/core"), "a.rs", &["/p/a.rs"]),
        (Some("/"), "a.rs", &["p/a.rs", "./p/a.rs", "/p/a.rs"]),
    ];
    for (index, path, expect) in cases {
        let roots = Roots::new(Path::new("/p"), index);
        let key = roots.key(path, None);
        assert_eq!(roots.names(&key), expect, "{path} of {index:?}");
        for name in expect.iter().filter(|name| !name.starts_with("./")) {
            assert_eq!(roots.key_of_name(name), key, "{name} of {index:?}");
        }
    }
}

#[test]
fn a_compilers_file_is_told_from_where_it_ran_or_from_the_root() {
    let roots = Roots::new(Path::new("/p"), None);
    let cases = [
        ("src/lib.rs", Some("/p"), "src/lib.rs"),
        ("crates/a/src/lib.rs", Some("/p/crates/a"), "crates/a/src/lib.rs"),
        ("src/lib.rs", Some("/p/crates/a"), "crates/a/src/lib.rs"),
        ("src/lib.rs", None, "src/lib.rs"),
        ("/p/src/lib.rs", Some("/p/crates/a"), "src/lib.rs"),
    ];
    for (path, cwd, expect) in cases {
        assert_eq!(roots.told_key(path, cwd).as_str(), expect, "{path} in {cwd:?}");
    }
}
