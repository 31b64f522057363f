//! `annals export parquet`: what lies in the folder after the first export, the next one, a kill, a redaction, a fork.
//! `cargo test --features parquet --test it parquet_folder`, or `tests/fleet/run`.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::project::{Project, Ran};
use crate::skipped::skipped;

const FAILS: &str = "a.c:3:5: error: no such thing";

fn record(project: &Project, from: u64, count: u64, day_ms: u64) {
    let mut lines = String::new();
    for at in from..from + count {
        let call = serde_json::json!({
            "tool": "bash_exec", "arguments": {"command": format!("gcc -c a{at}.c")}, "exit_code": 1,
            "stderr": FAILS, "session": format!("s{}", at % 3), "agent": "x", "call": format!("c{at}"),
            "at": day_ms + at,
        });
        lines.push_str(&format!("{call}\n"));
    }
    Ran::of(project.command().arg("record").write_stdin(lines)).code(0);
}

/// Calls on two days.
fn filled() -> Project {
    let project = Project::new();
    record(&project, 0, 40, 1_767_225_600_000);
    record(&project, 40, 40, 1_767_312_000_000);
    project
}

fn export(project: &Project, to: &str) -> serde_json::Value {
    project.annals(["export", "parquet", to, "--json"]).code(0).json()[0].clone()
}

/// Files below a folder, by their names in it.
fn files(folder: &Path) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(one) = folders.pop() {
        for entry in fs::read_dir(one).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).expect("below").display().to_string();
                    found.insert(name, path);
                }
            }
        }
    }
    found
}

/// Every row of every table; a file that does not parse is none.
fn rows(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, path) in files(folder).iter().filter(|(name, _)| name.ends_with(".parquet")) {
        let reader = SerializedFileReader::new(File::open(path).expect("opened"));
        let reader = reader.unwrap_or_else(|error| panic!("{name}: {error}"));
        let table = name.split('/').next().expect("a table").to_owned();
        let rows = reader.get_row_iter(None).expect("rows");
        tables.entry(table).or_default().extend(rows.map(|row| row.expect("a row").to_string()));
    }
    for rows in tables.values_mut() {
        rows.sort();
    }
    tables
}

fn written(report: &serde_json::Value) -> u64 {
    let tables = report["tables"].as_array().expect("tables");
    tables.iter().map(|it| it["written"].as_u64().expect("a number")).sum()
}

fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    files(folder).into_iter().map(|(name, path)| (name, fs::read(path).expect("read"))).collect()
}

#[test]
fn a_file_for_each_day_and_the_next_time_what_is_another() {
    let project = filled();
    let first = export(&project, "out");
    let out = project.path("out");
    let tables = rows(&out);
    assert_eq!(tables["executions"].len(), 80);
    assert_eq!(tables["diagnostics"].len(), 80);
    assert_eq!(tables["memory_operations"].len(), 0);
    assert!(written(&first) > 4, "{first}");
    let before = bytes(&out);
    assert_eq!(written(&export(&project, "out")), 0);
    assert!(bytes(&out) == before, "nothing changed, and something was written");
    // A call of the second day: the first day's files stay.
    record(&project, 80, 1, 1_767_312_000_000);
    let again = export(&project, "out");
    let changed: Vec<_> =
        bytes(&out).into_iter().filter(|(name, now)| before.get(name) != Some(now)).collect();
    assert!(changed.iter().any(|(name, _)| name.contains("day=2026-01-02")), "{again}");
    let firsts = changed
        .iter()
        .filter(|(name, _)| name.contains("executions") && name.contains("2026-01-01"));
    assert_eq!(firsts.count(), 0, "{again}");
    assert_eq!(rows(&out)["executions"].len(), 81);
    // What grew day by day is what is written at once.
    export(&project, "whole");
    let listed = |folder: &str| {
        let mut all = bytes(&project.path(folder));
        all.retain(|name, _| name.ends_with(".parquet"));
        all
    };
    assert!(listed("out") == listed("whole"));
}

