//! The tables that other programs read: asked of one journal and of several, written as Parquet, and the ready questions.

use std::collections::BTreeSet;
use std::path::Path;

use annals::internal::stores::exported::EXPORTED;
use serde_json::Value;

use crate::project::{Project, Ran};

/// A project with a check that failed, one that passed, and a prompt.
fn filled(session: &str) -> Project {
    let project = Project::new();
    let mut lines = String::new();
    for (at, (exit, text)) in
        [(1, "a.c:3:5: error: no such thing"), (0, "")].into_iter().enumerate()
    {
        let call = serde_json::json!({
            "tool": "bash_exec", "arguments": {"command": "gcc -c a.c"}, "exit_code": exit, "stderr": text,
            "session": session, "agent": "x", "call": format!("c{at}"),
        });
        lines.push_str(&format!("{call}\n"));
    }
    Ran::of(project.command().arg("record").write_stdin(lines)).code(0);
    project
}

fn rows(project: &Project, words: &[&str]) -> Vec<Value> {
    let ran = project.annals(words).code(0);
    ran.json().as_array().expect("rows").clone()
}

#[test]
fn every_table_has_its_columns_also_where_nothing_is_in_it() {
    let project = filled("one");
    for table in EXPORTED {
        let sql = format!("SELECT * FROM {} LIMIT 1", table.name);
        let ran = project.annals(["sql", "--exported", "--csv", &sql]).code(0);
        let head = ran.out().lines().next().expect("a head").to_owned();
        assert!(head.starts_with("machine,journal,day,week,"), "{}: {head}", table.name);
        for column in table.columns {
            let name = column.plain_name();
            assert!(head.split(',').any(|it| it == name), "{}: {name}: {head}", table.name);
        }
        if table.name != "prompts" {
            let what = table.name.replace('_', "-");
            project.annals(["export", "jsonl", &what]).code(0);
        }
    }
}

#[test]
fn an_engine_is_named_with_what_it_can_ask() {
    let project = Project::new();
    project.annals(["sql", "--engine", "duckdb", "SELECT 1"]).code(2).says("--parquet DIR");
    let words = ["sql", "--engine", "sqlite", "--parquet", ".", "SELECT 1"];
    project.annals(words).code(2).says("reads no Parquet");
    project.annals(["sql", "--engine", "sqlite", "SELECT 1"]).code(0);
}

#[test]
fn of_two_copies_of_one_journal_rows_count_once() {
    let (one, copy) = (filled("one"), Project::empty());
    let words = ["-a", ".annals", copy.root().to_str().expect("a path")];
    let copied = std::process::Command::new("cp").args(words).current_dir(one.root()).status();
    assert!(copied.expect("cp").success());
    one.annals(["run", "--", "true"]).code(0);
    let place = copy.root().to_str().expect("a path").to_owned();
    let sql = "SELECT count(*) AS n FROM executions";
    for dirs in [[".", &place], [&place, "."]] {
        let asked = ["--dir", dirs[0], "--dir", dirs[1], "sql", "--exported", "--json", sql];
        let ran = one.annals(asked);
        assert_eq!(ran.json()[0]["n"], 3, "{}", ran.err());
        assert!(ran.err().contains("is left out: another copy"), "{}", ran.err());
    }
    let commands = rows(&one, &["sql", "--exported", "--json", "SELECT command FROM executions"]);
    assert!(commands.iter().all(|it| it["command"].is_string()), "{commands:?}");
}

#[test]
fn of_several_journals_rows_are_those_of_each() {
    let (one, other) = (filled("one"), filled("other"));
    let asked = "SELECT journal, verdict, success, week FROM executions ORDER BY journal, verdict";
    let mut each = rows(&one, &["sql", "--exported", "--json", asked]);
    each.extend(rows(&other, &["sql", "--exported", "--json", asked]));
    let place = other.root().to_str().expect("a path").to_owned();
    let both = rows(&one, &["--dir", ".", "--dir", &place, "sql", "--exported", "--json", asked]);
    let set = |rows: &[Value]| rows.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    assert_eq!((both.len(), set(&both)), (4, set(&each)));
    assert_eq!(both[0]["verdict"], "failed");
    assert_eq!(both[0]["success"], 0);
}

#[test]
fn every_ready_question_says_what_it_asks_and_is_answered() {
    let project = filled("one");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/questions");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("questions") {
        let path = entry.expect("a question").path();
        if path.extension().is_none_or(|it| it != "sql") {
            continue;
        }
        let sql = std::fs::read_to_string(&path).expect("text");
        let asks = sql.contains("\nSELECT") || sql.contains("\nWITH");
        assert!(sql.starts_with("-- ") && asks, "{path:?}");
        let asked = Ran::of(project.command().args(["sql", "--exported", "-"]).write_stdin(sql));
        asked.code(0);
        count += 1;
    }
    assert!(count >= 25, "{count}");
}

