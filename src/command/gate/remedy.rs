//! What would bear a claim out here: the project's own checks, as an agent can run them.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::{CheckKind, Grounding, GroundingEntry};
use crate::command::Project;

/// Checks that are named.
const NAMED_MAX: usize = 2;
/// Bytes of a manifest that are read.
const MANIFEST_BYTES_MAX: u64 = 64 << 10;
/// Characters of a command that are told.
const COMMAND_CHARS_MAX: usize = 120;

/// Files that say how a project is checked; where a word follows, only if the file has it.
const MANIFESTS: [(&str, &str, &str); 21] = [
    ("Cargo.toml", "", "cargo test"),
    ("go.mod", "", "go test ./..."),
    ("pnpm-lock.yaml", "", "pnpm test"),
    ("package.json", "\"test\"", "npm test"),
    ("pytest.ini", "", "pytest"),
    ("tox.ini", "", "tox"),
    ("pyproject.toml", "", "pytest"),
    ("setup.py", "", "pytest"),
    ("pom.xml", "", "mvn test"),
    ("gradlew", "", "./gradlew test"),
    ("build.gradle", "", "gradle test"),
    ("mix.exs", "", "mix test"),
    ("Package.swift", "", "swift test"),
    ("deno.json", "", "deno test"),
    ("composer.json", "\"test\"", "composer test"),
    ("Gemfile", "rspec", "bundle exec rspec"),
    ("build.zig", "", "zig build test"),
    ("justfile", "\ntest", "just test"),
    ("GNUmakefile", "\ntest:", "make test"),
    ("makefile", "\ntest:", "make test"),
    ("Makefile", "\ntest:", "make test"),
];

/// How a claim can be borne out, in a sentence: what to run, and where to name another check.
pub fn remedy(project: &Project, grounding: &Grounding) -> String {
    let named = "name it under `checks` in the section [policy] of .annals/config.toml";
    let checks = checks(project, grounding);
    if checks.is_empty() {
        return format!(
            "Run this project's tests or its compiler's check in a shell; if annals does not know \
             the command as a check, {named}."
        );
    }
    let run: Vec<_> = checks.iter().map(|check| format!("`{check}`")).collect();
    format!("Run {} in a shell (another check: {named}).", run.join(" or "))
}

/// Checks of the project, the surest first: those that the settings name, the one that was run
/// before, those that go with its manifests.
fn checks(project: &Project, grounding: &Grounding) -> Vec<String> {
    let own = project.config().policy.checks.iter().map(String::as_str);
    let is_check = |it: &&GroundingEntry| it.check != CheckKind::None && it.tool == "bash_exec";
    let newest = grounding
        .recent()
        .rev()
        .find(is_check)
        .or(grounding.last_check().filter(|it| is_check(it)));
    let ran = newest.and_then(|it| it.target.as_deref());
    let root = project.root();
    let kept = MANIFESTS.iter().filter(|(name, word, _)| has(&root.join(name), word));
    let kept = kept.map(|(_, _, command)| *command);
    let mut found: Vec<String> = Vec::new();
    for check in own.chain(ran).chain(kept) {
        let line: String = check
            .chars()
            .filter(|c| !c.is_control() && *c != '`')
            .take(COMMAND_CHARS_MAX)
            .collect();
        if !line.trim().is_empty() && !found.contains(&line) && found.len() < NAMED_MAX {
            found.push(line);
        }
    }
    found
}

/// Whether a plain file is there, through no link, and has the word near its beginning.
fn has(path: &Path, word: &str) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|it| it.is_file());
    if !is_file || word.is_empty() {
        return is_file;
    }
    let mut bytes = Vec::new();
    // A manifest that cannot be read names no check.
    let read = File::open(path).and_then(|it| it.take(MANIFEST_BYTES_MAX).read_to_end(&mut bytes));
    // A line end before it lets the first line be one of those that a word begins.
    read.is_ok() && format!("\n{}", String::from_utf8_lossy(&bytes)).contains(word)
}
