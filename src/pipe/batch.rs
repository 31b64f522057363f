//! Requests that came together: done in order, answered in order, neighbours with one flush.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Answer, Answered, Caller, Entry, Line, Pipe, PipeError, Remember, Request, Run, ops};
use crate::cli::CliError;
use crate::event::SessionId;
use crate::journal::{Group, RecordError, RecordReport, clock, id};
use crate::memory::{Asked, Operation};

type Id = Option<Box<RawValue>>;

/// A request whose answer waits for its neighbours'.
enum Held {
    Refused(PipeError),
    Record(Entry),
    Memory(Remember),
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
            Ok(Prepared::Act(act)) => {
                let caller = pipe.caller.clone();
                carry_out(std::mem::take(&mut held), pipe)?;
                pipe.caller = caller;
                pipe.has_asked = false;
                let answer = act(pipe);
                write(id, answer, pipe)?;
            }
        }
    }
    carry_out(held, pipe)?;
    Ok(pipe.context.output.flush()?)
}

enum Prepared {
    Held(Held),
    Act(Box<dyn FnOnce(&mut Pipe<'_>) -> Answered>),
}

fn prepare(
    request: Request,
    session: Option<&str>,
    pipe: &mut Pipe<'_>,
) -> (Id, Result<Prepared, PipeError>) {
    let Request { id, op, args, session: own } = request;
    pipe.caller = Caller { session: own.or_else(|| session.map(str::to_owned)) };
    let prepared = ops::find(&op).and_then(|(family, op)| {
        if family.is_remembered {
            pipe.project.must_be_believed()?;
        }
        Ok(match op.run {
            Run::Record(run) => Prepared::Held(Held::Record(run(pipe, args)?)),
            Run::Remember(run) => Prepared::Held(Held::Memory(run(pipe, args)?)),
            Run::Act(run) => Prepared::Act(Box::new(move |pipe: &mut Pipe<'_>| run(pipe, args))),
        })
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
            Held::Memory(remember) => {
                asked.push(remember);
                None
            }
        };
        waiting.push((id, told));
    }
    let mut done = match asked.is_empty() {
        true => Vec::new(),
        false => remember_all(asked, pipe),
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
            Held::Refused(_) | Held::Memory(_) => None,
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

fn finish(entry: Entry, report: Result<RecordReport, PipeError>, pipe: &mut Pipe<'_>) -> Answered {
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

fn write(id: Id, told: Answered, pipe: &mut Pipe<'_>) -> Result<(), CliError> {
    let id = id.as_deref();
    pipe.context.damage.asked |= pipe.has_asked;
    let output = &mut pipe.context.output;
    match told {
        Ok(Answer { result, sequence }) => {
            let lacks = if pipe.has_asked { output.incomplete.clone() } else { Vec::new() };
            let (result, incomplete) = (&result, lacks.as_slice());
            output.json_line(&Done { id, ok: true, result, sequence, incomplete })?;
        }
        Err(error) => output.json_line(&Failed { id, ok: false, error: &error })?,
    }
    Ok(())
}

/// Carries operations out, in order, in one commit where they find room in one. Of what is refused
/// nothing stays.
fn remember_all(asked: Vec<Remember>, pipe: &mut Pipe<'_>) -> Vec<Answered> {
    let count = asked.len();
    match try_remember(asked, pipe) {
        Ok(done) => done,
        Err(error) => (0..count).map(|_| Err(error.clone())).collect(),
    }
}

fn try_remember(asked: Vec<Remember>, pipe: &mut Pipe<'_>) -> Result<Vec<Answered>, PipeError> {
    for remember in asked.iter().filter(|it| it.caller.session.is_some()) {
        pipe.caller = remember.caller.clone();
        pipe.introduce()?;
    }
    let asked = asked.into_iter().map(|Remember { asker, decide, .. }| Asked {
        asker,
        operation: Box::new(|operation: &mut Operation<'_>| {
            let before = operation.through();
            let answered = decide(operation)?;
            let after = operation.through();
            let sequence = (after > before).then_some(after.0);
            Ok(answered.map(|told| told.at(sequence)))
        }),
    });
    let done = pipe.memory(|memory| memory.operate_many(asked.collect()))?;
    Ok(done.into_iter().map(|done| done?).collect())
}
