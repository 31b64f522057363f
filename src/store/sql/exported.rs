//! Tables as other programs read them: each is a query over one journal's stores.

/// A table that leaves: as CSV, JSON lines or Parquet, or to be asked by SQL.
#[derive(Debug)]
pub struct Exported {
    pub name: &'static str,
    /// What a row is.
    pub about: &'static str,
    pub columns: &'static [Column],
    /// `FROM` and what is joined, without conditions.
    pub from: &'static str,
    /// Which of those rows it has.
    pub filter: &'static str,
    /// So rows come.
    pub order: &'static str,
    /// The event that a row is of, and when that was, Unix milliseconds.
    pub at: (&'static str, &'static str),
    /// When that was of which a row has its day.
    pub day: &'static str,
    /// The last event that changed a row.
    pub changed: &'static str,
    /// Its session's id.
    pub session: &'static str,
    /// The stores that it is made of, by their schemas: a journal without one of them has no such rows.
    pub stores: &'static [&'static str],
}

#[derive(Debug)]
pub struct Column {
    pub name: &'static str,
    /// The expression that gives it.
    pub from: &'static str,
    pub form: Form,
    pub about: &'static str,
}

/// A column in one line of a list.
pub const fn column(
    name: &'static str,
    from: &'static str,
    form: Form,
    about: &'static str,
) -> Column {
    Column { name, from, form, about }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Text,
    Integer,
    /// Unix milliseconds; CSV and JSON lines tell a UTC time.
    Time,
    /// JSON text.
    Json,
    /// 0 or 1; CSV and JSON lines tell `true` or `false`.
    Flag,
}

pub const DAY_MS: i64 = 86_400_000;
/// The days of rows, and the Monday of their week: `2026-11-27`.
const DAY: &str = "date(of_ms / 1000, 'unixepoch')";
const WEEK: &str = "date(of_ms / 1000, 'unixepoch', 'weekday 0', '-6 days')";

impl Column {
    /// What it is called where a time is a number.
    pub fn plain_name(&self) -> String {
        match self.form {
            Form::Time => format!("{}_ms", self.name),
            _ => self.name.to_owned(),
        }
    }
}

/// Columns that every table has beside its own where it is asked by SQL or written as Parquet, before them, and what they are.
pub const COMMON: &[(&str, &str)] = &[
    ("machine", "the machine that the journal was begun on, by its label"),
    ("journal", "the journal's id, in hex"),
    ("day", "the day of `at_ms`, of a session of `began_ms`, UTC: `2026-11-27`"),
    ("week", "the Monday of its week: `2026-11-23`"),
];

impl Exported {
    /// Its rows, under the names that CSV and JSON lines have, where `conditions` hold.
    pub fn sql(&self, conditions: &str) -> String {
        let column = |it: &Column| format!("{} AS {}", it.from, it.name);
        let columns = self.columns.iter().map(column).collect::<Vec<_>>().join(", ");
        let Self { from, filter, order, .. } = self;
        format!("SELECT {columns} {from} WHERE {filter} AND {conditions} ORDER BY {order}")
    }

    /// Its rows as SQL asks for them and Parquet has them, unordered: the common columns, its own, `changed`. `machine` and
    /// `journal` are SQL.
    pub fn plain_sql(&self, machine: &str, journal: &str) -> String {
        let column = |it: &Column| format!("{} AS {}", it.from, it.plain_name());
        let columns = self.columns.iter().map(column).collect::<Vec<_>>().join(", ");
        let names = self.columns.iter().map(Column::plain_name).collect::<Vec<_>>().join(", ");
        let Self { from, filter, changed, day, .. } = self;
        format!(
            "SELECT {machine} AS machine, {journal} AS journal, {DAY} AS day, {WEEK} AS week, {names}, changed \
             FROM (SELECT {columns}, {day} AS of_ms, {changed} AS changed {from} WHERE {filter})"
        )
    }

    /// The days that it has rows of: since 1970, as a text, how many rows, and two numbers that change where a row comes, goes or
    /// is another.
    pub fn days_sql(&self) -> String {
        let Self { from, filter, changed, day, .. } = self;
        format!(
            "SELECT of_ms / {DAY_MS}, {DAY}, count(*), sum(changed * 48271 % 2147483647), max(changed) FROM \
             (SELECT {day} AS of_ms, {changed} AS changed {from} WHERE {filter}) GROUP BY 1 ORDER BY 1"
        )
    }

    /// The rows of a day, which is from ?1 until before ?2, in order: its week and its own columns.
    pub fn day_sql(&self) -> String {
        let column = |it: &Column| format!("{} AS {}", it.from, it.plain_name());
        let columns = self.columns.iter().map(column).collect::<Vec<_>>().join(", ");
        let Self { from, filter, order, day, .. } = self;
        let week = WEEK.replace("of_ms", "?1");
        format!(
            "SELECT {week} AS week, {columns} {from} WHERE {filter} AND {day} >= ?1 AND {day} < ?2 ORDER BY {order}"
        )
    }
}
