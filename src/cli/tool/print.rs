//! Prints what became of a tool's call.

use crate::cli::{CliError, Context};
use crate::event::GateMode;
use crate::grounding::tools::{GateNotice, Invocation};
use crate::journal::clock;
use crate::output::{escape, time, wire};

/// Of the timeline, this much is given with a refusal.
pub const BLOCK_CHARS_MAX: usize = 4_000;

/// The tool's text on standard output; everything else that is to be said on standard error.
pub fn invocation(
    invocation: &Invocation,
    no: Option<u64>,
    context: &mut Context,
) -> Result<(), CliError> {
    if context.output.is_json() {
        return Ok(context.output.json(&wire::ToolCalled::of(invocation, no))?);
    }
    if let Some(notice) = &invocation.gate
        && notice.mode != GateMode::Observe
    {
        gate(notice, context)?;
    }
    match &invocation.result {
        Ok(given) => {
            let text = given.text.strip_suffix('\n').unwrap_or(&given.text);
            if !text.is_empty() {
                context.output.line(escape::block(text))?;
            }
            context.output.flush()?;
            for said in given.note.iter().chain(&given.failed) {
                context.output.note(escape::line(said));
            }
        }
        // The gate's own words stand in what it gave.
        Err(_) if invocation.gate.is_some() => {}
        Err(error) => context.output.note(escape::line(&error.to_string())),
    }
    context.output.flush()?;
    let no = no.map_or_else(|| "not recorded".to_owned(), |no| format!("execution {no}"));
    let (tool, outcome) = (&invocation.tool, invocation.outcome().as_str());
    let at = time::local(invocation.at_ms, &context.zone);
    let took = time::duration(invocation.duration_ms);
    context.output.note(format_args!("{no}: {tool} {outcome} at {at} after {took}"));
    Ok(())
}

/// What the gate said, and the timeline that the agent should have read.
fn gate(notice: &GateNotice, context: &mut Context) -> Result<(), CliError> {
    let refusal = escape::line(&notice.refusal.to_string()).into_owned();
    context.output.note(refusal);
    let query = escape::line(&notice.refusal.required_query).into_owned();
    context.output.note(format_args!("required: {query}"));
    let block = notice.block.text(clock::now_ms(), BLOCK_CHARS_MAX, None);
    context.output.line(escape::block(&block))?;
    Ok(())
}
