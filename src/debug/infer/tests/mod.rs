//! What edits and patches come to, whatever their arguments are.

mod commands;

use proptest::prelude::*;
use serde_json::json;

use super::DIFF_BYTES_MAX;
use super::chain::Chain;
use super::edit::{Edit, is_edit};
use super::fix::fix;
use crate::event::{Change, Closing, ExecutionId, Outcome};

fn closing(changed: &[(&str, bool)]) -> Closing {
    let change =
        |(path, created): &(&str, bool)| Change { path: (*path).to_owned(), created: *created };
    Closing {
        outcome: Outcome::Ok,
        exit_code: None,
        duration_ms: None,
        error: None,
        stdout: None,
        stderr: None,
        diagnostics: None,
        paths: Vec::new(),
        symbols: Vec::new(),
        changed: changed.iter().map(change).collect(),
    }
}

fn edit(arguments: &serde_json::Value, changed: &[(&str, bool)]) -> Edit {
    Edit::of(7, &arguments.to_string(), &["a.rs".to_owned()], &closing(changed))
}

#[test]
fn edits_are_counted_in_lines_from_what_the_call_was_told() {
    let patch = "*** Begin Patch\n*** Update File: b.rs\n@@\n x\n-old\n+new\n+more\n*** End Patch";
    let unified = "--- a/b.rs\n+++ b/b.rs\n@@ -1 +1 @@\n-old\n+new\n";
    let several = json!([{"old_string": "a\nb", "new_string": "a\nc"}, {"old_string": "x", "new_string": ""}]);
    for (arguments, changed, expect) in [
        (json!({"old_string": "a\nb\nc", "new_string": "a\nB\nB\nc"}), &[][..], (2, Some(1))),
        (json!({"edits": several}), &[], (1, Some(2))),
        (json!({"content": "one\ntwo\n"}), &[("a.rs", true)], (2, Some(0))),
        (json!({"content": "one\ntwo\n"}), &[("a.rs", false)], (2, None)),
        (json!({"input": patch}), &[("b.rs", false)], (2, Some(1))),
        (
            json!({"command": format!("apply_patch <<'X'\n{patch}\nX")}),
            &[("b.rs", false)],
            (2, Some(1)),
        ),
        (json!({"patch": unified}), &[("b.rs", false)], (1, Some(1))),
        (json!({"command": "sed -i s/a/b/ a.rs"}), &[("a.rs", false)], (0, Some(0))),
        (json!({"edits": 5, "old_string": 7}), &[], (0, Some(0))),
        (json!([1, 2]), &[], (0, Some(0))),
    ] {
        let edit = edit(&arguments, changed);
        assert_eq!((edit.added, edit.removed), expect, "{arguments}");
    }
}

#[test]
fn several_edits_are_one_fix() {
    let one = edit(&json!({"old_string": "a - b", "new_string": "a + b"}), &[]);
    let two = edit(&json!({"content": "x"}), &[("b.rs", true)]);
    let (at_ms, told) = fix(&[one.clone(), two]).expect("a fix");
    assert_eq!(at_ms, 7);
    assert_eq!(told.description, "Changed a.rs and 1 more: `a - b` became `a + b`");
    assert_eq!(told.diff_summary.as_deref(), Some("+2/-1 lines"));
    assert_eq!(told.files_changed, Some(vec!["a.rs".to_owned(), "b.rs".to_owned()]));
    assert!(told.diff.expect("a diff").contains("-a - b\n+a + b\n"));
    let over = edit(&json!({"content": "x"}), &[("b.rs", false)]);
    let (_, told) = fix(&[one, over]).expect("a fix");
    assert_eq!(told.diff_summary.as_deref(), Some("+2/-? lines"));
    assert_eq!(fix(&[]), None);
}

#[test]
fn what_no_check_looks_at_is_no_fix() {
    let edited = |file: &str| Edit { files: vec![file.to_owned()], ..Edit::default() };
    let files = |edits: &[Edit]| fix(edits).map(|it| it.1.files_changed.unwrap_or_default());
    assert_eq!(files(&[edited("README.md"), edited("docs/a.rst")]), None);
    let both = files(&[edited("/w/src/a.rs"), edited("README.md")]);
    assert_eq!(both, Some(vec!["/w/src/a.rs".to_owned()]));
}

#[test]
fn an_id_follows_from_the_first_run_alone() {
    let ids = [[1; 16], [2; 16]].map(|bytes| Chain::id(ExecutionId(bytes)));
    assert_ne!(ids[0], ids[1]);
    assert_eq!(ids[0], Chain::id(ExecutionId([1; 16])));
}

#[test]
fn what_changes_files_is_an_edit_whatever_its_tool() {
    assert!(is_edit("file_edit", &closing(&[])));
    assert!(is_edit("bash_exec", &closing(&[("a", false)])));
    assert!(!is_edit("bash_exec", &closing(&[])));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn arguments_of_any_shape_are_read_within_bounds(text in ".{0,200}", lines in 0usize..4_000) {
        let content = format!("{text}\n").repeat(lines.min(40_000 / (text.len() + 1)));
        for arguments in [
            text.clone(),
            json!({"content": content}).to_string(),
            json!({"old_string": content, "new_string": text}).to_string(),
            json!({"input": format!("*** Begin Patch\n{content}")}).to_string(),
        ] {
            let edit = Edit::of(0, &arguments, &[], &closing(&[]));
            prop_assert!(edit.diff.len() <= DIFF_BYTES_MAX + 8);
        }
    }
}
