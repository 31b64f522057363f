//! Which commands check the work, and which are called and check nothing: they list, compile only, or tell
//! what they would do.

use super::program::Program;
use super::{CheckKind, Joint, Script, Simple};
use crate::parse::has_word;

/// Programs that check whatever they are told.
pub(super) const CHECKERS: &str = "\
    pytest py.test unittest tox nox tsc vue-tsc eslint vitest jest mocha ava mypy pyright flake8 \
    pylint staticcheck rspec phpunit phpstan ctest shellcheck cargo-nextest clippy-driver \
    nosetests rubocop stylelint";

/// Programs that check where their subcommand says so.
pub(super) const SUBCOMMANDS: [(&str, &str); 17] = [
    ("cargo", "test t check c clippy build b nextest miri doc"),
    ("npm", "test t tst"),
    ("pnpm", "test t lint build check typecheck"),
    ("yarn", "test lint build check typecheck"),
    ("bun rails composer playwright", "test"),
    ("deno", "test check lint"),
    ("go", "test vet build"),
    ("make", "test tests check lint build all ci verify"),
    ("just mise task", "test tests check lint build ci verify"),
    ("gradle gradlew", "test check build"),
    ("mvn", "test verify package compile install"),
    ("dotnet swift bazel zig", "test build"),
    ("mix", "test compile credo"),
    ("rake", "test spec"),
    ("biome", "check lint ci"),
    ("ruff ty", "check"),
    ("golangci-lint", "run"),
];

/// Programs that check with one of these words.
const FORMATTERS: [(&str, &str); 3] =
    [("rustfmt black isort prettier", "--check"), ("xcodebuild", "test"), ("node", "--test")];

/// What begins the name of a script that checks (`npm run lint:fix` is left to `--fix`).
const SCRIPTS: [&str; 8] =
    ["test", "lint", "check", "build", "typecheck", "type-check", "verify", "ci"];

/// First words behind which what follows may not run though the whole succeeds, or runs as another.
const UNSURE: &str = "\
    then elif else while until for do case exit return exec alias function trap if";

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
        let is_idle = |it| is_made_idle(&it, words);
        is_check(command, own) && !Program::of(&command.words).is_some_and(is_idle)
    }

    /// Whether nothing before this command can end the whole well without it.
    fn surely_runs(&self, at: usize) -> bool {
        let unsure = |it: &Simple| it.words.first().is_some_and(|it| has_word(UNSURE, it));
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
        if words.first().is_some_and(|word| word == "!") || may_run_none(words) {
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
        name => has_word("tsc vue-tsc eslint stylelint flake8 shellcheck staticcheck", name),
    }
}

