//! What else a model is asked about a node: a review, the number by which it is judged, a look at its
//! plots, a summary.

use serde_json::Value;

use super::book::Remembered;
use super::{NodeRun, PhasesError};
use crate::event::{Body, VlmAnalysisCompleted};
use crate::parse::reply::field::Field;
use crate::parse::reply::{ReplyError, answer};
use crate::phases::artifacts::PhaseArtifacts;
use crate::phases::limits::ERROR_CHARS_MAX;
use crate::phases::prompt::{SideTask, side_prompt};
use crate::phases::text::{beginning_of, fenced};
use crate::phases::{CommandsRan, Inside, UNDONE};

/// What a model made of a node besides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sided {
    pub metric: Option<String>,
    /// Why the node counts as failed although its commands ran.
    pub fault: Option<String>,
}

impl NodeRun<'_> {
    /// Asks what was not printed and what was wanted besides.
    pub(super) fn side_tasks(
        &mut self,
        artifacts: &PhaseArtifacts,
        ran: &CommandsRan,
        metric: Option<String>,
    ) -> Result<Sided, PhasesError> {
        let mut sided = Sided { metric, fault: None };
        if self.model.is_none() || self.is_stopped() {
            return Ok(sided);
        }
        self.context.code = self::code(artifacts);
        self.context.output = ran.log.text().to_owned();
        if sided.metric.is_none() && ran.error.is_none() {
            let found = self.side(SideTask::ParseMetrics, "", metric_answer)?;
            match found {
                Ok(Some(metric)) => sided.metric = Some(metric),
                Ok(None) => sided.fault = Some("the output has no valid metric".to_owned()),
                Err(why) => sided.fault = Some(why),
            }
        }
        if self.given.review {
            match self.side(SideTask::ExecutionReview, "", review_answer)? {
                Ok(Some(fault)) => sided.fault = sided.fault.or(Some(fault)),
                Ok(None) => {}
                Err(why) => sided.fault = sided.fault.or(Some(why)),
            }
        }
        self.plots()?;
        if self.given.summarize {
            let summed =
                self.side(SideTask::Summary, "", |rest| text_answer(rest, "`summary`", "summary"));
            match wished(summed)? {
                Ok(summary) => {
                    let summary = beginning_of(&summary, ERROR_CHARS_MAX);
                    let remembered = Remembered::Recall { kind: "node_summary", summary };
                    self.book.tell(Vec::new(), vec![remembered])?;
                }
                // A summary that cannot be had changes nothing else.
                Err(why) => self.undone(format!("there is no summary: {why}"))?,
            }
        }
        Ok(sided)
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

    /// Has the plots looked at that are there.
    fn plots(&mut self) -> Result<(), PhasesError> {
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
                kind: "vlm_analysis_complete",
                summary: format!("Plots of node {}: {summary}", place.node),
            };
            let body = VlmAnalysisCompleted { place, plots, summary };
            self.book.tell(vec![Body::VlmAnalysisCompleted(body)], vec![remembered])?;
        }
        Ok(())
    }

    /// Remembers what could not be done, and has it told.
    fn undone(&mut self, what: String) -> Result<(), PhasesError> {
        let what = beginning_of(&what, ERROR_CHARS_MAX);
        self.notes.push(what.clone());
        let remembered = Remembered::Recall { kind: UNDONE, summary: what };
        self.book.tell(Vec::new(), vec![remembered])
    }

    /// One such question; the inner error is why there is no answer.
    fn side<T>(
        &mut self,
        task: SideTask,
        plots: &str,
        parse: impl Fn(&str) -> Result<T, ReplyError>,
    ) -> Result<Result<T, String>, PhasesError> {
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

/// What the node can do without: a model that gives no answer leaves nothing open.
fn wished<T>(
    had: Result<Result<T, String>, PhasesError>,
) -> Result<Result<T, String>, PhasesError> {
    match had {
        Err(PhasesError::Unanswered { failure, .. }) => Ok(Err(failure.to_string())),
        had => had,
    }
}

fn code(artifacts: &PhaseArtifacts) -> String {
    let shown = |file: &crate::phases::artifacts::PlannedFile| {
        format!("{}\n\n{}", file.path, fenced(&file.content, ""))
    };
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
