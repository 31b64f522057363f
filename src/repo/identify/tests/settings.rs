//! git's settings, as git reads them.

use std::process::Command;

use proptest::prelude::*;

use super::super::settings::origin;

/// What is written, and the URL of `origin` in it.
const CASES: &[(&str, Option<&str>)] = &[
    ("[remote \"origin\"]\n\turl = a\n", Some("a")),
    ("[remote \"origin\"]\r\n\turl = a\r\n", Some("a")),
    ("\u{feff}[remote \"origin\"]\nurl=a", Some("a")),
    ("[REMOTE \"origin\"]\nURL = a", Some("a")),
    ("[remote \"ORIGIN\"]\nurl = a", None),
    ("[remote.origin]\nurl = a", Some("a")),
    ("[remote.ORIGIN]\nurl = a", Some("a")),
    ("[remote \"or\\igin\"]\nurl = a", Some("a")),
    ("[remote \"ori\\\"gin\"]\nurl = a", None),
    ("[remote \"origin\"] url = a # why", Some("a")),
    ("  [remote \"origin\"]\n;url = b\n#url = b\n  url   =   a  b   ; why\n", Some("a  b")),
    ("[remote \"origin\"]\nurl = \"a # b\"", Some("a # b")),
    ("[remote \"origin\"]\nurl = a\"  ; \"b", Some("a  ; b")),
    ("[remote \"origin\"]\nurl = a\\\nb", Some("ab")),
    ("[remote \"origin\"]\nurl = a\\\r\nb\r\n", Some("ab")),
    ("[remote \"origin\"]\nurl = a\\\\b\\\"c\\td", Some("a\\b\"c\td")),
    ("[remote \"origin\"]\nurl\nurl = a", Some("a")),
    ("[remote \"origin\"]\nurl = a\nurl = b", Some("a")),
    ("[remote \"origin\"]\nurls = b\npushurl = c\nurl = a", Some("a")),
    (
        "[remote \"origin\"]\nfetch = x\n[remote \"other\"]\nurl = b\n[remote \"origin\"]\nurl = a",
        Some("a"),
    ),
    ("[remote \"other\"]\nurl = b\n[branch \"origin\"]\nurl = c", None),
    ("[x]\nname = \"\\\n[remote \\\"origin\\\"]\\\nurl = b\"\n", None),
    ("[remote \"origin\"]\n[include]\npath = /etc/passwd\nurl = b", None),
    ("", None),
];

#[test]
fn the_url_of_origin_is_found_however_it_is_written() {
    for (text, url) in CASES {
        assert_eq!(origin(text.as_bytes()).as_deref(), *url, "{text:?}");
    }
}

/// Where git is here, it is asked the same.
#[test]
fn git_reads_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("config");
    for (text, url) in CASES {
        std::fs::write(&path, text).unwrap();
        let git = Command::new("git")
            .env("HOME", dir.path())
            .args(["config", "--no-includes", "--file"])
            .arg(&path)
            .args(["--get-all", "remote.origin.url"])
            .output();
        let Ok(git) = git else { return crate::skipped::skipped("no git") };
        let all = String::from_utf8_lossy(&git.stdout).into_owned();
        let first = all.lines().find(|line| !line.is_empty()).map(str::to_owned);
        assert_eq!(first.as_deref(), *url, "{text:?}: {}", String::from_utf8_lossy(&git.stderr));
    }
}

#[test]
fn a_line_that_git_would_refuse_is_passed_over() {
    for (text, url) in [
        ("[remote \"origin\"\nurl = a", None),
        ("[remote \"origin\nurl = a", None),
        ("[remote \"origin\"]\nurl = \"b\nurl = a", Some("a")),
        ("[remote \"origin\"]\nurl = \\q\nurl = a", Some("a")),
        ("[remote \"origin\"]\nurl = b\nurl =\nurl = a", Some("a")),
        ("[remote \"origin\"]\n= b\n%%% = c\n]\nurl = a", Some("a")),
        ("[remote \"origin\"]\nurl = a\\", None),
        ("[", None),
        ("[\"", None),
        ("[\"\\", None),
        ("[remote \"origin\"]\nurl = ", None),
        ("[remote \"origin\"]\nurl = \\", None),
    ] {
        assert_eq!(origin(text.as_bytes()).as_deref(), url, "{text:?}");
    }
}

proptest! {
    #[test]
    fn no_bytes_stop_it(
        bytes in proptest::collection::vec(any::<u8>(), 0..256),
        marks in "[\\[\\]\"\\\\=#;\r\n urlorigineturemote.\0-]{0,128}",
    ) {
        origin(&bytes);
        origin(marks.as_bytes());
        origin(format!("[remote \"origin\"]\nurl = {marks}").as_bytes());
    }
}
