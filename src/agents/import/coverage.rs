//! Which calls transcripts tell of, without recording anything: what `status` holds against the
//! journal.

use std::collections::BTreeSet;

use super::ImportError;
use super::intake::{ImportRequest, past_files};
use super::item::{Item, Part};
use super::transcript::Transcript;
use crate::event::CallKey;

/// The calls of one agent's transcripts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TranscriptCalls {
    /// Transcripts that were found.
    pub transcripts: u64,
    /// Of them, those that were read: the newest, within the bytes allowed.
    pub read: u64,
    pub calls: BTreeSet<CallKey>,
}

/// The calls that the past sessions of an agent tell of; at most about `bytes_max` are read, the
/// newest transcripts first, the first one whatever its size.
pub fn transcript_calls(
    agent: &str,
    request: &ImportRequest,
    bytes_max: u64,
) -> Result<TranscriptCalls, ImportError> {
    let mut files = past_files(request)?;
    files.retain(|file| file.format.agent() == Some(agent));
    files.sort_by_key(|file| std::cmp::Reverse(file.modified_ms));
    let mut found =
        TranscriptCalls { transcripts: files.len() as u64, ..TranscriptCalls::default() };
    let mut bytes = 0;
    for file in &files {
        bytes += file.bytes;
        if found.read > 0 && bytes > bytes_max {
            break;
        }
        found.read += 1;
        let Ok(reader) = file.open() else { continue };
        for item in Transcript::new(reader, file.format.dialect()) {
            let Ok(item) = item else { break };
            let Item::Record(record) = item else { continue };
            for part in record.parts {
                let Part::Call(call) = part else { continue };
                let (agent, scope) = (agent.to_owned(), call.scope);
                found.calls.insert(CallKey { agent, scope, call: call.id });
            }
        }
    }
    Ok(found)
}
