//! Which files matter, of made histories.

use std::collections::{BTreeMap, BTreeSet};

use super::history::{Touch, below, said};
use super::words::words;
use super::{AtHand, names, rank};

const DAY_MS: u64 = 86_400_000;

fn touch(path: &str, session: i64, changed: bool, day: u64) -> Touch {
    Touch { path: path.to_owned(), session, changed, at_ms: day * DAY_MS }
}

fn order(hand: &AtHand, touches: &[Touch], prompts: &[(i64, &str)]) -> Vec<String> {
    let branches = BTreeMap::from([(1, Some("main".to_owned())), (2, Some("me/till".to_owned()))]);
    let prompts: Vec<_> =
        prompts.iter().map(|(session, text)| (*session, (*text).to_owned())).collect();
    let said = said(&prompts);
    let failing = BTreeSet::from(["src/failing.rs".to_owned()]);
    let found = rank(hand, touches, &branches, &|| said.as_slice(), &failing);
    found.into_iter().map(|it| it.path).collect()
}

fn asked(prompt: &str) -> AtHand {
    AtHand { prompt: Some(prompt.to_owned()), ..AtHand::default() }
}

#[test]
fn what_was_touched_last_and_changed_comes_first() {
    let touches = [
        touch("src/old.rs", 1, true, 1),
        touch("src/read.rs", 1, false, 20),
        touch("src/new.rs", 1, true, 20),
    ];
    assert_eq!(
        order(&AtHand::default(), &touches, &[]),
        ["src/new.rs", "src/read.rs", "src/old.rs"]
    );
}

#[test]
fn what_the_prompt_names_or_means_comes_before_what_is_new() {
    let touches = [
        touch("src/telemetry/opt_out.rs", 1, true, 18),
        touch("src/resume.rs", 2, true, 16),
        touch("src/new.rs", 1, true, 20),
        touch("src/other.rs", 1, false, 20),
    ];
    let first =
        |prompt: &str, prompts: &[(i64, &str)]| order(&asked(prompt), &touches, prompts)[0].clone();
    assert_eq!(first("look at resume.rs", &[]), "src/resume.rs");
    assert_eq!(first("the telemetry optOut flag is inverted", &[]), "src/telemetry/opt_out.rs");
    let said = [(2, "sessions pick up where they stopped"), (1, "paint the door")];
    assert_eq!(first("why do stopped sessions not pick up?", &said), "src/resume.rs");
}

#[test]
fn what_belongs_to_the_branch_and_to_what_is_named_comes_before_what_does_not() {
    let touches = [
        touch("src/a.rs", 1, true, 20),
        touch("src/b.rs", 2, true, 19),
        touch("src/c.rs", 2, false, 19),
    ];
    let on_branch = AtHand { branch: Some("me/till".to_owned()), ..AtHand::default() };
    assert_eq!(order(&on_branch, &touches, &[]), ["src/b.rs", "src/a.rs", "src/c.rs"]);
    let about = AtHand { paths: vec!["src/c.rs".to_owned()], ..AtHand::default() };
    assert_eq!(order(&about, &touches, &[]), ["src/c.rs", "src/b.rs", "src/a.rs"]);
}

#[test]
fn what_fails_comes_up_and_tests_come_after_their_code() {
    let touches = [
        touch("src/a.rs", 1, true, 20),
        touch("src/failing.rs", 1, true, 19),
        touch("src/a_test.rs", 1, true, 20),
    ];
    assert_eq!(
        order(&AtHand::default(), &touches, &[]),
        ["src/failing.rs", "src/a.rs", "src/a_test.rs"]
    );
}

#[test]
fn words_are_parts_of_names_without_endings() {
    let found = |text: &str| words(text).into_iter().collect::<Vec<_>>().join(" ");
    assert_eq!(found("the HTTPServer opt_out parsing of sessions"), "http opt pars server sess");
    assert_eq!(found("a to is"), "");
}

#[test]
fn a_file_is_named_by_its_path_or_its_whole_name() {
    for (text, path, is) in [
        ("see src/cart.rs:3", "src/cart.rs", true),
        ("see cart.rs.", "src/cart.rs", true),
        ("see shopcart.rs", "src/cart.rs", false),
        ("see cart.rst", "src/cart.rs", false),
        ("a.rs", "src/a.rs", false),
        ("src/a.rs", "src/a.rs", true),
    ] {
        assert_eq!(names(text, path), is, "{text} {path}");
    }
}

#[test]
fn a_file_is_told_from_where_its_session_worked() {
    for (path, cwd, told) in [
        ("/w/p/src/a.rs", Some("/w/p"), Some("src/a.rs")),
        ("src/a.rs", Some("/w/p"), Some("src/a.rs")),
        ("./src/a.rs", None, Some("src/a.rs")),
        ("/w/q/a.rs", Some("/w/p"), None),
        ("/w/pq/a.rs", Some("/w/p"), None),
        ("../a.rs", None, None),
        ("src", None, None),
        ("node_modules/x/a.js", None, None),
        (".gitignore", None, Some(".gitignore")),
        ("Makefile", None, Some("Makefile")),
    ] {
        assert_eq!(below(path, cwd).as_deref(), told, "{path}");
    }
}
