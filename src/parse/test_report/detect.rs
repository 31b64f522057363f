//! Which runner a command is of.

use super::TestRunner;

/// Options of cargo that a word follows.
const CARGO_TAKES: &[&str] = &["--color", "--config", "--manifest-path", "-C", "-Z"];

/// The runner that a command names, be it through `npx`, `python -m`, `env` or a shell's line; `None`
/// where it names none, or several.
pub fn runner_of<S: AsRef<str>>(argv: &[S]) -> Option<TestRunner> {
    let breaks = |it: char| it.is_whitespace() || ";|&()'\"`".contains(it);
    let words: Vec<&str> =
        argv.iter().flat_map(|it| it.as_ref().split(breaks)).filter(|it| !it.is_empty()).collect();
    let mut found = None;
    for (position, word) in words.iter().enumerate() {
        let Some(runner) = named(word, &words[position + 1..]) else { continue };
        if found.is_some_and(|before| before != runner) {
            return None;
        }
        found = Some(runner);
    }
    found
}

/// The runner that a program is, with the words after it.
fn named(word: &str, after: &[&str]) -> Option<TestRunner> {
    match word.rsplit('/').next().unwrap_or(word) {
        "cargo" => match cargo_command(after)? {
            "test" | "t" => Some(TestRunner::CargoTest),
            "nextest" => Some(TestRunner::Nextest),
            _ => None,
        },
        "cargo-nextest" => Some(TestRunner::Nextest),
        "pytest" | "py.test" => Some(TestRunner::Pytest),
        "jest" | "jest.js" => Some(TestRunner::Jest),
        name if name.starts_with("python")
            && after.windows(2).any(|it| it == ["-m", "unittest"]) =>
        {
            Some(TestRunner::Unittest)
        }
        "node" if after.iter().any(|it| *it == "--test" || it.starts_with("--test-")) => {
            Some(TestRunner::NodeTest)
        }
        "go" if after.first() == Some(&"test") => Some(TestRunner::GoTest),
        _ => None,
    }
}

fn cargo_command<'a>(after: &[&'a str]) -> Option<&'a str> {
    let mut words = after.iter();
    while let Some(word) = words.next() {
        if CARGO_TAKES.contains(word) {
            words.next();
        } else if !word.starts_with(['-', '+']) {
            return Some(word);
        }
    }
    None
}
