//! `annals gate check`: the gate's verdict on one call.

use super::super::grounded::{self, Grounded};
use super::super::{CliError, Context, Exit};
use crate::event::{GateMode, tool};
use crate::execution::infer;
use crate::grounding::gate::{Door, Proposal, Verdict, judge, refusal_alone};
use crate::journal::clock;
use crate::output::stream::Colour;
use crate::output::{escape, wire};

/// Say whether a call may be made now: exit 1 where it is refused
///
/// Edits need a read of the timeline before them (`annals timeline` with ANNALS_SESSION set, or
/// memory_query). A refusal of a session that was named is recorded.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The tool, by the contract's name (file_edit) or the agent's (Edit)
    #[arg(long, value_name = "TOOL")]
    tool: String,
    /// Its arguments, a JSON object
    #[arg(long, value_name = "JSON", conflicts_with = "path")]
    args: Option<String>,
    /// The file it works on: the same as --args '{"path": …}'
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// The session [default: ANNALS_SESSION, else the one of calls without]
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// What the verdict does [default: the settings', else enforce]: only enforce refuses
    #[arg(long, value_name = "MODE", value_parser = grounded::mode)]
    mode: Option<GateMode>,
    /// Judge as an agent's hook does: a read holds until the next failure
    #[arg(long)]
    hook: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let project = context.project()?;
    let mut grounded = Grounded::open(&project, args.session.as_deref(), context)?;
    let arguments = match (args.args, &args.path) {
        (Some(json), _) => json,
        (None, Some(path)) => serde_json::json!({ "path": path }).to_string(),
        (None, None) => "{}".to_owned(),
    };
    let native = args.tool;
    let tool = tool::of_claude_code(&native).unwrap_or(&native);
    let door = if args.hook { Door::Hook } else { Door::Library };
    let mut proposal = Proposal::new(tool, &arguments, grounded.session, door);
    let targets = infer::targets(tool, &arguments, project.root());
    (proposal.paths, proposal.symbols) = (targets.paths, targets.symbols);
    proposal.native_tool = Some(native.clone()).filter(|native| native != tool);
    let policy = &project.config().policy;
    let mode = args.mode.unwrap_or_else(|| grounded::configured(&project));
    let verdict = judge(policy, grounded.file.grounding(), &proposal, clock::now_ms());
    if let Verdict::Refused(refusal) = &verdict
        && grounded.is_named
    {
        grounded.record(vec![refusal_alone(refusal, mode, None, None)], context)?;
    }
    let refused = verdict.refusal().is_some();
    print(&verdict, &proposal, mode, context)?;
    Ok(if refused && mode == GateMode::Enforce { Exit::Findings } else { Exit::Fine })
}

fn print(
    verdict: &Verdict,
    proposal: &Proposal,
    mode: GateMode,
    context: &mut Context,
) -> Result<(), CliError> {
    let refusal = verdict.refusal();
    let target = proposal.target().map(|target| target.shown);
    if context.output.is_json() {
        context.output.json(&wire::GateVerdict {
            session: proposal.session.to_string(),
            verdict: if refusal.is_some() { "refused" } else { "pass" }.to_owned(),
            mode: mode.as_str().to_owned(),
            tool: proposal.tool.clone(),
            target,
            rule: refusal.map(|it| it.rule.as_str().to_owned()),
            reason: refusal.map(|it| it.reason.clone()),
            required_query: refusal.map(|it| it.required_query.clone()),
        })?;
        return Ok(());
    }
    let what = match target {
        Some(target) => format!("{} {target}", proposal.tool),
        None => proposal.tool.clone(),
    };
    let what = escape::line(&what);
    let Some(refusal) = refusal else {
        let pass = context.output.paint(Colour::Green, "pass");
        context.output.line(format_args!("{pass}: {what}"))?;
        return Ok(());
    };
    let word = context.output.paint(Colour::Red, "refused");
    let aside = match mode {
        GateMode::Enforce => String::new(),
        mode => format!(" (the mode is {}: it would go on)", mode.as_str()),
    };
    context.output.line(format_args!("{word}: {what}{aside}"))?;
    grounded::tell(refusal, "in a shell: annals timeline", context)
}
