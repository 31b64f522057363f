//! The download phase: one command after the other as a model says, or those of the plan (spec 003,
//! "Phase 1: Download/Install").

use std::time::Instant;

use super::steps::{Ended, of};
use super::{NodeRun, PhasesError};
use crate::config::DownloadMode;
use crate::event::{ExecutionId, PhaseName};
use crate::parse::reply::{Phase1Step, parse_phase1_iterative_response};
use crate::phases::artifacts::{PhaseArtifacts, PlannedCommand};
use crate::phases::limits::{HISTORY_STEPS_MAX, OUTPUT_CHARS_MAX};
use crate::phases::prompt::phase1_prompt;
use crate::phases::text::{end_of, fenced};
use crate::phases::{CommandsRan, PhaseLog};

const LABEL: &str = "phase1";
const HINT: &str = "phase1_iterative";
const KINDS: [&str; 2] = ["phase1_complete", "phase1_failed"];

/// What the steps so far came to.
#[derive(Default)]
struct Steps {
    log: PhaseLog,
    executions: Vec<ExecutionId>,
    history: Vec<String>,
}

impl NodeRun<'_> {
    /// Downloads and installs, as the settings say; answers why it failed.
    pub(super) fn download(
        &mut self,
        artifacts: &PhaseArtifacts,
    ) -> Result<Option<String>, PhasesError> {
        let mode = self.book.project().config().phases.download;
        match mode {
            DownloadMode::Iterative if self.model.is_some() => {
                self.phase1_iterative_driver(artifacts)
            }
            _ => {
                let (ran, _) = self.commands(&artifacts.download.commands, None)?;
                let error = ran.error.clone();
                let summary = self.download_summary(error.is_none());
                self.ended(Ended { summary, ..of(PhaseName::Download, ran, error, KINDS) })
            }
        }
    }

    /// Asks for one command after the other, and runs it, until the model says that it is done.
    pub fn phase1_iterative_driver(
        &mut self,
        artifacts: &PhaseArtifacts,
    ) -> Result<Option<String>, PhasesError> {
        let began = Instant::now();
        let mut steps = Steps::default();
        let error = self.phase1_steps(artifacts, &mut steps)?;
        if let Some(error) = &error {
            steps.log.line(&format!("[failed: {error}]"));
        }
        let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let summary = self.download_summary(error.is_none());
        let Steps { log, executions, .. } = steps;
        let ran = CommandsRan { log, executions, duration_ms, ..CommandsRan::default() };
        self.ended(Ended { summary, ..of(PhaseName::Download, ran, error, KINDS) })
    }

    fn phase1_steps(
        &mut self,
        artifacts: &PhaseArtifacts,
        steps: &mut Steps,
    ) -> Result<Option<String>, PhasesError> {
        let steps_max = self.book.project().config().phases.phase1_max_steps;
        for number in 1..=steps_max {
            if self.is_stopped() {
                return Err(self.interrupted());
            }
            let from = steps.history.len().saturating_sub(HISTORY_STEPS_MAX);
            let mut prompt = phase1_prompt(&self.texts, &self.context, &steps.history[from..])?;
            let proposed: Vec<String> =
                artifacts.download.commands.iter().map(PlannedCommand::shown).collect();
            if !proposed.is_empty() {
                prompt.set("Proposed commands", fenced(&proposed.join("\n"), "sh"));
            }
            let label = format!("{LABEL}_step{number}");
            let step = match self.ask(prompt, &label, HINT, parse_phase1_iterative_response) {
                Ok(step) => step,
                Err(failure) => return self.finding(failure).map(Some),
            };
            if !step.notes.is_empty() {
                steps.log.line(&format!("# {}", step.notes.replace('\n', " ")));
            }
            if step.done {
                return Ok(None);
            }
            self.phase1_step(number, step, steps)?;
        }
        Ok(Some(format!("{steps_max} steps were made, and the model did not say that it is done")))
    }

    /// Runs one command; a failure is for the model to deal with.
    fn phase1_step(
        &self,
        number: u64,
        step: Phase1Step,
        steps: &mut Steps,
    ) -> Result<(), PhasesError> {
        let command = PlannedCommand::Line(step.command.clone());
        let (ran, _) = self.commands(&[command], None)?;
        let how = match (&ran.error, ran.exit_code) {
            (None, _) => "ok".to_owned(),
            (Some(_), Some(code)) => format!("failed with exit code {code}"),
            (Some(_), None) => "failed".to_owned(),
        };
        let printed = fenced(&end_of(ran.log.text(), OUTPUT_CHARS_MAX), "");
        steps.history.push(format!("Step {number}: {how}\n\n{printed}"));
        steps.executions.extend(ran.executions);
        steps.log.append(&ran.log);
        Ok(())
    }

    fn download_summary(&self, well: bool) -> String {
        let how = if well { "complete" } else { "failed" };
        format!("Phase 1 download/install {how} for node {}", self.book.place.node)
    }
}
