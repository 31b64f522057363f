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

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_how_to_get_it() {
    let refused = filled("one").annals(["export", "parquet", "there"]).code(2);
    assert!(refused.err().contains("--features parquet"), "{}", refused.err());
}
