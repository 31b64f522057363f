//! Checks that are called and check nothing: they list, compile only, or tell what they would do.

use super::program::Program;

/// Options with which any program checks nothing.
const OPTIONS: [&str; 18] = [
    "--help",
    "--version",
    "--no-run",
    "--dry-run",
    "--just-print",
    "--recon",
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
];

/// Of these programs, options and subcommands with which they check nothing.
const OWN: [(&str, &[&str]); 14] = [
    ("go", &["-list", "-n", "-h"]),
    ("ctest", &["-N", "-h"]),
    ("pytest", &["-h", "-V"]),
    ("py.test", &["-h", "-V"]),
    ("cargo", &["-h", "-V"]),
    ("cargo-nextest", &["list", "-h", "-V"]),
    ("tox", &["-l", "-a", "list", "config", "-h"]),
    ("nox", &["-l", "-h"]),
    ("gradle", &["-m"]),
    ("gradlew", &["-m"]),
    ("dotnet", &["-t", "-h"]),
    ("mvn", &["-DskipTests", "-DskipTests=true", "-Dmaven.test.skip=true", "-h", "-v"]),
    ("vitest", &["list", "-h", "-v"]),
    ("tsc", &["-h", "-v"]),
];

/// Programs that only tell what they would do with the letter `n`.
const MAKERS: [&str; 5] = ["make", "gmake", "just", "rake", "ninja"];

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
