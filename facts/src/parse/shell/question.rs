//! Command lines that ask: an exit code of 1 is their answer, no failure.

use super::program::Program;
use super::{Script, Simple};
use crate::parse::has_word;

/// Programs whose code says whether something was found, is so, or differs.
const ASKING: &str = "grep egrep fgrep zgrep rg ag ack diff cmp test [ [[ pgrep which";
/// What git is asked by its code, and the words of which one must be there; none: it always is.
const GIT: [(&str, &str); 4] = [
    ("grep", ""),
    ("diff", "--quiet --exit-code -q"),
    ("diff-index diff-files", "--quiet --exit-code"),
    ("merge-base", "--is-ancestor"),
];
/// Beside these, commands that do not fail.
const QUIET: &str = "cd echo printf true : pwd export set";

impl Script {
    /// Whether a code of 1 only answers what it asks: whatever it ends as, ends as a question.
    pub fn asks(&self) -> bool {
        let mut ending = (0..self.commands.len()).filter(|at| self.arrives(*at)).peekable();
        let is_quiet =
            |it: &Simple| Program::of(&it.words).is_some_and(|it| has_word(QUIET, it.name));
        let has_one = self.commands.iter().any(is_question);
        has_one
            && ending.peek().is_some()
            && ending.all(|at| is_question(&self.commands[at]) || is_quiet(&self.commands[at]))
    }
}

/// Whether a program shows or asks something, or hardly ever fails, and changes no file.
pub(super) fn is_harmless(program: &str) -> bool {
    has_word(ASKING, program) || has_word(QUIET, program)
}

fn is_question(command: &Simple) -> bool {
    let Some(program) = Program::of(&command.words) else { return false };
    let is_asked = |(verbs, options): &(&str, &str)| {
        program.verb().is_some_and(|it| has_word(verbs, it))
            && (options.is_empty() || program.arguments.iter().any(|it| has_word(options, it)))
    };
    match program.name {
        "git" => GIT.iter().any(is_asked),
        name => has_word(ASKING, name),
    }
}
