//! Spec 003 read word by word: each operation, file and field that it names is one that we write.

use std::collections::BTreeSet;

use super::lines;
use super::samples::{applied, every_operation};

const DOCUMENT: &str = include_str!("../../../../tests/fixtures/spec/003-branch-memory-flow.md");

/// A cell that gives an operation no log of its own.
const NONE: [&str; 4] = ["(none)", "(via set_core)", "(via retrieve_archival)", "internal"];

fn ops(lines: &[String]) -> BTreeSet<String> {
    let op = |line: &String| {
        line.split("\"op\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    lines.iter().map(op).collect()
}

/// The cells of every table column of this name.
fn column(name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = None;
    for line in DOCUMENT.lines() {
        // A bar inside a cell is escaped.
        let line = line.replace("\\|", "or");
        let Some(row) = line.strip_prefix('|') else {
            at = None;
            continue;
        };
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        match at {
            None => at = Some(cells.iter().position(|cell| *cell == name)),
            Some(Some(at)) if !cells[at].starts_with("--") => found.push(cells[at].to_owned()),
            Some(_) => {}
        }
    }
    found
}

#[test]
fn every_log_op_of_the_tables_is_written() {
    let written = ops(&lines(&every_operation(), "memory_calls.jsonl"));
    let column = column("Log Op");
    let named: BTreeSet<_> = column
        .iter()
        .filter(|cell| !NONE.contains(&cell.as_str()))
        .map(|cell| cell.trim_matches('`').to_owned())
        .collect();
    assert!(named.len() >= 11 && column.len() >= 30, "{named:?}");
    let missing: Vec<_> = named.difference(&written).collect();
    assert!(missing.is_empty(), "{missing:?} are in no line of ours: {written:?}");
}

/// The names of a JSON text's members, in the order they stand in.
fn names(json: &str) -> Vec<&str> {
    let quoted: Vec<_> = json.split('"').collect();
    let is_name =
        |at: usize| quoted.get(at + 1).is_some_and(|rest| rest.trim_start().starts_with(':'));
    (1..quoted.len()).step_by(2).filter(|at| is_name(*at)).map(|at| quoted[at]).collect()
}

fn is_in_order(few: &[&str], many: &[&str]) -> bool {
    let mut many = many.iter();
    few.iter().all(|name| many.any(|other| other == name))
}

#[test]
fn every_example_of_a_line_has_its_fields_in_ours_in_its_order() {
    let mut bodies = every_operation();
    let operations = r#"[{"key":"k","timestamp":1,"type":"core_set","value":"v"},{"tags":["T"],"text":"t","type":"archival_write"}]"#;
    bodies.insert(0, applied(operations, &["core", "archival"]));
    let written = lines(&bodies, "memory_calls.jsonl");
    let examples = DOCUMENT.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut compared = 0;
    for example in examples.filter(|example| example.contains("\"op\"")) {
        let op = example.split("\"op\": \"").nth(1).unwrap().split('"').next().unwrap();
        let ours = written.iter().find(|line| line.contains(&format!("\"op\":\"{op}\""))).unwrap();
        assert!(is_in_order(&names(example), &names(ours)), "{example}\nand ours: {ours}");
        compared += 1;
    }
    assert_eq!(compared, 6);
}

#[test]
fn every_log_that_the_document_names_is_written() {
    let named: BTreeSet<_> = DOCUMENT
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '.')
        .filter(|word| word.starts_with("memory_") && word.ends_with(".jsonl"))
        .filter(|word| !["memory_operations.jsonl", "memory_injections.jsonl"].contains(word))
        .collect();
    assert_eq!(named.len(), 5, "{named:?}");
    for log in named {
        assert!(!lines(&every_operation(), log).is_empty(), "{log} has no line");
    }
}
