//! Debug memory, as spec 002's functions work on it.

use super::{Error, Result, TestRun};
use crate::debug::query::{
    DebugFilter, DebugSession, DebugView, FixTemplate, Similar, SimilarAsked,
};
use crate::debug::{
    AttemptDone, AttemptGiven, CloseDone, DebugError, DebugExport, DebugWriter, ExpiredSession,
    FixGiven, ImportDone, LearnGiven, OpenGiven,
};
use crate::event::{
    Analysis, DebugDocument, DebugSessionId, DebugStatus, ErrorType, SessionId, Verification,
};
use crate::execution::AskedStores;
use crate::execution::live_recorder;
use crate::execution::query::QueryError;
use crate::journal::{Project, id};
use crate::store::catch_up::catch_up;
use crate::store::evidence::Cache;
use crate::store::{JournalFeed, StorePlaces};

/// The agent that the façade's own sessions are of.
const AGENT: &str = "debug_memory";
/// Where the contract's query has no limit.
const ROWS_MAX: usize = 10_000;

/// The debug memory of a project.
pub struct DebugMemory {
    project: Project,
    session: Option<SessionId>,
}

impl DebugMemory {
    pub(crate) fn of(project: Project) -> Self {
        Self { project, session: None }
    }

    /// The same under an agent's session's name, as its events are found by.
    #[must_use]
    pub fn with_session(self, name: &str) -> Self {
        Self { session: Some(id::session(AGENT, name)), ..self }
    }

    /// Sessions with a failure of a type in source files that are `LIKE` a pattern (`%` any letters,
    /// `_` one), those changed last first, ten at most.
    ///
    /// # Errors
    /// Where the type is none of the schema's, or the index cannot be read; so for each that follows.
    pub fn find_similar_failures(
        &self,
        error_type: &str,
        file_pattern: &str,
    ) -> Result<Vec<DebugSession>> {
        let wrong = || Error::Word { what: "error type", given: error_type.to_owned() };
        let error_type = ErrorType::parse(error_type).ok_or_else(wrong)?;
        self.look(|view| view.find_similar_failures(error_type, file_pattern))
    }

