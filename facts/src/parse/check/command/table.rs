//! What the table of commands that check the work is asked.

use super::rows::{NO_BUILDS, ROWS, SCRIPT_RUNNERS, TASK_ROWS, TASKS};
use crate::parse::check::Kind;
use crate::parse::shell::Program;
use crate::parse::{Index, has_word};

/// How sure it is that a command checks the work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trust {
    /// The program is known.
    #[default]
    Named,
    /// A project's task is called as what checks; its output tells which program spoke.
    Task,
    /// It says what is wrong, where anything is; no gate goes by it.
    Report,
    /// It checks only where a hook does: without a word of one it is no check.
    Hook,
    /// A task that ends well whatever its checks say: without a word of a failure it is no check.
    Idle,
}

/// Lists of words are parted by blanks.
#[derive(Debug)]
pub struct Row {
    pub programs: &'static str,
    pub verbs: &'static str,
    /// One of these must be among the arguments.
    pub option: &'static str,
    pub kind: Kind,
    /// Problem tables, besides those that have the program's name.
    pub tools: &'static str,
    /// Of its programs, those that print nothing where all is well.
    pub quiet: &'static str,
    pub trust: Trust,
}

impl Row {
    /// Of Gradle's tasks the first word counts: `testDebugUnitTest`.
    pub fn has_verb(&self, verb: &str) -> bool {
        let head = verb.find(|it: char| it.is_ascii_uppercase()).map_or(verb, |at| &verb[..at]);
        has_word(self.verbs, verb)
            || has_word(self.programs, "gradle") && has_word(self.verbs, head)
            // `project/test`
            || has_word(self.programs, "sbt") && verb.ends_with("/test")
    }
}

#[derive(Debug)]
pub struct TaskRow {
    pub programs: &'static str,
    /// Words that stand before a task's name.
    pub verbs: &'static str,
    /// Tasks that are meant without such a word.
    pub words: &'static str,
}

pub type Tasks = &'static [(Kind, &'static str)];

/// With what a program checks nothing.
#[derive(Debug)]
pub struct Idle {
    /// Of any program.
    pub options: &'static str,
    /// Programs that only tell what they would do with the letter `n`.
    pub makers: &'static str,
    /// Compilers that are given files.
    pub compilers: &'static str,
    /// Of these programs, words.
    pub own: &'static [(&'static str, &'static str)],
    /// A program, an option and its word, apart.
    pub pairs: &'static [(&'static str, &'static str, &'static str)],
    /// Variables that hold options, and whose: before the command, exported, or among its arguments.
    pub variables: &'static [(&'static str, &'static str)],
}

/// The rows of each program.
static BY_PROGRAM: Index<Row> = Index::of(ROWS, |it| it.programs);
static TASKS_OF: Index<TaskRow> = Index::of(TASK_ROWS, |it| it.programs);

/// The row of a program that is called so.
pub fn row(name: &str, verb: Option<&str>, arguments: &[String]) -> Option<&'static Row> {
    BY_PROGRAM.rows(name).find(|row| {
        let asks = |words: &str| arguments.iter().any(|it| has_word(words, it));
        (row.verbs.is_empty() || verb.is_some_and(|it| row.has_verb(it)))
            && (row.option.is_empty() || asks(row.option))
    })
}

/// Whether a program is known to check, whatever a project says of it.
pub fn is_named(program: &Program<'_>) -> bool {
    let row = row(program.name, program.verb(), program.arguments);
    row.is_some_and(|it| it.trust == Trust::Named && !has_word("npm pnpm yarn", program.name))
}

/// What a project's task is that a program runs, by the task's name.
pub fn task<'a>(
    name: &str,
    first: &'a str,
    operands: impl Iterator<Item = &'a str>,
) -> Option<(Kind, &'a str)> {
    let rows = || TASKS_OF.rows(name);
    if rows().any(|row| has_word(row.verbs, first)) {
        let task = operands.skip_while(|it| *it != first).nth(1)?;
        return task_kind(task).map(|kind| (kind, task));
    }
    let is_named = rows().any(|row| row.words.split(' ').any(|it| begins(first, it)));
    is_named.then(|| (task_kind(first).unwrap_or(Kind::Build), first))
}

/// What a script is that a project gives an environment's runner, by its name: `pdm run lint`, the words through it.
pub fn script(words: &[String], name: &str) -> Option<Kind> {
    let [.., runner, run, _] = words else { return None };
    (run == "run" && has_word(SCRIPT_RUNNERS, runner)).then(|| task_kind(name)).flatten()
}

/// Whether a program makes the code: any other target of make does, mostly.
pub fn builds(name: &str, verb: Option<&str>) -> bool {
    matches!(name, "make" | "gmake" | "ninja") && !verb.is_some_and(|it| has_word(NO_BUILDS, it))
}

pub fn task_kind(task: &str) -> Option<Kind> {
    let is_it = |words: &str| words.split(' ').any(|word| begins(task, word));
    TASKS.iter().find(|it| is_it(it.1)).map(|it| it.0)
}

/// `test:unit` and `test-unit` begin as `test` does.
fn begins(task: &str, word: &str) -> bool {
    let rest = task.strip_prefix(word).filter(|_| !word.is_empty());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '-', '_']))
}
