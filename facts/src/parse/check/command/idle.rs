//! Calls of checks that check nothing: `--help`, `--list`, a dry run.

use super::rows::IDLE;
use crate::parse::shell::Program;
use crate::parse::{Index, has_word};

static OWN: Index<(&str, &str)> = Index::of(IDLE.own, |it| it.0);

/// Whether a call checks nothing, whatever it is a call of.
pub(super) fn is_idle(program: &Program<'_>) -> bool {
    let named = |argument: &str| {
        // All of those begin so.
        argument.starts_with("--")
            && (has_word(IDLE.options, argument) || argument.starts_with("--list"))
            || program.name != "ctest" && matches!(argument, "-h" | "-V")
    };
    let own = OWN.rows(program.name).next();
    let own = |argument: &str| own.is_some_and(|(_, words)| has_word(words, argument));
    let mut pairs = IDLE.pairs.iter().filter(|it| it.0 == program.name);
    let is_given = |(_, option, word): &(&str, &str, &str)| {
        program.arguments.windows(2).any(|it| it[0] == *option && it[1] == *word)
    };
    let mut arguments = program.arguments.iter().map(String::as_str);
    arguments.any(|it| named(it) || own(it))
        || has_word(IDLE.makers, program.name) && program.arguments.iter().any(|it| only_tells(it))
        || program.name == "cargo" && program.operands().take(2).eq(["nextest", "list"])
        || pairs.any(is_given)
        || program.name == "go" && runs_no_test(program)
        || has_word(IDLE.compilers, program.name) && !program.arguments.iter().any(is_given_file)
}

/// Of a compiler's words: without a file it only tells of itself.
fn is_given_file(argument: &String) -> bool {
    argument == "-" || !argument.starts_with('-')
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

/// Whether a variable among these words makes a call check nothing.
pub(super) fn is_made_idle<'a>(
    program: &Program<'_>,
    mut words: impl Iterator<Item = &'a String>,
) -> bool {
    words.any(|word| {
        let Some((name, value)) = word.split_once('=') else { return false };
        let is_its =
            |(known, names): &(&str, &str)| *known == name && has_word(names, program.name);
        IDLE.variables.iter().any(is_its)
            && value.split_whitespace().enumerate().any(|(at, option)| {
                // The letters of the first one stand without a dash too.
                let bare = at == 0 && !option.contains(['=', '-']);
                let tells = has_word(IDLE.makers, program.name)
                    && only_tells(&if bare { format!("-{option}") } else { option.to_owned() });
                tells || has_word(IDLE.options, option)
            })
    })
}