#[test]
fn an_export_that_was_killed_anywhere_goes_on_and_no_row_is_there_twice() {
    let project = filled();
    export(&project, "whole");
    let whole = rows(&project.path("whole"));
    let mut killed = 0;
    for wait_us in (500..40_000).step_by(1_300) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
        command.args(["export", "parquet", "out"]).current_dir(project.root());
        command.env("HOME", project.root()).stdout(std::process::Stdio::null());
        let mut child = command.stderr(std::process::Stdio::null()).spawn().expect("started");
        std::thread::sleep(Duration::from_micros(wait_us));
        child.kill().expect("killed");
        killed += u32::from(!child.wait().expect("ended").success());
        let Ok(true) = fs::exists(project.path("out")) else { continue };
        for (table, found) in rows(&project.path("out")) {
            let all = &whole[&table];
            assert!(found.windows(2).all(|pair| pair[0] != pair[1]), "{table}: a row twice");
            assert!(found.iter().all(|row| all.binary_search(row).is_ok()), "{table}: another row");
        }
    }
    assert!(killed > 5, "{killed}");
    export(&project, "out");
    assert_eq!(rows(&project.path("out")), whole);
    let left = files(&project.path("out")).into_keys().find(|name| name.ends_with(".tmp"));
    assert_eq!(left, None);
}

#[test]
fn a_file_that_was_cut_or_taken_away_is_written_again() {
    let project = filled();
    export(&project, "out");
    let whole = rows(&project.path("out"));
    let all = files(&project.path("out"));
    let of = |day: &str| {
        all.iter().find(|(name, _)| name.starts_with("executions") && name.contains(day))
    };
    let (cut, gone) = (of("2026-01-01").expect("a file").1, of("2026-01-02").expect("a file").1);
    File::options().write(true).open(cut).expect("opened").set_len(100).expect("cut");
    fs::remove_file(gone).expect("removed");
    // Nobody's rows are in it, and every engine reads it.
    let columns = all.keys().find(|name| name.ends_with("columns.parquet")).expect("a file");
    fs::write(project.path("out").join(columns), "").expect("emptied");
    assert_eq!(written(&export(&project, "out")), 2);
    assert!(fs::metadata(project.path("out").join(columns)).expect("there").len() > 500);
    assert_eq!(rows(&project.path("out")), whole);
}

#[test]
fn what_is_redacted_leaves_the_files_as_well() {
    let project = filled();
    export(&project, "out");
    let has =
        |text: &str| rows(&project.path("out")).values().flatten().any(|row| row.contains(text));
    assert!(has("gcc -c a7.c"));
    project
        .annals(["redact", "8", "--reason", "a test", "--yes"])
        .code(1)
        .says("export from before");
    export(&project, "out");
    assert!(!has("gcc -c a7.c"));
    assert!(has("gcc -c a8.c"));
}

#[test]
fn another_history_of_a_journal_is_refused() {
    let project = filled();
    let copied = Project::empty();
    let mut copy = Command::new("cp");
    copy.args(["-a", ".annals"]).arg(copied.root()).current_dir(project.root());
    let mut copy = copy.spawn().expect("cp");
    assert!(copy.wait().expect("ended").success());
    record(&project, 80, 5, 1_767_312_000_000);
    record(&copied, 80, 7, 1_767_312_000_000);
    let to = project.path("out").display().to_string();
    project.annals(["export", "parquet", &to]).code(0);
    let before = bytes(&project.path("out"));
    for words in [&["export", "parquet", &to][..], &["export", "parquet", &to, "--anew"]] {
        let refused = copied.annals(words).code(2);
        assert!(refused.err().contains("another history"), "{}", refused.err());
    }
    // It keeps no other back.
    let third = filled();
    let (fork, own) = (copied.root().display().to_string(), third.root().display().to_string());
    let both = project.annals(["--dir", &fork, "--dir", &own, "export", "parquet", &to]);
    assert!(
        both.err().contains("another history") && both.out().lines().count() == 1,
        "{}",
        both.err()
    );
    assert_ne!(both.output.status.code(), Some(0));
    for path in files(&project.path("out")).into_values() {
        let name = path.display().to_string();
        if !before.keys().any(|it| name.ends_with(it.as_str())) {
            fs::remove_file(path).expect("removed");
        }
    }
    let lists: Vec<_> = files(&project.path("out/_annals")).into_values().collect();
    assert!(bytes(&project.path("out")) == before);
    for (text, told) in [("{", "EOF"), ("{\"version\":9}", "missing field")] {
        for list in lists.iter().filter(|it| it.extension().is_some_and(|it| it == "json")) {
            fs::write(list, text).expect("written");
        }
        let refused = project.annals(["export", "parquet", &to]).code(2);
        assert!(refused.err().contains(told), "{}", refused.err());
    }
    project.annals(["export", "parquet", &to, "--anew"]).code(0);
}

