//! Conditions in SQL with the values for their marks.

use crate::store::Ask;

/// Conditions in SQL with the values for their marks: no value ever becomes part of the SQL.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    pub sql: String,
    pub values: Vec<Ask>,
}

impl Asked {
    /// Adds a piece of SQL; each `?#` in it stands for the next of the values.
    pub fn push(&mut self, sql: &str, values: impl IntoIterator<Item = Ask>) {
        let mut values = values.into_iter();
        let mut pieces = sql.split("?#");
        self.sql.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            self.values.extend(values.next());
            self.sql.push_str(&format!("?{}{piece}", self.values.len()));
        }
    }

    /// Adds a condition.
    pub fn and(&mut self, sql: &str, values: impl IntoIterator<Item = Ask>) {
        self.sql.push_str(" AND ");
        self.push(sql, values);
    }
}

/// A list of numbers for `IN (…)`.
pub(crate) fn list(numbers: &[i64]) -> String {
    let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
    texts.join(",")
}

/// A text to ask with.
pub(crate) fn text(value: &str) -> Ask {
    Ask::Text(value.to_owned())
}
