//! The end of a session's transcript, where it tells how calls ended that no hook told of.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;

use super::{Firing, HookAgent, HookError, Known};
use crate::event::{Body, CallKey, ExecutionFinished, Outcome};
use crate::surface::import::{CallResult, Item, Part, claude_code, closing, codex};

/// Of a transcript, what is read of its end: a turn or two.
const TAIL_BYTES: u64 = 256 << 10;

/// Records how the session's open calls ended, as far as the end of its transcript tells.
///
/// # Errors
/// Where what it tells could not be recorded.
pub fn settle(firing: &Firing<'_>, known: &mut Known<'_>) -> Result<(), HookError> {
    if known.grounding().open_calls().next().is_none() {
        return Ok(());
    }
    let mut events = Vec::new();
    for result in results(firing) {
        let key = key(firing, &result);
        let Some(open) = known.grounding().open_call(&key) else { continue };
        let changed = Vec::new();
        let finished = ExecutionFinished {
            execution: open.id(),
            tool: open.tool.clone(),
            closing: closing(result, changed, None),
        };
        events.push(firing.event(Body::ExecutionFinished(finished)));
    }
    if events.is_empty() {
        return Ok(());
    }
    firing.record(events, known)?;
    known.catch_up();
    Ok(())
}

/// How a call ended, as far as the end of its session's transcript tells.
pub fn outcome(firing: &Firing<'_>, call: &CallKey) -> Option<Outcome> {
    let found = results(firing).into_iter().rev().find(|result| key(firing, result) == *call);
    found.map(|result| result.outcome)
}

fn key(firing: &Firing<'_>, result: &CallResult) -> CallKey {
    CallKey {
        agent: firing.agent.as_str().to_owned(),
        scope: result.scope.clone(),
        call: result.id.clone(),
    }
}

/// The results in the end of the session's transcript; none where it cannot be read, which the
/// import at the turn's end will tell.
fn results(firing: &Firing<'_>) -> Vec<CallResult> {
    let path = firing.input.transcript_path.to_text().map(PathBuf::from);
    let Some(reader) = path.filter(|path| path.is_file()).and_then(end_of) else {
        return Vec::new();
    };
    let items = match firing.agent {
        HookAgent::ClaudeCode => claude_code::parse(reader),
        HookAgent::Codex => codex::parse(reader),
    };
    let records = items.filter_map(|item| match item {
        Ok(Item::Record(record)) => Some(record.parts),
        _ => None,
    });
    let results = records.flatten().filter_map(|part| match part {
        Part::Result(result) => Some(result),
        _ => None,
    });
    results.collect()
}

/// The last lines of a file.
fn end_of(path: PathBuf) -> Option<BufReader<std::io::Take<File>>> {
    // A transcript that cannot be read has nothing to tell here.
    let mut file = File::open(path).ok()?;
    let from = file.metadata().ok()?.len().saturating_sub(TAIL_BYTES); // as above
    file.seek(SeekFrom::Start(from)).ok()?; // as above
    let mut reader = BufReader::new(file.take(TAIL_BYTES));
    if from > 0 {
        // The first line is cut.
        reader.read_until(b'\n', &mut Vec::new()).ok()?;
    }
    Some(reader)
}
