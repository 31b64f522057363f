//! The result of a node (spec 003, "Node Result").

use super::book::Remembered;
use super::{NodeOutcome, NodeRun, PhasesError, metric_of};
use crate::event::{Body, NodeResultRecorded};
use crate::phases::CommandsRan;
use crate::phases::artifacts::{PhaseArtifacts, PlannedCommand};
use crate::phases::limits::ERROR_CHARS_MAX;
use crate::phases::text::beginning_of;

impl NodeRun<'_> {
    /// Records what came of it, and remembers it.
    pub(super) fn end(
        mut self,
        artifacts: Option<&PhaseArtifacts>,
        error: Option<String>,
        ran: Option<CommandsRan>,
    ) -> Result<NodeOutcome, PhasesError> {
        let mut error = error.or_else(|| ran.as_ref().and_then(|ran| ran.error.clone()));
        let mut metric = None;
        if let (Some(artifacts), Some(ran)) = (artifacts, &ran) {
            let printed = if error.is_none() { metric_of(&ran.printed) } else { None };
            let sided = self.side_tasks(artifacts, ran, printed)?;
            metric = sided.metric;
            error = error.or(sided.fault);
        }
        if self.is_stopped() {
            // What was left out because of it is no result.
            return Err(self.interrupted());
        }
        let error = error.map(|error| beginning_of(&error, ERROR_CHARS_MAX));
        let is_buggy = error.is_some();
        let exec_time_ms = ran.as_ref().map_or(0, |ran| ran.duration_ms);
        let place = self.book.place.clone();
        let result = NodeResultRecorded {
            place: place.clone(),
            is_buggy,
            metric: metric.clone(),
            exec_time_ms,
            error: error.clone(),
        };
        let summary = format!(
            "node_id: {}\nbranch_id: {}\nis_buggy: {is_buggy}\nmetric: {}\nexec_time: {}",
            place.node,
            place.branch,
            metric.as_deref().unwrap_or("none"),
            seconds(exec_time_ms),
        );
        let mut remembered = vec![Remembered::Recall { kind: "node_result", summary }];
        remembered.extend(self.archived(
            artifacts,
            metric.as_deref(),
            error.as_deref(),
            exec_time_ms,
        ));
        self.book.tell(vec![Body::NodeResultRecorded(result)], remembered)?;
        Ok(NodeOutcome {
            place,
            parent: self.given.parent.clone(),
            task: self.given.task.as_str(),
            stage: self.book.stage.clone(),
            workspace: self.workspace.root().to_owned(),
            queries: self.queries,
            phases: std::mem::take(&mut self.phases),
            is_buggy,
            metric,
            exec_time_ms,
            error,
            notes: std::mem::take(&mut self.notes),
        })
    }

    /// What is archived of it: of a success with its number how it was reached, of a failure why.
    fn archived(
        &self,
        artifacts: Option<&PhaseArtifacts>,
        metric: Option<&str>,
        error: Option<&str>,
        exec_time_ms: u64,
    ) -> Option<Remembered> {
        let (node, stage) = (&self.book.place.node, &self.book.stage);
        let task = self.given.task.as_str();
        if let Some(error) = error {
            let failed = self.phases.iter().find(|phase| phase.error.is_some());
            let at = failed.map_or_else(
                || {
                    if self.phases.is_empty() { "before its phases" } else { "after its run" }
                        .to_owned()
                },
                |phase| format!("in {}", phase.phase.as_str()),
            );
            let text = format!("Node {node} ({task}, {stage}) failed {at}: {error}");
            return Some(Remembered::Archival { text, tags: vec!["ERROR".to_owned()] });
        }
        let (metric, artifacts) = (metric?, artifacts?); // nothing to tell without them
        let lines = |commands: &[PlannedCommand]| {
            commands.iter().map(PlannedCommand::shown).collect::<Vec<_>>().join("; ")
        };
        let files: Vec<&str> =
            artifacts.coding.files.iter().map(|file| file.path.as_str()).collect();
        let text = format!(
            "Node {node} ({task}) reached {metric} in {} s\nFiles: {}\nCompiler: {}\nCompile: {}\nRun: {}",
            seconds(exec_time_ms),
            files.join(", "),
            artifacts.compile.compiler.as_deref().unwrap_or("none"),
            lines(&artifacts.compile.commands),
            lines(&artifacts.run.commands),
        );
        let tags = vec!["SUCCESS".to_owned(), format!("stage:{stage}")];
        Some(Remembered::Archival { text: beginning_of(&text, ERROR_CHARS_MAX), tags })
    }
}

/// Milliseconds as decimal seconds.
fn seconds(ms: u64) -> String {
    format!("{}.{:03}", ms / 1_000, ms % 1_000)
}
