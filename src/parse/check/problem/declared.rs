//! A table that a project declared.

use super::table::{Row, Table};
use crate::event::DeclaredMatcher;
use crate::event::limits::{MATCHER_LINES_MAX, PATTERN_BYTES_MAX};
use crate::parse::check::matcher::pattern_fault;

impl Table {
    /// Of a declared matcher; `None` where a pattern of it cannot be one.
    pub fn declared(matcher: &DeclaredMatcher) -> Option<Self> {
        let DeclaredMatcher { name, programs, level, lines, repeat, .. } = matcher;
        let is_bounded = lines.len() <= MATCHER_LINES_MAX
            && lines.iter().all(|it| it.len() <= PATTERN_BYTES_MAX);
        if !is_bounded || lines.is_empty() || pattern_fault(lines).is_some() {
            return None;
        }
        let mut row = Row::default();
        (row.lines, row.level, row.repeat) = (lines.clone(), level.clone(), *repeat);
        let mut table = Self::default();
        (table.name, table.programs, table.is_own) = (name.clone(), programs.join(" "), true);
        table.problem.push(row);
        Some(table)
    }
}
