//! Checks that are called and check nothing: they list, compile only, or tell what they would do.

use super::program::Program;

/// Options with which any program checks nothing.
const OPTIONS: [&str; 20] = [
    "--help",
    "--version",
    "--no-run",
    "--dry-run",
    "--just-print",
    "--recon",
    "--question",
    "--if-present",
    "--collect-only",
    "--co",
    "--fixtures",
    "--markers",
    "--showConfig",
    "--show-config",
    "--print-config",
    "--init",
    "--show-only",
    "--setup-only",
    "--setup-plan",
    "--notest",
];

/// Of these programs, options and subcommands with which they check nothing.
const OWN: [(&str, &[&str]); 17] = [
    ("go", &["-list", "-n", "-h", "-c", "-count=0"]),
    ("ctest", &["-N", "-h"]),
    ("pytest", &["-h", "-V"]),
    ("py.test", &["-h", "-V"]),
    ("cargo", &["-h", "-V", "-n"]),
    ("cargo-nextest", &["list", "archive", "-h", "-V"]),
    ("tox", &["-n", "-l", "-a", "list", "config", "-h"]),
    ("nox", &["-l", "-h"]),
    ("gradle", &["-m"]),
    ("gradlew", &["-m"]),
    ("dotnet", &["-t", "-h"]),
    ("mvn", &["-DskipTests", "-DskipTests=true", "-Dmaven.test.skip=true", "-h", "-v"]),
    ("vitest", &["list", "-h", "-v"]),
    ("tsc", &["-h", "-v"]),
    ("bazel", &["--nobuild", "--noanalyze"]),
    ("mise", &["-n", "-h"]),
    ("task", &["-n", "--dry", "--status", "-h"]),
];

/// Programs that only tell what they would do with the letter `n`.
const MAKERS: [&str; 5] = ["make", "gmake", "just", "rake", "ninja"];

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
const VARIABLES: [(&str, &[&str]); 3] = [
    ("MAKEFLAGS", &["make", "gmake"]),
    ("GNUMAKEFLAGS", &["make", "gmake"]),
    ("PYTEST_ADDOPTS", &["pytest", "py.test"]),
];

/// Whether a variable among these words makes a call check nothing.
pub(super) fn is_made_idle<'a>(
    program: &Program<'_>,
    mut words: impl Iterator<Item = &'a String>,
) -> bool {
    words.any(|word| {
        let Some((name, value)) = word.split_once('=') else { return false };
        let is_its =
            |(known, names): &(&str, &[&str])| *known == name && names.contains(&program.name);
        VARIABLES.iter().any(is_its)
            && value.split_whitespace().enumerate().any(|(at, option)| {
                // The letters of the first one stand without a dash too.
                let bare = at == 0 && !option.contains(['=', '-']);
                let tells = MAKERS.contains(&program.name)
                    && only_tells(&if bare { format!("-{option}") } else { option.to_owned() });
                tells || OPTIONS.contains(&option)
            })
    })
}

/// Whether a call also passes where it finds nothing to run: what it printed must say that it ran some.
pub(super) fn may_run_none(command: &[String]) -> bool {
    let lenient = ["--passWithNoTests", "--no-tests=pass", "NEXTEST_NO_TESTS=pass"];
    command.iter().any(|word| lenient.contains(&word.as_str()))
        || command.windows(2).any(|it| it[0] == "--no-tests" && it[1] == "pass")
}

/// Whether a call checks nothing, whatever it is a call of.
pub(super) fn is_idle(program: &Program<'_>) -> bool {
    let named = |argument: &str| {
        OPTIONS.contains(&argument)
            || argument.starts_with("--list")
            || program.name != "ctest" && matches!(argument, "-h" | "-V")
    };
    let own = |argument: &str| {
        OWN.iter().any(|(name, words)| *name == program.name && words.contains(&argument))
    };
    let mut arguments = program.arguments.iter().map(String::as_str);
    arguments.any(|it| named(it) || own(it))
        || MAKERS.contains(&program.name) && program.arguments.iter().any(|it| only_tells(it))
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
