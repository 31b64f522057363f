//! Changes debug memory: each change is one durable commit of the journal.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::error::Result;
use super::query::{CauseKey, Causes, DebugRecord, DebugView};
use super::{DebugDone, DebugError};
use crate::config::environment::is_inside_hook;
use crate::event::{
    Body, DebugDocument, DebugSessionId, DebugStatus, Envelope, Event, Sequence, SessionId, Source,
};
use crate::execution::index::IndexReader;
use crate::journal::owner::Held;
use crate::journal::{Project, Recorder, clock};
use crate::store::catch_up::Feeding;
use crate::store::{JournalFeed, StorePlaces};

/// How long whoever changes debug memory is waited for.
const TURN: Duration = Duration::from_secs(30);

/// Changes debug memory. What is decided on what is there holds for the moment in which it is recorded:
/// one process at a time decides.
pub struct DebugWriter<'r, 'p> {
    pub(super) project: &'p Project,
    pub(super) recorder: &'r mut Recorder<'p>,
    session: Option<SessionId>,
    at_ms: Option<u64>,
    pub(super) runs_hooks: bool,
    /// It records what is inferred.
    pub(super) is_past: bool,
    /// In how many sessions a cause was met that the index has not yet.
    met: BTreeMap<CauseKey, u64>,
}

impl<'r, 'p> DebugWriter<'r, 'p> {
    /// Records through this recorder, which must be a live one, for an agent's session. Inside of a
    /// hook's command no hooks run.
    pub fn new(
        project: &'p Project,
        recorder: &'r mut Recorder<'p>,
        session: Option<SessionId>,
    ) -> Self {
        let runs_hooks = !is_inside_hook();
        Self {
            project,
            recorder,
            session,
            at_ms: None,
            runs_hooks,
            is_past: false,
            met: BTreeMap::new(),
        }
    }

    /// Records as of this moment, Unix milliseconds, until another is said.
    pub fn set_at_ms(&mut self, at_ms: u64) {
        self.at_ms = Some(at_ms);
    }

    pub(super) fn now_ms(&self) -> u64 {
        self.at_ms.unwrap_or_else(clock::now_ms)
    }

    /// Runs no hooks.
    #[must_use]
    pub fn without_hooks(self) -> Self {
        Self { runs_hooks: false, ..self }
    }

    /// For what is inferred: no hooks run, and nobody is called.
    #[must_use]
    pub(super) fn of_past(self) -> Self {
        Self { is_past: true, ..self.without_hooks() }
    }

    /// Keeps everybody else from changing anything until it is dropped; refused where hooks would run by
    /// settings that cannot be used.
    pub(super) fn turn(&self) -> Result<Held> {
        if self.runs_hooks {
            self.project.must_act_by_settings()?;
        }
        self.turn_within(TURN)
    }

    pub(super) fn turn_within(&self, within: Duration) -> Result<Held> {
        let path = self.project.owners_dir();
        let held = Held::take(&path, "debug", within);
        held.map_err(|source| DebugError::Lock { path, source })?.ok_or(DebugError::Busy)
    }

    /// In how many sessions a cause was met, this one among them where it is inferred.
    pub(super) fn sessions_with(
        &self,
        view: DebugView<'_>,
        session: DebugSessionId,
        cause: &CauseKey,
    ) -> Result<u64> {
        let known = view.sessions_with(cause)?;
        let is_new = self.is_past && view.session(session)?.is_none();
        Ok(known + u64::from(is_new) + self.met.get(cause).copied().unwrap_or_default())
    }

    /// Counts what a session met that the index does not have yet.
    pub(super) fn has_met(&mut self, document: &DebugDocument) {
        let causes = Causes::of(document);
        let all = causes.with(document).flat_map(|(_, failures)| failures.map(|(_, key)| key));
        for cause in all.collect::<BTreeSet<CauseKey>>() {
            *self.met.entry(cause).or_default() += 1;
        }
    }

    pub(super) fn index(&self) -> Result<IndexReader> {
        let places = StorePlaces::of(self.project);
        let feed = JournalFeed::of(self.project)?;
        Feeding::of(&places, &feed).index()?;
        Ok(IndexReader::open(places.index())?)
    }

    pub(super) fn known(
        &self,
        view: DebugView<'_>,
        session: DebugSessionId,
    ) -> Result<DebugRecord> {
        if let Some(record) = view.record(session)? {
            return Ok(record);
        }
        match view.is_expired(session)? {
            true => Err(DebugError::Expired { session }),
            false => Err(DebugError::NoSession { session: session.to_string() }),
        }
    }

    pub(super) fn record(&self, session: DebugSessionId) -> Result<DebugRecord> {
        let index = self.index()?;
        self.known(DebugView::of(&index), session)
    }

    /// Records facts as one commit; gives the last one's sequence, `None` where there was nothing new.
    pub(super) fn commit(&mut self, bodies: Vec<Body>) -> Result<Option<Sequence>> {
        if bodies.is_empty() {
            return Ok(None);
        }
        let now_ms = self.now_ms();
        self.commit_at(bodies.into_iter().map(|body| (now_ms, body)).collect())
    }

    /// As [`Self::commit`], each as of its time, Unix milliseconds.
    pub(super) fn commit_at(&mut self, bodies: Vec<(u64, Body)>) -> Result<Option<Sequence>> {
        if bodies.is_empty() {
            return Ok(None);
        }
        let session = self.session;
        let event =
            |(at_ms, body)| Event { envelope: Envelope::new(session, Source::Live, at_ms), body };
        let report = self.recorder.record(bodies.into_iter().map(event).collect())?;
        Ok(report.appended.map(|appended| appended.last))
    }

    pub(super) fn done(
        &self,
        session: DebugSessionId,
        sequence: Option<Sequence>,
    ) -> Result<DebugDone> {
        let at = sequence.map_or(0, |sequence| sequence.0);
        match self.record(session) {
            Ok(record) => Ok(DebugDone { session, document: record.document, sequence }),
            Err(DebugError::NoSession { .. } | DebugError::Expired { .. }) => {
                Err(DebugError::Gone { sequence: at })
            }
            Err(source) => Err(DebugError::Unread { sequence: at, source: Box::new(source) }),
        }
    }
}

pub(super) fn not_over(record: &DebugRecord) -> Result<()> {
    let (session, status) = (record.session.id, record.session.status);
    match status {
        DebugStatus::InProgress | DebugStatus::Escalated => Ok(()),
        DebugStatus::Passed | DebugStatus::Failed => {
            let file_path = record.document.file_path.clone();
            Err(DebugError::Final { session, status, file_path })
        }
    }
}
