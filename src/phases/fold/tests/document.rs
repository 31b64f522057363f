//! Spec 003 read word by word: each file and field that it names is one that we write.

use std::fs;

use super::{applied, completed, files, folded, inline, place, prompt, queried, rendered};
use crate::event::{ArtifactsAccepted, Body, PhaseName};

#[test]
fn every_file_and_field_that_the_document_names_is_written() {
    const DOCUMENT: &str =
        include_str!("../../../../tests/fixtures/spec/003-branch-memory-flow.md");
    let (_folder, path, _) = folded(&[
        completed("<id>", PhaseName::Download, inline("1")),
        completed("<id>", PhaseName::Compile, inline("3")),
        completed("<id>", PhaseName::Run, inline("4")),
        Body::ArtifactsAccepted(ArtifactsAccepted {
            place: place("<id>"),
            artifacts: inline("{}"),
        }),
        queried("draft_attempt1", "{}", "r"),
        applied(
            r#"[{"type":"core_set","timestamp":1,"key":"k","value":"v"},{"type":"archival_write","timestamp":1,"text":"t","tags":[]}]"#,
            Some(prompt("draft_attempt1", 0)),
        ),
        rendered(false, Some(prompt("draft_attempt1", 0))),
    ]);
    let made = files(&path);
    let (_, tree) = DOCUMENT.split_once("experiments/<run>/\n").unwrap();
    let tree = tree.split("└── memory/").next().unwrap();
    let named: Vec<_> = tree
        .lines()
        .filter_map(|line| line.split("── ").nth(1)?.split_whitespace().next())
        .filter(|name| !name.ends_with('/'))
        .collect();
    assert_eq!(named.len(), 8, "{named:?}");
    for name in named {
        assert!(made.iter().any(|file| file.ends_with(&format!("/{name}"))), "{name}: {made:?}");
    }
    // Each name of the example's members stands in our line, in its order.
    for log in ["memory_operations", "memory_injections"] {
        let (_, example) = DOCUMENT.split_once(&format!("**{log}.jsonl**")).unwrap();
        let example = example.split("```").nth(1).unwrap();
        let at = made.iter().find(|file| file.ends_with(&format!("{log}.jsonl"))).unwrap();
        let ours = fs::read_to_string(path.join(at)).unwrap();
        let mut rest = ours.as_str();
        let names: Vec<_> = example.split('"').skip(1).step_by(2).collect();
        let is_name = |name: &&&str| example.contains(&format!("\"{name}\":"));
        for name in names.iter().filter(is_name) {
            let found = rest.split_once(&format!("\"{name}\":"));
            rest = found.unwrap_or_else(|| panic!("{log}: no {name} in {rest}")).1;
        }
    }
}
