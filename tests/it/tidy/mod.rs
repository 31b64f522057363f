//! Style is a test: layers, file length, first lines, words, and what must not be called.

mod dependencies;
mod layers;
mod openings;
mod remedies;
mod source;
mod written;

use std::path::Path;

use source::{Source, sources};

/// Spec 000, constraint 6.
const LINES_MAX: usize = 300;

/// Names that say nothing about what is in the room.
const EMPTY_WORDS: &[&str] =
    &["manager", "handler", "helper", "util", "utils", "engine", "process", "misc", "common"];

/// The only file that reads the wall clock.
const CLOCK: &str = "src/journal/clock.rs";

/// The only room whose threads outlive a call: they carry a child's output and its signals.
const CHILD: &str = "src/cli/run/";

#[test]
fn every_source_file_is_short_and_says_what_it_is() {
    let mut faults = Vec::new();
    for source in sources() {
        let lines = source.text.lines().count();
        if lines > LINES_MAX {
            faults.push(format!("{}: {lines} lines, at most {LINES_MAX}", source.path));
        }
        if !source.text.starts_with("//! ") {
            faults.push(format!("{}: does not begin with `//! `", source.path));
        }
        let name = source.path.trim_end_matches(".rs").rsplit('/').next().unwrap_or_default();
        // The contract's own name is no choice of ours.
        let name = name.replace("execution_engine", "");
        if name.split('_').any(|word| EMPTY_WORDS.contains(&word)) {
            faults.push(format!("{}: the name says nothing", source.path));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn nothing_forbidden_is_called() {
    let mut faults = Vec::new();
    for source in sources().iter().filter(|source| source.is_product()) {
        for (number, line) in source.code_lines() {
            for (word, why) in forbidden(source) {
                if line.contains(word) {
                    faults.push(format!("{}:{number}: `{word}`: {why}", source.path));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn forbidden(source: &Source) -> Vec<(&'static str, &'static str)> {
    let mut words = vec![
        (".unwrap()", "give a typed error"),
        (".expect(", "give a typed error"),
        ("unreachable!", "give a typed error, or a type without the case"),
        ("panic!(", "damage comes back as a value"),
        ("todo!", "unfinished"),
        ("unimplemented!", "unfinished"),
        ("print!(", "panics on a closed pipe: write to a handle"),
        ("println!(", "panics on a closed pipe: write to a handle"),
        ("dbg!(", "left over"),
        ("async ", "spec 000, constraint 1: no async"),
        (".await", "spec 000, constraint 1: no async"),
        (r"\p{", "the program is built without these classes, the tests are not: \\w"),
    ];
    if !source.path.starts_with(CHILD) {
        words.push(("thread::spawn", "spec 000, constraint 2: nothing outlives the call"));
    }
    if source.path != CLOCK {
        words.push(("SystemTime::now", "time is judged once: command::clock"));
    }
    words
}

#[test]
fn an_error_that_is_swallowed_says_why() {
    let mut faults = Vec::new();
    for source in sources().iter().filter(|source| source.is_product()) {
        let lines: Vec<&str> = source.text.lines().collect();
        for (number, line) in source.code_lines() {
            // Reading a text or narrowing a number has one way to fail: `None` says it all.
            let reads = ["parse", "try_from", "from_utf8", "from_str_radix"]
                .iter()
                .any(|word| line.contains(word));
            let swallows = line.contains("let _ =") || line.contains(".ok()") && !reads;
            // On the line, or close above: one reason may cover two attempts.
            let near = &lines[number.saturating_sub(6)..number];
            let reason = near.iter().any(|line| line.contains("//"));
            if swallows && !reason {
                faults.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    assert!(faults.is_empty(), "swallowed without a reason:\n{}", faults.join("\n"));
}

#[test]
fn every_module_file_of_the_integration_tests_is_used() {
    let main = include_str!("../main.rs");
    for entry in std::fs::read_dir(root().join("tests/it")).expect("tests/it") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let used = main.lines().any(|line| line == format!("mod {name};"));
        assert!(used || name == "main", "tests/it/{name} is not in main.rs");
    }
}

#[test]
fn a_fault_of_each_sort_would_be_found() {
    let wrong = Source::of(
        "facts/src/event/x.rs",
        "//! X.\nuse crate::store::Index;\nfn f() { g().unwrap(); } // .expect(\n",
    );
    assert_eq!(layers::faults(&wrong).len(), 1);
    let found: Vec<_> = wrong.code_lines().filter(|(_, line)| line.contains(".unwrap()")).collect();
    assert_eq!(found.len(), 1);
    assert!(!wrong.code_lines().any(|(_, line)| line.contains(".expect(")), "comments are no code");
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
