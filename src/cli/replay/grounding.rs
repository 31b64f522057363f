//! Events of grounding and of steps in words.

use super::Lines;
use crate::cli::counted;
use crate::event::{Body, GateMode, Report};
use crate::output::stream::Colour;

/// The head of an event of grounding or of a step; `None` of any other.
pub fn told(body: &Body, lines: &mut Lines) -> Option<(Option<Colour>, String)> {
    Some(match body {
        Body::TimelineQueried(b) => {
            let rows = counted(b.returned, "row");
            lines.say(None, &format!("{rows}, up to event @{}", b.through_sequence));
            (None, format!("read     {} ({})", b.query, b.by.as_str()))
        }
        Body::TimelineCheckpoint(b) => {
            let executions = counted(b.total_executions, "execution");
            let at = format!("step {}, {executions}", b.current_step);
            lines.say(None, &format!("up to event @{}", b.through_sequence));
            (None, format!("timeline given to the model: {at}"))
        }
        Body::GateRefused(b) => {
            lines.field("why", Some(&b.reason));
            lines.field("required", Some(&b.required_query));
            lines.field("rule", Some(b.rule.as_str()));
            lines.field("execution", b.execution.map(|id| id.to_string()).as_deref());
            let target = b.target.as_ref().map(|it| format!("  {it}")).unwrap_or_default();
            let (colour, verdict) = match b.mode {
                GateMode::Enforce => (Colour::Red, "gate: refused"),
                GateMode::Advise => (Colour::Yellow, "gate: advised against"),
                GateMode::Observe => (Colour::Dim, "gate: would refuse"),
            };
            (Some(colour), format!("{verdict} {}{target}", b.tool))
        }
        Body::GateBypassed(b) => {
            lines.field("execution", Some(&b.execution.to_string()));
            lines.field("refused at", b.refused.map(|at| format!("@{at}")).as_deref());
            (Some(Colour::Red), format!("gate: {} ran although it was refused", b.tool))
        }
        Body::SuccessClaimed(b) => {
            lines.field("why not", b.reason.as_deref());
            lines.field("verified by", b.verified_by.map(|id| id.to_string()).as_deref());
            let cited: Vec<_> = b.cited.iter().map(ToString::to_string).collect();
            lines.field("cites", Some(&cited.join(", ")));
            match b.accepted {
                true => (Some(Colour::Green), format!("success claimed: {}", b.claim)),
                false => (Some(Colour::Red), format!("success claimed, not accepted: {}", b.claim)),
            }
        }
        Body::PlanChecked(b) => {
            for fault in &b.faults {
                lines.say(None, &format!("step {} ({}): {}", fault.step, fault.tool, fault.reason));
            }
            let steps = counted(b.steps, "step");
            match b.accepted {
                true => (Some(Colour::Green), format!("plan of {steps} accepted")),
                false => (Some(Colour::Red), format!("plan of {steps} refused")),
            }
        }
        Body::OutcomeReported(b) => {
            let said = match b.report {
                Report::Unverified => "said that nothing was verified",
                Report::Failed => "said that it did not succeed",
                Report::Asked => "asked",
            };
            (None, format!("{said}: {}", b.text))
        }
        Body::StepBegun(b) => {
            let title = b.title.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
            (None, format!("step begins{title}"))
        }
        Body::StepEnded(b) => {
            b.summary.lines().for_each(|line| lines.say(None, line));
            (None, "step ends".to_owned())
        }
        _ => return None,
    })
}
