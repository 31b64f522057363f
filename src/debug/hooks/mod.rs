//! The hooks of the contract's schema: what annals does itself after an attempt, and the command of the
//! user's that the settings may name besides. Nothing that goes wrong here changes what was recorded.

mod failure;
mod learnt_fix;
mod success;

use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Value, json};

use super::error::Result;
use super::limits::HOOK_WITHIN_S_MAX;
use super::query::{DebugRecord, DebugView, Similar};
use super::{DebugWriter, HookTold, archive};
use crate::config::DebugHooksConfig;
use crate::config::environment::INSIDE_HOOK;
use crate::event::{Body, DebugSessionId, Fix, HookRan, TemplateRef};
use crate::grounding::tools::program;
use crate::grounding::tools::program::Ended;
use crate::journal::Project;
use crate::redact::Redactor;
use crate::repo::context::{ContextAsked, context};
use crate::repo::step_summary::line;

const NOTIFY_HUMAN: &str = "on_escalation.notify_human";
const PRESERVE_FULL_CONTEXT: &str = "on_escalation.preserve_full_context";
/// Where an escalated session is kept, below `.annals`.
pub(super) const EXPORTS_FOLDER: &str = "debug-exports";
const AGENT: &str = "annals";
/// Tells packs of this build that are kept from those of another.
const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), " debug");
/// How much alike a failure must be before what helped against it is taken up: as one that has the same
/// message (of at most [`crate::debug::query::SCORE_MAX`]).
const SCORE_MIN: u32 = 5;
/// Of what a command said when it failed, characters that are kept.
const SAID_CHARS_MAX: usize = 200;

#[derive(Debug, Default)]
pub(super) struct Found {
    pub told: Vec<HookTold>,
    pub similar: Vec<Similar>,
    pub proposed: Option<(Fix, TemplateRef)>,
}

impl DebugWriter<'_, '_> {
    pub(super) fn on_failure(&mut self, session: DebugSessionId, attempt: u32) -> Found {
        let (mut similar, mut proposed) = (Vec::new(), None);
        let names = [failure::CHECK_SIMILAR, failure::APPLY_TEMPLATE];
        let told = self.ran(session, &names, |writer, view, record| {
            let checked = failure::check_similar(writer, view, record, attempt)?;
            similar = checked.similar;
            let analysis = checked.analysis.as_ref();
            let (step, fix) =
                failure::apply_template(writer, view, record, attempt, &similar, analysis)?;
            proposed = fix;
            Ok(vec![checked.step, step])
        });
        Found { told, similar, proposed }
    }

    pub(super) fn on_success(&mut self, session: DebugSessionId) -> Vec<HookTold> {
        let names = [success::UPDATE_EFFECTIVENESS, success::EXTRACT_LEARNINGS];
        self.ran(session, &names, |writer, view, record| {
            Ok(vec![
                success::update_effectiveness(writer, view, record)?,
                success::extract_learnings(writer, view, record)?,
            ])
        })
    }

    /// What a session that passed long ago teaches; no command of the settings runs.
    pub(super) fn learnt_of_past(
        &self,
        view: DebugView<'_>,
        record: &DebugRecord,
    ) -> Result<Vec<Body>> {
        let mut step = success::extract_learnings(self, view, record)?;
        step.bodies.push(hook_ran(&step.told));
        Ok(step.bodies)
    }

    pub(super) fn on_escalation(&mut self, session: DebugSessionId) -> Vec<HookTold> {
        let names = [NOTIFY_HUMAN, PRESERVE_FULL_CONTEXT];
        self.ran(session, &names, |writer, _, record| {
            Ok(vec![writer.notify_human(record), writer.preserve_full_context(record)?])
        })
    }

    /// A person is to look; a command of the user's tells them, with the context pack at hand.
    fn notify_human(&self, record: &DebugRecord) -> Step {
        let command = self.command(NOTIFY_HUMAN, &self.hooks().notify_human, record, |input| {
            // Without a pack somebody is told all the same.
            match context(self.project, &ContextAsked::default(), BUILD) {
                Ok(told) => input["context"] = json!(told.pack.text),
                Err(error) => input["context_error"] = json!(error.to_string()),
            }
        });
        let outcome = match command {
            Some(_) => "a person is to look",
            None => "a person is to look; the settings name no command that tells them",
        };
        Step { command, ..Step::new(NOTIFY_HUMAN, outcome.to_owned()) }
    }