#[test]
fn what_an_older_build_wrote_is_written_anew_and_what_is_of_another_fleet_is_refused() {
    let (project, other) = (filled(), filled());
    export(&project, "out");
    let whole = bytes(&project.path("out"));
    let lists = files(&project.path("out/_annals"));
    let list =
        lists.values().find(|it| it.extension().is_some_and(|end| end == "json")).expect("a list");
    let text = fs::read_to_string(list).expect("a list");
    // As if a build with other columns had written all of it.
    let told: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let older = text.replace(told["columns"].as_str().expect("a digest"), "0123456789abcdef");
    fs::write(list, older).expect("written");
    let a_file = whole.keys().find(|it| it.starts_with("executions") && it.contains("2026-01-01"));
    let a_file = project.path("out").join(a_file.expect("a file"));
    fs::write(&a_file, vec![b'x'; fs::read(&a_file).expect("read").len()]).expect("written");
    assert!(written(&export(&project, "out")) > 4 && bytes(&project.path("out")) == whole);
    // Another fleet's list under this journal's name, and a folder that leads elsewhere.
    let to = project.path("out").display().to_string();
    other.annals(["export", "parquet", &to]).code(0);
    let others = files(&project.path("out/_annals"));
    let another =
        others.iter().find(|(name, _)| !lists.contains_key(*name) && name.ends_with("json"));
    fs::copy(another.expect("its list").1, list).expect("copied");
    let refused = project.annals(["export", "parquet", &to]).code(2);
    assert!(refused.err().contains("it is of journal"), "{}", refused.err());
    fs::write(list, &text).expect("written");
    let (table, elsewhere) = (project.path("out/executions"), project.path("elsewhere"));
    fs::rename(&table, &elsewhere).expect("moved");
    std::os::unix::fs::symlink(&elsewhere, &table).expect("linked");
    let refused = project.annals(["export", "parquet", &to, "--anew"]).code(2);
    assert!(refused.err().contains("link to somewhere else"), "{}", refused.err());
}

#[test]
fn a_folder_is_asked_by_the_duckdb_that_is_installed() {
    let there = Command::new("duckdb").arg("--version").output();
    if !there.is_ok_and(|it| it.status.success()) {
        return skipped("no duckdb is installed: a folder is not asked by it");
    }
    let project = filled();
    export(&project, "out");
    let ask = |sql: &str| {
        let mut command = project.command();
        // The program is where this test found it.
        let path = std::env::var_os("PATH").expect("a path");
        command.env("PATH", path).args(["--json", "sql", "--parquet", "out", sql]);
        Ran::of(&mut command)
    };
    let sql = "SELECT session, count(*) AS calls, min(day) AS day, NULL AS nothing, 'a''b' AS text FROM executions \
               GROUP BY session ORDER BY calls DESC, session LIMIT 1 -- and no more";
    let rows = ask(sql).code(0).json();
    let first = rows[0].as_object().filter(|it| it.len() == 5).expect("a row of five cells");
    assert_eq!(
        (&first["calls"], &first["day"], &first["text"]),
        (&27.into(), &"2026-01-01".into(), &"a'b".into())
    );
    assert!(first["nothing"].is_null());
    for (sql, told) in [
        ("COPY executions TO 'x.csv'", "Parser Error"),
        ("SELECT 1; SELECT 2", "one statement at a time"),
        ("SELECT no_such FROM executions", "no_such"),
        ("SELECT 1)\n.shell touch x.csv\n(", "Parser Error"),
    ] {
        let refused = ask(sql).code(2).err();
        assert!(refused.contains(told), "{sql}: {refused}");
    }
    assert_eq!(ask("SELECT 1 AS a WHERE 1 = 0").code(0).json(), serde_json::json!([]));
    assert!(!project.path("x.csv").exists());
    let nothing = project.annals(["sql", "--parquet", ".annals", "SELECT 1"]).code(2);
    assert!(nothing.err().contains("no exported table"), "{}", nothing.err());
}
