//! `annals claim`: holds a claim of success against what the journal has.

use super::grounded::{self, Grounded};
use super::{CliError, Context, Exit};
use crate::command::gate::{Cited, Claim, judge_claim, refusal_alone, remedy};
use crate::event::GateRule;
use crate::surface::output::Colour;
use crate::surface::wire;

/// Claim success: exit 1 where no check bears it out (spec 001)
///
/// A check (cargo test, pytest, lsp_check, …; others under `checks` in the section [policy] of
/// .annals/config.toml) must have passed after the session's last failure and after its last change,
/// and each execution that the words cite (`execution 142`, `executions 138 and 142`) must exist; a
/// number behind `issue` or `PR` cites none. What became of the claim is recorded.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The claim, in words
    #[arg(required = true, value_name = "TEXT")]
    words: Vec<String>,
    /// The session [default: ANNALS_SESSION, else the one of calls without]
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let project = context.project()?;
    let mut grounded = Grounded::open(&project, args.session.as_deref(), context)?;
    let cited = Cited::new(&project);
    let text = args.words.join(" ");
    let claim = judge_claim(grounded.file.grounding(), &text, |it| cited.find(it))?;
    let mut bodies = vec![claim.body()];
    if let Some(refusal) = &claim.refusal {
        bodies.push(refusal_alone(refusal, grounded::configured(&project), None, None));
    }
    let check = grounded.file.grounding().last_check().map(|entry| entry.name());
    let then = match claim.refusal.as_ref().map(|it| it.rule) {
        Some(GateRule::UnknownExecution) => "in a shell: annals timeline".to_owned(),
        _ => remedy(&project, grounded.file.grounding()),
    };
    grounded.record(bodies, context)?;
    print(&claim, check.as_deref(), &then, context)?;
    Ok(if claim.is_accepted() { Exit::Fine } else { Exit::Findings })
}

fn print(
    claim: &Claim,
    check: Option<&str>,
    then: &str,
    context: &mut Context,
) -> Result<(), CliError> {
    if context.output.is_json() {
        let refusal = claim.refusal.as_ref();
        context.output.json(&wire::Claim {
            claim: claim.text.clone(),
            accepted: claim.is_accepted(),
            verified_by: claim.verified_by.map(|id| id.to_string()),
            cited: claim.cited.iter().map(ToString::to_string).collect(),
            rule: refusal.map(|it| it.rule.as_str().to_owned()),
            reason: refusal.map(|it| it.reason.clone()),
            required_query: refusal.map(|it| it.required_query.clone()),
        })?;
        return Ok(());
    }
    let Some(refusal) = &claim.refusal else {
        let word = context.output.paint(Colour::Green, "accepted");
        let check = check.unwrap_or("a check");
        context.output.line(format_args!("{word}: {check} passed after the last change"))?;
        return Ok(());
    };
    let word = context.output.paint(Colour::Red, "refused");
    context.output.line(format_args!("{word}:"))?;
    grounded::tell(refusal, then, context)
}
