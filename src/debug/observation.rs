//! What a caller tells of a session: what is wrong, what was changed, whether it helped, what was learnt.

use super::given::checked_analysis;
use super::writer::not_over;
use super::{DebugDone, DebugError, DebugWriter, FixGiven, LearnGiven, room};
use crate::debug::query::{DebugRecord, DebugView};
use crate::event::{
    Analysis, AnalysisRecorded, Body, DebugAuthor, DebugExecution, DebugSessionId, FixApplied,
    FixVerified, LearningExtracted, TemplateRef, Verification,
};

const BY: DebugAuthor = DebugAuthor::Caller;

impl DebugWriter<'_, '_> {
    /// Records what was wrong in an attempt, `None`: in the last one. Also of a session that is over.
    pub fn analyse(
        &mut self,
        session: DebugSessionId,
        attempt: Option<u32>,
        analysis: Analysis,
    ) -> Result<DebugDone, DebugError> {
        let analysis = checked_analysis(analysis)?;
        let _turn = self.turn()?;
        let record = self.record(session)?;
        let attempt = execution(&record, attempt)?.attempt;
        room::for_more(&record, &analysis)?;
        let told = AnalysisRecorded { session, attempt, by: BY, analysis };
        let sequence = self.commit(vec![Body::AnalysisRecorded(told)])?;
        self.done(session, sequence)
    }

    /// Records what was changed after an attempt, `None`: after the last one.
    pub fn fix(
        &mut self,
        session: DebugSessionId,
        attempt: Option<u32>,
        given: FixGiven,
    ) -> Result<DebugDone, DebugError> {
        let FixGiven { fix, template } = given.checked()?;
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = DebugView::of(&index);
        let record = self.known(view, session)?;
        not_over(&record)?;
        let before = execution(&record, attempt)?;
        let attempt = before.attempt;
        room::for_more(&record, &fix)?;
        if let Some(template) = &template {
            is_there(view, template)?;
        }
        let described = before.fix_applied.as_ref().map(|proposed| proposed.description.as_str());
        let is_proposed = described == Some(fix.description.as_str());
        let origin = record.beside.fixes.get(&attempt).filter(|_| is_proposed);
        let template = template.or_else(|| origin.and_then(|origin| origin.template.clone()));
        let applied = FixApplied { session, attempt, by: BY, fix, template };
        let sequence = self.commit(vec![Body::FixApplied(applied)])?;
        self.done(session, sequence)
    }

    /// Records whether the fix after an attempt helped, `None`: the last one that there is. A template
    /// that it was made from has one trial more; said again, it corrects what was said before, also of
    /// what was learnt of it.
    pub fn verify(
        &mut self,
        session: DebugSessionId,
        attempt: Option<u32>,
        verification: Verification,
    ) -> Result<DebugDone, DebugError> {
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = DebugView::of(&index);
        let record = self.known(view, session)?;
        let executions = || record.document.executions.iter().rev();
        let attempt = match attempt {
            None => executions().find(|it| it.fix_applied.is_some()).map(|it| it.attempt),
            Some(_) => None,
        }
        .map_or_else(|| execution(&record, attempt).map(|it| it.attempt), Ok)?;
        let fixed = execution(&record, Some(attempt))?;
        let Some(fix) = &fixed.fix_applied else {
            return Err(DebugError::NoFix { session, attempt });
        };
        if fix.verification == Some(verification) {
            return Ok(DebugDone { session, document: record.document, sequence: None });
        }
        let told = FixVerified { session, attempt, by: BY, verification };
        let mut bodies = vec![Body::FixVerified(told)];
        bodies.extend(self.tried(view, &record, attempt, verification)?);
        drop(index);
        let sequence = self.commit(bodies)?;
        self.done(session, sequence)
    }

    /// Records what was learnt. Also of a session that is over.
    pub fn learn(
        &mut self,
        session: DebugSessionId,
        given: LearnGiven,
    ) -> Result<DebugDone, DebugError> {
        let LearnGiven { learnings, tallies } = given.checked()?;
        let _turn = self.turn()?;
        room::for_more(&self.record(session)?, &learnings)?;
        let learnt = LearningExtracted { session, by: BY, learnings, tallies };
        let sequence = self.commit(vec![Body::LearningExtracted(learnt)])?;
        self.done(session, sequence)
    }
}

/// The attempt that is meant, `None`: the last.
fn execution(record: &DebugRecord, attempt: Option<u32>) -> Result<&DebugExecution, DebugError> {
    let session = record.session.id;
    let mut executions = record.document.executions.iter().rev();
    match attempt {
        None => executions.next().ok_or(DebugError::NoAttempts { session }),
        Some(attempt) => executions
            .find(|execution| execution.attempt == attempt)
            .ok_or(DebugError::NoAttempt { session, attempt }),
    }
}

fn is_there(view: DebugView<'_>, template: &TemplateRef) -> Result<(), DebugError> {
    let learnt = view.patterns(template.session)?;
    match learnt.iter().any(|it| it.pattern == template.pattern) {
        true => Ok(()),
        false => {
            let field = "template".to_owned();
            let why = format!(
                "names the pattern {:?} of the debug session {}, which has none of that name: \
                 `annals debug templates` has what there is",
                template.pattern, template.session
            );
            Err(DebugError::Field { field, why })
        }
    }
}
