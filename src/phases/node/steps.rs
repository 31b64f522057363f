//! The phases of a node (spec 003, "Phase Execution Details"): download, one command after the other as a
//! model says or those of the plan; coding, compile, run.

use std::time::Instant;

use super::book::Remembered;
use super::{NodeRun, PhasesError, Result};
use crate::config::DownloadMode;
use crate::event::{Body, ExecutionId, PhaseCompleted, PhaseFailed, PhaseName};
use crate::parse::reply::{Phase1Step, parse_phase1_iterative_response};
use crate::phases::artifacts::{PhaseArtifacts, PlannedCommand};
use crate::phases::limits::{
    ERROR_CHARS_MAX, FILES_TOLD_MAX, HISTORY_STEPS_MAX, OUTPUT_CHARS_MAX, beginning_of, end_of,
    fenced,
};
use crate::phases::prompt::phase1_prompt;
use crate::phases::{
    CommandsRan, Inside, PhaseEnded, PhaseLog, apply_workspace_plan, run_commands_with_logging,
};

#[derive(Default)]
struct Steps {
    log: PhaseLog,
    executions: Vec<ExecutionId>,
    history: Vec<String>,
}

impl NodeRun<'_> {
    /// Downloads and installs, as the settings say; answers why it failed.
    pub(super) fn download(&mut self, artifacts: &PhaseArtifacts) -> Result<Option<String>> {
        let mode = self.book.project().config().phases.download;
        match mode {
            DownloadMode::Iterative if self.model.is_some() => {
                self.phase1_iterative_driver(artifacts)
            }
            _ => {
                let (ran, _) = self.commands(&artifacts.download.commands, None)?;
                self.downloaded(ran)
            }
        }
    }

    /// Asks for one command after the other, and runs it, until the model says that it is done.
    pub fn phase1_iterative_driver(
        &mut self,
        artifacts: &PhaseArtifacts,
    ) -> Result<Option<String>> {
        let began = Instant::now();
        let mut steps = Steps::default();
        let error = self.phase1_steps(artifacts, &mut steps)?;
        if let Some(error) = &error {
            steps.log.line(&format!("[failed: {error}]"));
        }
        let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let Steps { log, executions, .. } = steps;
        self.downloaded(CommandsRan {
            log,
            executions,
            duration_ms,
            error,
            ..CommandsRan::default()
        })
    }

    fn phase1_steps(
        &mut self,
        artifacts: &PhaseArtifacts,
        steps: &mut Steps,
    ) -> Result<Option<String>> {
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
            let label = format!("phase1_step{number}");
            let step =
                match self.ask(prompt, &label, "phase1_iterative", parse_phase1_iterative_response)
                {
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
    fn phase1_step(&self, number: u64, step: Phase1Step, steps: &mut Steps) -> Result<()> {
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

    fn downloaded(&mut self, ran: CommandsRan) -> Result<Option<String>> {
        let how = if ran.error.is_none() { "complete" } else { "failed" };
        let node = &self.book.place.node;
        let summary = format!("Phase 1 download/install {how} for node {node}");
        self.ended(PhaseName::Download, ran, summary, None)
    }

    /// Writes the files; answers why it failed.
    pub(super) fn coding(&mut self, artifacts: &PhaseArtifacts) -> Result<Option<String>> {
        let began = Instant::now();
        let mut log = PhaseLog::default();
        let written = apply_workspace_plan(&self.workspace, &artifacts.coding, &self.given.mount);
        let (files, error) = match written {
            Ok(written) => {
                for folder in &written.folders {
                    log.line(&format!("made {folder}/"));
                }
                for (path, file) in written.files.iter().zip(&artifacts.coding.files) {
                    log.line(&format!("wrote {path} ({} bytes)", file.content.len()));
                }
                (written.files, None)
            }
            Err(error) => {
                log.line(&format!("failed: {error}"));
                (Vec::new(), Some(error.to_string()))
            }
        };
        let node = &self.book.place.node;
        let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let summary = match &error {
            None => format!("Coding phase complete for node {node}\nFiles: {}", listed(&files)),
            Some(_) => format!("Coding phase failed for node {node}"),
        };
        let ran = CommandsRan { log, duration_ms, error, ..CommandsRan::default() };
        self.ended(PhaseName::Coding, ran, summary, None)
    }

    /// Builds it; answers why it failed.
    pub(super) fn compile(&mut self, artifacts: &PhaseArtifacts) -> Result<Option<String>> {
        let plan = &artifacts.compile;
        let (mut ran, failed) = self.commands(&plan.commands, plan.workdir.as_deref())?;
        ran.error = failed.or(ran.error);
        let node = &self.book.place.node;
        let compiler = plan.compiler.as_deref().unwrap_or("none");
        let how = if ran.error.is_none() { "complete" } else { "failed" };
        let summary = format!("Compile phase {how} for node {node}\nCompiler: {compiler}");
        let archived = ran.error.as_ref().map(|details| Remembered::Archival {
            text: format!("Compilation failed: {}", beginning_of(details, ERROR_CHARS_MAX)),
            tags: vec!["ERROR".to_owned(), "COMPILE".to_owned(), format!("node:{node}")],
        });
        self.ended(PhaseName::Compile, ran, summary, archived)
    }

    /// Runs it; what it printed, and why it failed.
    pub(super) fn run_phase(&mut self, artifacts: &PhaseArtifacts) -> Result<CommandsRan> {
        let plan = &artifacts.run;
        let (mut ran, failed) = self.commands(&plan.commands, None)?;
        ran.error = failed.or(ran.error);
        if ran.error.is_none() {
            ran.error = self.missing_output(&plan.expected_outputs);
            if let Some(missing) = &ran.error {
                ran.log.line(&format!("[failed: {missing}]"));
            }
        }
        let outputs: Vec<String> = plan.expected_outputs.iter().take(3).cloned().collect();
        let how = if ran.error.is_none() { "complete" } else { "failed" };
        let node = &self.book.place.node;
        let summary = format!("Run phase {how} for node {node}\nOutputs: {}", listed(&outputs));
        self.ended(PhaseName::Run, ran.clone(), summary, None)?;
        Ok(ran)
    }

    /// Records how a phase ended, and remembers it: the summary, before the error, and what is archived
    /// besides. Answers why it failed.
    fn ended(
        &mut self,
        phase: PhaseName,
        ran: CommandsRan,
        summary: String,
        archived: Option<Remembered>,
    ) -> Result<Option<String>> {
        let CommandsRan { log, executions, duration_ms, error, .. } = ran;
        let (place, log) = (self.book.place.clone(), log.content());
        self.phases.push(PhaseEnded::of(phase, duration_ms, executions.clone(), error.clone()));
        let name = match phase {
            PhaseName::Download => "phase1",
            phase => phase.as_str(),
        };
        let (body, kind, summary) = match &error {
            None => {
                let body = PhaseCompleted { place, phase, log, executions, duration_ms };
                (Body::PhaseCompleted(body), format!("{name}_complete"), summary)
            }
            Some(error) => {
                let error = beginning_of(error, ERROR_CHARS_MAX);
                let summary = format!("{summary}\nError: {error}");
                let body = PhaseFailed { place, phase, log, executions, duration_ms, error };
                (Body::PhaseFailed(body), format!("{name}_failed"), summary)
            }
        };
        let mut remembered = vec![Remembered::Recall { kind, summary }];
        remembered.extend(archived);
        self.book.tell(vec![body], remembered)?;
        Ok(error)
    }

    /// Runs commands in a folder of the workspace; the second is why there is no such folder.
    pub(super) fn commands(
        &self,
        commands: &[PlannedCommand],
        workdir: Option<&str>,
    ) -> Result<(CommandsRan, Option<String>)> {
        let inside = Inside::new(&self.workspace, &self.given.mount);
        let folder = match workdir.map(|folder| inside.place(inside.without_name(folder))) {
            None => Vec::new(),
            Some(Ok(place)) if self.workspace.is_folder(&place) => place.parts().to_vec(),
            Some(Ok(place)) if commands.is_empty() => place.parts().to_vec(),
            Some(Ok(place)) => {
                let why = format!("there is no folder {:?} to work in", place.shown());
                return Ok((CommandsRan::default(), Some(why)));
            }
            Some(Err(error)) => return Ok((CommandsRan::default(), Some(error.to_string()))),
        };
        let (project, session) = (Some(self.book.project()), self.book.session());
        let ran = run_commands_with_logging(
            project,
            session,
            &self.executor,
            commands,
            &folder,
            self.stop,
        )?;
        if ran.unwanted || self.is_stopped() {
            return Err(self.interrupted());
        }
        if let Some(why) = ran.no_executor {
            return Err(PhasesError::NoExecutor { node: self.book.place.node.clone(), why });
        }
        Ok((ran, None))
    }

    /// The first output that is not there, or lies outside.
    fn missing_output(&self, outputs: &[String]) -> Option<String> {
        let inside = Inside::new(&self.workspace, &self.given.mount);
        outputs.iter().find_map(|output| match inside.place(output) {
            Err(error) => Some(error.to_string()),
            Ok(place) if self.workspace.is_folder(&place) => None,
            Ok(place) => match self.workspace.snapshot(&place) {
                Ok(Some(_)) => None,
                Ok(None) => Some(format!("the expected output {:?} was not made", place.shown())),
                Err(error) => Some(error.to_string()),
            },
        })
    }
}

fn listed(names: &[String]) -> String {
    let told: Vec<&str> = names.iter().take(FILES_TOLD_MAX).map(String::as_str).collect();
    match names.len() - told.len() {
        0 if told.is_empty() => "none".to_owned(),
        0 => told.join(", "),
        more => format!("{} and {more} more", told.join(", ")),
    }
}