fn is_check(command: &Simple, own: &[String]) -> bool {
    let Some(program) = Program::of(&command.words) else { return false };
    if is_idle(&program) {
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
    let listed = |verbs: &str| verb.is_some_and(|verb| has_word(verbs, verb));
    if name == "ruff" && verb == Some("format") || name == "cargo" && verb == Some("fmt") {
        return program.has("--check");
    }
    if has_word(CHECKERS, name)
        || SUBCOMMANDS.iter().any(|(names, verbs)| has_word(names, name) && listed(verbs))
        || FORMATTERS.iter().any(|(names, option)| has_word(names, name) && program.has(option))
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

/// Options with which any program checks nothing.
const OPTIONS: &str = "\
    --help --version --no-run --dry-run --just-print --recon --question --if-present \
    --collect-only --co --fixtures --markers --showConfig --show-config --print-config --init \
    --show-only --setup-only --setup-plan --notest";

/// Of these programs, options and subcommands with which they check nothing.
const OWN: [(&str, &str); 15] = [
    ("go", "-list -n -h -c -count=0"),
    ("ctest", "-N -h"),
    ("pytest py.test", "-h -V"),
    ("cargo", "-h -V -n"),
    ("cargo-nextest", "list archive -h -V"),
    ("tox", "-n -l -a list config -h"),
    ("nox", "-l -h"),
    ("gradle gradlew", "-m"),
    ("dotnet", "-t -h"),
    ("mvn", "-DskipTests -DskipTests=true -Dmaven.test.skip=true -h -v"),
    ("vitest", "list -h -v"),
    ("tsc", "-h -v"),
    ("bazel", "--nobuild --noanalyze"),
    ("mise", "-n -h"),
    ("task", "-n --dry --status -h"),
];

/// Programs that only tell what they would do with the letter `n`.
const MAKERS: &str = "make gmake just rake ninja";

/// Options and their words, apart, with which a call checks nothing.
const PAIRS: [(&str, &str, &str); 7] = [
    ("go", "-count", "0"),
    ("gradle", "-x", "test"),
    ("gradlew", "-x", "test"),
    ("gradle", "--exclude-task", "test"),
    ("gradlew", "--exclude-task", "test"),
    ("cargo", "nextest", "archive"),
    ("swift", "test", "list"),
];

/// Variables that hold options, and whose: before the command, exported, or among its arguments.
const VARIABLES: [(&str, &str); 3] = [
    ("MAKEFLAGS", "make gmake"),
    ("GNUMAKEFLAGS", "make gmake"),
    ("PYTEST_ADDOPTS", "pytest py.test"),
];

/// Whether a variable among these words makes a call check nothing.
fn is_made_idle<'a>(program: &Program<'_>, mut words: impl Iterator<Item = &'a String>) -> bool {
    words.any(|word| {
        let Some((name, value)) = word.split_once('=') else { return false };
        let is_its =
            |(known, names): &(&str, &str)| *known == name && has_word(names, program.name);
        VARIABLES.iter().any(is_its)
            && value.split_whitespace().enumerate().any(|(at, option)| {
                // The letters of the first one stand without a dash too.
                let bare = at == 0 && !option.contains(['=', '-']);
                let tells = has_word(MAKERS, program.name)
                    && only_tells(&if bare { format!("-{option}") } else { option.to_owned() });
                tells || has_word(OPTIONS, option)
            })
    })
}

/// Whether a call also passes where it finds nothing to run: what it printed must say that it ran some.
fn may_run_none(command: &[String]) -> bool {
    let lenient = ["--passWithNoTests", "--no-tests=pass", "NEXTEST_NO_TESTS=pass"];
    command.iter().any(|word| lenient.contains(&word.as_str()))
        || command.windows(2).any(|it| it[0] == "--no-tests" && it[1] == "pass")
}

/// Whether a call checks nothing, whatever it is a call of.
fn is_idle(program: &Program<'_>) -> bool {
    let named = |argument: &str| {
        has_word(OPTIONS, argument)
            || argument.starts_with("--list")
            || program.name != "ctest" && matches!(argument, "-h" | "-V")
    };
    let own = |argument: &str| {
        OWN.iter().any(|(names, words)| has_word(names, program.name) && has_word(words, argument))
    };
    let mut arguments = program.arguments.iter().map(String::as_str);
    arguments.any(|it| named(it) || own(it))
        || has_word(MAKERS, program.name) && program.arguments.iter().any(|it| only_tells(it))
        || program.name == "cargo" && program.operands().take(2).eq(["nextest", "list"])
        || program
            .arguments
            .windows(2)
            .any(|it| PAIRS.contains(&(program.name, it[0].as_str(), it[1].as_str())))
        || program.name == "go" && runs_no_test(program)
}

/// `-n`, `-kn`, but not the `n` in `-Clinux`; `-q` and `-t` make nothing either.
fn only_tells(argument: &str) -> bool {
    let Some(letters) = argument.strip_prefix('-').filter(|it| !it.starts_with('-')) else {
        return false;
    };
    let letters = letters.chars().take_while(|it| !"CfIjloWE".contains(*it));
    letters.into_iter().any(|it| matches!(it, 'n' | 'q' | 't'))
}

/// `-run '^$'`, which is there to run none.
fn runs_no_test(program: &Program<'_>) -> bool {
    let none = |pattern: &str| matches!(pattern, "^$" | "$^" | "NONE" | "XXX" | "^$$");
    let apart = program.arguments.windows(2).any(|it| it[0] == "-run" && none(&it[1]));
    let bench = program.arguments.iter().any(|it| it.starts_with("-bench"));
    !bench && apart || program.arguments.iter().any(|it| it.strip_prefix("-run=").is_some_and(none))
}
