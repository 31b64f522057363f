//! Real projects, broken and mended through the command line.

use std::path::Path;

use assert_cmd::Command as Program;
use serde_json::{Value, json};

use super::{last, project, settle, told};
use crate::project::{Project, Ran};

/// A command with what toolchains find themselves by: the home folder is the test's own.
pub fn with_toolchain(command: &mut Program) {
    let home = std::env::var("HOME").unwrap_or_default();
    for (name, folder) in [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")] {
        if std::env::var_os(name).is_none() {
            command.env(name, Path::new(&home).join(folder));
        }
    }
    command.env("CARGO_NET_OFFLINE", "true").env("RUST_BACKTRACE", "0");
}

/// `annals debug run FILE --json -- …`; what it said on standard error.
#[track_caller]
pub fn run(project: &Project, file: &str, tests: &[&str], code: i32) -> Value {
    let mut command = project.command();
    with_toolchain(&mut command);
    let words = ["debug", "run", "--json", file, "--"];
    let ran = Ran::of(command.args(words).args(tests)).code(code);
    let err = ran.err();
    let line = err.lines().rev().find(|line| line.starts_with('{'));
    let line = line.unwrap_or_else(|| panic!("no verdict in {err}"));
    serde_json::from_str(line).expect("JSON")
}

fn module(body: &str, of: i64) -> String {
    format!(
        "pub fn last(them: &[i64]) -> i64 {{\n    {body}\n}}\n\n#[cfg(test)]\nmod tests {{\n    \
         #[test]\n    fn takes_the_last() {{\n        assert_eq!(super::last(&[1, 2, {of}]), {of});\n    }}\n}}\n"
    )
}

/// A crate is broken, attempted three times and mended; a second file meets the same error, is offered
/// what helped, and says whether it did.
#[test]
fn a_crate_is_mended_in_three_attempts_and_the_next_file_is_offered_the_fix() {
    let project = project();
    settle(&project, "[debug]\nsnapshot = true\n");
    project.write("Cargo.toml", "[package]\nname = \"broken\"\nedition = \"2021\"\n[lib]\ndoctest = false\n[profile.test]\ndebug = 0\n");
    project.write("src/lib.rs", "pub mod a;\npub mod b;\n");
    project.write("src/a.rs", &module("them[them.len()]", 3));
    project.write("src/b.rs", &module("them[them.len()]", 9));
    let a = ["cargo", "test", "a::"];
    let first = run(&project, "src/a.rs", &a, 101);
    assert_eq!(
        (&first["attempt"], &first["opened"], &first["status"]),
        (&json!(1), &json!(true), &json!("in_progress"))
    );
    let cause = "the index is the length, which is one more than the last";
    let strategy = "take one from the length, or ask for the last";
    project
        .annals([
            "debug",
            "analyse",
            "--root-cause",
            cause,
            "--fix-strategy",
            strategy,
            "--category",
            "off_by_one",
        ])
        .code(0);
    project.annals(["debug", "fix", "--description", "Take two from the length"]).code(0);
    project.write("src/a.rs", &module("them[them.len() - 2]", 3));
    let second = run(&project, "src/a.rs", &a, 101);
    assert_eq!(second["verified"], json!({"attempt": 1, "verification": "failed"}));
    project
        .annals(["debug", "fix", "--description", "Ask for the last, which is there or not"])
        .code(0);
    project.write("src/a.rs", &module("*them.last().unwrap()", 3));
    let third = run(&project, "src/a.rs", &a, 0);
    assert_eq!((&third["attempt"], &third["status"]), (&json!(3), &json!("passed")));

    let document = last(&project);
    let attempts = document["executions"].as_array().expect("a list");
    let hashes: Vec<_> =
        attempts.iter().map(|it| it["code_hash"].as_str().expect("a hash")).collect();
    assert!(hashes.iter().all(|hash| hash.len() == 64) && hashes[0] != hashes[1], "{hashes:?}");
    let code = attempts[1]["code_snapshot"].as_str().expect("the code");
    assert!(code.contains("them[them.len() - 2]"), "{code}");
    let environment = &attempts[0]["environment"];
    assert_eq!(
        (&environment["runtime"], &environment["test_framework"]),
        (&json!("rust"), &json!("cargo test"))
    );
    assert!(environment["runtime_version"].is_string(), "{environment}");
    let broken = &attempts[0]["failures"][0];
    assert_eq!(
        (&broken["test_name"], &broken["source_location"]["file"]),
        (&json!("a::tests::takes_the_last"), &json!("src/a.rs"))
    );
    let wrong = &attempts[1]["failures"][0];
    assert_eq!(
        (&wrong["error_type"], &wrong["expected"], &wrong["actual"]),
        (&json!("AssertionError"), &json!("3"), &json!("2"))
    );
    let recurring = &document["learnings"]["recurring_failures"][0];
    assert_eq!(recurring["test"], json!("a::tests::takes_the_last"));

    // The second file.
    let b = ["cargo", "test", "b::"];
    let met = run(&project, "src/b.rs", &b, 101);
    assert_eq!(met["similar"][0]["file_path"], json!("src/a.rs"), "{met}");
    assert!(met["proposed"]["fix"]["description"].is_string(), "{met}");
    assert_eq!(
        met["document"]["executions"][0]["analysis"]["root_cause_category"],
        json!("off_by_one")
    );
    project.annals(["debug", "similar"]).code(0).says("same cause");
    let explained = project.annals(["debug", "similar", "--explain"]).code(0);
    explained.says("cause there: RuntimeError").says("cause here: RuntimeError");
    let trials = || {
        let told = told(&project, &["templates", "off_by_one"]);
        let rows = told.as_array().expect("a list").iter();
        let of_first = rows.filter(|it| it["session_id"] == document["session_id"]);
        of_first.map(|it| (it["successes"].clone(), it["trials"].clone())).collect::<Vec<_>>()
    };
    let before = trials();
    project.write("src/b.rs", &module("*them.last().unwrap()", 9));
    let mended = run(&project, "src/b.rs", &b, 0);
    assert_eq!(mended["verified"]["verification"], json!("passed"));
    assert!(before.contains(&(json!(1), json!(1))), "{before:?}");
    assert!(trials().contains(&(json!(2), json!(2))), "{before:?} {:?}", trials());
    project.annals(["rebuild", "--check"]).code(0);
}
