//! The hooks of the contract's schema: what annals does itself after an attempt, and the command of the
//! user's that the settings may name besides. Nothing that goes wrong here changes what was recorded.

mod apply_known_fix_template;
mod check_similar_past_issues;
mod extract_learnings;
mod notify_human;
mod patterns;
mod preserve_full_context;
mod update_fix_effectiveness;

use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Value, json};

use super::{DebugError, DebugWriter, HookTold};
use crate::config::environment::INSIDE_HOOK;
use crate::debug::limits::HOOK_WITHIN_S_MAX;
use crate::debug::query::{DebugRecord, DebugView, Similar};
use crate::event::{Body, DebugSessionId, Fix, HookRan, TemplateRef};
use crate::grounding::tools::program;
use crate::grounding::tools::program::Ended;
use crate::journal::Project;
use crate::redact::Redactor;
use crate::repo::step_summary::line;

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

/// Of what a command said when it failed, characters that are kept.
const SAID_CHARS_MAX: usize = 200;

/// A command, run by `sh -c` in the project's root, with JSON on its standard input.
#[derive(Debug)]
struct HookCommand {
    line: String,
    input: Value,
}

impl HookCommand {
    /// The one that the settings name, if they do. What it is told is asked for only then.
    fn of(named: Option<&String>, input: impl FnOnce() -> Value) -> Option<Self> {
        let line = named.filter(|line| !line.trim().is_empty())?.clone();
        Some(Self { line, input: input() })
    }

    /// Runs it, and notes what became of it.
    fn within(self, project: &Project, redactor: &Redactor, step: &mut Step) {
        let seconds = project.config().debug.hooks.timeout_s.clamp(1, HOOK_WITHIN_S_MAX);
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(&self.line).current_dir(project.root());
        // What it records runs no hooks: else one that runs tests would run itself.
        shell.env(INSIDE_HOOK, step.hook);
        let (input, stop) = (self.input.to_string(), AtomicBool::new(false));
        let within = Duration::from_secs(seconds);
        let why = match program::run_with(shell, Some(input.as_bytes()), within, &stop) {
            Err(error) => format!("its command could not be run: {error}"),
            Ok(ran) => match ran.ended {
                Ended::TooLong | Ended::Unwanted => {
                    format!("its command took more than {seconds} s and was ended")
                }
                Ended::ByItself if ran.status.success() => {
                    step.outcome.push_str("; its command succeeded");
                    return;
                }
                Ended::ByItself => {
                    let said = String::from_utf8_lossy(ran.stderr.head());
                    let said = line(&redactor.redact_text(&said), SAID_CHARS_MAX);
                    let colon = if said.is_empty() { "" } else { ": " };
                    format!("its command failed ({}){colon}{said}", ran.status)
                }
            },
        };
        step.failed = Some(why);
    }
}

/// One hook, on its way.
#[derive(Debug)]
struct Step {
    pub hook: &'static str,
    /// What it came to, one line.
    pub outcome: String,
    /// Why its command failed.
    pub failed: Option<String>,
    /// What it found, to be recorded.
    pub bodies: Vec<Body>,
    /// What is to be run besides.
    pub command: Option<HookCommand>,
    /// Whether it is recorded that it ran.
    pub is_recorded: bool,
}

impl Step {
    fn new(hook: &'static str, outcome: String) -> Self {
        let (bodies, is_recorded) = (Vec::new(), false);
        Self { hook, outcome, failed: None, bodies, command: None, is_recorded }
    }

    /// The same, with this to be recorded.
    fn recording(self, bodies: impl IntoIterator<Item = Body>) -> Self {
        Self { bodies: bodies.into_iter().collect(), ..self }
    }

    /// The same, with this to be run.
    fn running(self, command: Option<HookCommand>) -> Self {
        Self { command, ..self }
    }

    fn clone_told(&self) -> HookTold {
        let (outcome, failed) = (self.outcome.clone(), self.failed.clone());
        HookTold { hook: self.hook.to_owned(), outcome, failed }
    }

    /// What it came to, and whether that is recorded.
    fn told(self) -> (HookTold, bool) {
        (self.clone_told(), self.is_recorded)
    }
}
