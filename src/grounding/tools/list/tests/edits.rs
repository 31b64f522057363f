//! Exact replacements.

use serde_json::{Value, json};

use super::Folder;

const TEXT: &str = "fn a() {}\nfn b() {}\n\tfn a() {}\n";

#[test]
fn what_is_named_to_the_letter_is_replaced() {
    for (edit, after, lines) in [
        (json!({"old_string": "b()", "new_string": "c()"}), TEXT.replace("b()", "c()"), vec![2]),
        (
            json!({"old": "a()", "new": "x()", "replace_all": true}),
            TEXT.replace("a()", "x()"),
            vec![1, 3],
        ),
        (json!({"old": "fn b() {}\n", "new": ""}), TEXT.replace("fn b() {}\n", ""), vec![2]),
        (
            json!({"edits": [{"old": "b", "new": "a\nc"}, {"old": "c()", "new": "d()"}]}),
            TEXT.replace("b()", "a\nd()"),
            vec![2, 3],
        ),
        (json!({"old": "}\n\tfn", "new": "$1\\"}), TEXT.replace("}\n\tfn", "$1\\"), vec![2]),
    ] {
        let folder = Folder::new(&[("s.rs", TEXT)]);
        let mut arguments = edit.clone();
        arguments["path"] = json!("s.rs");
        let given = folder.call("file_edit", &arguments).unwrap();
        assert_eq!(folder.text("s.rs"), after, "{edit}");
        assert_eq!(given.data["lines"], json!(lines), "{edit}");
        assert_eq!((given.changed.len(), given.changed[0].created), (1, false));
    }
}

#[test]
fn what_is_not_meant_to_the_letter_changes_nothing_and_says_why() {
    let again = |edits: Value| json!({"path": "s.rs", "edits": edits});
    let one = |old: &str, new: &str| json!({"path": "s.rs", "old_string": old, "new_string": new});
    let folder = Folder::new(&[("s.rs", TEXT), ("crlf", "a\r\nb\r\n")]);
    folder.put("latin", b"\xe9");
    folder.put("execution_log.db", b"x");
    for (arguments, says) in [
        (
            one("fn a()", "x"),
            "edit 1 of \"s.rs\": its old text is there 2 times (lines 1, 3): give more",
        ),
        (one("zzz", "x"), "its old text is not there: read the file and copy it to the letter"),
        (one("  fn b() {}", "x"), "its first line is, but for spaces, line 2"),
        (one("", "x"), "old_string is empty: give what is there now"),
        (one("x", "x"), "are the same: nothing would change"),
        (json!({"path": "s.rs"}), "give old_string and new_string, or edits"),
        (json!({"path": "s.rs", "old_string": "a"}), "give old_string and new_string, or edits"),
        (again(json!([])), "give old_string and new_string, or edits"),
        (
            again(json!([{"old": "b", "new": "c"}, {"old": "b()", "new": "d"}])),
            "edit 2 of \"s.rs\": its old text is not there",
        ),
        (
            json!({"path": "crlf", "old_string": "a\nb", "new_string": "c"}),
            "the file's lines end in CRLF",
        ),
        (json!({"path": "latin", "old": "a", "new": "b"}), "\"latin\" is not UTF-8"),
        (json!({"path": "none", "old": "a", "new": "b"}), "there is no \"none\""),
        (
            json!({"path": "execution_log.db", "old": "x", "new": "b"}),
            "\"execution_log.db\" belongs to annals",
        ),
    ] {
        let said = folder.says("file_edit", &arguments);
        assert!(said.contains(says), "{arguments}: {said}");
    }
    assert_eq!(folder.text("s.rs"), TEXT);
    assert_eq!(folder.text("crlf"), "a\r\nb\r\n");
}

#[test]
fn an_edit_that_would_fill_the_disk_is_refused() {
    let folder = Folder::new(&[("s", &"a".repeat(1 << 20))]);
    let bomb = json!({"path": "s", "old": "a", "new": "b".repeat(1 << 20), "replace_all": true});
    let said = folder.says("file_edit", &bomb);
    assert!(said.contains("at most 16777216 are taken"), "{said}");
    assert_eq!(folder.text("s").len(), 1 << 20);
}
