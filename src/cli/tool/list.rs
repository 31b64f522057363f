//! `annals tool list`: the tools that there are, and what they take.

use std::process::{Command, Stdio};

use crate::cli::{CliError, Context, Exit};
use crate::event::tool::is_mutation;
use crate::grounding::tools::{TOOLS, ToolSpec};
use crate::output::wire;

/// List the tools, what they take, and which of them cannot be used here
#[derive(clap::Args, Debug)]
pub struct Args {}

pub fn run(_: Args, context: &mut Context) -> Result<Exit, CliError> {
    let tools: Vec<wire::Tool> =
        TOOLS.iter().map(|spec| wire::Tool::of(spec, is_here(spec))).collect();
    if context.output.is_json() {
        context.output.json_list(&tools)?;
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
