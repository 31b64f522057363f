//! `annals claim`: holds a claim of success against what the journal has.

use super::grounded::{self, Grounded};
use super::{Context, Exit, Result};
use crate::event::Report;
use crate::grounding::gate::{Claim, Statement, refusal_alone, unverified};
use crate::output::escape;
use crate::output::stream::Colour;

/// Check a claim of success against the record (spec 001)
///
/// It exits with 1 if no passing check supports the claim.
///
/// A check (cargo test, pytest, lsp_check, …; others under `checks` in the section [policy] of
/// .annals/config.toml) must have passed after the session's last failure and after its last change,
/// and each execution that the words cite (`execution 142`, `executions 138 and 142`) must exist; a
/// number behind `issue` or `PR` cites none. Words are read as an agent's last message is, in English
/// alone: what claims no success is not judged, and passes; that nothing was verified, that something
/// failed, or a question is recorded as that. What became of a claim is recorded.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The claim, in words
    #[arg(required = true, value_name = "TEXT")]
    words: Vec<String>,
    /// The session [default: ANNALS_SESSION, else the session of calls that name none]
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    let mut grounded = Grounded::open(&project, args.session.as_deref(), context)?;
    grounded.tell_meant(args.session.as_deref(), context);
    let text = args.words.join(" ");
    let statement = Statement::asserted(&project, grounded.file.grounding(), &text)?;
    let refusal = statement.claim().and_then(|claim| claim.refusal.as_ref());
    let check = grounded.file.grounding().last_check.as_ref().map(|entry| entry.name());
    let why = refusal.map(|it| unverified(&project, it, grounded.file.grounding()));
    let mode = grounded::configured(&project);
    let refused = refusal.map(|it| refusal_alone(it, mode, None, None));
    grounded.record(statement.body().into_iter().chain(refused).collect(), context)?;
    if !context.output.as_json(&statement.told(&text))? {
        print(&statement, check.as_deref(), why.as_deref(), context)?;
    }
    Ok(if refusal.is_some() { Exit::Findings } else { Exit::Fine })
}

fn print(
    statement: &Statement,
    check: Option<&str>,
    why: Option<&str>,
    context: &mut Context,
) -> Result<()> {
    let says = match statement {
        Statement::Claimed(claim) => return print_claim(claim, check, why, context),
        Statement::Nothing => "it claims no success, so nothing is judged",
        Statement::Honest(reported) => match reported.report {
            Report::Unverified => "it says that nothing was verified; that is on record",
            Report::Failed => "it tells a failure; that is on record",
            Report::Asked => "it asks; that is on record",
        },
    };
    context.output.line(format_args!("no claim: {says}"))?;
    Ok(())
}

fn print_claim(
    claim: &Claim,
    check: Option<&str>,
    why: Option<&str>,
    context: &mut Context,
) -> Result<()> {
    let (Some(refusal), Some(why)) = (&claim.refusal, why) else {
        let word = context.output.paint(Colour::Green, "accepted");
        let check = check.unwrap_or("a check");
        context.output.line(format_args!("{word}: {check} passed after the last change"))?;
        return Ok(());
    };
    let word = context.output.paint(Colour::Red, "refused");
    context.output.line(format_args!("{word}: {}", escape::line(why)))?;
    let (reason, query) = (&refusal.reason, &refusal.required_query);
    context.output.line(format_args!(
        "  in spec 001's words: {}; {}",
        escape::line(reason),
        escape::line(query)
    ))?;
    Ok(())
}
