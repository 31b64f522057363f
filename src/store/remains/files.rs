//! The files of a folder that a fresh one does not have: line by line where they are lines, else whole.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::{CELL_BYTES_MAX, Otherwise, RemainsError, Remnant, RemnantCount, TakeRemnant};
use crate::store::folder::{FilePlace, FolderReader, Lying};
use crate::store::sql::Value;

/// Bytes of all files together that are read; holes count.
const BYTES_MAX: u64 = 16 << 30;
const LINES: &str = ".jsonl";

/// How often lines stand in a file, by half a hash.
type Lines = HashMap<[u8; 16], u64>;

pub(super) fn beyond(
    reader: &FolderReader,
    fresh: Option<&Path>,
    take: &mut TakeRemnant<'_>,
) -> Result<RemnantCount, RemainsError> {
    let fresh = fresh.map(FolderReader::open_still).transpose()?;
    let mut found = Found { count: RemnantCount::default(), bytes: 0, take, failed: None };
    let each = reader.each(&mut |path, lying| {
        let name = String::from_utf8_lossy(path).into_owned();
        let place = FilePlace::parse(&name).filter(|_| name.as_bytes() == path);
        match (place, lying) {
            (Some(place), Lying::File(file, bytes_max)) => {
                let known = fresh.as_ref().map(|fresh| fresh.file(&place)).transpose();
                let known = known.map_err(io::Error::other).map(Option::flatten);
                known.and_then(|known| found.file(&name, file.take(bytes_max), known))
            }
            _ => {
                found.count.unread.push(format!("{name}: no file of ours"));
                Ok(())
            }
        }
    });
    match (found.failed, each) {
        (Some(error), _) => Err(RemainsError::Taken(error)),
        (None, Ok(())) => Ok(found.count),
        (None, Err(error)) => {
            found.count.unread.push(error.to_string());
            Ok(found.count)
        }
    }
}

struct Found<'t, 'f> {
    count: RemnantCount,
    bytes: u64,
    take: &'t mut TakeRemnant<'f>,
    /// Why the taker ended it.
    failed: Option<io::Error>,
}

impl Found<'_, '_> {
    fn file(&mut self, name: &str, file: io::Take<File>, known: Option<File>) -> io::Result<()> {
        match name.ends_with(LINES) {
            true => self.lines(name, file, known),
            false => self.whole(name, file, known),
        }
    }

    fn lines(&mut self, name: &str, file: io::Take<File>, known: Option<File>) -> io::Result<()> {
        let mut ours = Lines::new();
        if let Some(known) = known {
            let mut known = BufReader::new(known);
            while let Some(line) = next(&mut known)? {
                *ours.entry(key(&line)).or_default() += 1;
            }
        }
        let mut file = BufReader::new(file);
        let mut number = 0;
        while let Some(line) = next(&mut file)? {
            number += 1;
            if self.is_over(&line) || line.len() as u64 > CELL_BYTES_MAX {
                self.count.unread.push(format!("{name}: too large from line {number} on"));
                return Ok(());
            }
            match ours.get_mut(&key(&line)).filter(|times| **times > 0) {
                Some(times) => *times -= 1,
                None => {
                    let line = line.strip_suffix(b"\n").unwrap_or(&line);
                    self.give(name, Otherwise::Nothing, Some(number), line)?;
                }
            }
        }
        Ok(())
    }

    fn whole(&mut self, name: &str, file: io::Take<File>, known: Option<File>) -> io::Result<()> {
        let text = read(file)?;
        if self.is_over(&text) || text.len() as u64 > CELL_BYTES_MAX {
            self.count.unread.push(format!("{name}: too large"));
            return Ok(());
        }
        match known.map(read).transpose()? {
            Some(ours) if ours == text => Ok(()),
            Some(_) => self.give(name, Otherwise::Another, None, &text),
            None => self.give(name, Otherwise::Nothing, None, &text),
        }
    }

    fn is_over(&mut self, bytes: &[u8]) -> bool {
        self.bytes += bytes.len() as u64;
        self.bytes > BYTES_MAX
    }

    fn give(
        &mut self,
        name: &str,
        journal_has: Otherwise,
        line: Option<i64>,
        text: &[u8],
    ) -> io::Result<()> {
        self.count.add(journal_has);
        let mut names: Vec<String> = line.iter().map(|_| LINE.to_owned()).collect();
        let mut values: Vec<Value<'_>> = line.into_iter().map(Value::Integer).collect();
        let key = names.clone();
        names.push(TEXT.to_owned());
        values.push(Value::Text(text));
        let differs_in = match journal_has {
            Otherwise::Nothing => &[],
            Otherwise::Another => &names[key.len()..],
        };
        let taken = (self.take)(&Remnant {
            table: name,
            journal_has,
            key: &key,
            differs_in,
            names: &names,
            values: &values,
            left_out: &[],
        });
        taken.map_err(|error| {
            let told = io::Error::from(error.kind());
            self.failed = Some(error);
            told
        })
    }
}

const LINE: &str = "line";
const TEXT: &str = "text";

/// The next line with its end, of one byte more than is given at most; `None` at the end.
fn next(file: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    file.take(CELL_BYTES_MAX + 1).read_until(b'\n', &mut line)?;
    Ok(Some(line).filter(|line| !line.is_empty()))
}

fn read(file: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(CELL_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn key(line: &[u8]) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&blake3::hash(line).as_bytes()[..16]);
    half
}
