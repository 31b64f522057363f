//! Where rows go: standard output, or a file that appears whole or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Format;
use crate::cli::{CliError, Result};
use crate::output::cells::{Cell, JsonRow, csv_line};
use crate::output::escape;
use crate::output::stream::Output;

pub struct Destination<'a> {
    to: To<'a>,
    format: Format,
    headed: bool,
    rows: u64,
}

enum To<'a> {
    Output(&'a mut Output),
    File { file: BufWriter<File>, temporary: Temporary, path: PathBuf },
}

/// A file on its way: gone where it does not arrive.
struct Temporary {
    path: PathBuf,
    arrived: bool,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.arrived {
            // What made it fail is the error to tell.
            drop(std::fs::remove_file(&self.path));
        }
    }
}

impl<'a> Destination<'a> {
    pub fn open(path: Option<&PathBuf>, format: Format, output: &'a mut Output) -> Result<Self> {
        let to = match path {
            None => To::Output(output),
            Some(path) => {
                let path = path.clone();
                if std::fs::metadata(&path).is_ok_and(|about| !about.is_file()) {
                    let what = "--output replaces regular files only: redirect standard output";
                    return Err(CliError::Refused { what });
                }
                let mut name = path.file_name().unwrap_or_default().to_owned();
                name.push(format!(".{}.tmp", std::process::id()));
                let temporary = path.with_file_name(name);
                // A namesake can only be what a dead process with this number left, or a trap: what
                // it may lead to is not touched.
                drop(std::fs::remove_file(&temporary));
                let file = OpenOptions::new()
                    .write(true)
                    .create_new(true)
                    .mode(0o600)
                    .open(&temporary)
                    .map_err(|source| CliError::io("write", &path, source))?;
                let temporary = Temporary { path: temporary, arrived: false };
                To::File { file: BufWriter::new(file), temporary, path }
            }
        };
        Ok(Self { to, format, headed: false, rows: 0 })
    }

    pub fn format(&self) -> Format {
        self.format
    }

    pub fn head(&mut self, names: &[&str]) -> Result<()> {
        if self.format != Format::Csv || std::mem::replace(&mut self.headed, true) {
            return Ok(());
        }
        let cells: Vec<Cell<'_>> = names.iter().map(|name| Cell::Text((*name).into())).collect();
        self.put(&csv_line(&cells))
    }

    pub fn csv(&mut self, cells: &[Cell<'_>]) -> Result<()> {
        self.rows += 1;
        self.put(&csv_line(cells))
    }

    pub fn json<T: Serialize>(&mut self, row: &T) -> Result<()> {
        self.rows += 1;
        let text = serde_json::to_string(row).map_err(io::Error::from)?;
        self.put(&escape::json(&text))?;
        self.put("\n")
    }

    pub fn row(&mut self, names: &[String], cells: &[Cell<'_>]) -> Result<()> {
        match self.format {
            Format::Csv => self.csv(cells),
            Format::Jsonl | Format::Sarif => self.json(&JsonRow { names, cells }),
        }
    }

    /// A part of a document: one of its items where `is_item`.
    pub fn part(&mut self, text: &str, is_item: bool) -> Result<()> {
        self.rows += u64::from(is_item);
        self.put(&escape::json(text))
    }

    /// A part of a text; one of nothing is none.
    pub fn text(&mut self, text: &str) -> Result<()> {
        self.rows += u64::from(!text.is_empty());
        self.put(text)
    }

    /// Bytes that are no text.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.to {
            To::Output(output) => output.raw(bytes)?,
            To::File { file, path, .. } => {
                file.write_all(bytes).map_err(|source| CliError::io("write", path, source))?;
            }
        }
        Ok(())
    }

    fn put(&mut self, text: &str) -> Result<()> {
        match &mut self.to {
            // A terminal would obey what is in it, behind a pipe as well.
            To::Output(output) => output.csv(text)?,
            To::File { file, path, .. } => {
                file.write_all(text.as_bytes())
                    .map_err(|source| CliError::io("write", path, source))?;
            }
        }
        Ok(())
    }

    /// Brings a file to its name; how many rows there are.
    pub fn close(self) -> Result<u64> {
        if let To::File { file, mut temporary, path } = self.to {
            let failed = |source| CliError::io("write", &path, source);
            let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
            file.sync_all().map_err(failed)?;
            std::fs::rename(&temporary.path, &path).map_err(failed)?;
            temporary.arrived = true;
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new("."));
            File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
        }
        Ok(self.rows)
    }
}