    /// The session with everything that it rests on, in a file.
    fn preserve_full_context(&self, record: &DebugRecord) -> Result<Step> {
        let export = self.export_of(record)?;
        let value = serde_json::to_value(&export).unwrap_or(Value::Null);
        let name = format!("{}.json", record.session.id);
        let path = self.project.annals_dir().join(EXPORTS_FOLDER).join(&name);
        archive::write(&path, format!("{value:#}\n").as_bytes())?;
        let named = &self.hooks().preserve_full_context;
        let command = HookCommand::of(named, || value);
        let outcome = format!("kept in .annals/{EXPORTS_FOLDER}/{name}");
        Ok(Step { command, ..Step::new(PRESERVE_FULL_CONTEXT, outcome) })
    }

    /// Records what the hooks found, runs the commands of the settings, and records that they ran.
    fn ran(
        &mut self,
        session: DebugSessionId,
        names: &[&'static str],
        steps: impl FnOnce(&Self, DebugView<'_>, &DebugRecord) -> Result<Vec<Step>>,
    ) -> Vec<HookTold> {
        let mut steps = match self.found(session, steps) {
            Ok(steps) => steps,
            Err(error) => {
                let told = |name: &&str| HookTold {
                    hook: (*name).to_owned(),
                    outcome: "it did not run".to_owned(),
                    failed: Some(error.to_string()),
                };
                return names.iter().map(told).collect();
            }
        };
        for step in &mut steps {
            if let Some(run) = step.command.take() {
                run.within(self.project, self.recorder.redactor(), &mut step.told);
            }
        }
        let unrecorded = steps.iter().filter(|step| !step.is_recorded);
        let recorded = self.commit(unrecorded.map(|step| hook_ran(&step.told)).collect());
        let mut told: Vec<HookTold> = steps.into_iter().map(|step| step.told).collect();
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
        steps: impl FnOnce(&Self, DebugView<'_>, &DebugRecord) -> Result<Vec<Step>>,
    ) -> Result<Vec<Step>> {
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = DebugView::of(&index);
        let record = self.known(view, session)?;
        let mut steps = steps(self, view, &record)?;
        drop(index);
        let mut bodies: Vec<Body> = steps.iter_mut().flat_map(|it| it.bodies.drain(..)).collect();
        if steps.iter().all(|step| step.command.is_none()) {
            for step in &mut steps {
                step.is_recorded = true;
                bodies.push(hook_ran(&step.told));
            }
        }
        self.commit(bodies)?;
        Ok(steps)
    }

    fn hooks(&self) -> &DebugHooksConfig {
        &self.project.config().debug.hooks
    }

    /// The command that the settings name for a hook, if they do. What only this hook tells it besides is
    /// worked out only then.
    fn command(
        &self,
        hook: &str,
        named: &Option<String>,
        record: &DebugRecord,
        more: impl FnOnce(&mut Value),
    ) -> Option<HookCommand> {
        HookCommand::of(named, || {
            let mut input = json!({
                "hook": hook,
                "project": self.project.root().to_string_lossy(),
                "session_id": record.session.id.to_string(),
                "file_path": record.document.file_path,
                "document": record.document,
            });
            more(&mut input);
            input
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

/// A command, run by `sh -c` in the project's root, with JSON on its standard input.
#[derive(Debug)]
struct HookCommand {
    line: String,
    input: Value,
}

impl HookCommand {
    fn of(named: &Option<String>, input: impl FnOnce() -> Value) -> Option<Self> {
        let line = named.as_ref().filter(|line| !line.trim().is_empty())?.clone();
        Some(Self { line, input: input() })
    }

    fn within(self, project: &Project, redactor: &Redactor, told: &mut HookTold) {
        let seconds = project.config().debug.hooks.timeout_s.clamp(1, HOOK_WITHIN_S_MAX);
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(&self.line).current_dir(project.root());
        // What it records runs no hooks: else one that runs tests would run itself.
        shell.env(INSIDE_HOOK, &told.hook);
        let (input, stop) = (self.input.to_string(), AtomicBool::new(false));
        let within = Duration::from_secs(seconds);
        let why = match program::run_with(shell, Some(input.as_bytes()), within, &stop) {
            Err(error) => format!("its command could not be run: {error}"),
            Ok(ran) => match ran.ended {
                Ended::TooLong | Ended::Unwanted => {
                    format!("its command took more than {seconds} s and was ended")
                }
                Ended::ByItself if ran.status.success() => {
                    told.outcome.push_str("; its command succeeded");
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
        told.failed = Some(why);
    }
}

#[derive(Debug)]
struct Step {
    told: HookTold,
    bodies: Vec<Body>,
    command: Option<HookCommand>,
    is_recorded: bool,
}

impl Step {
    fn new(hook: &str, outcome: String) -> Self {
        let told = HookTold { hook: hook.to_owned(), outcome, failed: None };
        Self { told, bodies: Vec::new(), command: None, is_recorded: false }
    }
}
