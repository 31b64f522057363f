//! Tables of a journal as Parquet files below a folder or in a bucket: `TABLE/machine=…/day=…/JOURNAL.parquet`.
//!
//! A file has all rows of one day of one table of one journal. It is written beside its place and renamed, so that a reader
//! has each row once at any moment; what was written is listed last, and whoever died before that writes the same again.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::EXPORTED;
use super::error::Result;
use super::manifest::{self, Day, Manifest};
use super::partition::Partition;
use super::target_files::{NOTHING, is_parquet, is_there, named, remove};
use crate::event::Sequence;
use crate::event::wire::hex_text;
use crate::journal::JournalReader;
use crate::journal::archive::{Kept, Target};
use crate::journal::redaction::was_redacted;
use crate::store::Ask;
use crate::store::sql::exported::{DAY_MS, Exported};
use crate::store::sql::{ExportedJournal, FreeSql, Limits, TakeRows, Value};

pub use super::error::ExportError;

/// Where the lists of what was exported lie: engines pass over names that begin so.
const LISTS: &str = "_annals";

/// What an export came to.
#[derive(Debug, Serialize)]
pub struct FolderReport {
    /// The journal's id, in hex.
    pub journal: String,
    pub machine: String,
    /// The journal's last event that was looked at.
    pub through: Sequence,
    pub tables: Vec<TableReport>,
}

#[derive(Debug, Default, Serialize)]
pub struct TableReport {
    pub table: &'static str,
    /// All that it has by now.
    pub rows: i64,
    /// Days whose file was written.
    pub written: u64,
    /// Days that were as they are.
    pub kept: u64,
    /// Days that have no rows any more.
    pub removed: u64,
}

/// Writes what is another by now than what lies there; `anew`: everything, whatever lies there, but nothing of another history.
pub fn export(
    target: &Target,
    journal: &ExportedJournal<'_>,
    reader: &JournalReader,
    anew: bool,
) -> Result<FolderReport> {
    let _lock = target.lock(&format!("{LISTS}/{}.lock", journal.id))?;
    let list = format!("{LISTS}/{}.json", journal.id);
    let mark = reader.mark();
    let kept = target.read(&list, manifest::BYTES_MAX)?;
    let version = kept.as_ref().and_then(|it| it.version.clone());
    let parse = |it: Kept| Manifest::parse(&it.bytes, &target.path(&list), &journal.id);
    let before = match kept.map(parse).transpose() {
        // A list that is none is written anew as well.
        Err(ExportError::Manifest { .. }) if anew => None,
        before => before?,
    };
    if let Some(before) = &before {
        must_go_on(before, reader, &target.path(&list))?;
    }
    let is_whole = match &before {
        Some(it) if !anew && it.has_columns() && it.machine == journal.machine => {
            was_redacted(reader, Sequence(it.through))?
        }
        _ => true,
    };
    let mut now = Manifest::new(&journal.id, &journal.machine);
    let before = before.unwrap_or_else(|| Manifest::new(&journal.id, &journal.machine));
    let stores = FreeSql::exported(std::slice::from_ref(journal), &[], Limits::default())?;
    let mut export = Export { target, journal, stores, is_whole, reports: Vec::new() };
    for table in EXPORTED {
        let known = before.tables.get(table.name).cloned().unwrap_or_default();
        let days = export.table(table, &known, &before.machine)?;
        now.tables.insert(table.name.to_owned(), days);
    }
    (now.through, now.chain) = (mark.sequence.0, hex_text(&mark.chain));
    let reports = export.reports;
    target.write_list(&list, &journal.id, now.to_bytes(), version.as_deref())?;
    Ok(FolderReport {
        journal: journal.id.clone(),
        machine: journal.machine.clone(),
        through: mark.sequence,
        tables: reports,
    })
}

/// What was exported is of this journal's own history.
fn must_go_on(before: &Manifest, reader: &JournalReader, list: &Path) -> Result<()> {
    let at = Sequence(before.through);
    let is_ours = at == Sequence(0)
        || reader.mark_at(at)?.is_some_and(|mark| hex_text(&mark.chain) == before.chain);
    if is_ours {
        return Ok(());
    }
    Err(ExportError::Forked { path: list.to_owned(), at })
}

