//! `splice_plan`: what a plan of replacements would change, with the splice program. Nothing is
//! changed: each step is done by a `splice_patch` of its own, behind the gate.

use serde::Deserialize;
use serde_json::json;

use super::read;
use super::splice::{PROGRAM, Replacement, failed, printed};
use crate::grounding::tools::{
    Bench, EDIT_BYTES_MAX, Given, PLAN_STEPS_MAX, Parameter, ParameterKind, TEXT_BYTES_MAX,
    ToolError, ToolSpec,
};

const NAME: &str = "splice_plan";

pub(super) const SPEC: ToolSpec = ToolSpec {
    name: NAME,
    about: "Show what a plan of replacements would change, with the splice program",
    parameters: &[Parameter::required(
        "file",
        ParameterKind::Text,
        "The plan: {\"steps\": [{\"file\", \"symbol\", \"kind\", \"with\"}, …]}",
    )],
    run,
    program: Some(PROGRAM),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(alias = "path", alias = "plan")]
    file: String,
}

/// A plan, as splice reads it. What else it says is splice's affair.
#[derive(Deserialize)]
struct Plan {
    steps: Vec<Replacement>,
}

fn run(arguments: &str, bench: &Bench<'_>) -> Result<Given, ToolError> {
    let Arguments { file } = read(NAME, arguments)?;
    let place = bench.workspace.place(&file)?;
    let (bytes, _) = bench.workspace.read(&place, EDIT_BYTES_MAX)?;
    let wrong = |what: String| ToolError::Meaning { tool: NAME, what };
    let plan: Plan = serde_json::from_slice(&bytes)
        .map_err(|error| wrong(format!("{:?} is no plan: {error}", place.shown())))?;
    if plan.steps.len() > PLAN_STEPS_MAX {
        return Err(wrong(format!("{} steps: give at most {PLAN_STEPS_MAX}", plan.steps.len())));
    }
    // A step that cannot be done is told before any is tried.
    for step in &plan.steps {
        step.places(bench)?;
    }
    let (mut text, mut symbols, mut why) = (String::new(), Vec::new(), None);
    for (at, step) in plan.steps.iter().enumerate() {
        let ran = step.run(bench, true)?;
        let room = TEXT_BYTES_MAX.saturating_sub(text.len());
        text += &format!("step {}: {} in {}\n", at + 1, step.symbol, step.file);
        text += &printed(ran.stdout.head(), room);
        symbols.push(step.symbol.clone());
        // Splice answers 1 where a preview has something to show.
        let shown = ran.status.code() == Some(1) && ran.stderr.head().is_empty();
        if let Some(failed) = failed(&ran).filter(|_| !shown) {
            why = Some(format!("step {}: {failed}", at + 1));
            break;
        }
    }
    let data = json!({"file": place.shown(), "steps": plan.steps.len(), "shown": symbols.len()});
    let note = Some("nothing was changed: do each step with splice_patch".to_owned());
    Ok(Given { note, failed: why, symbols, ..Given::with(text, data) })
}
