//! Documents that come from elsewhere.

use std::collections::BTreeMap;

use serde_json::Value;

use super::documents::read_documents;
use super::error::Result;
use super::limits::DOCUMENT_BYTES_MAX;
use super::query::DebugView;
use super::schema::{DebugSchema, DocumentChecked};
use super::{DebugError, DebugWriter, ImportDone, ImportedSession};
use crate::event::{
    Body, DebugDocument, DebugSessionId, DebugSessionImported, Envelope, Event, Json, Source,
    debug_ms,
};
use crate::journal::id;

/// Of a document that is refused, faults that are told; `annals debug validate` tells more.
const FAULTS_TOLD: usize = 3;

struct Ready {
    told: ImportedSession,
    imported: DebugSessionImported,
    document: DebugDocument,
}

impl DebugWriter<'_, '_> {
    /// Takes documents from JSON or YAML: one, several, a list, or the contract's file with its
    /// `examples`; of an export its document. `what` is what they are called in what is told of them (a
    /// path). All of them, or none; one that is there already, just so, is not recorded again. `replace`:
    /// one that is there otherwise is replaced, and one that has expired comes back.
    pub fn import(&mut self, what: &str, bytes: &[u8], replace: bool) -> Result<ImportDone> {
        let schema = DebugSchema::new(false)?;
        let documents = read_documents(what, bytes)?;
        let mut ready = Vec::with_capacity(documents.len());
        for (at, document) in documents.into_iter().enumerate() {
            ready.push(self.ready(&schema, what, at, document)?);
        }
        not_twice(what, &ready)?;
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = DebugView::of(&index);
        let (mut bodies, mut sessions) = (Vec::new(), Vec::new());
        for (at, Ready { mut told, imported, document }) in ready.into_iter().enumerate() {
            told.is_known = self.is_known(view, &imported, &document)?
                || bodies.contains(&Body::DebugSessionImported(imported.clone()));
            if !told.is_known {
                let session = told.session;
                let is_expired = view.is_expired(session)?;
                if !replace && (is_expired || view.session(session)?.is_some()) {
                    let (what, document) = (what.to_owned(), at + 1);
                    return Err(DebugError::Taken { what, document, session, is_expired });
                }
                bodies.push(Body::DebugSessionImported(imported));
            }
            sessions.push(told);
        }
        drop(index);
        let sequence = self.commit(bodies)?;
        Ok(ImportDone { sessions, sequence })
    }

    fn ready(
        &self,
        schema: &DebugSchema,
        what: &str,
        at: usize,
        mut document: Value,
    ) -> Result<Ready> {
        let invalid = |place: &str, why: String| DebugError::Invalid {
            what: what.to_owned(),
            document: at + 1,
            at: place.to_owned(),
            why,
        };
        let mut checked = DocumentChecked::of(schema, at, &document);
        checked.faults.append(&mut checked.unkept);
        if let Some((first, more)) = checked.faults.split_first() {
            let more = more.iter().take(FAULTS_TOLD - 1);
            let more: String = more.map(|it| format!("; at {}: {}", it.at, it.why)).collect();
            return Err(invalid(&first.at, format!("{}{more}", first.why)));
        }
        let called = checked.session_id.unwrap_or_default();
        if called.trim().is_empty() {
            return Err(invalid("/session_id", "it is empty".to_owned()));
        }
        let own = DebugSessionId::parse(&called);
        let session = own.unwrap_or_else(|| id::imported_debug_session(&called));
        let native_id = own.is_none().then_some(called);
        document["session_id"] = session.to_string().into();
        let json = Json::canonical("document", &document.to_string());
        let json = json.map_err(|error| invalid("", error.to_string()))?;
        if json.0.len() > DOCUMENT_BYTES_MAX {
            let why = format!("it has {} bytes; {DOCUMENT_BYTES_MAX} at most", json.0.len());
            return Err(invalid("", why));
        }
        let imported = self.redacted(DebugSessionImported { session, native_id, document: json });
        let document = serde_json::from_str(&imported.document.0);
        let document: DebugDocument = document.map_err(|error| invalid("", error.to_string()))?;
        let told = ImportedSession {
            session,
            native_id: imported.native_id.clone(),
            is_known: false,
            unnamed: checked.unnamed,
            notes: notes(&document, self.now_ms()),
        };
        Ok(Ready { told, imported, document })
    }

    fn redacted(&self, imported: DebugSessionImported) -> DebugSessionImported {
        let envelope = Envelope::new(None, Source::Live, self.now_ms());
        let mut event = Event { envelope, body: Body::DebugSessionImported(imported.clone()) };
        self.recorder.redactor().redact(&mut event);
        match event.body {
            Body::DebugSessionImported(redacted) => redacted,
            _ => imported,
        }
    }

    /// Whether the session is there just so, or was made of this very document.
    fn is_known(
        &self,
        view: DebugView<'_>,
        imported: &DebugSessionImported,
        document: &DebugDocument,
    ) -> Result<bool> {
        let Some(record) = view.record(imported.session)? else { return Ok(false) };
        if record.document == *document {
            return Ok(true);
        }
        let Some(at) = view.last_import(imported.session)? else { return Ok(false) };
        let found = self.project.reader()?.get(at)?;
        let body = found.map(|recorded| recorded.event.body);
        Ok(matches!(body, Some(Body::DebugSessionImported(known)) if known == *imported))
    }
}

/// Refuses two documents of one id that differ: only one of them could be kept.
fn not_twice(what: &str, ready: &[Ready]) -> Result<()> {
    let mut places: BTreeMap<DebugSessionId, usize> = BTreeMap::new();
    for (at, one) in ready.iter().enumerate() {
        let session = one.told.session;
        let first = *places.entry(session).or_insert(at);
        if ready[first].imported != one.imported {
            let (what, first, second) = (what.to_owned(), first + 1, at + 1);
            return Err(DebugError::Twice { what, first, second, session });
        }
    }
    Ok(())
}

fn notes(document: &DebugDocument, now_ms: u64) -> Vec<String> {
    let times = [
        ("created_at", &document.created_at, "it is kept as it is"),
        ("updated_at", &document.updated_at, "the time of the import stands for it"),
    ];
    let told = times.iter().filter_map(|(name, time, then)| {
        let why = match debug_ms(time.as_deref()?) {
            None => "is no RFC 3339 time",
            Some(at_ms) if at_ms > now_ms => "lies in the future",
            Some(_) => return None,
        };
        Some(format!("/{name} {why}: {then}"))
    });
    told.collect()
}
