//! Ends a step of a session: with its summary, by a model where the settings name one.

use super::grounded::Grounded;
use super::{CliError, Context, session, with_causes};
use crate::journal::{Project, RecordReport};
use crate::output::wire;
use crate::repo::step_summary::{Given, StepEnd, SummaryError, SummaryModel};

/// A step that ended, on record.
pub struct EndedStep {
    /// Of the session.
    pub session: String,
    pub end: StepEnd,
    pub report: RecordReport,
}

/// Ends the step of the session of a flag, else of ANNALS_SESSION, else of the default one.
pub fn end_step(
    project: &Project,
    named: Option<&str>,
    context: &mut Context,
) -> Result<EndedStep, CliError> {
    let run = named.or(context.session.as_deref()).unwrap_or(session::DEFAULT).to_owned();
    let given = Given { run: &run, is_asked: true, ..Given::default() };
    let mut grounded = Grounded::open(project, named, context)?;
    let mut end = StepEnd::of(project, grounded.file.grounding(), &given);
    if let (Some(model), Some(facts)) = (SummaryModel::of(project), end.facts()) {
        // A model takes its time, and the session's hooks wait for nobody.
        drop(grounded);
        let reply = model.tell(&facts);
        grounded = Grounded::open(project, named, context)?;
        let asked = end;
        end = StepEnd::of(project, grounded.file.grounding(), &given);
        end.take_reply(project, &asked, reply);
    }
    if grounded.file.grounding().step().is_none() {
        end.problem = Some(SummaryError::NoStep);
        let session = grounded.session.to_string();
        return Ok(EndedStep { session, end, report: RecordReport::default() });
    }
    let events = end.events(&grounded.envelope());
    let report = grounded.record_events(events, context)?;
    Ok(EndedStep { session: grounded.session.to_string(), end, report })
}

impl EndedStep {
    /// Why it has no summary, or not the one that was wanted.
    pub fn problem(&self) -> Option<String> {
        self.end.problem.as_ref().map(|problem| with_causes(problem))
    }

    /// As it is printed.
    pub fn wire(&self) -> wire::StepEnded {
        let ended = &self.end.ended;
        let summary = self.end.summary.as_ref().map(|it| wire::StepSummary {
            repo: it.repo.to_string(),
            run_id: it.run_id.clone(),
            step_id: it.step_id.clone(),
            summary: it.summary.clone(),
            made_by: it.made_by.as_str(),
        });
        wire::StepEnded {
            session: self.session.clone(),
            began_sequence: ended.began,
            executions: ended.executions,
            failed: ended.failed,
            refused: ended.refused,
            mutations: ended.mutations,
            checks_passed: ended.checks_passed,
            changed: ended.changed.clone(),
            follow_up: ended.follow_up.clone(),
            summary: ended.summary.clone(),
            appended_summary: summary,
            problem: self.problem(),
        }
    }
}
