//! Requests that came together: done in order, answered in order, neighbours in one commit.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    Args, Caller, Entry, Line, Pipe, PipeError, Remember, Request, Told, op, registry, remember,
};
use crate::command::{RecordError, RecordReport, clock, id};
use crate::event::SessionId;
use crate::surface::cli::CliError;

/// A request's id, as it was written.
type Id = Option<Box<RawValue>>;

/// A request whose answer waits for its neighbours'.
enum Held {
    Refused(PipeError),
    Record(Entry),
    Memory(Caller, Remember),
}

/// Requests that are done together: what they do is of one sort, but for what is refused.
#[derive(Default)]
struct Run {
    held: Vec<(Id, Held)>,
    sort: Option<Sort>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Record,
    Memory,
}

/// What is answered to a request that was done.
#[derive(Serialize)]
struct Done<'a> {
    id: Option<&'a RawValue>,
    ok: bool,
    result: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<u64>,
}

/// What is answered to one that was not.
#[derive(Serialize)]
struct Failed<'a> {
    id: Option<&'a RawValue>,
    ok: bool,
    error: &'a PipeError,
}

/// Does what a batch asks for, and answers it.
///
/// # Errors
/// Where the output cannot be written.
pub fn answer(
    lines: Vec<Line>,
    session: Option<&str>,
    pipe: &mut Pipe<'_>,
) -> Result<(), CliError> {
    let mut run = Run::default();
    for line in lines {
        if matches!(&line, Line::Whole(line) if line.trim_ascii().is_empty()) {
            continue;
        }
        let (id, prepared) = match Request::parse(&line) {
            Ok(request) => prepare(request, session, &mut run, pipe)?,
            Err((id, error)) => (id, Err(error)),
        };
        match prepared {
            Err(error) => run.held.push((id, Held::Refused(error))),
            Ok(Prepared::Held(held)) => run.held.push((id, held)),
            Ok(Prepared::Do(act, caller, args)) => {
                carry_out(&mut run, pipe)?;
                let told = act(pipe, &caller, args);
                write(id, told, pipe)?;
            }
        }
    }
    carry_out(&mut run, pipe)?;
    Ok(pipe.context.output.flush()?)
}

type Act = fn(&mut Pipe<'_>, &Caller, Args) -> Result<Told, PipeError>;

enum Prepared {
    Held(Held),
    Do(Act, Caller, Args),
}

/// Reads what a request wants. What was asked for before, of another sort, is done first.
fn prepare(
    request: Request,
    session: Option<&str>,
    run: &mut Run,
    pipe: &mut Pipe<'_>,
) -> Result<(Id, Result<Prepared, PipeError>), CliError> {
    let Request { id, op, args, session: own } = request;
    let caller = Caller { session: own.or_else(|| session.map(str::to_owned)) };
    let read = registry::find(&op).and_then(|op| Ok((&op.run, Args::of(args, op.args)?)));
    let (act, args) = match read {
        Ok(read) => read,
        Err(error) => return Ok((id, Err(error))),
    };
    let sort = match act {
        op::Run::Record(_) => Sort::Record,
        op::Run::Memory(_) => Sort::Memory,
        op::Run::Do(act) => return Ok((id, Ok(Prepared::Do(*act, caller, args)))),
    };
    if run.sort.is_some_and(|other| other != sort) {
        carry_out(run, pipe)?;
    }
    let held = match act {
        op::Run::Record(make) => make(pipe, &caller, args).map(Held::Record),
        op::Run::Memory(make) => {
            make(pipe, &caller, args).map(|remember| Held::Memory(caller, remember))
        }
        op::Run::Do(_) => Err(PipeError::new("io", "no such sort")),
    };
    if held.is_ok() {
        run.sort = Some(sort);
    }
    Ok((id, held.map(Prepared::Held)))
}

/// Does what is held, and answers it.
fn carry_out(run: &mut Run, pipe: &mut Pipe<'_>) -> Result<(), CliError> {
    let Run { held, sort } = std::mem::take(run);
    match sort {
        Some(Sort::Memory) => remember(held, pipe),
        Some(Sort::Record) | None => record(held, pipe),
    }
}

/// Carries operations on memory out in one commit, and answers them.
fn remember(held: Vec<(Id, Held)>, pipe: &mut Pipe<'_>) -> Result<(), CliError> {
    let (mut ids, mut asked) = (Vec::with_capacity(held.len()), Vec::new());
    for (id, held) in held {
        match held {
            Held::Memory(caller, remember) => {
                ids.push((id, None));
                asked.push((caller, remember));
            }
            Held::Refused(error) => ids.push((id, Some(error))),
            Held::Record(_) => ids.push((id, None)),
        }
    }
    let mut done = remember::all(asked, pipe).into_iter();
    for (id, refused) in ids {
        let told = match refused {
            Some(error) => Err(error),
            None => done.next().unwrap_or_else(|| Err(PipeError::new("io", "not done"))),
        };
        write(id, told, pipe)?;
    }
    Ok(())
}

/// Records what is held in one commit, and answers it; what is refused is refused alone.
fn record(held: Vec<(Id, Held)>, pipe: &mut Pipe<'_>) -> Result<(), CliError> {
    let mut reports = reports(&held, pipe).into_iter();
    for (id, held) in held {
        let told = match held {
            Held::Refused(error) => Err(error),
            Held::Record(entry) => match reports.next() {
                Some(report) => finish(entry, report, pipe),
                None => Err(PipeError::new("io", "not done")),
            },
            // Of another sort: never held with these.
            Held::Memory(..) => Err(PipeError::new("io", "not done")),
        };
        write(id, told, pipe)?;
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
    !matches!(error, RecordError::Project(_) | RecordError::Journal(_) | RecordError::Redact(_))
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
                groups.push(vec![event]);
                own.push(false);
            }
        }
        groups.push(entry.events.clone());
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
    let output = &mut pipe.context.output;
    match told {
        Ok(Told { result, sequence }) => {
            output.json_line(&Done { id, ok: true, result: &result, sequence })?;
        }
        Err(error) => output.json_line(&Failed { id, ok: false, error: &error })?,
    }
    Ok(())
}
