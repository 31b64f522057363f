//! Which commands check the work.

use super::program::Program;
use super::{CheckKind, Joint, Script, Simple, idle};

/// Programs that check whatever they are told.
pub(super) const CHECKERS: [&str; 27] = [
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
    "mypy",
    "pyright",
    "flake8",
    "pylint",
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
];

/// Programs that check where their subcommand says so.
pub(super) const SUBCOMMANDS: [(&str, &[&str]); 27] = [
    ("cargo", &["test", "t", "check", "c", "clippy", "build", "b", "nextest", "miri", "doc"]),
    ("npm", &["test", "t", "tst"]),
    ("pnpm", &["test", "t", "lint", "build", "check", "typecheck"]),
    ("yarn", &["test", "lint", "build", "check", "typecheck"]),
    ("bun", &["test"]),
    ("deno", &["test", "check", "lint"]),
    ("go", &["test", "vet", "build"]),
    ("make", &["test", "tests", "check", "lint", "build", "all", "ci", "verify"]),
    ("just", &["test", "tests", "check", "lint", "build", "ci", "verify"]),
    ("mise", &["test", "tests", "check", "lint", "build", "ci", "verify"]),
    ("task", &["test", "tests", "check", "lint", "build", "ci", "verify"]),
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
    ("ruff", &["check"]),
    ("golangci-lint", &["run"]),
    ("ty", &["check"]),
];

/// Programs that check with one of these words.
const FORMATTERS: [(&str, &str); 6] = [
    ("rustfmt", "--check"),
    ("black", "--check"),
    ("isort", "--check"),
    ("prettier", "--check"),
    ("xcodebuild", "test"),
    ("node", "--test"),
];

/// What begins the name of a script that checks (`npm run lint:fix` is left to `--fix`).
const SCRIPTS: [&str; 8] =
    ["test", "lint", "check", "build", "typecheck", "type-check", "verify", "ci"];

/// First words behind which what follows may not run though the whole succeeds, or runs as another.
const UNSURE: [&str; 15] = [
    "then", "elif", "else", "while", "until", "for", "do", "case", "exit", "return", "exec",
    "alias", "function", "trap", "if",
];

impl Script {
    /// Whether it checks the work. `own` are further beginnings of commands that do.
    pub fn check(&self, own: &[String]) -> CheckKind {
        let checks: Vec<usize> =
            (0..self.commands.len()).filter(|at| self.is_check(*at, own)).collect();
        if checks.is_empty() {
            return CheckKind::None;
        }
        let pipefail =
            self.commands.iter().any(|it| it.words.iter().any(|word| word == "pipefail"));
        let plain = |at: &usize| self.surely_runs(*at) && self.has_last_word(*at, pipefail);
        match checks.iter().all(plain) {
            true => CheckKind::Plain,
            false if checks.iter().all(|at| self.surely_runs(*at) && self.is_seen(*at)) => {
                CheckKind::Quiet
            }
            false if self.is_end_of_tests(&checks) => CheckKind::End,
            false => CheckKind::Masked,
        }
    }

    /// `cargo test 2>&1 | tail -5`: all of them, and nothing else but their end.
    fn is_end_of_tests(&self, checks: &[usize]) -> bool {
        let ([at], Some(last)) = (checks, self.commands.last()) else { return false };
        let is = |it: &Simple, name: &str| Program::of(&it.words).is_some_and(|it| it.name == name);
        let [tests, tail] = &self.commands[*at..] else { return false };
        let options =
            ["--workspace", "--all", "-q", "--quiet", "--release", "--locked", "--offline"];
        let whole = Program::of(&tests.words).is_some_and(|it| {
            let mut arguments = it.arguments.iter().map(String::as_str);
            it.name == "cargo"
                && arguments.next().is_some_and(|it| matches!(it, "test" | "t"))
                && arguments.all(|it| options.contains(&it))
        });
        self.surely_runs(*at)
            && whole
            && tests.joint == Joint::Pipe
            && tests.outputs.is_empty()
            && is(tail, "tail")
            && last.outputs.is_empty()
    }

    pub(super) fn first_check(&self, own: &[String]) -> Option<usize> {
        (0..self.commands.len()).find(|at| self.is_check(*at, own))
    }

    /// Whether this command checks, and no variable before it lets it check nothing.
    fn is_check(&self, at: usize, own: &[String]) -> bool {
        let command = &self.commands[at];
        let words = self.commands[..=at].iter().flat_map(|it| &it.words);
        let is_idle = |it| idle::is_made_idle(&it, words);
        is_check(command, own) && !Program::of(&command.words).is_some_and(is_idle)
    }

    /// Whether nothing before this command can end the whole well without it.
    fn surely_runs(&self, at: usize) -> bool {
        let unsure = |it: &Simple| it.words.first().is_some_and(|it| UNSURE.contains(&&**it));
        let skipped = at > 0 && self.commands[at - 1].joint == Joint::Or;
        let fed = Program::is_fed(&self.commands[at].words);
        !skipped && !fed && !self.defines && !self.commands[..=at].iter().any(unsure)
    }

    /// Whether it prints nothing where it passes, and all that it prints is seen.
    fn is_seen(&self, at: usize) -> bool {
        let shown = |it: &Simple| {
            let viewers = ["head", "tail", "cat", "tee"];
            Program::of(&it.words).is_some_and(|it| viewers.contains(&it.name))
        };
        let command = &self.commands[at];
        let piped = self.commands[at..].iter().zip(&self.commands[at + 1..]);
        let mut piped = piped.take_while(|(before, _)| before.joint == Joint::Pipe);
        is_quiet(command) && command.outputs.is_empty() && piped.all(|(_, next)| shown(next))
    }

    /// Whether the whole fails where this command does.
    fn has_last_word(&self, at: usize, pipefail: bool) -> bool {
        let words = &self.commands[at].words;
        if words.first().is_some_and(|word| word == "!") || idle::may_run_none(words) {
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

/// Whether a check prints nothing where it passes.
fn is_quiet(command: &Simple) -> bool {
    let Some(program) = Program::of(&command.words) else { return false };
    match program.name {
        "go" => matches!(program.verb(), Some("build" | "vet")),
        name => ["tsc", "vue-tsc", "eslint", "stylelint", "flake8", "shellcheck", "staticcheck"]
            .contains(&name),
    }
}

fn is_check(command: &Simple, own: &[String]) -> bool {
    let Some(program) = Program::of(&command.words) else { return false };
    if idle::is_idle(&program) {
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
    let runs = match name {
        "npm" | "pnpm" | "yarn" | "bun" => verb == Some("run"),
        "mise" => matches!(verb, Some("run" | "r")),
        _ => false,
    };
    let script = program.operands().nth(1).unwrap_or_default();
    runs && SCRIPTS.iter().any(|known| {
        script
            .strip_prefix(known)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '-']))
    })
}
