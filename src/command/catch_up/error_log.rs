//! `.annals/errors.jsonl`: every anomaly, as it was met.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;

use serde::Serialize;

use crate::projector::Anomaly;
use crate::store::{StoreError, StoreName, StorePlaces};

#[derive(Serialize)]
struct Line<'a> {
    sequence: u64,
    store: &'a str,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    execution: Option<String>,
    message: &'a str,
}

/// Appends a line for each, in one write. Done before the commit: after a crash a line may be
/// there twice, but none is missing.
pub fn log_anomalies(
    places: &StorePlaces,
    store: StoreName,
    anomalies: &[Anomaly],
) -> Result<(), StoreError> {
    if anomalies.is_empty() {
        return Ok(());
    }
    let mut text = Vec::new();
    for anomaly in anomalies {
        let line = Line {
            sequence: anomaly.sequence.0,
            store: store.as_str(),
            kind: anomaly.kind.as_str(),
            execution: anomaly.execution.map(|id| id.to_string()),
            message: &anomaly.message,
        };
        // Numbers and strings always serialise; the index has the anomaly as well.
        if serde_json::to_writer(&mut text, &line).is_ok() {
            text.push(b'\n');
        }
    }
    OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(&places.errors)
        .and_then(|mut file| file.write_all(&text))
        .map_err(|source| StoreError::Io {
            path: places.errors.clone(),
            doing: "writing the error log",
            source,
        })
}
