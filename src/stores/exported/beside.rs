//! Tables that no fold makes, since they go by more than a journal's events: what today's rules find in it, and what
//! this user's programs saw of it.

use std::rc::Rc;

use crate::event::Sequence;
use crate::event::wire::hex_text;
use crate::fault::{Fault, Sorted};
use crate::journal::occurrence::each_by_rules;
use crate::journal::trust::seen;
use crate::journal::{JournalError, JournalReader};
use crate::redact::Redactor;
use crate::store::Ask;
use crate::store::sql::exported::Form::{Flag, Integer, Text, Time};
use crate::store::sql::exported::{Exported, column};
use crate::store::sql::{BESIDE, Beside, BesideError, Making};

const TABLES: &str = "CREATE TABLE leaks (seq INTEGER, at_ms INTEGER, session TEXT, rule TEXT, field TEXT, found INTEGER); \
     CREATE TABLE seen (folder TEXT, seq INTEGER, chain TEXT, at_ms INTEGER, last_seq INTEGER, last_chain TEXT, \
     last_ms INTEGER, agrees INTEGER)";

pub static LEAKS: Exported = Exported {
    name: "leaks",
    about: "a record in which the rules of today find a secret that was not taken out, by rule",
    columns: &[
        column("session", "l.session", Text, "the session's id"),
        column("sequence", "l.seq", Integer, "its event"),
        column("at", "l.at_ms", Time, "when that was"),
        column("rule", "l.rule", Text, "the rule that finds it"),
        column("field", "l.field", Text, "the first field of the event that it stands in"),
        column("found", "l.found", Integer, "how often"),
    ],
    from: "FROM beside.leaks l",
    filter: "1",
    order: "l.seq, l.rule",
    at: ("l.seq", "l.at_ms"),
    day: "l.at_ms",
    // A rule that comes later changes no event.
    changed: "l.seq + l.found",
    session: "l.session",
    stores: &[BESIDE],
};

pub static SEEN: Exported = Exported {
    name: "seen_ends",
    about: "an end that this user's programs saw of the journal in a folder; one at least, also where none did",
    columns: &[
        column("folder", "s.folder", Text, "where; null where nobody saw it before"),
        column("sequence", "s.seq", Integer, "the last event that was seen there"),
        column("chain", "s.chain", Text, "the chain up to it, in hex: it vouches for all before"),
        column("at", "s.at_ms", Time, "when that event was recorded"),
        column("last_sequence", "s.last_seq", Integer, "the journal's last event by now"),
        column("last_chain", "s.last_chain", Text, "the chain up to that one"),
        column("last", "s.last_ms", Time, "when that one was recorded"),
        column(
            "behind",
            "max(s.last_seq - s.seq, 0)",
            Integer,
            "events since then; 0 where the journal ends before",
        ),
        column("agrees", "s.agrees", Flag, "0 where the journal does not have what was seen"),
    ],
    from: "FROM beside.seen s",
    filter: "1",
    order: "s.folder",
    at: ("s.last_seq", "s.last_ms"),
    day: "s.last_ms",
    changed: "s.last_seq * 3 + coalesce(s.seq, 0) * 5 + coalesce(s.agrees, 0)",
    session: "NULL",
    stores: &[BESIDE],
};

#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Beside(#[from] BesideError),
}

impl Fault for MakeError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Journal(error) => error.sorted(),
            Self::Beside(BesideError::Place(error)) => error.sorted(),
            Self::Beside(BesideError::Store(error)) => error.sorted(),
        }
    }
}

/// Makes those of `tables` that no store has; `None` where all are of stores.
pub fn make(
    reader: &Rc<JournalReader>,
    redactor: &Redactor,
    tables: &[&Exported],
) -> Result<Option<Beside>, MakeError> {
    let is_asked = |table: &Exported| tables.iter().any(|it| it.name == table.name);
    if !is_asked(&LEAKS) && !is_asked(&SEEN) {
        return Ok(None);
    }
    let making = Beside::begin(TABLES)?;
    if is_asked(&LEAKS) {
        add_leaks(reader, redactor, &making)?;
    }
    if is_asked(&SEEN) {
        add_seen(reader, &making)?;
    }
    Ok(Some(making.end()?))
}

fn number(of: u64) -> Option<Ask> {
    Some(Ask::Number(of.cast_signed()))
}

fn add_leaks(
    reader: &Rc<JournalReader>,
    redactor: &Redactor,
    making: &Making,
) -> Result<(), MakeError> {
    const INSERT: &str = "INSERT INTO leaks VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let mut failed = Ok(());
    each_by_rules(reader, redactor, &mut |recorded, rule, field, found| {
        let envelope = &recorded.event.envelope;
        let row = [
            number(recorded.sequence.0),
            number(envelope.at_ms),
            envelope.session.map(|it| Ask::Text(it.to_string())),
            Some(Ask::Text(rule.to_owned())),
            Some(Ask::Text(field.to_owned())),
            number(found),
        ];
        if failed.is_ok() {
            failed = making.add(INSERT, &row);
        }
    })?;
    Ok(failed?)
}

fn add_seen(reader: &JournalReader, making: &Making) -> Result<(), MakeError> {
    const INSERT: &str = "INSERT INTO seen VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    // What cannot be read is told by who verifies; it has no time then.
    let when = |at: Sequence| reader.get(at).ok().flatten().map(|it| it.recorded_ms);
    let end = reader.mark();
    let last_ms = when(end.sequence).unwrap_or_default();
    let row = |seen: [Option<Ask>; 4], agrees: Option<bool>| {
        let [folder, sequence, chain, at_ms] = seen;
        let agrees = agrees.map(|it| Ask::Number(i64::from(it)));
        let last = [number(end.sequence.0), Some(Ask::Text(hex_text(&end.chain))), number(last_ms)];
        let [last_sequence, last_chain, last_ms] = last;
        making.add(
            INSERT,
            &[folder, sequence, chain, at_ms, last_sequence, last_chain, last_ms, agrees],
        )
    };
    let seen = seen::all(&reader.id());
    if seen.is_empty() {
        row([None, None, None, None], None)?;
    }
    for it in seen {
        let mark = it.at.mark;
        let agrees = end == mark || reader.has(&it.at);
        let at_ms = when(mark.sequence).filter(|_| agrees).and_then(number);
        let chain = Some(Ask::Text(hex_text(&mark.chain)));
        row([Some(Ask::Text(it.folder)), number(mark.sequence.0), chain, at_ms], Some(agrees))?;
    }
    Ok(())
}
