//! `file_read`, `file_write`, `file_create`: lines of a text file; and a file whole.

use std::io::{BufRead, BufReader, Read};

use serde::Deserialize;
use serde_json::json;

use super::read;
use crate::event::Change;
use crate::grounding::tools::{
    Bench, EDIT_BYTES_MAX, Given, Onto, Parameter, ParameterKind, PlaceError, READ_LINES, Result,
    SNIFFED_BYTES, TEXT_BYTES_MAX, ToolError, ToolSpec,
};

pub(super) const READ: ToolSpec = ToolSpec {
    name: "file_read",
    about: "Read a text file, or some of its lines",
    parameters: &[
        PATH,
        Parameter::optional("offset", ParameterKind::Number, "The first line, from 1"),
        Parameter::optional("limit", ParameterKind::Number, "How many lines [default: 2000]"),
    ],
    run: read_lines,
    program: None,
};

pub(super) const WRITE: ToolSpec = ToolSpec {
    name: "file_write",
    about: "Write a file whole; what was there is replaced, its permissions stay",
    parameters: &[PATH, CONTENT],
    run: |arguments, bench| write(read("file_write", arguments)?, bench, Onto::Anything),
    program: None,
};

pub(super) const CREATE: ToolSpec = ToolSpec {
    name: "file_create",
    about: "Make a file that is not there yet, and the folders on the way",
    parameters: &[PATH, CONTENT],
    run: |arguments, bench| write(read("file_create", arguments)?, bench, Onto::Nothing),
    program: None,
};

pub(super) const PATH: Parameter =
    Parameter::required("path", ParameterKind::Text, "The file, from the project's root");
const CONTENT: Parameter =
    Parameter::required("content", ParameterKind::Text, "What shall be in it");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lines {
    #[serde(alias = "file_path", alias = "file")]
    path: String,
    offset: Option<usize>,
    limit: Option<usize>,
}

fn read_lines(arguments: &str, bench: &Bench<'_>) -> Result<Given> {
    let asked: Lines = read(READ.name, arguments)?;
    let place = bench.workspace.place(&asked.path)?;
    let path = place.shown();
    let file = bench.workspace.file(&place)?;
    let failed = |source| PlaceError::Io { path: place.shown(), did: "read", source };
    let bytes = file.metadata().map_err(failed)?.len();
    let mut lines = BufReader::with_capacity(SNIFFED_BYTES, file);
    if lines.fill_buf().map_err(failed)?.contains(&0) {
        return Err(ToolError::Binary { path, bytes });
    }
    let first = asked.offset.unwrap_or(1).max(1);
    let mut skipped = 0;
    while skipped + 1 < first && skip_line(&mut lines).map_err(failed)? {
        skipped += 1;
    }
    let limit = asked.limit.unwrap_or(READ_LINES);
    let (mut text, mut given, mut cut) = (Vec::new(), 0, false);
    let mut line = Vec::new();
    while given < limit && !cut {
        line.clear();
        // One more than there is room for tells that there is more.
        let room = TEXT_BYTES_MAX - text.len();
        let mut some = lines.by_ref().take(room as u64 + 1);
        if some.read_until(b'\n', &mut line).map_err(failed)? == 0 {
            break;
        }
        cut = line.len() > room;
        if cut && !text.is_empty() {
            break;
        }
        text.extend_from_slice(&line[..line.len().min(room)]);
        given += 1;
    }
    let more = cut || !lines.fill_buf().map_err(failed)?.is_empty();
    let (valid, lossy) = match String::from_utf8(text) {
        Ok(text) => (text, false),
        // The cut may have gone through a character.
        Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
    };
    let last = skipped + given;
    let mut notes = Vec::new();
    if given == 0 && first > 1 {
        notes.push(format!("it has {skipped} lines: nothing from line {first} on"));
    } else if cut && given == 1 && limit > 0 {
        notes.push(format!("line {last} is longer than {TEXT_BYTES_MAX} bytes: its beginning"));
    } else if more {
        notes.push(format!("lines {first} to {last}; go on with offset {}", last + 1));
    }
    if lossy {
        notes.push("not all of it is UTF-8: what is not is shown as U+FFFD".to_owned());
    }
    let data = json!({"path": path, "bytes": bytes, "first": first, "lines": given, "more": more});
    let note = Some(notes.join("; ")).filter(|note| !note.is_empty());
    Ok(Given { note, ..Given::with(valid, data) })
}

/// Passes over a line; false where the file ended before it.
fn skip_line(lines: &mut impl BufRead) -> std::io::Result<bool> {
    let mut any = false;
    loop {
        let buffer = lines.fill_buf()?;
        if buffer.is_empty() {
            return Ok(any);
        }
        any = true;
        match buffer.iter().position(|byte| *byte == b'\n') {
            Some(end) => {
                lines.consume(end + 1);
                return Ok(true);
            }
            None => {
                let all = buffer.len();
                lines.consume(all);
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    #[serde(alias = "file_path", alias = "file")]
    path: String,
    #[serde(alias = "contents")]
    content: String,
}

fn write(asked: Whole, bench: &Bench<'_>, onto: Onto) -> Result<Given> {
    let place = bench.workspace.place(&asked.path)?;
    let (path, bytes) = (place.shown(), asked.content.len());
    if bytes > EDIT_BYTES_MAX {
        let (bytes, bytes_max) = (bytes as u64, EDIT_BYTES_MAX as u64);
        return Err(PlaceError::TooLarge { path, bytes, bytes_max }.into());
    }
    let created = bench.workspace.write(&place, asked.content.as_bytes(), onto)?;
    let did = if created { "made" } else { "replaced" };
    let text = format!("{path}: {did}, {bytes} bytes");
    let data = json!({"path": path, "bytes": bytes, "created": created});
    Ok(Given { changed: vec![Change { path, created }], ..Given::with(text, data) })
}
