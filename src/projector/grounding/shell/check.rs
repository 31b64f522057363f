//! Which commands check the work.

use super::program::Program;
use super::{Joint, Script, Simple};
use crate::projector::grounding::CheckKind;

/// Programs that check whatever they are told.
const CHECKERS: [&str; 30] = [
    "pytest",
    "py.test",
    "unittest",
    "tox",
    "nox",
    "tsc",
    "vue-tsc",
    "eslint",
    "vitest",
    "jest",
    "mocha",
    "ava",
    "ruff",
    "mypy",
    "pyright",
    "flake8",
    "pylint",
    "golangci-lint",
    "staticcheck",
    "rspec",
    "phpunit",
    "phpstan",
    "ctest",
    "shellcheck",
    "cargo-nextest",
    "clippy-driver",
    "nosetests",
    "rubocop",
    "stylelint",
    "ty",
];

/// Programs that check where their subcommand says so.
const SUBCOMMANDS: [(&str, &[&str]); 22] = [
    ("cargo", &["test", "t", "check", "c", "clippy", "build", "b", "nextest", "miri", "doc"]),
    ("npm", &["test", "t", "tst"]),
    ("pnpm", &["test", "t", "lint", "build", "check", "typecheck"]),
    ("yarn", &["test", "lint", "build", "check", "typecheck"]),
    ("bun", &["test"]),
    ("deno", &["test", "check", "lint"]),
    ("go", &["test", "vet", "build"]),
    ("make", &["test", "tests", "check", "lint", "build", "all", "ci", "verify"]),
    ("just", &["test", "tests", "check", "lint", "build", "ci", "verify"]),
    ("gradle", &["test", "check", "build"]),
    ("gradlew", &["test", "check", "build"]),
    ("mvn", &["test", "verify", "package", "compile", "install"]),
    ("dotnet", &["test", "build"]),
    ("swift", &["test", "build"]),
    ("mix", &["test", "compile", "credo"]),
    ("rake", &["test", "spec"]),
    ("rails", &["test"]),
    ("composer", &["test"]),
    ("bazel", &["test", "build"]),
    ("biome", &["check", "lint", "ci"]),
    ("playwright", &["test"]),
    ("zig", &["test", "build"]),
];

/// Programs that check where they are told to change nothing.
const FORMATTERS: [(&str, &str); 5] = [
    ("rustfmt", "--check"),
    ("black", "--check"),
    ("isort", "--check"),
    ("prettier", "--check"),
    ("xcodebuild", "test"),
];

/// What begins the name of a script that checks (`npm run lint:fix` is left to `--fix`).
const SCRIPTS: [&str; 8] =
    ["test", "lint", "check", "build", "typecheck", "type-check", "verify", "ci"];

impl Script {
    /// Whether it checks the work. `own` are further beginnings of commands that do; `told` that
    /// it was called as a check, whatever it runs.
    pub fn check(&self, own: &[String], told: bool) -> CheckKind {
        let checks: Vec<usize> =
            (0..self.commands.len()).filter(|at| is_check(&self.commands[*at], own)).collect();
        if checks.is_empty() {
            return if told { CheckKind::Plain } else { CheckKind::None };
        }
        let pipefail =
            self.commands.iter().any(|it| it.words.iter().any(|word| word == "pipefail"));
        match checks.into_iter().all(|at| self.has_last_word(at, pipefail)) {
            true => CheckKind::Plain,
            false => CheckKind::Masked,
        }
    }

    /// Whether the whole fails where this command does.
    fn has_last_word(&self, at: usize, pipefail: bool) -> bool {
        let controlled = |word: &String| ["if", "elif", "while", "until", "!"].contains(&&**word);
        if self.commands[at].words.first().is_some_and(controlled) {
            return false;
        }
        let binds = |joint| match joint {
            Joint::And | Joint::End => true,
            Joint::Pipe => pipefail,
            Joint::Or | Joint::Background | Joint::Then => false,
        };
        let last = self.commands.len() - 1;
        self.commands[at..].iter().enumerate().all(|(behind, it)| {
            // A line's end or a bracket behind the last command says nothing.
            at + behind == last && it.joint == Joint::Then || binds(it.joint)
        })
    }
}

fn is_check(command: &Simple, own: &[String]) -> bool {
    let Some(program) = Program::of(&command.words) else { return false };
    if ["--help", "-h", "--version", "-V"].iter().any(|option| program.has(option)) {
        return false;
    }
    let begins = |own: &String| {
        let words: Vec<&str> = own.split_whitespace().collect();
        let has = |from: &[String]| words.iter().zip(from).all(|(own, word)| own == word);
        let full = |from: &[String]| from.len() >= words.len() && has(from);
        let from_program = command.words.len() - program.arguments.len() - 1;
        !words.is_empty() && (full(&command.words) || full(&command.words[from_program..]))
    };
    if own.iter().any(begins) {
        return true;
    }
    let (name, verb) = (program.name, program.verb());
    let listed = |verbs: &[&str]| verb.is_some_and(|verb| verbs.contains(&verb));
    if name == "ruff" && verb == Some("format") || name == "cargo" && verb == Some("fmt") {
        return program.has("--check");
    }
    if CHECKERS.contains(&name)
        || SUBCOMMANDS.iter().any(|(known, verbs)| *known == name && listed(verbs))
        || FORMATTERS.iter().any(|(known, option)| *known == name && program.has(option))
    {
        return true;
    }
    let runs = matches!(name, "npm" | "pnpm" | "yarn" | "bun") && verb.is_some_and(|v| v == "run");
    let script = program.operands().nth(1).unwrap_or_default();
    runs && SCRIPTS.iter().any(|known| {
        script
            .strip_prefix(known)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '-']))
    })
}
