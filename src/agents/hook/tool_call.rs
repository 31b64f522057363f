//! A tool's call as a hook tells it, in the importer's terms and by the importer's code: what a
//! hook records and what its transcript says later are one execution.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use rustix::fs::OFlags;

use super::input::Result;
use super::{Firing, Known};
use crate::agents::import::{Call, CallResult, Item, Part, Transcript, closing, turned_out};
use crate::event::{
    Body, CallKey, Change, Closing, ExecutionFinished, ExecutionId, ExecutionStarted, Json,
    Outcome, tool,
};
use crate::grounding::fold::{CheckKind, Grounding, OpenCall};
use crate::journal::id;
use crate::parse::check::CheckRules;

pub struct ToolCall {
    pub call: Call,
    pub key: CallKey,
}

impl ToolCall {
    /// `None` where the input names no tool, or no call.
    pub fn of(firing: &Firing<'_>, grounding: &Grounding) -> Option<Self> {
        let input = firing.input;
        let (id, native) = (input.tool_use_id.to_text()?, input.tool_name.to_text()?);
        let mut call = (firing.agent.facts().call)(firing, id, native)?;
        call.add_edits(firing.project, input.cwd.to_text().as_deref(), None);
        if let Some(left) = call.reads().and_then(|id| grounding.left(&id)) {
            call.add_command(&left.command, left.cwd.as_deref());
        }
        let key = firing.key(call.scope.clone(), call.id.clone());
        Some(Self { call, key })
    }

    pub fn new_execution(&self, at_ms: u64) -> ExecutionId {
        id::imported_execution(at_ms, &self.key)
    }

    pub fn started(&self, firing: &Firing<'_>, execution: ExecutionId) -> ExecutionStarted {
        let call = &self.call;
        ExecutionStarted {
            execution,
            tool: call.tool.clone(),
            native_tool: Some(call.native_tool.clone()).filter(|native| *native != call.tool),
            call: Some(self.key.clone()),
            actor: firing.actor(),
            parent: None,
            arguments: Json(call.arguments.clone()),
            paths: call.paths.clone(),
            symbols: Vec::new(),
            cwd: call.cwd.clone().or_else(|| firing.input.cwd.to_text()),
            branch: None,
        }
    }

    /// How it ended, as far as the hook's input tells; `None` where it does not.
    pub fn result(
        &self,
        firing: &Firing<'_>,
        own: &CheckRules,
        failed: bool,
    ) -> Option<CallResult> {
        (firing.agent.facts().result)(self, firing, own, failed)
    }

    /// The tool that it turned out to be, and how it ended.
    pub fn closing(&self, result: CallResult) -> (String, Closing) {
        let tool = turned_out(self.call.tool.clone(), &result);
        (tool, closing(result, self.call.changes.clone()))
    }
}

/// Of a transcript, what is read of its end: a turn or two.
const TAIL_BYTES: u64 = 256 << 10;

pub fn has_open_check(known: &Known<'_>) -> bool {
    known.grounding().open.iter().any(|open| open.check != CheckKind::None)
}

/// Records how the session's open calls ended, as far as the end of its transcript tells.
pub fn settle(firing: &Firing<'_>, known: &mut Known<'_>) -> Result<()> {
    if known.grounding().open.is_empty() {
        return Ok(());
    }
    let mut events = Vec::new();
    let mut calls = HashMap::new();
    for part in parts(firing) {
        let key = |scope: &Option<String>, call: &str| firing.key(scope.clone(), call.to_owned());
        let result = match part {
            Part::Call(call) => {
                calls.insert(key(&call.scope, &call.id), call.changes);
                continue;
            }
            Part::Result(result) => result,
            _ => continue,
        };
        let key = key(&result.scope, &result.id);
        let Some(open) = known.grounding().open_call(&key) else { continue };
        // A call may lie before what was read: then what its hook told of it has to do.
        let changes = calls.remove(&key).unwrap_or_else(|| changes(open));
        let finished = ExecutionFinished {
            execution: open.id(),
            tool: turned_out(open.tool.clone(), &result),
            closing: closing(result, changes),
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

pub fn outcome(firing: &Firing<'_>, call: &CallKey) -> Option<Outcome> {
    let ended = |part| match part {
        Part::Result(result) => {
            (result.scope == call.scope && result.id == call.call).then_some(result.outcome)
        }
        _ => None,
    };
    parts(firing).into_iter().rev().find_map(ended)
}

fn changes(open: &OpenCall) -> Vec<Change> {
    let created = open.tool == tool::written(true);
    let paths = open.paths.iter().filter(|_| tool::is_mutation(&open.tool));
    paths.map(|path| Change { path: path.clone(), created }).collect()
}

/// What the end of the session's transcript tells; nothing where it cannot be read, which the import at the
/// turn's end will tell.
fn parts(firing: &Firing<'_>) -> Vec<Part> {
    let Some(reader) = super::path(firing).and_then(end_of) else {
        return Vec::new();
    };
    let records =
        Transcript::new(reader, (firing.agent.facts().dialect)()).filter_map(|item| match item {
            Ok(Item::Record(record)) => Some(*record),
            _ => None,
        });
    let parts = records.flat_map(|record| {
        let cwd = record.head.cwd;
        record.parts.into_iter().map(move |mut part| {
            if let Part::Call(call) = &mut part {
                call.add_edits(firing.project, cwd.as_deref(), None);
            }
            part
        })
    });
    parts.collect()
}

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
