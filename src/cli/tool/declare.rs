//! `annals tool declare`: puts names on the contract's list of tools (ruling 4).

use crate::cli::{CliError, Context, Exit, catch_up};
use crate::journal::Recorder;
use crate::output::escape;

/// Declare tool names, so that calls of them are accepted
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The names: ASCII letters, digits and `_ - . : /`
    #[arg(required = true, value_name = "TOOL")]
    tools: Vec<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let tools = args.tools;
    let project = context.project()?;
    let mut recorder = Recorder::live(&project)?;
    recorder.declare(&tools, "annals tool declare")?;
    recorder.finish()?;
    catch_up::catch_up(&project, context);
    let names = tools.iter().map(|tool| escape::line(tool)).collect::<Vec<_>>().join(", ");
    context.output.line(format_args!("Declared: {names}"))?;
    Ok(Exit::Fine)
}