#[test]
fn failed_tests_are_rows_by_their_names() {
    let project = Project::new();
    let runners = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/runners");
    let text = |name: &str| std::fs::read_to_string(runners.join(name)).expect("an output");
    let (cargo, go) = (text("cargo/fail.out"), text("go/fail.out"));
    let mut lines = String::new();
    for (at, (command, text)) in
        [("cargo test", &cargo), ("go test ./...", &go), ("cargo test", &cargo)].iter().enumerate()
    {
        let call = serde_json::json!({
            "tool": "bash_exec", "arguments": {"command": command}, "exit_code": 1, "stdout": text,
            "session": "s", "agent": "x", "call": format!("c{at}"),
        });
        lines.push_str(&format!("{call}\n"));
    }
    Ran::of(project.command().arg("record").write_stdin(lines)).code(0);
    let asked = "SELECT no, program, name FROM test_failures WHERE ran = 1 ORDER BY no, name";
    let found = rows(&project, &["sql", "--exported", "--json", asked]);
    let named = |no: u64| {
        let of = found.iter().filter(|it| it["no"] == no);
        of.map(|it| it["name"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    let of_cargo =
        cargo.lines().filter_map(|it| it.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    let own = |it: &str| it.trim_end_matches(" - should panic").to_owned();
    let of_cargo: BTreeSet<_> = of_cargo.map(own).collect();
    assert!(!of_cargo.is_empty() && named(1) == of_cargo && named(3) == of_cargo, "{found:#?}");
    let fails = |it: &str| {
        let name = it.trim_start().strip_prefix("--- FAIL: ")?;
        name.split_whitespace().next().map(str::to_owned)
    };
    let of_go: BTreeSet<_> = go.lines().filter_map(fails).collect();
    let told = named(2);
    assert!(!told.is_empty(), "{found:#?}");
    let is_told =
        |it: &&String| told.iter().any(|name| name == *it || name.ends_with(&format!(".{it}")));
    // Tests around one that failed fail with it: the innermost are rows.
    let has_inner = |it: &&String| of_go.iter().any(|other| other.starts_with(&format!("{it}/")));
    let missed: Vec<_> = of_go.iter().filter(|it| !has_inner(it) && !is_told(it)).collect();
    assert!(missed.is_empty(), "{missed:?}\n{told:?}");
    let before = project.annals(["export", "jsonl", "test-failures"]).code(0).out();
    project.annals(["rebuild"]).code(0);
    assert_eq!(project.annals(["export", "jsonl", "test-failures"]).code(0).out(), before);
}

#[test]
fn what_rules_of_today_find_and_what_was_seen_of_a_journal_are_rows() {
    let project = filled("one");
    let seen = "SELECT agrees, behind, sequence = last_sequence AS is_last, chain = last_chain AS is_same \
                FROM seen_ends";
    let all = rows(&project, &["sql", "--exported", "--json", seen]);
    assert_eq!(all.len(), 1, "{all:#?}");
    assert_eq!((&all[0]["agrees"], &all[0]["behind"]), (&1.into(), &0.into()), "{all:#?}");
    assert_eq!((&all[0]["is_last"], &all[0]["is_same"]), (&1.into(), &1.into()), "{all:#?}");
    let leaks = "SELECT rule, field, found FROM leaks ORDER BY sequence";
    assert!(rows(&project, &["sql", "--exported", "--json", leaks]).is_empty());
    // A rule that came later: what is on record is not yet without it.
    let config = std::fs::read_to_string(project.path(".annals/config.toml")).unwrap_or_default();
    let rule = "\n[[redact.patterns]]\nname = \"thing\"\nregex = \"no such thing\"\n";
    project.write(".annals/config.toml", &format!("{config}{rule}"));
    let found = rows(&project, &["sql", "--exported", "--json", leaks]);
    assert!(!found.is_empty() && found.iter().all(|it| it["rule"] == "thing"), "{found:#?}");
    let scanned = project.annals(["scan", ".annals/journal"]).code(1).out();
    assert!(scanned.contains("thing"), "{scanned}");
    // On a machine that never saw it.
    project.unsee();
    let never = rows(
        &project,
        &["--evidence", "sql", "--exported", "--json", "SELECT folder, agrees FROM seen_ends"],
    );
    assert_eq!(never, [serde_json::json!({"folder": null, "agrees": null})]);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_how_to_get_it() {
    let refused = filled("one").annals(["export", "parquet", "there"]).code(2);
    assert!(refused.err().contains("--features parquet"), "{}", refused.err());
}
