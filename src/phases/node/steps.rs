//! The phases after the download: coding, compile, run (spec 003, "Phase Execution Details").

use std::time::Instant;

use super::book::Remembered;
use super::{NodeRun, PhaseEnded, PhasesError};
use crate::event::{Body, ExecutionId, PhaseCompleted, PhaseFailed, PhaseName};
use crate::phases::artifacts::{PhaseArtifacts, PlannedCommand};
use crate::phases::limits::{ERROR_CHARS_MAX, FILES_TOLD_MAX};
use crate::phases::text::beginning_of;
use crate::phases::{
    CommandsRan, Inside, PhaseLog, apply_workspace_plan, run_commands_with_logging,
};

/// A phase that ended, before it is recorded.
pub(super) struct Ended {
    pub phase: PhaseName,
    pub log: PhaseLog,
    pub executions: Vec<ExecutionId>,
    pub duration_ms: u64,
    pub error: Option<String>,
    /// The kinds of the events that are remembered: where it went well, and where it failed.
    pub kinds: [&'static str; 2],
    /// What is remembered of it, before the error.
    pub summary: String,
    /// What is archived besides.
    pub archived: Vec<Remembered>,
}

impl NodeRun<'_> {
    /// Writes the files; answers why it failed.
    pub(super) fn coding(
        &mut self,
        artifacts: &PhaseArtifacts,
    ) -> Result<Option<String>, PhasesError> {
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
        self.ended(Ended {
            phase: PhaseName::Coding,
            log,
            executions: Vec::new(),
            duration_ms,
            error,
            kinds: ["coding_complete", "coding_failed"],
            summary,
            archived: Vec::new(),
        })
    }

    /// Builds it; answers why it failed.
    pub(super) fn compile(
        &mut self,
        artifacts: &PhaseArtifacts,
    ) -> Result<Option<String>, PhasesError> {
        let plan = &artifacts.compile;
        let workdir = plan.workdir.as_deref();
        let (ran, failed) = self.commands(&plan.commands, workdir)?;
        let node = &self.book.place.node;
        let error = failed.or_else(|| ran.error.clone());
        let compiler = plan.compiler.as_deref().unwrap_or("none");
        let how = if error.is_none() { "complete" } else { "failed" };
        let summary = format!("Compile phase {how} for node {node}\nCompiler: {compiler}");
        let archived = error.iter().map(|details| Remembered::Archival {
            text: format!("Compilation failed: {}", beginning_of(details, ERROR_CHARS_MAX)),
            tags: vec!["ERROR".to_owned(), "COMPILE".to_owned(), format!("node:{node}")],
        });
        let archived = archived.collect();
        let kinds = ["compile_complete", "compile_failed"];
        self.ended(Ended { summary, archived, ..of(PhaseName::Compile, ran, error, kinds) })
    }

    /// Runs it; what it printed, and why it failed.
    pub(super) fn run_phase(
        &mut self,
        artifacts: &PhaseArtifacts,
    ) -> Result<CommandsRan, PhasesError> {
        let plan = &artifacts.run;
        let (mut ran, failed) = self.commands(&plan.commands, None)?;
        if let Some(error) = failed {
            ran.error = Some(error);
        }
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
        let kinds = ["run_complete", "run_failed"];
        let ended = of(PhaseName::Run, ran.clone(), ran.error.clone(), kinds);
        self.ended(Ended { summary, ..ended })?;
        Ok(ran)
    }

    /// Records how a phase ended, and remembers it; answers why it failed.
    pub(super) fn ended(&mut self, ended: Ended) -> Result<Option<String>, PhasesError> {
        let (place, log) = (self.book.place.clone(), ended.log.content());
        let (phase, executions) = (ended.phase, ended.executions);
        self.phases.push(PhaseEnded {
            phase,
            duration_ms: ended.duration_ms,
            executions: executions.len() as u64,
            error: ended.error.clone(),
        });
        let duration_ms = ended.duration_ms;
        let [well, ill] = ended.kinds;
        let (body, kind, summary) = match &ended.error {
            None => {
                let body = PhaseCompleted { place, phase, log, executions, duration_ms };
                (Body::PhaseCompleted(body), well, ended.summary)
            }
            Some(error) => {
                let error = beginning_of(error, ERROR_CHARS_MAX);
                let summary = format!("{}\nError: {error}", ended.summary);
                let body = PhaseFailed { place, phase, log, executions, duration_ms, error };
                (Body::PhaseFailed(body), ill, summary)
            }
        };
        let mut remembered = vec![Remembered::Recall { kind, summary }];
        remembered.extend(ended.archived);
        self.book.tell(vec![body], remembered)?;
        Ok(ended.error)
    }

    /// Runs commands in a folder of the workspace; the second is why there is no such folder.
    pub(super) fn commands(
        &self,
        commands: &[PlannedCommand],
        workdir: Option<&str>,
    ) -> Result<(CommandsRan, Option<String>), PhasesError> {
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

pub(super) fn of(
    phase: PhaseName,
    ran: CommandsRan,
    error: Option<String>,
    kinds: [&'static str; 2],
) -> Ended {
    let (log, executions, duration_ms) = (ran.log, ran.executions, ran.duration_ms);
    let (summary, archived) = (String::new(), Vec::new());
    Ended { phase, log, executions, duration_ms, error, kinds, summary, archived }
}

/// Names, as a summary tells them.
fn listed(names: &[String]) -> String {
    let told: Vec<&str> = names.iter().take(FILES_TOLD_MAX).map(String::as_str).collect();
    match names.len() - told.len() {
        0 if told.is_empty() => "none".to_owned(),
        0 => told.join(", "),
        more => format!("{} and {more} more", told.join(", ")),
    }
}
