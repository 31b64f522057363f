//! Finding lines and files.

use serde_json::{Value, json};

use super::Folder;

fn folder() -> Folder {
    let folder = Folder::new(&[
        ("src/a.rs", "fn alpha() {\n    beta();\n}\n"),
        ("src/deep/b.rs", "fn Beta() {}\r\n"),
        ("target/x.rs", "fn beta() {}\n"),
        (".gitignore", "target/\n"),
        (".hidden/h.rs", "beta\n"),
        (".annals/j.rs", "beta\n"),
        ("notes.md", "beta [1]\n"),
    ]);
    folder.put("bin.rs", b"beta\0");
    std::os::unix::fs::symlink("/etc", folder.path("etc")).unwrap();
    std::os::unix::fs::symlink("a.rs", folder.path("src/link.rs")).unwrap();
    folder
}

#[test]
fn lines_are_found_where_git_would_look() {
    let folder = folder();
    for (arguments, text) in [
        (json!({"pattern": "beta"}), "notes.md:1:beta [1]\nsrc/a.rs:2:    beta();\n"),
        (
            json!({"pattern": "BETA", "ignore_case": true, "glob": "*.rs"}),
            "src/a.rs:2:    beta();\nsrc/deep/b.rs:1:fn Beta() {}\n",
        ),
        (json!({"pattern": "[1]", "fixed": true}), "notes.md:1:beta [1]\n"),
        (json!({"pattern": r"^fn \w+\(\) \{\}$"}), "src/deep/b.rs:1:fn Beta() {}\n"),
        (
            json!({"pattern": "beta", "path": "src", "context": 1}),
            "src/a.rs-1-fn alpha() {\nsrc/a.rs:2:    beta();\nsrc/a.rs-3-}\n",
        ),
        (json!({"pattern": "fn", "path": "src/a.rs"}), "src/a.rs:1:fn alpha() {\n"),
        (json!({"pattern": "^beta$", "hidden": true}), ".hidden/h.rs:1:beta\n"),
        (json!({"pattern": "fn", "glob": ["src/*.rs", "*.md"]}), "src/a.rs:1:fn alpha() {\n"),
        (json!({"pattern": "nowhere"}), ""),
    ] {
        let given = folder.call("file_search", &arguments).unwrap();
        assert_eq!(given.text, text, "{arguments}");
    }
    let given = folder.call("file_search", &json!({"pattern": ".", "limit": 2})).unwrap();
    assert_eq!(given.data["matches"].as_array().map(Vec::len), Some(2));
    assert_eq!(given.data["more"], Value::Bool(true));
    assert_eq!(
        given.note.as_deref(),
        Some("the first 2 matches: narrow the search, or raise limit")
    );
}

#[test]
fn files_are_found_by_their_paths() {
    let folder = folder();
    for (arguments, paths) in [
        (json!({"pattern": "**/*.rs"}), "bin.rs\nsrc/a.rs\nsrc/deep/b.rs"),
        (json!({"pattern": "*.rs"}), "bin.rs"),
        (json!({"pattern": "*.rs", "path": "src"}), "src/a.rs"),
        (json!({"pattern": ["*.md", "src/**/b.rs"]}), "notes.md\nsrc/deep/b.rs"),
        (
            json!({"pattern": "**/*.{rs,md}", "hidden": true}),
            ".hidden/h.rs\nbin.rs\nnotes.md\nsrc/a.rs\nsrc/deep/b.rs",
        ),
        (json!({"pattern": "./src/?.rs"}), "src/a.rs"),
        (json!({"pattern": "**", "path": "target"}), "target/x.rs"),
        (json!({"pattern": "*.rs", "path": "src/a.rs"}), "src/a.rs"),
        (json!({"pattern": "**/*.rs", "limit": 1}), "bin.rs"),
        (json!({"pattern": "etc/*"}), ""),
    ] {
        let given = folder.call("file_glob", &arguments).unwrap();
        assert_eq!(given.text, paths, "{arguments}");
    }
}

#[test]
fn what_cannot_be_looked_for_is_said() {
    let folder = folder();
    for (tool, arguments, says) in [
        ("file_search", json!({"pattern": "("}), "the pattern \"(\" is not one: unclosed group"),
        (
            "file_search",
            json!({"pattern": ""}),
            "the pattern \"\" is not one: give 1 to 4096 bytes",
        ),
        ("file_search", json!({"pattern": "(a{1000}){1000}"}), "size limit"),
        ("file_search", json!({"pattern": "a", "glob": "["}), "the pattern \"[\" is not one"),
        ("file_search", json!({"pattern": "a", "path": "etc"}), "\"etc\" is a symbolic link"),
        ("file_search", json!({"pattern": "a", "path": "etc/passwd"}), "is a symbolic link"),
        ("file_search", json!({"pattern": "a", "path": "no"}), "there is no \"no\""),
        ("file_glob", json!({"pattern": "a{"}), "the pattern \"a{\" is not one"),
        ("file_glob", json!({"pattern": "*", "path": "/etc"}), "\"/etc\" is outside the project"),
        ("file_glob", json!({"pattern": "*", "path": ".."}), "\"..\" has `..` in it"),
    ] {
        let said = folder.says(tool, &arguments);
        assert!(said.contains(says), "{arguments}: {said}");
    }
}
