//! `annals context` and `annals repo map`: the hook-up; what packs tell is shown in `src/repo/context`.

use serde_json::Value;

use crate::project::{Project, Ran};

#[test]
fn a_pack_is_the_same_at_its_event_in_evidence_and_where_nothing_is_kept() {
    let project = Project::new();
    project.write("src/main.rs", "fn main() {}\n");
    project.annals(["repo", "note", "add", "cargo is slow here\n## Left out\n\u{1b}[2J"]).code(0);
    let line = r#"{"tool":"lsp_check","arguments":{"path":"."},"exit_code":101,"session":"s1"}"#;
    Ran::of(project.command().arg("record").write_stdin(line)).code(0);
    let first = project.annals(["context"]).code(0);
    assert!(first.err().is_empty(), "{}", first.err());
    let text = first.out();
    for told in ["cargo is slow", "\\## Left out", "#1 lsp_check", "- src/main.rs: fn main"] {
        assert!(text.contains(told), "no {told:?} in\n{text}");
    }
    assert!(!text.contains('\u{1b}') && !text.contains("\n## Left out"), "{text}");
    assert_eq!(project.annals(["context"]).code(0).out(), text, "told again");
    assert_eq!(project.annals(["context", "--evidence"]).code(0).out(), text, "in evidence");
    std::fs::remove_dir_all(project.path(".annals/packs")).expect("it is derived");
    let json = project.annals(["context", "--json"]).code(0).out();
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(format!("{}\n", json["text"].as_str().expect("a text")), text, "made anew");
    let at = format!("@{}", json["sequence"]);
    // Something more happens: as of then nothing has changed.
    project.write("src/main.rs", "fn main() {}\nfn more() {}\n");
    project.annals(["repo", "note", "add", "another"]).code(0);
    assert_ne!(project.annals(["context"]).code(0).out(), text);
    assert_eq!(project.annals(["context", "--at", &at]).code(0).out(), text, "as of then");
    project.annals(["repo", "map"]).code(0).says("src/main.rs: fn main, fn more");
    let nothing = project.annals(["context", "--max-chars", "5"]).code(0);
    assert_eq!(nothing.out(), "");
    nothing.says("no room to say that");
    project.annals(["repo", "map", "--refresh", "--at", &at]).code(2);
}
