//! The splice program: what is said where it is not installed, and what never reaches it.

use serde_json::json;

use super::Folder;

/// What its tools hold before they look for the program.
#[test]
fn what_a_replacement_names_is_inside_the_project_and_there() {
    let plan = json!({"steps": [
        {"file": "src/a.rs", "symbol": "a", "kind": "fn", "with": "p/a.rs"},
        {"file": "src/a.rs", "symbol": "b", "with": "/etc/passwd"},
    ]});
    let folder = Folder::new(&[
        ("src/a.rs", "fn a() {}\n"),
        ("p/a.rs", "fn a() { 1 }\n"),
        ("plan.json", &plan.to_string()),
        ("bad.json", "{\"steps\": 7}"),
        ("codegraph.db", ""),
    ]);
    std::os::unix::fs::symlink("/etc/passwd", folder.path("leak")).unwrap();
    let patch = |file: &str, with: &str| json!({"file": file, "symbol": "a", "with": with});
    for (tool, arguments, says) in [
        ("splice_patch", patch("src/a.rs", "/etc/passwd"), "outside the project"),
        ("splice_patch", patch("src/a.rs", "leak"), "is a symbolic link"),
        ("splice_patch", patch("leak", "p/a.rs"), "is a symbolic link"),
        ("splice_patch", patch("src/none.rs", "p/a.rs"), "there is no \"src/none.rs\""),
        ("splice_patch", patch("codegraph.db", "p/a.rs"), "belongs to annals"),
        ("splice_plan", json!({"file": "plan.json"}), "outside the project"),
        ("splice_plan", json!({"file": "bad.json"}), "\"bad.json\" is no plan"),
    ] {
        let said = folder.says(tool, &arguments);
        assert!(said.contains(says), "{arguments}: {said}");
    }
}

#[test]
fn without_the_program_the_tools_say_how_to_get_it() {
    if std::process::Command::new("splice").arg("--version").output().is_ok() {
        crate::skipped::skipped("splice is installed here");
        return;
    }
    let folder = Folder::new(&[("src/a.rs", "fn a() {}\n"), ("p.rs", "fn a() { 1 }\n")]);
    let said = folder.says(
        "splice_patch",
        &json!({
            "file": "src/a.rs", "symbol": "a", "kind": "fn", "with": "p.rs",
        }),
    );
    assert_eq!(said, "splice is not installed, or not in PATH: cargo install splice");
    assert_eq!(folder.text("src/a.rs"), "fn a() {}\n");
}
