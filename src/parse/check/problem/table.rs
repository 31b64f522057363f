//! The tables of what tools print, in data files, compiled when they are first asked.

use std::sync::{Arc, LazyLock, OnceLock};

use regex::Regex;
use serde::Deserialize;

use crate::parse::has_word;

/// What one tool prints.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    pub name: String,
    /// Programs whose output it reads.
    pub(super) programs: String,
    /// A line without one of these says nothing; none in a project's own, which looks at every line.
    signs: Vec<String>,
    /// Lines that say that all failed, passed, or that there was nothing to check.
    #[serde(default)]
    failed: Vec<String>,
    #[serde(default)]
    passed: Vec<String>,
    #[serde(default)]
    nothing: Vec<String>,
    /// Lines that say that all failed where none says behind them that it passed.
    #[serde(default)]
    last: Vec<String>,
    /// Counts of tests, in groups.
    #[serde(default)]
    totals: Vec<String>,
    #[serde(default)]
    pub(super) problem: Vec<Row>,
    #[serde(default)]
    test: Vec<Row>,
    /// A project declared it.
    #[serde(skip)]
    pub is_own: bool,
    #[serde(skip)]
    compiled: OnceLock<Patterns>,
}

/// Lines that tell of one problem, or of one failed test.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    /// One line after the other, with groups `file`, `line`, `column`, `level`, `code`, `message`, `name`.
    pub(super) lines: Vec<String>,
    /// Lines that may stand between two of them.
    #[serde(default)]
    within: usize,
    /// Where no group tells.
    pub(super) level: Option<String>,
    message: Option<String>,
    /// What the last line that began at the margin tells.
    heading: Option<String>,
    /// The last of its lines may come again, each a problem.
    #[serde(default)]
    pub(super) repeat: bool,
    /// Counts where this program was called alone.
    only: Option<String>,
    /// The first line counts alone, of this level, where the program is known.
    alone: Option<String>,
    /// What ends the search for the next line.
    end: Option<String>,
    /// Messages that are the tool's own summary.
    drop: Option<String>,
    /// First lines that do not count.
    skip: Option<String>,
    /// Counts behind such a line.
    after: Option<String>,
    /// Lines that add to the name.
    join: Option<String>,
    /// Lines behind it that belong to it.
    related: Option<String>,
}

/// A table's patterns. One that does not compile matches nothing; a test compiles all.
#[derive(Debug)]
pub struct Patterns {
    pub failed: Option<Regex>,
    pub passed: Option<Regex>,
    pub nothing: Option<Regex>,
    pub last: Option<Regex>,
    pub totals: Vec<Regex>,
    /// Problems, then tests.
    pub rows: Vec<Pattern>,
}

#[derive(Debug)]
pub struct Pattern {
    pub is_test: bool,
    pub lines: Vec<Regex>,
    pub within: usize,
    pub level: Option<String>,
    pub message: Option<String>,
    pub heading: Option<Regex>,
    pub repeat: bool,
    pub only: Option<String>,
    pub alone: Option<String>,
    pub end: Option<Regex>,
    pub drop: Option<Regex>,
    pub skip: Option<Regex>,
    pub after: Option<Regex>,
    pub join: Option<Regex>,
    pub related: Option<Regex>,
}

/// Files of one language each, the more general the later: the first that reads a line has it.
const FILES: [&str; 7] = [
    include_str!("tables/go.toml"),
    include_str!("tables/rust.toml"),
    include_str!("tables/python.toml"),
    include_str!("tables/node.toml"),
    include_str!("tables/java.toml"),
    include_str!("tables/other.toml"),
    include_str!("tables/c.toml"),
];

#[derive(Deserialize)]
struct File {
    table: Vec<Table>,
}

pub static TABLES: LazyLock<Vec<Arc<Table>>> = LazyLock::new(|| {
    let files = FILES.iter().filter_map(|text| toml::from_str::<File>(text).ok()); // a test reads all
    files.flat_map(|file| file.table).map(Arc::new).collect()
});

/// What any table looks at: nothing else is looked at twice.
pub static ANY: LazyLock<Option<Regex>> =
    LazyLock::new(|| any(TABLES.iter().flat_map(|it| &it.signs)));

fn any<'a>(literals: impl Iterator<Item = &'a String>) -> Option<Regex> {
    let escaped: Vec<String> = literals.map(|it| regex::escape(it)).collect();
    compiled(&escaped.join("|"))
}

fn compiled(pattern: &str) -> Option<Regex> {
    // A test compiles all of ours; a project's own was looked at before it became a table.
    Regex::new(pattern).ok()
}

fn one_of(patterns: &[String]) -> Option<Regex> {
    let each: Vec<String> = patterns.iter().map(|it| format!("(?:{it})")).collect();
    (!each.is_empty()).then(|| compiled(&each.join("|"))).flatten()
}

impl Table {
    pub fn reads(&self, program: &str) -> bool {
        self.name == program || has_word(&self.programs, program)
    }

    /// How many patterns it has in all, to be compared with those that compile.
    #[cfg(test)]
    pub fn patterns_len(&self) -> usize {
        self.problem.iter().chain(&self.test).map(|it| it.lines.len()).sum()
    }

    /// Whether a line may be this tool's: its patterns are compiled for no other.
    pub fn has_sign(&self, line: &str) -> bool {
        self.signs.iter().any(|it| line.contains(it))
    }

    pub fn patterns(&self) -> Option<&Patterns> {
        if self.compiled.get().is_none() {
            let rows = self.problem.iter().map(|it| (it, false));
            let rows = rows.chain(self.test.iter().map(|it| (it, true)));
            let made = Patterns {
                failed: one_of(&self.failed),
                passed: one_of(&self.passed),
                nothing: one_of(&self.nothing),
                last: one_of(&self.last),
                totals: self.totals.iter().filter_map(|it| compiled(it)).collect(),
                rows: rows.map(|(row, is_test)| row.compile(is_test)).collect(),
            };
            // Another thread made the same.
            let _ = self.compiled.set(made);
        }
        self.compiled.get()
    }
}

impl Row {
    fn compile(&self, is_test: bool) -> Pattern {
        let maybe = |text: &Option<String>| text.as_deref().and_then(compiled);
        Pattern {
            is_test,
            lines: self.lines.iter().filter_map(|it| compiled(it)).collect(),
            within: self.within,
            level: self.level.clone(),
            message: self.message.clone(),
            heading: maybe(&self.heading),
            repeat: self.repeat,
            only: self.only.clone(),
            alone: self.alone.clone(),
            end: maybe(&self.end),
            drop: maybe(&self.drop),
            skip: maybe(&self.skip),
            after: maybe(&self.after),
            join: maybe(&self.join),
            related: maybe(&self.related),
        }
    }
}
