//! Reading and writing files.

use serde_json::json;

use super::Folder;
use crate::event::Change;
use crate::grounding::tools::TEXT_BYTES_MAX;

#[test]
fn a_file_is_read_whole_or_in_part() {
    let folder = Folder::new(&[
        ("a", "one\ntwo\r\nthree"),
        ("empty", ""),
        ("long", &"x".repeat(TEXT_BYTES_MAX + 10)),
        ("many", &"line\n".repeat(3_000)),
    ]);
    folder.put("latin", b"caf\xe9\n");
    folder.put("bin", b"\x7fELF\0\0");
    let long = "x".repeat(TEXT_BYTES_MAX);
    let many = "line\n".repeat(2_000);
    for (arguments, text, note) in [
        (json!({"path": "a"}), "one\ntwo\r\nthree", ""),
        (json!({"file_path": "./a", "limit": 1}), "one\n", "lines 1 to 1; go on with offset 2"),
        (json!({"path": "a", "offset": 2, "limit": 1}), "two\r\n", "lines 2 to 2; go on with"),
        (json!({"path": "a", "offset": 3}), "three", ""),
        (json!({"path": "a", "offset": 0}), "one\ntwo\r\nthree", ""),
        (json!({"path": "a", "offset": 9}), "", "it has 3 lines: nothing from line 9 on"),
        (json!({"path": "a", "limit": 0}), "", "go on with offset 1"),
        (json!({"path": "empty"}), "", ""),
        (json!({"path": "latin"}), "caf\u{fffd}\n", "not all of it is UTF-8"),
        (json!({"path": "long"}), &long, "line 1 is longer than 262144 bytes"),
        (json!({"path": "many"}), &many, "lines 1 to 2000; go on with offset 2001"),
    ] {
        let given = folder.call("file_read", &arguments).unwrap();
        assert!(given.text == text, "{arguments}: {} bytes", given.text.len());
        let said = given.note.unwrap_or_default();
        assert!(said.contains(note) && said.is_empty() == note.is_empty(), "{arguments}: {said}");
    }
    for (path, says) in [
        ("bin", "\"bin\" is binary (6 bytes): not shown"),
        ("none", "there is no \"none\": file_glob lists what there is"),
        ("../a", "\"../a\" has `..` in it: give the path from the project's root"),
    ] {
        assert_eq!(folder.says("file_read", &json!({"path": path})), says);
    }
}

#[test]
fn a_file_is_made_once_and_replaced_any_number_of_times() {
    let folder = Folder::new(&[]);
    let made = folder.call("file_create", &json!({"path": "d/a", "content": "1"})).unwrap();
    assert_eq!(made.changed, [Change { path: "d/a".into(), created: true }]);
    let said = folder.says("file_create", &json!({"path": "d/a", "contents": "2"}));
    assert_eq!(
        said,
        "\"d/a\" exists already: change it with file_edit, or replace it with file_write"
    );
    assert_eq!(folder.text("d/a"), "1");
    for (path, created) in [("d/a", false), ("d/b", true)] {
        let written = folder.call("file_write", &json!({"path": path, "content": "é\n"})).unwrap();
        assert_eq!(written.changed, [Change { path: path.into(), created }]);
        assert_eq!(folder.text(path), "é\n");
    }
    let said = folder.says("file_write", &json!({"path": "d", "content": ""}));
    assert_eq!(said, "\"d\" is a folder: name a file");
    let said = folder.says("file_write", &json!({"path": ".annals/x", "content": ""}));
    assert_eq!(said, "\".annals/x\" belongs to annals: tools do not change it");
    assert!(!folder.path(".annals").exists());
}
