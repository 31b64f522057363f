//! `annals tool NAME`: one call of a tool, behind the gate and recorded.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::builder::{BoolishValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, Subcommand, value_parser};
use serde_json::{Map, Value};

use crate::cli::{CliError, Context, Exit, Result, catch_up, damage, run as runs};
use crate::event::{Outcome, limits};
use crate::execution::query::Identity;
use crate::grounding::tools::{
    Invocation, Parameter, ParameterKind, PlaceError, Step, TOOLS, ToolError, ToolLayer, ToolSpec,
};
use crate::journal::clock;
use crate::output::{escape, time};
use crate::store::StorePlaces;

/// The tool that answers from the journal.
const MEMORY_QUERY: &str = "memory_query";

/// A call of a tool, its arguments from flags or as one JSON object.
#[derive(Clone, Debug)]
pub struct Call {
    step: Step,
}

impl Subcommand for Call {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        command.subcommands(TOOLS.iter().map(self::command))
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
        let arguments = match told.get_one::<String>(ARGS) {
            Some(json) => json.clone(),
            None => self::arguments(spec, told),
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

pub fn run(call: Call, context: &mut Context) -> Result<Exit> {
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
            catch_up::catch_up(&project, context);
            runs::introduce(&project, context);
            ordinal(&crate::stores::places(project.root()), &invocation)
        }
        Err(error) => {
            let why = super::super::with_causes(error);
            context.output.note(format_args!("not recorded: {why}"));
            None
        }
    };
    self::invocation(&invocation, no, context)?;
    Ok(exit(&invocation))
}

fn standard_input() -> Result<String> {
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
    let identity = Identity::open(places.index()).ok()?; // told already
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

/// The flag that takes all of them as one JSON object.
pub const ARGS: &str = "args";

pub fn command(spec: &ToolSpec) -> Command {
    let all = Arg::new(ARGS)
        .long(ARGS)
        .value_name("JSON")
        .help("All arguments as one JSON object; - reads it from standard input");
    let flags = spec.parameters.iter().map(flag);
    Command::new(spec.name).about(spec.about).arg(all).args(flags)
}

fn flag(parameter: &Parameter) -> Arg {
    let mut help = parameter.about.to_owned();
    if parameter.required {
        help += " (required)";
    }
    let arg = Arg::new(parameter.name).help(help).conflicts_with(ARGS);
    let arg = match dashed(parameter.name) {
        Some(word) => arg.long(word).alias(parameter.name),
        None => arg.long(parameter.name),
    };
    match parameter.kind {
        ParameterKind::Text => arg.value_name("TEXT").allow_hyphen_values(true),
        ParameterKind::Texts => arg.value_name("TEXT").action(ArgAction::Append),
        ParameterKind::Number => arg.value_name("N").value_parser(value_parser!(u64)),
        ParameterKind::Flag => arg
            .value_name("BOOL")
            .value_parser(BoolishValueParser::new())
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true"),
        ParameterKind::Json => {
            let json = clap::builder::StringValueParser::new()
                .try_map(|text| serde_json::from_str::<Value>(&text));
            arg.value_name("JSON").value_parser(json)
        }
    }
}

/// The flag of a name of several words, which is written with dashes; both are understood.
fn dashed(name: &str) -> Option<&'static str> {
    const DASHED: [&str; 9] = [
        "old-string",
        "new-string",
        "replace-all",
        "ignore-case",
        "all-targets",
        "timeout-s",
        "after-id",
        "before-id",
        "timeline-summary",
    ];
    DASHED.into_iter().find(|dashed| dashed.replace('-', "_") == name)
}

pub fn arguments(spec: &ToolSpec, matches: &ArgMatches) -> String {
    let mut object = Map::new();
    for parameter in spec.parameters {
        let name = parameter.name;
        let value = match parameter.kind {
            ParameterKind::Text => matches.get_one::<String>(name).cloned().map(Value::from),
            ParameterKind::Texts => matches.get_many::<String>(name).map(|texts| {
                let mut texts: Vec<Value> = texts.cloned().map(Value::from).collect();
                if texts.len() == 1 { texts.remove(0) } else { Value::from(texts) }
            }),
            ParameterKind::Number => matches.get_one::<u64>(name).copied().map(Value::from),
            ParameterKind::Flag => matches.get_one::<bool>(name).copied().map(Value::from),
            ParameterKind::Json => matches.get_one::<Value>(name).cloned(),
        };
        object.extend(value.map(|value| (name.to_owned(), value)));
    }
    Value::Object(object).to_string()
}

/// The tool's text on standard output; everything else that is to be said on standard error.
pub fn invocation(invocation: &Invocation, no: Option<u64>, context: &mut Context) -> Result<()> {
    if context.output.is_json() {
        return Ok(context.output.json(&invocation.told(no, clock::now_ms()))?);
    }
    if let Some(notice) = &invocation.gate
        && let Some(timeline) = notice.timeline(clock::now_ms())
    {
        context.output.note(escape::line(&notice.refusal.to_string()).into_owned());
        context
            .output
            .note(format_args!("required: {}", escape::line(&notice.refusal.required_query)));
        context.output.line(escape::block(&timeline))?;
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
