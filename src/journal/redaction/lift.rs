//! Content that goes with the record that holds it, and that a later record, which stays, only refers to.

use super::{Plan, RedactionError};
use crate::journal::{JournalReader, Project};

/// Keeps such contents beside the journal, on disk when it returns: there who refers to them finds them by their digest
/// once the record is redacted.
pub fn lift(project: &Project, reader: &JournalReader, plan: &Plan) -> Result<(), RedactionError> {
    let blobs = project.journal()?.blobs();
    for (_, content) in &plan.lifted {
        // What is lost already cannot be kept.
        if let Ok(bytes) = reader.bytes(content) {
            blobs.put(&bytes)?;
        }
    }
    Ok(())
}
