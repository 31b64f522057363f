//! Requests that came together: done in order, answered in order, neighbours with one flush.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    Args, Caller, Entry, Line, Pipe, PipeError, Remember, Request, Told, op, registry, remember,
};
use crate::cli::CliError;
use crate::event::SessionId;
use crate::journal::{Group, RecordError, RecordReport, clock, id};

/// A request's id, as it was written.
type Id = Option<Box<RawValue>>;

/// A request whose answer waits for its neighbours'.
enum Held {
    Refused(PipeError),
    Record(Entry),
    Memory(Caller, Remember),
}

/// What is answered to a request that was done.
#[derive(Serialize)]
struct Done<'a> {
    id: Option<&'a RawValue>,
    ok: bool,
    result: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<u64>,
    /// What the journal lacks that this was answered from.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    incomplete: &'a [String],
}

/// What is answered to one that was not.
#[derive(Serialize)]
struct Failed<'a> {
    id: Option<&'a RawValue>,
    ok: bool,
    error: &'a PipeError,
}

/// Does what a batch asks for, and answers it.
pub fn answer(
    lines: Vec<Line>,
    session: Option<&str>,
    pipe: &mut Pipe<'_>,
) -> Result<(), CliError> {
    let mut held = Vec::new();
    for line in lines {
        if matches!(&line, Line::Whole(line) if line.trim_ascii().is_empty()) {
            continue;
        }
        let (id, prepared) = match Request::parse(&line) {
            Ok(request) => prepare(request, session, pipe),
            Err((id, error)) => (id, Err(error)),
        };
        match prepared {
            Err(error) => held.push((id, Held::Refused(error))),
            Ok(Prepared::Held(one)) => held.push((id, one)),
            Ok(Prepared::Do(act, caller, args)) => {
                carry_out(std::mem::take(&mut held), pipe)?;
                pipe.has_asked = false;
                let told = act(pipe, &caller, args);
                write(id, told, pipe)?;
            }
        }
    }
    carry_out(held, pipe)?;
    Ok(pipe.context.output.flush()?)
}

