//! Events of phases in words.

use super::text::output;
use super::{Bounds, Lines, WHOLE};
use crate::cli::counted;
use crate::event::{Body, ExecutionId, NodePlace};
use crate::execution::replay::Contents;
use crate::output::stream::Colour;
use crate::output::time;

/// The head of an event of phases; `None` of any other.
pub fn told(
    body: &Body,
    contents: &Contents,
    bounds: Bounds,
    lines: &mut Lines,
) -> Option<(Option<Colour>, String)> {
    Some(match body {
        Body::NodeCreated(b) => {
            place(&b.place, lines);
            lines.field("parent", b.parent.as_deref());
            lines.field("stage", Some(&b.stage));
            (Some(Colour::Bold), format!("node     {} begins: {}", b.place.node, b.task))
        }
        Body::ModelQueried(b) => {
            place(&b.node, lines);
            output(Some("prompt"), &b.sections, contents, WHOLE, lines);
            output(Some("reply"), &b.reply, contents, WHOLE, lines);
            let took = time::duration(b.duration_ms);
            let label = format!("{} round {}", b.prompt.label, b.prompt.round);
            let head = format!("model    {} asked: {label}  {took}", b.node.node);
            match &b.error {
                Some(error) => {
                    lines.say(Some(Colour::Red), "error");
                    lines.quote(error, bounds);
                    (Some(Colour::Red), head)
                }
                None => (Some(Colour::Green), head),
            }
        }
        Body::ArtifactsAccepted(b) => {
            place(&b.place, lines);
            output(None, &b.artifacts, contents, bounds, lines);
            (None, format!("node     {}: what is to be done", b.place.node))
        }
        Body::PhaseCompleted(b) => {
            place(&b.place, lines);
            output(Some("log"), &b.log, contents, bounds, lines);
            executions(&b.executions, lines);
            let took = time::duration(b.duration_ms);
            (None, format!("phase    {}: {} done  {took}", b.place.node, b.phase.as_str()))
        }
        Body::PhaseFailed(b) => {
            place(&b.place, lines);
            lines.say(Some(Colour::Red), "error");
            lines.quote(&b.error, bounds);
            output(Some("log"), &b.log, contents, bounds, lines);
            executions(&b.executions, lines);
            let took = time::duration(b.duration_ms);
            let head = format!("phase    {}: {} failed  {took}", b.place.node, b.phase.as_str());
            (Some(Colour::Red), head)
        }
        Body::NodeResultRecorded(b) => {
            place(&b.place, lines);
            lines.field("metric", b.metric.as_deref());
            lines.field("error", b.error.as_deref());
            let took = time::duration(b.exec_time_ms);
            let (colour, word) =
                if b.is_buggy { (Colour::Red, "buggy") } else { (Colour::Green, "good") };
            (Some(colour), format!("node     {} ends: {word}  {took}", b.place.node))
        }
        Body::VlmAnalysisCompleted(b) => {
            place(&b.place, lines);
            lines.quote(&b.summary, bounds);
            (None, format!("node     {}: {} looked at", b.place.node, counted(b.plots, "plot")))
        }
        _ => return None,
    })
}

fn place(place: &NodePlace, lines: &mut Lines) {
    let experiment = &place.experiment;
    let (run, index, name) = (&experiment.run, experiment.index, &experiment.name);
    let text = format!("run {run}, {index}-{name}, branch {}", place.branch);
    lines.say(Some(Colour::Dim), &text);
}

fn executions(executions: &[ExecutionId], lines: &mut Lines) {
    if !executions.is_empty() {
        let count = counted(executions.len() as u64, "execution");
        let first: Vec<String> = executions.iter().take(3).map(ToString::to_string).collect();
        lines.say(None, &format!("{count}: {}", first.join(", ")));
    }
}
