//! The hooks of the contract's schema: what annals does itself after an attempt, and the command of the
//! user's that the settings may name besides. Nothing that goes wrong here changes what was recorded.

mod apply_known_fix_template;
mod check_similar_past_issues;
mod command;
mod extract_learnings;
mod met;
mod notify_human;
mod preserve_full_context;
mod step;
mod update_fix_effectiveness;

use serde_json::{Value, json};

use self::step::Step;
use super::{DebugError, DebugWriter, HookTold};
use crate::debug::query::{DebugRecord, DebugView, Similar};
use crate::event::{Body, DebugSessionId, Fix, HookRan, TemplateRef};
pub(super) use preserve_full_context::FOLDER as EXPORTS_FOLDER;

/// Who ran the hooks, in the journal.
const AGENT: &str = "annals";
/// How much alike a failure must be before what helped against it is taken up: as one that has the same
/// message (of at most [`crate::debug::query::SCORE_MAX`]).
const SCORE_MIN: u32 = 5;

/// What the hooks found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub told: Vec<HookTold>,
    pub similar: Vec<Similar>,
    pub proposed: Option<(Fix, TemplateRef)>,
}

impl DebugWriter<'_, '_> {
    /// After an attempt in which something failed.
    pub(super) fn on_failure(&mut self, session: DebugSessionId, attempt: u32) -> Found {
        let (mut similar, mut proposed) = (Vec::new(), None);
        let names = [check_similar_past_issues::NAME, apply_known_fix_template::NAME];
        let told = self.ran(session, &names, |writer, view, record| {
            let checked = check_similar_past_issues::step(writer, view, record, attempt)?;
            similar = checked.similar;
            let (step, fix) = apply_known_fix_template::step(
                writer,
                view,
                record,
                attempt,
                &similar,
                checked.analysis.as_ref(),
            )?;
            proposed = fix;
            Ok(vec![checked.step, step])
        });
        Found { told, similar, proposed }
    }

    /// After an attempt in which nothing failed.
    pub(super) fn on_success(&mut self, session: DebugSessionId) -> Vec<HookTold> {
        let names = [update_fix_effectiveness::NAME, extract_learnings::NAME];
        self.ran(session, &names, |writer, view, record| {
            Ok(vec![
                update_fix_effectiveness::step(writer, view, record)?,
                extract_learnings::step(writer, view, record)?,
            ])
        })
    }

    /// What a session that passed long ago teaches; no command of the settings runs.
    pub(super) fn learn_of_past(&mut self, session: DebugSessionId) -> Result<(), DebugError> {
        let learn = |writer: &Self, view: DebugView<'_>, record: &DebugRecord| {
            let step = extract_learnings::step(writer, view, record)?;
            Ok(vec![Step { command: None, ..step }])
        };
        self.found(session, learn).map(drop)
    }

    /// After a session was escalated.
    pub(super) fn on_escalation(&mut self, session: DebugSessionId) -> Vec<HookTold> {
        let names = [notify_human::NAME, preserve_full_context::NAME];
        self.ran(session, &names, |writer, _, record| {
            Ok(vec![
                notify_human::step(writer, record),
                preserve_full_context::step(writer, record)?,
            ])
        })
    }

    /// Records what the hooks found, runs the commands of the settings, and records that they ran.
    fn ran(
        &mut self,
        session: DebugSessionId,
        names: &[&'static str],
        steps: impl FnOnce(&Self, DebugView<'_>, &DebugRecord) -> Result<Vec<Step>, DebugError>,
    ) -> Vec<HookTold> {
        let mut steps = match self.found(session, steps) {
            Ok(steps) => steps,
            Err(error) => return all_failed(names, &error),
        };
        for step in &mut steps {
            if let Some(run) = step.command.take() {
                run.within(self.project, self.recorder.redactor(), step);
            }
        }
        let told = steps.into_iter().map(Step::told).collect::<Vec<_>>();
        let ran = told.iter().filter(|(_, is_recorded)| !is_recorded);
        let ran = ran.map(|(told, _)| hook_ran(told)).collect();
        let recorded = self.commit(ran);
        let mut told: Vec<HookTold> = told.into_iter().map(|(told, _)| told).collect();
        if let Err(error) = recorded {
            for it in &mut told {
                it.failed.get_or_insert_with(|| format!("that it ran is not recorded: {error}"));
            }
        }
        told
    }

    /// What the hooks find, recorded; with them those that need no command.
    fn found(
        &mut self,
        session: DebugSessionId,
        steps: impl FnOnce(&Self, DebugView<'_>, &DebugRecord) -> Result<Vec<Step>, DebugError>,
    ) -> Result<Vec<Step>, DebugError> {
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = DebugView::of(&index);
        let record = self.known(view, session)?;
        let mut steps = steps(self, view, &record)?;
        drop(index);
        let mut bodies = Vec::new();
        for step in &mut steps {
            bodies.append(&mut step.bodies);
        }
        if steps.iter().all(|step| step.command.is_none()) {
            for step in &mut steps {
                step.is_recorded = true;
                bodies.push(hook_ran(&step.clone_told()));
            }
        }
        self.commit(bodies)?;
        Ok(steps)
    }

    /// What every hook's command is told.
    fn input(&self, hook: &str, record: &DebugRecord) -> Value {
        json!({
            "hook": hook,
            "project": self.project.root().to_string_lossy(),
            "session_id": record.session.id.to_string(),
            "file_path": record.document.file_path,
            "document": record.document,
        })
    }
}

fn hook_ran(told: &HookTold) -> Body {
    let outcome = match &told.failed {
        Some(why) => format!("{}; {why}", told.outcome),
        None => told.outcome.clone(),
    };
    let (agent, hook) = (AGENT.to_owned(), told.hook.clone());
    Body::HookRan(HookRan { agent, hook, outcome, duration_ms: None })
}

fn all_failed(names: &[&'static str], error: &DebugError) -> Vec<HookTold> {
    let told = |name: &&str| HookTold {
        hook: (*name).to_owned(),
        outcome: "it did not run".to_owned(),
        failed: Some(error.to_string()),
    };
    names.iter().map(told).collect()
}
