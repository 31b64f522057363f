//! Settings files of every kind: put in and taken out to the byte, or refused and left.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::{LOCAL, Scratch, tree};

/// Other people's hooks, in their own style.
const OTHERS: &str = "{\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}\n\t\t]\n\t},\n\t\"x-unknown\": [1.0, {}]\n}";

#[test]
fn every_file_comes_back_to_the_byte() {
    let big =
        format!("{{\"permissions\": {{\"allow\": [{}\"x\"]}}}}\n", "\"Bash(ls)\", ".repeat(90_000));
    for text in [
        "",
        "{}",
        "{}\n",
        "{\n\t\"a\": 1\n}\n",
        "{\n    \"a\": 1\n}",
        "{\r\n  \"a\": 1\r\n}\r\n",
        "\u{feff}{\n  \"a\": \"\u{e9}\"\n}\n",
        "{\"permissions\":{\"allow\":[]},\"hooks\":{}}",
        OTHERS,
        &big,
    ] {
        let scratch = Scratch::new(&[".claude"]);
        let path = scratch.project.write(LOCAL, text);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("set");
        scratch.annals(&["init"]).code(0);
        scratch.annals(&["enable", "--yes"]).code(0).says("As it was: ");
        let with = fs::read_to_string(&path).expect("read");
        assert!(with.len() > text.len() + 500 && with.contains("hook claude-code"));
        let mode = |path: &std::path::Path| path.metadata().expect("there").permissions().mode();
        assert_eq!(mode(&path) & 0o777, 0o640);
        let folder = scratch.project.path(".claude");
        let backups: Vec<_> = tree(&folder).into_iter().filter(|(it, _)| *it != path).collect();
        assert_eq!(backups.len(), 1);
        assert_eq!(backups[0].1.as_deref(), Some(text.as_bytes()));
        assert_eq!(mode(&backups[0].0) & 0o777, 0o600);
        scratch.annals(&["disable", "--yes"]).code(0).says("to the byte");
        assert_eq!(fs::read_to_string(&path).expect("read"), text);
        assert_eq!(mode(&path) & 0o777, 0o640);
        assert_eq!(tree(&folder).len(), 1, "a backup that the file is again has served");
    }
}

#[test]
fn an_edit_in_between_stays() {
    let scratch = Scratch::new(&[".claude"]);
    let path = scratch.project.write(LOCAL, OTHERS);
    scratch.annals(&["enable", "--yes"]).code(0);
    let with = fs::read_to_string(&path).expect("read");
    fs::write(&path, with.replace("1.0", "2.0")).expect("written");
    scratch.annals(&["disable", "--yes"]).code(0).says("only these lines go");
    assert_eq!(fs::read_to_string(&path).expect("read"), OTHERS.replace("1.0", "2.0"));
    assert_eq!(tree(&scratch.project.path(".claude")).len(), 2, "the backup stays");
}

#[test]
fn a_file_that_the_agent_wrote_anew_loses_only_ours() {
    let scratch = Scratch::new(&[".claude"]);
    let path = scratch.project.path(LOCAL);
    scratch.annals(&["enable", "--yes"]).code(0);
    let again = |text: &str| {
        let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
        serde_json::to_string_pretty(&value).expect("JSON")
    };
    let with = fs::read_to_string(&path).expect("read");
    // As Claude Code does it when a person allows a command for good.
    let allowed = with.replacen('{', "{\"permissions\": {\"allow\": [\"Bash(ls)\"]},", 1);
    fs::write(&path, again(&allowed)).expect("written");
    scratch.annals(&["enable", "--yes"]).code(0).says("already");
    scratch.annals(&["disable", "--yes"]).code(0);
    let left = fs::read_to_string(&path).expect("read");
    assert_eq!(left, again("{\"permissions\": {\"allow\": [\"Bash(ls)\"]}}"));

    fs::remove_file(&path).expect("removed");
    scratch.annals(&["enable", "--yes"]).code(0);
    fs::write(&path, again(&fs::read_to_string(&path).expect("read"))).expect("written");
    scratch.annals(&["disable", "--yes"]).code(0);
    assert!(!path.exists(), "nothing is in it, and enabling made it");
}

#[test]
fn a_link_is_written_through() {
    let scratch = Scratch::new(&[".claude"]);
    let real = scratch.project.write("dotfiles/claude.json", "{\"a\": 1}\n");
    fs::create_dir(scratch.project.path(".claude")).expect("made");
    let link = scratch.project.path(LOCAL);
    symlink("../dotfiles/claude.json", &link).expect("linked");
    scratch.annals(&["enable", "--yes"]).code(0);
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    assert!(fs::read_to_string(&real).expect("read").contains("hook claude-code"));
    scratch.annals(&["disable", "--yes"]).code(0);
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    assert_eq!(fs::read_to_string(&real).expect("read"), "{\"a\": 1}\n");
    assert_eq!(tree(&scratch.project.path("dotfiles")).len(), 1);
}

#[test]
fn what_cannot_be_edited_safely_is_refused_before_anything_is_done() {
    type Prepare = fn(&Scratch);
    let cases: [(&str, Prepare); 7] = [
        (":2:3: not valid JSON: key must be a string", |it| {
            it.project.write(LOCAL, "{\n  // mine\n  \"a\": 1\n}");
        }),
        (":1:11: \"hooks\" is not an object", |it| {
            it.project.write(LOCAL, "{\"hooks\": []}");
        }),
        (":1:6: not valid UTF-8", |it| {
            let path = it.project.write(LOCAL, "");
            fs::write(path, b"{\"a\":\xff}").expect("written");
        }),
        ("is write-protected", |it| {
            let path = it.project.write(LOCAL, "{}");
            fs::set_permissions(path, fs::Permissions::from_mode(0o444)).expect("set");
        }),
        ("is a link that leads nowhere", |it| {
            fs::create_dir(it.project.path(".claude")).expect("made");
            symlink("nowhere", it.project.path(LOCAL)).expect("linked");
        }),
        ("is not a settings file", |it| {
            fs::create_dir_all(it.project.path(LOCAL)).expect("made");
        }),
        (":1:1: not valid JSON: expected value", |it| {
            // Of the second agent: nothing is done for the first one either.
            fs::create_dir(it.home(".codex")).expect("made");
            fs::write(it.home(".codex/hooks.json"), "hooks = []").expect("written");
        }),
    ];
    for (says, prepare) in cases {
        let scratch = Scratch::new(&[".claude"]);
        prepare(&scratch);
        let before = (tree(&scratch.home("")), tree(scratch.project.root()));
        scratch.annals(&["enable", "--yes"]).code(2).says(says);
        assert_eq!((tree(&scratch.home("")), tree(scratch.project.root())), before, "{says}");
    }
}
