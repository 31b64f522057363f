//! Documents that come from elsewhere.

use serde_json::Value;

use super::documents::{DocumentChecked, read_documents};
use super::limits::DOCUMENT_BYTES_MAX;
use super::schema::DebugSchema;
use super::{DebugError, DebugWriter, ImportDone, ImportedSession};
use crate::command::id;
use crate::event::{
    Body, DebugDocument, DebugSessionId, DebugSessionImported, Envelope, Event, Json, Source,
};
use crate::query::debug::DebugView;

/// Of a document that is refused, faults that are told; `annals debug validate` tells more.
const FAULTS_TOLD: usize = 3;

/// A document that can be recorded.
struct Ready {
    told: ImportedSession,
    imported: DebugSessionImported,
    document: DebugDocument,
}

impl DebugWriter<'_, '_> {
    /// Takes documents from JSON or YAML: one, several, a list, or the contract's file with its
    /// `examples`. `what` is what they are called in what is told of them (a path). All of them, or none;
    /// one that is there already, just so, is not recorded again, and one that is there otherwise is
    /// replaced.
    ///
    /// # Errors
    /// Where they cannot be read, or one of them is not as the schema has it.
    pub fn import(&mut self, what: &str, bytes: &[u8]) -> Result<ImportDone, DebugError> {
        let schema = DebugSchema::new(false)?;
        let documents = read_documents(what, bytes)?;
        let mut ready = Vec::with_capacity(documents.len());
        for (at, document) in documents.into_iter().enumerate() {
            ready.push(self.ready(&schema, what, at, document)?);
        }
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = DebugView::of(&index);
        let (mut bodies, mut sessions) = (Vec::new(), Vec::new());
        for Ready { mut told, imported, document } in ready {
            if view.is_expired(told.session)? {
                return Err(DebugError::Expired { session: told.session });
            }
            told.is_known = self.is_known(view, &imported, &document)?
                || bodies.contains(&Body::DebugSessionImported(imported.clone()));
            if !told.is_known {
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
    ) -> Result<Ready, DebugError> {
        let invalid = |place: &str, why: String| DebugError::Invalid {
            what: what.to_owned(),
            document: at + 1,
            at: place.to_owned(),
            why,
        };
        let checked = DocumentChecked::of(schema, at, &document);
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
        // The schema's integers may be larger than anybody's.
        let document = serde_json::from_str(&imported.document.0);
        let document = document.map_err(|error| invalid("", error.to_string()))?;
        let told = ImportedSession {
            session,
            native_id: imported.native_id.clone(),
            is_known: false,
            unnamed: checked.unnamed,
        };
        Ok(Ready { told, imported, document })
    }

    /// As the journal will have it.
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
    ) -> Result<bool, DebugError> {
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
