//! The table of commands that check the work: `checks.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::parse::check::Kind;
use crate::parse::has_word;

/// How sure it is that a command checks the work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
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
}

#[derive(Debug, Deserialize)]
pub struct Row {
    programs: String,
    #[serde(default)]
    pub verbs: String,
    /// One of these must be among the arguments.
    #[serde(default)]
    pub option: String,
    pub kind: Kind,
    /// Problem tables, besides those that have the program's name.
    #[serde(default)]
    pub tools: String,
    /// Of its programs, those that print nothing where all is well.
    #[serde(default)]
    pub quiet: String,
    #[serde(default)]
    pub trust: Trust,
}

#[derive(Debug, Deserialize)]
pub struct TaskRow {
    programs: String,
    /// Words that stand before a task's name.
    #[serde(default)]
    verbs: String,
    /// Tasks that are meant without such a word.
    #[serde(default)]
    words: String,
}

#[derive(Debug, Default, Deserialize)]
pub struct Tasks {
    test: String,
    lint: String,
    types: String,
    build: String,
    format: String,
}

#[derive(Debug, Default, Deserialize)]
pub struct Idle {
    pub options: String,
    pub makers: String,
    pub own: Vec<(String, String)>,
    pub pairs: Vec<(String, String, String)>,
    pub variables: Vec<(String, String)>,
}

/// Targets of make that are not the code.
#[derive(Debug, Default, Deserialize)]
pub struct Other {
    make: String,
}

/// Commands that no project can declare a check.
#[derive(Debug, Default, Deserialize)]
pub struct Refused {
    pub never: String,
    /// Without a word behind them.
    pub alone: String,
}

#[derive(Debug, Default, Deserialize)]
pub struct Checks {
    check: Vec<Row>,
    pub other: Other,
    task: Vec<TaskRow>,
    tasks: Tasks,
    pub idle: Idle,
    pub refused: Refused,
}

/// A table that does not parse knows no check; a test reads it.
pub static CHECKS: LazyLock<Checks> =
    LazyLock::new(|| toml::from_str(include_str!("checks.toml")).unwrap_or_default());

impl Checks {
    /// The row of a program that is called so.
    pub fn row(&self, name: &str, verb: Option<&str>, arguments: &[String]) -> Option<&Row> {
        self.check.iter().find(|row| {
            let asks = |words: &str| arguments.iter().any(|it| has_word(words, it));
            has_word(&row.programs, name)
                && (row.verbs.is_empty() || verb.is_some_and(|it| has_word(&row.verbs, it)))
                && (row.option.is_empty() || asks(&row.option))
        })
    }

    /// What a project's task is that a program runs, by the task's name.
    pub fn task<'a>(
        &self,
        name: &str,
        first: &'a str,
        operands: impl Iterator<Item = &'a str>,
    ) -> Option<(Kind, &'a str)> {
        let mut rows = self.task.iter().filter(|row| has_word(&row.programs, name));
        if rows.clone().any(|row| has_word(&row.verbs, first)) {
            let task = operands.skip_while(|it| *it != first).nth(1)?;
            return self.tasks.kind(task).map(|kind| (kind, task));
        }
        let is_named = rows.any(|row| row.words.split(' ').any(|it| begins(first, it)));
        let kind = self.tasks.kind(first).unwrap_or(Kind::Build);
        is_named.then_some((kind, first))
    }
}

impl Other {
    /// Whether a program makes the code: any other target of make does, mostly.
    pub fn builds(&self, name: &str, verb: Option<&str>) -> bool {
        matches!(name, "make" | "gmake") && !verb.is_some_and(|it| has_word(&self.make, it))
    }
}

impl Tasks {
    fn kind(&self, task: &str) -> Option<Kind> {
        let known = [
            (Kind::Types, &self.types),
            (Kind::Test, &self.test),
            (Kind::Lint, &self.lint),
            (Kind::Build, &self.build),
            (Kind::Format, &self.format),
        ];
        known.into_iter().find_map(|(kind, words)| {
            words.split(' ').any(|word| begins(task, word)).then_some(kind)
        })
    }
}

/// `test:unit` and `test-unit` begin as `test` does.
fn begins(task: &str, word: &str) -> bool {
    let rest = task.strip_prefix(word).filter(|_| !word.is_empty());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '-', '_']))
}
