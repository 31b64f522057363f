//! A copy of a graph, kept as evidence: of the graph itself, which is magellan's as well, nothing is moved.

use std::io;
use std::path::{Path, PathBuf};

use super::CodeGraphReader;
use crate::journal::enclosure;
use crate::journal::enclosure::{DatabaseUse, OpenHow};
use crate::store::quarantine::quarantine;
use crate::store::{Keep, StoreError};
use crate::stores::StoreName;

/// Copies a graph as it stands at one moment, whoever writes it, into `building`, where the caller alone
/// builds a graph now, and moves the copy into the quarantine. Answers where it is.
pub fn keep(graph: &Path, building: &Path, aside: &Path) -> Result<Option<PathBuf>, StoreError> {
    let copy = building.join(StoreName::CodeGraph.as_str());
    let failed = |source| StoreError::io(&copy, "keeping a copy of the graph", source);
    match enclosure::remove(&copy) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    // SQLite fills an empty file, and would make one that is whoever's this process is.
    enclosure::open(&copy, OpenHow::CreateNew).map_err(failed)?;
    let real = enclosure::database(&copy, DatabaseUse::Write).map_err(failed)?;
    let real = real.to_str().ok_or_else(|| failed(io::ErrorKind::InvalidFilename.into()))?;
    let conn = CodeGraphReader::open(graph)?.into_connection();
    let copied = conn
        .execute_batch("PRAGMA query_only = OFF")
        .and_then(|()| conn.execute("VACUUM INTO ?1", [real]));
    copied.map_err(|source| StoreError::of_graph(graph, "keeping a copy of it", source))?;
    // Its rows are replaced next.
    enclosure::open(&copy, OpenHow::ReadWrite).and_then(|it| it.sync_all()).map_err(failed)?;
    quarantine(&copy, aside, Keep::Evidence)
}
