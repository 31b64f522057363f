//! `annals tool NAME`: one call of a tool, behind the gate and recorded.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::{ArgMatches, FromArgMatches, Subcommand};

use super::{flags, print};
use crate::cli::{CliError, Context, Exit, damage, feed, run as runs};
use crate::event::{Outcome, limits};
use crate::execution::query::Identity;
use crate::grounding::tools::{
    Invocation, PlaceError, Step, TOOLS, ToolError, ToolLayer, ToolSpec,
};
use crate::stores::StorePlaces;

/// The tool that answers from the journal.
const MEMORY_QUERY: &str = "memory_query";

/// A call of a tool, its arguments from flags or as one JSON object.
#[derive(Clone, Debug)]
pub struct Call {
    step: Step,
}

impl Subcommand for Call {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        command.subcommands(TOOLS.iter().map(flags::command))
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        spec(name).is_some()
    }
}

impl FromArgMatches for Call {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, told) = matches.subcommand().ok_or_else(missing)?;
        let spec = spec(name).ok_or_else(missing)?;
        let arguments = match told.get_one::<String>(flags::ARGS) {
            Some(json) => json.clone(),
            None => flags::arguments(spec, told),
        };
        Ok(Self { step: Step { tool: name.to_owned(), arguments } })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|call| *self = call)
    }
}

fn spec(name: &str) -> Option<&'static ToolSpec> {
    TOOLS.iter().find(|spec| spec.name == name)
}

pub fn run(call: Call, context: &mut Context) -> Result<Exit, CliError> {
    let Call { mut step } = call;
    if step.arguments == "-" {
        step.arguments = standard_input()?;
    }
    let project = context.project()?;
    if step.tool == MEMORY_QUERY {
        damage::ask_project(&project, context);
    }
    let layer = ToolLayer::new(&project, context.session_id())?.stopped_by(stop());
    let invocation = layer.invoke(&step);
    let no = match &invocation.log {
        Ok(_) => {
            feed::catch_up(&project, context);
            runs::introduce(&project, context);
            ordinal(&StorePlaces::of(project.root()), &invocation)
        }
        Err(error) => {
            let why = super::super::with_causes(error);
            context.output.note(format_args!("not recorded: {why}"));
            None
        }
    };
    print::invocation(&invocation, no, context)?;
    Ok(exit(&invocation))
}

/// The arguments, from standard input.
fn standard_input() -> Result<String, CliError> {
    let mut text = String::new();
    let bytes_max = limits::JSON_BYTES_MAX as u64 + 1;
    std::io::stdin().take(bytes_max).read_to_string(&mut text).map_err(CliError::Input)?;
    Ok(text)
}

/// Set by an interrupt: what the tool runs is then ended before we are, and recorded.
fn stop() -> Arc<AtomicBool> {
    let stop = Arc::<AtomicBool>::default();
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Refused by the operating system, the signal does what it does by default.
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop));
    }
    stop
}

/// Its number in `annals log`; `None` where a store lags, which was told already.
fn ordinal(places: &StorePlaces, invocation: &Invocation) -> Option<u64> {
    let identity = Identity::open(&places.index).ok()?; // told already
    identity.execution_by_id(invocation.execution).ok()??.ordinal // told already
}

fn exit(invocation: &Invocation) -> Exit {
    match (&invocation.result, invocation.outcome()) {
        (_, Outcome::Ok) => Exit::Fine,
        (Err(ToolError::Grounding(_) | ToolError::Gate(_)), _) => Exit::Findings,
        (Err(ToolError::Place(PlaceError::Io { .. })), _) => Exit::Io,
        (Err(_), Outcome::Refused) => Exit::Usage,
        _ => Exit::Findings,
    }
}
