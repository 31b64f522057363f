//! `tests/contract.md` holds every clause of the contract documents with the test that holds it.
//!
//! A line a clause: `| id | clause | test |`, where test is `path::name` in backticks (several with
//! commas), or `open` for what a later release covers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[test]
fn every_clause_that_is_not_open_names_a_test_that_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("tests/contract.md")).expect("tests/contract.md");
    let mut faults = Vec::new();
    let mut ids = BTreeSet::new();
    let mut held = 0;
    for (at, line) in text.lines().enumerate() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split(" | ").map(str::trim).collect();
        if !line.starts_with("| ") || cells[0] == "id" || cells[0].starts_with('-') {
            continue;
        }
        let [id, _clause, tests] = cells[..] else {
            faults.push(format!("line {}: not three columns", at + 1));
            continue;
        };
        if !ids.insert(id.to_owned()) {
            faults.push(format!("{id}: listed twice"));
        }
        if tests == "open" {
            continue;
        }
        held += 1;
        let named: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        if named.is_empty() {
            faults.push(format!("{id}: names no test and is not open"));
        }
        faults.extend(named.iter().filter_map(|test| missing(root, id, test)));
    }
    assert!(held >= 20, "only {held} clauses were found to be held: is the table read?");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What is wrong with `path::name`, if anything.
fn missing(root: &Path, id: &str, test: &str) -> Option<String> {
    let Some((path, name)) = test.rsplit_once("::") else {
        return Some(format!("{id}: `{test}` is not path::name"));
    };
    let path: PathBuf = root.join(path);
    let Ok(text) = std::fs::read_to_string(&path) else {
        return Some(format!("{id}: {} is not there", path.display()));
    };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let found = lines.iter().enumerate().any(|(at, line)| {
        let function = line.strip_prefix("fn ").and_then(|rest| rest.split('(').next());
        let marked = lines[..at].iter().rev().take(4).any(|above| above.starts_with("#[test]"));
        // Inside `proptest! {` the attribute stands above as well.
        function == Some(name) && marked
    });
    (!found).then(|| format!("{id}: no test {name} in {}", path.display()))
}
