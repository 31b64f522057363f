//! Requests that came together: done in order, answered in order, neighbours in one commit.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Args, Caller, Entry, Line, Pipe, PipeError, Request, Run, Told, registry};
use crate::command::{RecordError, RecordReport, clock, id};
use crate::event::SessionId;
use crate::surface::cli::CliError;

/// A request's id, as it was written.
type Id = Option<Box<RawValue>>;

/// A request whose answer waits for its neighbours'.
enum Held {
    Refused(PipeError),
    Record(Entry),
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
            Ok(Prepared::Record(entry)) => held.push((id, Held::Record(entry))),
            Ok(Prepared::Do(run, caller, args)) => {
                record(std::mem::take(&mut held), pipe)?;
                let told = run(pipe, &caller, args);
                write(id, told, pipe)?;
            }
        }
    }
    record(held, pipe)?;
    pipe.rest();
    Ok(pipe.context.output.flush()?)
}

type Act = fn(&mut Pipe<'_>, &Caller, Args) -> Result<Told, PipeError>;

enum Prepared {
    Record(Entry),
    Do(Act, Caller, Args),
}

fn prepare(
    request: Request,
    session: Option<&str>,
    pipe: &mut Pipe<'_>,
) -> (Id, Result<Prepared, PipeError>) {
    let Request { id, op, args, session: own } = request;
    let caller = Caller { session: own.or_else(|| session.map(str::to_owned)) };
    let prepared = registry::find(&op).and_then(|op| {
        let args = Args::of(args, op.args)?;
        Ok(match op.run {
            Run::Record(make) => Prepared::Record(make(pipe, &caller, args)?),
            Run::Do(act) => Prepared::Do(act, caller, args),
        })
    });
    (id, prepared)
}

/// Records what is held in one commit, and answers it; what is refused is refused alone.
fn record(held: Vec<(Id, Held)>, pipe: &mut Pipe<'_>) -> Result<(), CliError> {
    let mut reports = reports(&held, pipe).into_iter();
    for (id, held) in held {
        let told = match held {
            Held::Refused(error) => Err(error),
            Held::Record(entry) => match reports.next() {
                Some(report) => finish(entry, report, pipe),
                None => Ok(Told { result: RawValue::NULL.to_owned(), sequence: None }),
            },
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
            Held::Refused(_) => None,
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
