//! The tables of what tools print, in data files. A table's first lines are read at once; the others, and
//! its patterns, when a line may be its own.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock, OnceLock};

use serde::Deserialize;

use super::expression::Expression;
use crate::event::DeclaredMatcher;
use crate::parse::check::diagnostic::level;
use crate::parse::has_word;

/// What one tool prints.
#[derive(Debug)]
pub struct Table {
    pub name: &'static str,
    /// Programs whose output it reads.
    programs: &'static str,
    /// A line without one of these says nothing.
    pub signs: Vec<Cow<'static, str>>,
    /// It reads no other program's output.
    pub is_own: bool,
    text: &'static str,
    patterns: OnceLock<Option<Arc<Patterns>>>,
}

/// A table as its file has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    name: String,
    programs: String,
    signs: Vec<String>,
    /// Whether it counts where no other program was called.
    #[serde(default)]
    only: bool,
    /// Lines that say that all failed, passed, or that there was nothing to check.
    #[serde(default)]
    failed: Vec<Expression>,
    /// Those that do whatever sums follow.
    #[serde(default)]
    stops: Vec<Expression>,
    #[serde(default)]
    passed: Vec<Expression>,
    #[serde(default)]
    nothing: Vec<Expression>,
    /// Lines that say that all failed where none says behind them that it passed.
    #[serde(default)]
    last: Vec<Expression>,
    /// Counts of tests, in groups.
    #[serde(default)]
    totals: Vec<Expression>,
    #[serde(default)]
    problem: Vec<Row>,
    #[serde(default)]
    test: Vec<Row>,
}

/// Lines that tell of one problem, or of one failed test.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    #[serde(skip)]
    pub is_test: bool,
    /// One line after the other, with groups `file`, `line`, `column`, `level`, `code`, `message`, `name`.
    pub lines: Vec<Expression>,
    /// Lines that may stand between two of them.
    #[serde(default)]
    pub within: usize,
    /// Where no group tells.
    pub level: Option<String>,
    pub message: Option<String>,
    /// What the last line that began at the margin tells.
    pub heading: Option<Expression>,
    /// The last of its lines may come again, each a problem.
    #[serde(default)]
    pub repeat: bool,
    /// The first line counts alone, of this level, where the program is known.
    pub alone: Option<String>,
    /// What ends the search for the next line.
    pub end: Option<Expression>,
    /// Messages that are the tool's own summary.
    #[serde(default)]
    pub drop: Vec<Expression>,
    /// First lines that do not count.
    pub skip: Option<Expression>,
    /// Counts behind such a line.
    pub after: Option<Expression>,
    /// Lines that add to the name.
    pub join: Option<Expression>,
    /// Lines behind it that belong to it.
    pub related: Option<Expression>,
}

/// A table's patterns.
#[derive(Debug, Default)]
pub struct Patterns {
    pub failed: Vec<Expression>,
    pub stops: Vec<Expression>,
    pub passed: Vec<Expression>,
    pub nothing: Vec<Expression>,
    pub last: Vec<Expression>,
    pub totals: Vec<Expression>,
    /// Problems, then tests.
    pub rows: Vec<Row>,
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

pub static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    FILES.iter().flat_map(|it| it.split("[[table]]\n")).filter_map(Table::of).collect()
});

impl Table {
    /// Of the text between two `[[table]]`, which begins with the name, the programs and the signs, a line
    /// each.
    fn of(text: &'static str) -> Option<Self> {
        let mut lines = text.lines();
        let mut value = |key: &str| lines.next()?.strip_prefix(key)?.strip_prefix(" = ");
        let quoted = |text: &'static str| text.strip_prefix('"')?.strip_suffix('"');
        let (name, programs) = (quoted(value("name")?)?, quoted(value("programs")?)?);
        let list = value("signs")?;
        let inner = list.strip_prefix('[')?.strip_suffix(']').and_then(quoted)?;
        let signs = match inner.contains('\\') {
            true => serde_json::from_str(list).ok()?, // a test reads all
            false => inner.split("\", \"").map(Cow::Borrowed).collect(),
        };
        let is_own = lines.next() == Some("only = true");
        Some(Self { name, programs, signs, is_own, text, patterns: OnceLock::new() })
    }

    /// Whether it reads what a program prints.
    pub fn is_of(&self, program: &str) -> bool {
        self.name == program || has_word(self.programs, program)
    }

    pub fn patterns(&self) -> Option<&Arc<Patterns>> {
        self.patterns.get_or_init(|| self.text().map(|it| Arc::new(Patterns::of(it)))).as_ref()
    }

    fn text(&self) -> Option<Text> {
        let text = self.text.replace("[[table.", "[[");
        let text: Text = toml::from_str(&text).ok()?; // a test reads all
        let is_same = text.name == self.name && text.programs == self.programs;
        (is_same && text.signs == self.signs && text.only == self.is_own).then_some(text)
    }
}

impl Patterns {
    fn of(text: Text) -> Self {
        let tests = text.test.into_iter().map(|it| Row { is_test: true, ..it });
        Self {
            failed: text.failed,
            stops: text.stops,
            passed: text.passed,
            nothing: text.nothing,
            last: text.last,
            totals: text.totals,
            rows: text.problem.into_iter().chain(tests).collect(),
        }
    }

    /// A project's own.
    pub fn declared(matcher: &DeclaredMatcher) -> Self {
        let row = Row {
            lines: matcher.lines.iter().map(|it| Expression::declared(it)).collect(),
            level: matcher.level.as_deref().map(|it| level(it).to_owned()),
            repeat: matcher.repeat && matcher.lines.len() > 1,
            ..Row::default()
        };
        Self { rows: vec![row], ..Self::default() }
    }

    /// All of them.
    #[cfg(test)]
    pub fn all(&self) -> impl Iterator<Item = &Expression> {
        let sums = [&self.failed, &self.stops, &self.passed, &self.nothing, &self.last];
        let rows = self.rows.iter().flat_map(|row| {
            let others = [&row.heading, &row.end, &row.skip, &row.after, &row.join, &row.related];
            row.lines.iter().chain(&row.drop).chain(others.into_iter().flatten())
        });
        sums.into_iter().flatten().chain(&self.totals).chain(rows)
    }
}
