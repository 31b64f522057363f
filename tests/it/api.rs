//! What a Rust developer may build on, as `tests/fixtures/api.txt` lists it: `lib.rs`, and the names of the
//! contract with their signatures. A change of the API is a change of that file: `ANNALS_API=write` makes it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// The files that say what is public; the other rooms are private.
const DOORS: [&str; 8] = [
    "src/lib.rs",
    "src/debug/contract",
    "src/execution/contract",
    "src/grounding/contract",
    "src/memory/contract",
    "src/phases/contract",
    "src/repo/contract",
    "src/stores/facades.rs",
];

#[test]
fn the_api_is_what_is_listed() {
    let mut found = String::new();
    for path in DOORS.iter().flat_map(|door| files(&Path::new(ROOT).join(door))) {
        let name = path.strip_prefix(ROOT).expect("below the root").display();
        let text = std::fs::read_to_string(&path).expect("a source file");
        let items = items(&text);
        if !items.is_empty() {
            writeln!(found, "{name}").expect("written");
            items.iter().for_each(|it| writeln!(found, "    {it}").expect("written"));
        }
    }
    assert!(found.lines().count() > 150, "{found}");
    let listed = Path::new(ROOT).join("tests/fixtures/api.txt");
    if std::env::var_os("ANNALS_API").is_some_and(|it| it == "write") {
        std::fs::write(&listed, &found).expect("written");
    }
    let listed = std::fs::read_to_string(listed).expect("the list");
    let missing = listed.lines().filter(|it| !found.lines().any(|other| other == *it));
    let new = found.lines().filter(|it| !listed.lines().any(|other| other == *it));
    let lines = missing.map(|it| format!("- {it}")).chain(new.map(|it| format!("+ {it}")));
    assert_eq!(lines.collect::<Vec<_>>().join("\n"), "");
}

/// Source files at or below a path, but for those of tests, in order.
fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = std::fs::read_dir(path).expect("a folder").map(|it| it.expect("an entry").path());
    let mut entries: Vec<PathBuf> = entries.filter(|it| !it.ends_with("tests")).collect();
    entries.retain(|it| it.is_dir() || !it.ends_with("tests.rs"));
    entries.sort();
    entries.iter().flat_map(|it| files(it)).collect()
}

/// The public items of a file, each on a line, up to its body.
fn items(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(item) = line.trim_start().strip_prefix("pub ") else { continue };
        let mut item = item.to_owned();
        // A list of names ends at its `;`, a signature where its body begins.
        let is_whole = |it: &str| match it.starts_with("use ") {
            true => it.ends_with(';'),
            false => {
                it.ends_with([';', '{', '}', ','])
                    && it.matches('(').count() == it.matches(')').count()
            }
        };
        while !is_whole(&item) {
            let Some(next) = lines.next() else { break };
            item.push(' ');
            item.push_str(next.trim());
        }
        found.push(item.trim_end_matches(['{', ' ']).to_owned());
    }
    found
}
