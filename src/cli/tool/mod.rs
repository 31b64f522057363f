//! `annals tool`: the tools themselves, what they take, and the names on the contract's list (ruling 4).

mod call;

use std::process::{Command, Stdio};

use super::{Context, Exit, Result, catch_up};
use crate::event::tool::is_mutation;
use crate::execution::live_recorder;
use crate::grounding::tools::{TOOLS, ToolSpec};
use crate::output::{escape, wire};

/// Read, search, edit and check the project's files, behind the gate and recorded
///
/// A tool that changes files needs a read of the timeline in the last 10 seconds: `annals tool
/// memory_query`. Paths stay inside the project, and no link is followed. The exit code is 1 where the
/// tool failed or the gate refused, 2 where what was asked for is not allowed.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    List(ListArgs),
    Declare(DeclareArgs),
    #[command(flatten)]
    Call(call::Call),
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    match args.what {
        What::List(_) => list(context),
        What::Declare(args) => declare(args, context),
        What::Call(call) => call::run(call, context),
    }
}

/// List the tools, their arguments, and which are unavailable here
#[derive(clap::Args, Debug)]
struct ListArgs {}

fn list(context: &mut Context) -> Result<Exit> {
    let tools: Vec<wire::Tool> =
        TOOLS.iter().map(|spec| wire::Tool::of(spec, is_here(spec))).collect();
    if context.output.as_json_list(&tools)? {
        return Ok(Exit::Fine);
    }
    for (spec, tool) in TOOLS.iter().zip(&tools) {
        let gated = if is_mutation(spec.name) { " (behind the gate)" } else { "" };
        context.output.line(format_args!("{}{}", signature(spec), gated))?;
        context.output.line(format_args!("    {}", spec.about))?;
        if let (false, Some(program)) = (tool.available, spec.program) {
            context.output.line(format_args!("    not here: {program} is not in PATH"))?;
        }
    }
    Ok(Exit::Fine)
}

/// `file_read path [offset] [limit]`
fn signature(spec: &ToolSpec) -> String {
    let word = |(name, required): (&str, bool)| match required {
        true => format!(" {name}"),
        false => format!(" [{name}]"),
    };
    let words = spec.parameters.iter().map(|it| word((it.name, it.required)));
    spec.name.to_owned() + &words.collect::<String>()
}

/// Whether the program that a tool needs can be started.
pub fn is_here(spec: &ToolSpec) -> bool {
    let Some(program) = spec.program else { return true };
    let mut version = Command::new(program);
    version.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok()
}

/// Declare tool names, so that calls of them are accepted
#[derive(clap::Args, Debug)]
struct DeclareArgs {
    /// The names: ASCII letters, digits and `_ - . : /`
    #[arg(required = true, value_name = "TOOL")]
    tools: Vec<String>,
}

fn declare(args: DeclareArgs, context: &mut Context) -> Result<Exit> {
    let tools = args.tools;
    let project = context.project()?;
    let mut recorder = live_recorder(&project);
    recorder.declare(&tools, "annals tool declare")?;
    recorder.finish()?;
    catch_up::catch_up(&project, context);
    let names = tools.iter().map(|tool| escape::line(tool)).collect::<Vec<_>>().join(", ");
    context.output.line(format_args!("Declared: {names}"))?;
    Ok(Exit::Fine)
}
