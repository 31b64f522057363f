//! `annals export sarif`: valid to its schema, stable, of what still stands, and read by somebody else's program.

use std::process::Command;

use serde_json::{Value, json};

use crate::project::{Project, Ran};
use crate::skipped::skipped;

const SCHEMA: &str = include_str!("../fixtures/sarif/schema-2.1.0.json");

/// Records a call of a shell in the folder `below` of the project.
fn call(project: &Project, id: &str, below: &str, command: &str, exit_code: i32, printed: &str) {
    let line = json!({
        "tool": "bash_exec", "arguments": {"command": command}, "exit_code": exit_code, "stdout": printed,
        "session": format!("s{}", &id[..1]), "agent": "x", "call": id, "cwd": project.path(below),
    });
    Ran::of(project.command().arg("record").write_stdin(line.to_string())).code(0);
}

const CARGO: &str = concat!(
    r#"{"reason":"compiler-message","message":{"message":"mismatched types","level":"error","code":{"code":"E0308"},"#,
    r#""spans":[{"file_name":"crates/a/src/of price.rs","line_start":3,"column_start":5,"is_primary":true}],"#,
    r#""children":[{"level":"help","message":"try `.into()`"}]}}"#,
    "\n"
);
const GO: &str = "--- FAIL: TestTotal (0.00s)\n    cart_test.go:8: Total() = 3, want 4\nFAIL\n\
                  FAIL\texample.com/shop\t0.006s\nFAIL\n";

fn checked() -> Project {
    let project = Project::new();
    call(&project, "1a", ".", "cargo check --message-format=json | cat", 0, CARGO);
    call(&project, "1b", "shop", "go test ./...", 1, GO);
    call(
        &project,
        "1c",
        ".",
        "gcc -c a.c b.c",
        1,
        "a.c:3:5: error: no\na.c:9:5: error: no\n/usr/x.h:1:2: warning: odd [-Wodd]\n",
    );
    call(&project, "1d", ".", "ls", 0, "a.c");
    call(&project, "2e", ".", "ruff check", 0, "All checks passed!\n");
    project
}

fn sarif<'a>(project: &Project, more: impl IntoIterator<Item = &'a str>) -> Value {
    let words = ["export", "sarif"].into_iter().chain(more);
    let document: Value = serde_json::from_str(&project.annals(words).code(0).out()).expect("JSON");
    // Its one pattern that is no expression, of members that we do not write.
    let schema = SCHEMA.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    assert_ne!(schema, SCHEMA);
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let schema = jsonschema::options()
        .with_draft(jsonschema::Draft::Draft4)
        .build(&schema)
        .expect("a schema");
    let wrong: Vec<String> =
        schema.iter_errors(&document).map(|it| format!("{}: {it}", it.instance_path())).collect();
    assert_eq!(wrong, [""; 0]);
    document
}

fn runs(document: &Value) -> &[Value] {
    document["runs"].as_array().expect("runs")
}

fn commands(document: &Value) -> Vec<&str> {
    runs(document)
        .iter()
        .map(|it| it["invocations"][0]["commandLine"].as_str().expect("a line"))
        .collect()
}

/// Of every result its rule, level, place and fingerprint.
fn results(document: &Value) -> Vec<[String; 4]> {
    let text = |it: &Value| it.as_str().map_or_else(|| it.to_string(), str::to_owned);
    let told = |it: &Value| {
        let place = &it["locations"][0]["physicalLocation"];
        let (at, region) = (&place["artifactLocation"], &place["region"]);
        let place = format!(
            "{} {} {}:{}",
            text(&at["uriBaseId"]),
            text(&at["uri"]),
            region["startLine"],
            region["startColumn"]
        );
        [
            text(&it["ruleId"]),
            text(&it["level"]),
            place,
            text(&it["partialFingerprints"]["annals/v1"]),
        ]
    };
    let all = runs(document).iter().flat_map(|it| it["results"].as_array().expect("results"));
    all.map(told).collect()
}

