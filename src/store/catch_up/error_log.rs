//! `.annals/errors.jsonl`: every anomaly, as it was met, and why a store was built anew or is kept.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use serde::Serialize;

use crate::event::Sequence;
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;
use crate::store::{Anomaly, StoreError};
use crate::stores::StoreName;

#[derive(Serialize)]
struct Line {
    sequence: u64,
    store: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    execution: Option<String>,
    message: String,
}

/// A log above this is not looked through for lines that are there already.
const LOOKED_THROUGH_BYTES_MAX: u64 = 16 << 20;

/// Appends a line for each that has none, in one write. Done before the commit, so that after a
/// crash none is missing; a rebuild meets the same ones again and adds nothing.
pub fn log_anomalies(errors: &Path, store: &str, anomalies: &[Anomaly]) -> Result<(), StoreError> {
    if anomalies.is_empty() {
        return Ok(());
    }
    let line = |anomaly: &'_ Anomaly| Line {
        sequence: anomaly.sequence.0,
        store: store.to_owned(),
        kind: anomaly.kind.as_str(),
        execution: anomaly.execution.map(|id| id.to_string()),
        message: anomaly.message.clone(),
    };
    append(errors, anomalies.iter().map(line))
}

/// Notes what befell a store as a whole: that it was built anew, or is kept as evidence. What cannot
/// be written is told all the same.
pub fn log_store(errors: &Path, store: StoreName, at: Sequence, kind: &'static str, why: &str) {
    let (store, message) = (store.to_string(), why.to_owned());
    let line = Line { sequence: at.0, store, kind, execution: None, message };
    drop(append(errors, std::iter::once(line)));
}

fn append(errors: &Path, lines: impl Iterator<Item = Line>) -> Result<(), StoreError> {
    let failed =
        |source| StoreError::Io { path: errors.to_owned(), doing: "writing the error log", source };
    let known = known(errors).map_err(failed)?;
    let mut text = Vec::new();
    for line in lines {
        // Numbers and strings always serialise; the index has the anomaly as well.
        if let Ok(line) = serde_json::to_string(&line)
            && !known.contains(blake3::hash(line.as_bytes()).as_bytes())
        {
            text.extend(line.as_bytes());
            text.push(b'\n');
        }
    }
    if text.is_empty() {
        return Ok(());
    }
    enclosure::append(errors).and_then(|mut file| file.write_all(&text)).map_err(failed)
}

/// The hashes of the lines that are there.
fn known(path: &Path) -> io::Result<BTreeSet<[u8; 32]>> {
    let file = match enclosure::open(path, OpenHow::Read) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        opened => opened?,
    };
    let mut known = BTreeSet::new();
    if file.metadata()?.len() <= LOOKED_THROUGH_BYTES_MAX {
        for line in BufReader::new(file).split(b'\n') {
            known.insert(blake3::hash(&line?).into());
        }
    }
    Ok(known)
}