type Act = fn(&mut Pipe<'_>, &Caller, Args) -> Result<Told, PipeError>;

enum Prepared {
    Held(Held),
    Do(Act, Caller, Args),
}

/// Reads what a request wants.
fn prepare(
    request: Request,
    session: Option<&str>,
    pipe: &mut Pipe<'_>,
) -> (Id, Result<Prepared, PipeError>) {
    let Request { id, op, args, session: own } = request;
    let caller = Caller { session: own.or_else(|| session.map(str::to_owned)) };
    let read = registry::find(&op).and_then(|op| {
        if registry::is_remembered(op) {
            pipe.project.must_be_believed()?;
        }
        Ok((&op.run, Args::of(args, op.args)?))
    });
    let prepared = read.and_then(|(run, args)| match run {
        op::Run::Record(make) => make(pipe, &caller, args).map(Held::Record).map(Prepared::Held),
        op::Run::Memory(make) => {
            make(pipe, &caller, args).map(|remember| Prepared::Held(Held::Memory(caller, remember)))
        }
        op::Run::Do(act) => Ok(Prepared::Do(*act, caller, args)),
    });
    (id, prepared)
}

/// Does what is held, and answers it: what is recorded in one commit, then what is done on memory in
/// another, however they alternate. Neither asks for the other.
fn carry_out(held: Vec<(Id, Held)>, pipe: &mut Pipe<'_>) -> Result<(), CliError> {
    let mut reports = reports(&held, pipe).into_iter();
    let (mut waiting, mut asked) = (Vec::with_capacity(held.len()), Vec::new());
    for (id, held) in held {
        let told = match held {
            Held::Refused(error) => Some(Err(error)),
            Held::Record(entry) => Some(match reports.next() {
                Some(report) => finish(entry, report, pipe),
                None => Err(PipeError::new("io", "not done")),
            }),
            Held::Memory(caller, remember) => {
                asked.push((caller, remember));
                None
            }
        };
        waiting.push((id, told));
    }
    let mut done = match asked.is_empty() {
        true => Vec::new(),
        false => remember::all(asked, pipe),
    }
    .into_iter();
    for (id, told) in waiting {
        // What was only recorded lacks nothing.
        pipe.has_asked = told.is_none();
        let told = told.or_else(|| done.next());
        write(id, told.unwrap_or_else(|| Err(PipeError::new("io", "not done"))), pipe)?;
    }
    Ok(())
}

/// What became of each entry, in order.
fn reports(held: &[(Id, Held)], pipe: &mut Pipe<'_>) -> Vec<Result<RecordReport, PipeError>> {
    let entries: Vec<&Entry> = held
        .iter()
        .filter_map(|(_, held)| match held {
            Held::Record(entry) => Some(entry),
            Held::Refused(_) | Held::Memory(..) => None,
        })
        .collect();
    if entries.is_empty() {
        return Vec::new();
    }
    match commit(&entries, pipe) {
        Ok(reports) => reports.into_iter().map(Ok).collect(),
        // One of them is refused, and nothing was recorded.
        Err(error) if entries.len() > 1 && is_refusal(&error) => entries
            .iter()
            .map(|entry| {
                let reports = commit(&[entry], pipe)?;
                Ok(reports.into_iter().next().unwrap_or_default())
            })
            .collect(),
        Err(error) => {
            let error = PipeError::from(error);
            entries.iter().map(|_| Err(error.clone())).collect()
        }
    }
}

/// Whether it is about what was to be recorded, not about where.
fn is_refusal(error: &RecordError) -> bool {
    !matches!(error, RecordError::Project(_) | RecordError::Journal(_))
}

/// Records entries as one durable commit, whose sessions they are of as well.
fn commit(entries: &[&Entry], pipe: &mut Pipe<'_>) -> Result<Vec<RecordReport>, RecordError> {
    let mut groups = Vec::with_capacity(entries.len());
    let mut sessions: Vec<SessionId> = Vec::new();
    // Which groups are an entry's own.
    let mut own = Vec::with_capacity(entries.len());
    for entry in entries {
        if let Some((agent, name)) = &entry.of {
            let session = id::session(agent, name);
            // Begun now, the session would refuse what is told of its past.
            let at_ms = entry.events.first().map(|event| event.envelope.at_ms);
            let told = pipe.introduction(agent, name, at_ms.unwrap_or_else(clock::now_ms));
            if let Some(event) = told.filter(|_| !sessions.contains(&session)) {
                sessions.push(session);
                groups.push(vec![event].into());
                own.push(false);
            }
        }
        groups.push(Group { events: entry.events.clone(), is_timed: entry.is_timed });
        own.push(true);
    }
    let reports = pipe.recorder().record_groups(groups)?;
    // Durable also where the settings let commits be buffered.
    pipe.project.journal()?.sync()?;
    sessions.into_iter().for_each(|session| pipe.is_introduced(session));
    pipe.recorded(reports.iter().map(|report| report.recorded).sum());
    Ok(reports.into_iter().zip(own).filter_map(|(report, own)| own.then_some(report)).collect())
}

fn finish(
    entry: Entry,
    report: Result<RecordReport, PipeError>,
    pipe: &mut Pipe<'_>,
) -> Result<Told, PipeError> {
    match report {
        Ok(report) => {
            entry.ends.into_iter().for_each(|execution| pipe.let_go(execution));
            (entry.answer)(pipe, &report)
        }
        Err(error) => {
            // It never began.
            entry.begins.into_iter().for_each(|execution| pipe.let_go(execution));
            Err(error)
        }
    }
}

fn write(id: Id, told: Result<Told, PipeError>, pipe: &mut Pipe<'_>) -> Result<(), CliError> {
    let id = id.as_deref();
    pipe.context.damage.asked |= pipe.has_asked;
    let output = &mut pipe.context.output;
    match told {
        Ok(Told { result, sequence }) => {
            let lacks = if pipe.has_asked { output.incomplete.clone() } else { Vec::new() };
            let (result, incomplete) = (&result, lacks.as_slice());
            output.json_line(&Done { id, ok: true, result, sequence, incomplete })?;
        }
        Err(error) => output.json_line(&Failed { id, ok: false, error: &error })?,
    }
    Ok(())
}