#[test]
fn each_check_is_a_run_with_its_diagnostics_and_failing_tests() {
    let project = checked();
    let document = sarif(&project, []);
    assert_eq!(
        commands(&document),
        [
            "cargo check --message-format=json | cat",
            "go test ./...",
            "gcc -c a.c b.c",
            "ruff check"
        ]
    );
    let found = results(&document);
    let found: Vec<_> = found.iter().map(|it| it[..3].join(" ")).collect();
    assert_eq!(
        found,
        [
            "E0308 error %SRCROOT% crates/a/src/of%20price.rs 3:5",
            "test-failure error %SRCROOT% shop/cart_test.go 8:null",
            "error error %SRCROOT% a.c 3:5",
            "error error %SRCROOT% a.c 9:5",
            "-Wodd warning null file:///usr/x.h 1:2",
        ]
    );
    let [cargo, go, gcc, ruff] = runs(&document) else { panic!("four") };
    assert_eq!(cargo["tool"]["driver"], json!({"name": "cargo check", "rules": [{"id": "E0308"}]}));
    assert_eq!(
        cargo["results"][0]["relatedLocations"][0]["message"]["text"],
        "help: try `.into()`"
    );
    assert_eq!(cargo["properties"]["verdict"], "failed");
    assert_eq!(cargo["properties"]["basis"], "output");
    let test = &go["results"][0];
    assert_eq!(test["message"]["text"], "TestTotal: Total() = 3, want 4");
    assert_eq!(test["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "TestTotal");
    assert_eq!(go["invocations"][0]["exitCode"], 1);
    assert_eq!(go["invocations"][0]["executionSuccessful"], true, "it ran to its end");
    assert_eq!(gcc["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(2));
    assert_eq!(ruff["results"], json!([]));
}

#[test]
fn of_each_check_the_newest_run_stands_until_another_has_ended_it() {
    let project = checked();
    call(&project, "2f", ".", "gcc -c a.c b.c", 1, "b.c:7:1: error: other\n");
    call(&project, "2g", "shop", "go test ./... -count=1", 0, "ok  \texample.com/shop\t0.1s\n");
    let standing = sarif(&project, []);
    assert_eq!(
        commands(&standing),
        [
            "cargo check --message-format=json | cat",
            "ruff check",
            "gcc -c a.c b.c",
            "go test ./... -count=1"
        ]
    );
    assert_eq!(sarif(&project, ["--all"])["runs"].as_array().map(Vec::len), Some(6));
    let of_session = sarif(&project, ["--all", "--session", "s1"]);
    assert_eq!(commands(&of_session).len(), 3);
    assert_eq!(runs(&sarif(&project, ["--since", "2199-01-01"])).len(), 0);
    // A declared check is one, however its line goes on.
    project.annals(["checks", "add", "./ci.sh", "--kind", "test"]).code(0);
    call(&project, "2h", ".", "./ci.sh one", 1, "a.c:1:2: error: no\n");
    call(&project, "2i", ".", "./ci.sh two", 1, "a.c:2:2: error: no\n");
    let standing = sarif(&project, []);
    assert_eq!(commands(&standing).iter().filter(|it| it.starts_with("./ci.sh")).count(), 1);
}

#[test]
fn fingerprints_stay_when_lines_move_and_sessions_come_again() {
    let (one, other) = (checked(), checked());
    let prints = |project: &Project| {
        results(&sarif(project, [])).into_iter().map(|it| it[3].clone()).collect::<Vec<_>>()
    };
    let first = prints(&one);
    assert_eq!(first, prints(&other));
    call(
        &one,
        "2f",
        ".",
        "gcc -c a.c b.c",
        1,
        "a.c:5:5: error: no\na.c:11:5: error: no\n/usr/x.h:2:2: warning: odd [-Wodd]\n",
    );
    let moved = prints(&one);
    assert_eq!(moved[2..], first[2..], "the lines moved");
    assert_eq!(first.iter().collect::<std::collections::BTreeSet<_>>().len(), first.len());
    one.annals(["rebuild"]).code(0);
    assert_eq!(prints(&one), moved);
}

#[test]
fn a_file_is_written_whole_and_what_is_no_check_is_refused() {
    let project = checked();
    let ran = project.annals(["export", "sarif", "-o", "checks.sarif"]).code(0);
    assert!(ran.err().contains("4 runs in checks.sarif"), "{}", ran.err());
    for words in [
        &["sarif", "events"][..],
        &["jsonl", "checks"],
        &["csv", "--all"],
        &["sarif", "--sql", "SELECT 1"],
    ] {
        project.annals(["export"].iter().chain(words)).code(2);
    }
    assert_eq!(sarif(&Project::new(), [])["runs"], json!([]));
    // Somebody else's program reads it: sarif-tools.
    let read =
        |words: &[&str]| Command::new("sarif").args(words).current_dir(project.root()).output();
    match read(&["--version"]) {
        Ok(ran) if ran.status.success() => {
            let ran = read(&["summary", "checks.sarif"]).expect("it runs");
            let told = String::from_utf8_lossy(&ran.stdout).into_owned();
            assert!(ran.status.success(), "{told}");
            assert!(told.contains("error: 4") && told.contains("warning: 1"), "{told}");
        }
        _ => skipped("sarif (sarif-tools of PyPI) is not here"),
    }
}

#[test]
fn a_run_whose_output_is_gone_is_told_and_left_out() {
    let project = checked();
    let long = format!("{}a.c:3:5: error: no\n", "a line of its own\n".repeat(60_000));
    call(&project, "2f", ".", "gcc -c long.c", 1, &long);
    assert_eq!(runs(&sarif(&project, [])).len(), 5);
    std::fs::remove_dir_all(project.path(".annals/journal/blobs")).expect("removed");
    // The journal itself is damaged: 3.
    let ran = project.annals(["export", "sarif"]).code(3).says("1 run without what it said");
    let document: Value = serde_json::from_str(&ran.out()).expect("JSON");
    assert_eq!(runs(&document).len(), 4);
}
