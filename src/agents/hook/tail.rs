//! The end of a session's transcript, where it tells how calls ended that no hook told of.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use rustix::fs::OFlags;

use super::{Firing, HookAgent, HookError, Known};
use crate::agents::import::{Item, Part, claude_code, closing, codex, turned_out};
use crate::event::{Body, CallKey, Change, ExecutionFinished, Outcome, tool};
use crate::grounding::fold::{CheckKind, OpenCall};

/// Of a transcript, what is read of its end: a turn or two.
const TAIL_BYTES: u64 = 256 << 10;

/// Whether a check is open whose end the transcript may tell by now.
pub fn has_open_check(known: &Known<'_>) -> bool {
    known.grounding().open_calls().any(|open| open.check != CheckKind::None)
}

/// Records how the session's open calls ended, as far as the end of its transcript tells.
pub fn settle(firing: &Firing<'_>, known: &mut Known<'_>) -> Result<(), HookError> {
    if known.grounding().open_calls().next().is_none() {
        return Ok(());
    }
    let mut events = Vec::new();
    let mut calls = HashMap::new();
    for (at_ms, part) in parts(firing) {
        let key = |scope: &Option<String>, call: &str| firing.key(scope.clone(), call.to_owned());
        let result = match part {
            Part::Call(call) => {
                calls.insert(key(&call.scope, &call.id), (at_ms, call.changes));
                continue;
            }
            Part::Result(result) => result,
            Part::Prompt(_) | Part::Title(_) => continue,
        };
        let key = key(&result.scope, &result.id);
        let Some(open) = known.grounding().open_call(&key) else { continue };
        // A call may lie before what was read: then what its hook told of it has to do.
        let told = calls.remove(&key);
        let (called_ms, changes) = told.unwrap_or_else(|| (None, changes(open)));
        let between_ms = called_ms.zip(at_ms).and_then(|(from, to)| to.checked_sub(from));
        let finished = ExecutionFinished {
            execution: open.id(),
            tool: turned_out(open.tool.clone(), &result),
            closing: closing(result, changes, between_ms),
        };
        events.push(firing.event(Body::ExecutionFinished(finished)));
    }
    if events.is_empty() {
        return Ok(());
    }
    firing.record_call(events, known)?;
    known.catch_up();
    Ok(())
}

/// How a call ended, as far as the end of its session's transcript tells.
pub fn outcome(firing: &Firing<'_>, call: &CallKey) -> Option<Outcome> {
    let ended = |part| match part {
        Part::Result(result) => {
            (result.scope == call.scope && result.id == call.call).then_some(result.outcome)
        }
        Part::Call(_) | Part::Prompt(_) | Part::Title(_) => None,
    };
    parts(firing).into_iter().rev().find_map(|(_, part)| ended(part))
}

/// The files that a call changes if it succeeds, as far as its start names them.
fn changes(open: &OpenCall) -> Vec<Change> {
    let created = open.tool == tool::written(true);
    let paths = open.paths.iter().filter(|_| tool::is_mutation(&open.tool));
    paths.map(|path| Change { path: path.clone(), created }).collect()
}

/// What the end of the session's transcript tells, each with its time; nothing where it cannot be
/// read, which the import at the turn's end will tell.
fn parts(firing: &Firing<'_>) -> Vec<(Option<u64>, Part)> {
    let Some(reader) = crate::agents::hook::path(firing).and_then(end_of) else {
        return Vec::new();
    };
    let items = match firing.agent {
        HookAgent::ClaudeCode => claude_code::parse(reader),
        HookAgent::Codex => codex::parse(reader),
    };
    let records = items.filter_map(|item| match item {
        Ok(Item::Record(record)) => Some(*record),
        _ => None,
    });
    let parts = records.flat_map(|record| {
        let at_ms = record.head.at_ms;
        record.parts.into_iter().map(move |part| (at_ms, part))
    });
    parts.collect()
}

/// The last lines of a file.
pub(super) fn end_of(path: PathBuf) -> Option<BufReader<std::io::Take<File>>> {
    // A transcript that cannot be read has nothing to tell here.
    // Nothing is waited for, should it be a pipe.
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let mut file = File::options().read(true).custom_flags(flags).open(path).ok()?;
    let from = file.metadata().ok().filter(Metadata::is_file)?.len().saturating_sub(TAIL_BYTES); // as above
    file.seek(SeekFrom::Start(from)).ok()?; // as above
    let mut reader = BufReader::new(file.take(TAIL_BYTES));
    if from > 0 {
        // The first line is cut.
        reader.read_until(b'\n', &mut Vec::new()).ok()?;
    }
    Some(reader)
}
