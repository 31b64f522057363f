//! A tool's parameters as flags, and flags as its arguments.

use clap::builder::{BoolishValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::{Map, Value};

use crate::grounding::tools::{Parameter, ParameterKind, ToolSpec};

/// The flag that takes all of them as one JSON object.
pub const ARGS: &str = "args";

/// A tool as a subcommand.
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

/// The arguments that the flags say, as a JSON object.
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