struct Export<'a> {
    target: &'a Target,
    journal: &'a ExportedJournal<'a>,
    stores: FreeSql,
    /// Whatever lies there is written anew.
    is_whole: bool,
    reports: Vec<TableReport>,
}

impl Export<'_> {
    fn file(&self, table: &Exported, machine: &str, day: &str) -> String {
        let (machine, journal) = (named(machine), &self.journal.id);
        format!("{}/machine={machine}/day={day}/{journal}.parquet", table.name)
    }

    fn table(
        &mut self,
        table: &'static Exported,
        known: &BTreeMap<String, Day>,
        machine_before: &str,
    ) -> Result<BTreeMap<String, Day>> {
        let mut report = TableReport { table: table.name, ..TableReport::default() };
        let mut days = Days::default();
        let has_rows = table.stores.iter().all(|schema| self.stores.has(schema));
        if has_rows {
            self.stores.ask_with(&table.days_sql(), &[], &mut days)?;
        }
        self.show_columns(table)?;
        let mut all = BTreeMap::new();
        for (number, name, mut day) in days.0 {
            let file = self.file(table, &self.journal.machine, &name);
            let before = known.get(&name).filter(|it| !self.is_whole && it.is_as(&day));
            match before.filter(|it| is_there(self.target, &file, it.bytes)) {
                Some(before) => {
                    day.bytes = before.bytes;
                    report.kept += 1;
                }
                None => {
                    day.bytes = self.write(table, Some(number), &file, &mut day.rows)?;
                    report.written += 1;
                }
            }
            report.rows += day.rows;
            all.insert(name, day);
        }
        let is_moved = machine_before != self.journal.machine;
        for name in known.keys().filter(|it| is_moved || !all.contains_key(*it)) {
            remove(self.target, &self.file(table, machine_before, name))?;
            report.removed += u64::from(!all.contains_key(name));
        }
        self.reports.push(report);
        Ok(all)
    }

    /// A file without rows, so that an engine knows the columns of a table that nobody has rows of. All journals have the same.
    fn show_columns(&self, table: &Exported) -> Result<()> {
        let nothing = NOTHING;
        let name = format!("{}/machine={nothing}/day={nothing}/columns.parquet", table.name);
        if self.is_whole || !is_parquet(self.target, &name) {
            self.write(table, None, &name, &mut 0)?;
        }
        Ok(())
    }

    /// Writes a file of a day's rows, or of none; gives its length.
    fn write(&self, table: &Exported, day: Option<i64>, name: &str, rows: &mut i64) -> Result<u64> {
        let coming = self.target.begin(name, &self.journal.id)?;
        let path = self.target.path(name);
        let file = coming.file.try_clone().map_err(ExportError::io("write", &path))?;
        let mut partition = Partition::begin(table, &self.journal.id, file, &path)?;
        if let Some(day) = day {
            let between = [day, day + 1].map(|day| Ask::Number(day.saturating_mul(DAY_MS)));
            self.stores.ask_with(&table.day_sql(), &between, &mut partition)?;
        }
        *rows = partition.end()?;
        Ok(coming.arrive()?)
    }
}

/// The days that a table has rows of.
#[derive(Default)]
struct Days(Vec<(i64, String, Day)>);

impl TakeRows for Days {
    type Error = ExportError;

    fn begin(&mut self, _: &[String]) -> Result<()> {
        Ok(())
    }

    fn row(&mut self, values: &[Value<'_>]) -> Result<bool> {
        if let [Value::Integer(number), Value::Text(name), Value::Integer(rows), sum, changed] =
            values
        {
            let whole = |value: &Value<'_>| match value {
                Value::Integer(number) => *number,
                _ => 0,
            };
            let day = Day { rows: *rows, sum: whole(sum), changed: whole(changed), bytes: 0 };
            self.0.push((*number, String::from_utf8_lossy(name).into_owned(), day));
        }
        Ok(true)
    }
}