    /// Patterns of a category whose templates helped in more than seven of ten trials.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn get_fix_templates(&self, category: &str) -> Result<Vec<FixTemplate>> {
        self.look(|view| view.get_fix_templates(category, ROWS_MAX))
    }

    /// Escalated sessions that were changed after a time, Unix milliseconds, those changed last first.
    pub fn recent_escalations(&self, since_ms: u64) -> Result<Vec<DebugSession>> {
        self.look(|view| view.recent_escalations(since_ms, ROWS_MAX))
    }

    /// Failures of other sessions that look like these, each with its reasons.
    pub fn similar(
        &self,
        asked: &[SimilarAsked],
        exclude: Option<DebugSessionId>,
        limit: usize,
    ) -> Result<Vec<Similar>> {
        self.look(|view| view.similar(asked, exclude, limit))
    }

    /// Sessions, those changed last first.
    pub fn sessions(&self, filter: &DebugFilter) -> Result<Vec<DebugSession>> {
        self.look(|view| view.list(filter))
    }

    /// A session's document; `None` where there is none, or none any more.
    pub fn document(&self, session: DebugSessionId) -> Result<Option<DebugDocument>> {
        self.look(|view| view.document(session))
    }

    /// Opens a session.
    ///
    /// # Errors
    /// Where a field cannot be what it was given as, and the recording's own; so for each that follows.
    pub fn open_session(&self, given: OpenGiven) -> Result<DebugSessionId> {
        Ok(self.write(|writer| writer.open(given))?.session)
    }

    /// Records an attempt: its status and the fix before it follow by rule, then the hooks run.
    ///
    /// # Errors
    /// Where the session is over besides.
    pub fn record_execution(
        &self,
        session: DebugSessionId,
        given: AttemptGiven,
    ) -> Result<AttemptDone> {
        self.write(|writer| writer.attempt(session, given))
    }

    /// The same from what a test runner printed.
    ///
    /// # Errors
    /// Where nothing of that says how many tests ran besides.
    pub fn record_run(
        &self,
        session: DebugSessionId,
        code_hash: &str,
        run: &TestRun<'_>,
    ) -> Result<AttemptDone> {
        let report = run.report();
        if !report.is_understood && report.failures.is_empty() {
            return Err(Error::NotUnderstood { command: run.command.join(" ") });
        }
        let given = AttemptGiven {
            code_hash: code_hash.to_owned(),
            environment: Some(report.environment),
            results: report.results,
            failures: report.failures,
            ..AttemptGiven::default()
        };
        self.record_execution(session, given)
    }

    /// Records what was wrong in an attempt, `None`: in the last.
    ///
    /// # Errors
    /// Where there is no such attempt besides; so for the two that follow.
    pub fn analyse(
        &self,
        session: DebugSessionId,
        attempt: Option<u32>,
        analysis: Analysis,
    ) -> Result<DebugDocument> {
        Ok(self.write(|writer| writer.analyse(session, attempt, analysis))?.document)
    }

    /// Records what was changed after an attempt; the next one verifies it.
    pub fn apply_fix(
        &self,
        session: DebugSessionId,
        attempt: Option<u32>,
        given: FixGiven,
    ) -> Result<DebugDocument> {
        Ok(self.write(|writer| writer.fix(session, attempt, given))?.document)
    }

    /// Records whether a fix helped.
    pub fn verify_fix(
        &self,
        session: DebugSessionId,
        attempt: Option<u32>,
        verification: Verification,
    ) -> Result<DebugDocument> {
        Ok(self.write(|writer| writer.verify(session, attempt, verification))?.document)
    }

    /// Records what was learnt.
    pub fn learn(&self, session: DebugSessionId, given: LearnGiven) -> Result<DebugDocument> {
        Ok(self.write(|writer| writer.learn(session, given))?.document)
    }

    /// Ends a session, or escalates it.
    ///
    /// # Errors
    /// Where it is over otherwise besides.
    pub fn close(
        &self,
        session: DebugSessionId,
        status: DebugStatus,
        reason: Option<String>,
    ) -> Result<CloseDone> {
        self.write(|writer| writer.close(session, status, reason))
    }

    /// Takes documents in, JSON or YAML: all of them, or none. `replace`: also where one is here that
    /// reads otherwise.
    ///
    /// # Errors
    /// Where one is not as the schema has it.
    pub fn import(&self, documents: &[u8], replace: bool) -> Result<ImportDone> {
        self.write(|writer| writer.import("documents", documents, replace))
    }

    /// A session with everything that it rests on.
    ///
    /// # Errors
    /// Where there is none.
    pub fn export(&self, session: DebugSessionId) -> Result<DebugExport> {
        self.write(|writer| writer.export(session))
    }

    /// Lets go of the sessions that were kept as long as the settings say; `dry_run`: only tells which.
    ///
    /// # Errors
    /// Where one cannot be archived: it stays.
    pub fn expire(&self, dry_run: bool) -> Result<Vec<ExpiredSession>> {
        self.write(|writer| writer.expire(dry_run))
    }

    fn look<T>(&self, look: impl FnOnce(DebugView<'_>) -> Result<T, QueryError>) -> Result<T> {
        let stores = AskedStores::of(&self.project, &Cache::of_user())?;
        Ok(look(stores.debug())?)
    }

    fn write<T>(
        &self,
        work: impl FnOnce(&mut DebugWriter<'_, '_>) -> Result<T, DebugError>,
    ) -> Result<T> {
        let done = {
            let mut recorder = live_recorder(&self.project);
            work(&mut DebugWriter::new(&self.project, &mut recorder, self.session))?
        };
        // What was recorded stands; `annals status` says why a store lags.
        drop(self.publish());
        Ok(done)
    }

    /// Brings the stores, and the documents among them, everything that was recorded.
    fn publish(&self) -> Result<()> {
        let places = StorePlaces::of(&self.project);
        drop(catch_up(&places, &JournalFeed::of(&self.project)?));
        Ok(())
    }
}
