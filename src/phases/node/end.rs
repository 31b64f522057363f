//! The result of a node (spec 003, "Node Result"), and what else a model is asked about it: a review, the
//! number by which it is judged, a look at its plots, a summary.

use serde_json::Value;

use super::book::Remembered;
use super::{NodeOutcome, NodeRun, PhasesError, Result, metric_of};
use crate::event::{Body, NodeResultRecorded, VlmAnalysisCompleted};
use crate::parse::reply::field::Field;
use crate::parse::reply::{ReplyError, answer};
use crate::phases::artifacts::{PhaseArtifacts, PlannedCommand, PlannedFile};
use crate::phases::limits::{ERROR_CHARS_MAX, beginning_of, fenced};
use crate::phases::prompt::{SideTask, side_prompt};
use crate::phases::{CommandsRan, Inside, UNDONE};

/// What a model made of a node besides: its number, and why it counts as failed although its commands ran.
type Sided = (Option<String>, Option<String>);

impl NodeRun<'_> {
    pub(super) fn end(
        mut self,
        artifacts: Option<&PhaseArtifacts>,
        error: Option<String>,
        ran: Option<CommandsRan>,
    ) -> Result<NodeOutcome> {
        let mut error = error.or_else(|| ran.as_ref().and_then(|ran| ran.error.clone()));
        let mut metric = None;
        if let (Some(artifacts), Some(ran)) = (artifacts, &ran) {
            let printed = if error.is_none() { metric_of(&ran.printed) } else { None };
            let (found, fault) = self.side_tasks(artifacts, ran, printed)?;
            (metric, error) = (found, error.or(fault));
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
        let mut remembered = vec![Remembered::Recall { kind: "node_result".to_owned(), summary }];
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
            let at = match failed {
                Some(phase) => format!("in {}", phase.phase.as_str()),
                None if self.phases.is_empty() => "before its phases".to_owned(),
                None => "after its run".to_owned(),
            };
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

    /// Asks what was not printed and what was wanted besides.
    fn side_tasks(
        &mut self,
        artifacts: &PhaseArtifacts,
        ran: &CommandsRan,
        mut metric: Option<String>,
    ) -> Result<Sided> {
        let mut fault = None;
        if self.model.is_none() || self.is_stopped() {
            return Ok((metric, fault));
        }
        self.context.code = code(artifacts);
        self.context.output = ran.log.text().to_owned();
        if metric.is_none() && ran.error.is_none() {
            match self.side(SideTask::ParseMetrics, "", metric_answer)? {
                Ok(None) => fault = Some("the output has no valid metric".to_owned()),
                Ok(found) => metric = found,
                Err(why) => fault = Some(why),
            }
        }
        if self.given.review {
            let review = self.side(SideTask::ExecutionReview, "", review_answer)?;
            fault = fault.or(review.unwrap_or_else(Some));
        }
        self.plots()?;
        if self.given.summarize {
            let summed =
                self.side(SideTask::Summary, "", |rest| text_answer(rest, "`summary`", "summary"));
            match wished(summed)? {
                Ok(summary) => {
                    let summary = beginning_of(&summary, ERROR_CHARS_MAX);
                    let remembered =
                        Remembered::Recall { kind: "node_summary".to_owned(), summary };
                    self.book.tell(Vec::new(), vec![remembered])?;
                }
                // A summary that cannot be had changes nothing else.
                Err(why) => self.undone(format!("there is no summary: {why}"))?,
            }
        }
        Ok((metric, fault))
    }

    /// A plot's path here, or why it cannot be looked at: a path that leads out is no plot of this
    /// node.
    fn plot(&self, path: &str) -> Result<String, String> {
        let inside = Inside::new(&self.workspace, &self.given.mount);
        let place = inside.place(path).map_err(|error| error.to_string())?;
        match self.workspace.snapshot(&place) {
            Ok(Some(_)) => Ok(place.under(self.workspace.root()).to_string_lossy().into_owned()),
            Ok(None) => Err("there is no such file".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn plots(&mut self) -> Result<()> {
        let mut plots = Vec::new();
        for path in self.given.plots.clone() {
            match self.plot(&path) {
                Ok(plot) => plots.push(plot),
                Err(why) => self.undone(format!("plot {path:?} was not looked at: {why}"))?,
            }
        }
        if plots.is_empty() {
            return Ok(());
        }
        let listed = fenced(&plots.join("\n"), "");
        let seen = self.side(SideTask::VlmAnalysis, &listed, |rest| {
            text_answer(rest, "`vlm_feedback_summary`", "vlm_feedback_summary")
        });
        let seen = wished(seen)?;
        if let Err(why) = &seen {
            self.undone(format!("the plots were not read: {why}"))?;
        }
        if let Ok(summary) = seen {
            let summary = beginning_of(&summary, ERROR_CHARS_MAX);
            let (place, plots) = (self.book.place.clone(), plots.len() as u64);
            self.context.plot_feedback = Some(summary.clone());
            let remembered = Remembered::Recall {
                kind: "vlm_analysis_complete".to_owned(),
                summary: format!("Plots of node {}: {summary}", place.node),
            };
            let body = VlmAnalysisCompleted { place, plots, summary };
            self.book.tell(vec![Body::VlmAnalysisCompleted(body)], vec![remembered])?;
        }
        Ok(())
    }

    /// Remembers what could not be done, and has it told.
    fn undone(&mut self, what: String) -> Result<()> {
        let what = beginning_of(&what, ERROR_CHARS_MAX);
        self.notes.push(what.clone());
        let remembered = Remembered::Recall { kind: UNDONE.to_owned(), summary: what };
        self.book.tell(Vec::new(), vec![remembered])
    }

    /// One such question; the inner error is why there is no answer.
    fn side<T>(
        &mut self,
        task: SideTask,
        plots: &str,
        parse: impl Fn(&str) -> Result<T, ReplyError>,
    ) -> Result<Result<T, String>> {
        let mut prompt = side_prompt(task, &self.texts, &self.context)?;
        if !plots.is_empty() {
            prompt.set("Plots", plots);
        }
        match self.ask(prompt, task.as_str(), task.as_str(), parse) {
            Ok(answer) => Ok(Ok(answer)),
            Err(failure) => self.finding(failure).map(Err),
        }
    }
}

fn seconds(ms: u64) -> String {
    format!("{}.{:03}", ms / 1_000, ms % 1_000)
}

/// What the node can do without: a model that gives no answer leaves nothing open.
fn wished<T>(had: Result<Result<T, String>>) -> Result<Result<T, String>> {
    match had {
        Err(PhasesError::Unanswered { failure, .. }) => Ok(Err(failure.to_string())),
        had => had,
    }
}

fn code(artifacts: &PhaseArtifacts) -> String {
    let shown = |file: &PlannedFile| format!("{}\n\n{}", file.path, fenced(&file.content, ""));
    artifacts.coding.files.iter().map(shown).collect::<Vec<_>>().join("\n\n")
}

/// The number; `None` where the model says that there is none.
fn metric_answer(rest: &str) -> Result<Option<String>, ReplyError> {
    let value = answer(rest, "`metric`", |value| value.get("metric").is_some())?;
    if value.get("valid_metrics_received").and_then(Value::as_bool) == Some(false) {
        return Ok(None);
    }
    match value.get("metric") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(other) => Err(Field::new("metric", other).wrong("a number, or null")),
    }
}

/// What is wrong; `None` where nothing is.
fn review_answer(rest: &str) -> Result<Option<String>, ReplyError> {
    let value = answer(rest, "`is_bug`", |value| value.get("is_bug").is_some())?;
    let is_bug = value.get("is_bug").unwrap_or(&Value::Null);
    let Some(is_bug) = is_bug.as_bool() else {
        return Err(Field::new("is_bug", is_bug).wrong("true or false"));
    };
    let summary = value.get("summary").and_then(Value::as_str).unwrap_or("no reason was given");
    Ok(is_bug.then(|| beginning_of(&format!("the review: {summary}"), ERROR_CHARS_MAX)))
}

fn text_answer(rest: &str, wants: &'static str, name: &str) -> Result<String, ReplyError> {
    let value = answer(rest, wants, |value| value.get(name).is_some())?;
    Field::new(name, value.get(name).unwrap_or(&Value::Null)).text()
}
