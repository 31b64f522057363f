//! Attempts, and what was thought and done about them.

use super::state::Change;
use super::{DebugState, Fault, sanitize};
use crate::event::{
    AnalysisRecorded, AttemptRecorded, DebugAuthor, DebugExecution, FixApplied, FixOrigin,
    FixVerified, debug_time,
};
use crate::parse::content;
use crate::store::AnomalyKind;

/// Of an attempt's code this much is kept; the journal has it all.
const SNAPSHOT_BYTES_MAX: usize = 1 << 20;

impl DebugState {
    pub(super) fn attempt(
        &mut self,
        recorded: &AttemptRecorded,
        at_ms: u64,
        faults: &mut Vec<Fault>,
    ) -> Result<Change, Fault> {
        let attempt = recorded.attempt;
        if attempt == 0 {
            let id = &self.document.session_id;
            let message =
                format!("attempts begin at 1; the debug session {id} has none of number 0");
            return Err(Fault::contradiction(message));
        }
        if self.execution(attempt).is_ok() {
            let id = &self.document.session_id;
            let message = format!("attempt {attempt} of debug session {id} was told; that counts");
            return Err(Fault::contradiction(message));
        }
        let snapshot = recorded.code_snapshot.as_ref().map(|code| {
            let text = content::text(code, SNAPSHOT_BYTES_MAX);
            if text.is_none() {
                let id = &self.document.session_id;
                let message = format!("the code of attempt {attempt} of {id} is not to be read");
                faults.push(Fault { kind: AnomalyKind::LostContent, message });
            }
            text
        });
        let execution = sanitize::execution(DebugExecution {
            attempt,
            timestamp: debug_time(at_ms),
            code_hash: recorded.code_hash.clone(),
            code_snapshot: snapshot.flatten().map(|text| text.into_owned()),
            environment: recorded.environment.clone(),
            test_results: recorded.results.clone(),
            failures: Some(recorded.failures.clone()),
            analysis: None,
            fix_applied: None,
        });
        self.fits(&execution)?;
        let executions = &mut self.document.executions;
        let place = executions.partition_point(|known| known.attempt < attempt);
        executions.insert(place, execution);
        if let Some(id) = recorded.execution {
            self.beside.executions.insert(attempt, id.to_string());
        }
        Ok(Change::Document)
    }

    pub(super) fn analysis(&mut self, recorded: &AnalysisRecorded) -> Result<Change, Fault> {
        let attempt = recorded.attempt;
        self.execution(attempt)?;
        let is_told = recorded.by == DebugAuthor::Caller;
        if !is_told && self.beside.analyses_told.contains(&attempt) {
            return Ok(Change::None);
        }
        let analysis = sanitize::analysis(recorded.analysis.clone());
        self.fits(&analysis)?;
        self.execution(attempt)?.analysis = Some(analysis);
        if is_told {
            self.beside.analyses_told.insert(attempt);
        }
        Ok(Change::Document)
    }

    pub(super) fn fix(&mut self, recorded: &FixApplied) -> Result<Change, Fault> {
        let attempt = recorded.attempt;
        self.execution(attempt)?;
        let fix = sanitize::fix(recorded.fix.clone());
        self.fits(&fix)?;
        self.execution(attempt)?.fix_applied = Some(fix);
        let (by, template) = (recorded.by, recorded.template.clone());
        self.beside.fixes.insert(attempt, FixOrigin { by, template, tried: false, worked: None });
        Ok(Change::Document)
    }

    pub(super) fn verified(&mut self, recorded: &FixVerified) -> Result<Change, Fault> {
        let attempt = recorded.attempt;
        let Some(fix) = &mut self.execution(attempt)?.fix_applied else {
            let id = &self.document.session_id;
            let message = format!("attempt {attempt} of debug session {id} has no fix to verify");
            return Err(Fault::unknown(message));
        };
        fix.verification = Some(recorded.verification);
        Ok(Change::Document)
    }
}
