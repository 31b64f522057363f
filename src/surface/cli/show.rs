//! `annals show`: one execution in full.

use super::rows::{self, detail};
use super::{CliError, Context, Exit, feed, reference};
use crate::surface::output::Colour;
use crate::surface::{escape, time, wire};

/// One execution in full: arguments, output, diagnostics
#[derive(clap::Args, Debug)]
pub struct Args {
    /// 142 (its number in `annals log`), @4711 (an event's sequence), a UUID or the beginning of
    /// one, or `last`
    #[arg(value_name = "REF")]
    pub reference: String,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let project = context.project()?;
    feed::catch_up(&project, context);
    let reference = reference::execution(&args.reference)?;
    let found = feed::stores(&project)?.show(&reference)?;
    let shown = detail(&found)?;
    if context.output.is_json() {
        context.output.json(&shown)?;
    } else {
        print(&shown, found.summary.closed_ms, context)?;
    }
    Ok(Exit::Fine)
}

fn print(
    shown: &wire::ExecutionDetail,
    at_ms: Option<u64>,
    context: &mut Context,
) -> Result<(), CliError> {
    let row = &shown.execution;
    let no = row.no.map_or_else(|| "open".to_owned(), |no| no.to_string());
    let head = format!("{no}  {}  {}", escape::line(&row.tool), row.outcome);
    let head = match rows::colour(&row.outcome) {
        Some(colour) => context.output.paint(colour, &head),
        None => context.output.paint(Colour::Bold, &head),
    };
    context.output.line(head)?;
    let at = at_ms.map(|at_ms| time::local(at_ms, &context.zone));
    let took = row.duration_ms.map(time::duration);
    let exit_code = row.exit_code.map(|code| code.to_string());
    let sequence = row.sequence.map(|sequence| format!("@{sequence}"));
    for (name, value) in [
        ("execution", Some(&row.execution)),
        ("event", sequence.as_ref()),
        ("session", row.session.as_ref()),
        ("agent", shown.agent.as_ref()),
        ("its name", row.native_tool.as_ref()),
        ("call", shown.call.as_ref()),
        ("ended", at.as_ref()),
        ("took", took.as_ref()),
        ("exit code", exit_code.as_ref()),
        ("in", shown.cwd.as_ref()),
        ("error", row.error.as_ref()),
        ("corrects", row.corrects.as_ref()),
    ] {
        if let Some(value) = value {
            context.output.line(format_args!("{name:<10} {}", escape::line(value)))?;
        }
    }
    for (name, values) in [("path", &shown.paths), ("symbol", &shown.symbols)] {
        for value in values {
            context.output.line(format_args!("{name:<10} {}", escape::line(value)))?;
        }
    }
    if let Some(arguments) = &shown.arguments {
        section("arguments", &pretty(arguments.get()), context)?;
    }
    for artifact in &shown.artifacts {
        let text = match text_of(artifact.content.get()) {
            Some(text) => text,
            None => pretty(artifact.content.get()),
        };
        section(&artifact.artifact_type, &text, context)?;
    }
    Ok(())
}

fn section(title: &str, text: &str, context: &mut Context) -> Result<(), CliError> {
    context.output.blank()?;
    let title = context.output.paint(Colour::Dim, &escape::line(title));
    context.output.line(title)?;
    let text = escape::block(text.trim_end_matches('\n')).into_owned();
    Ok(context.output.line(text)?)
}

/// The text of `{"text": …}`.
fn text_of(content: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Text {
        text: String,
    }
    // Diagnostics are an array: shown as JSON.
    serde_json::from_str::<Text>(content).ok().map(|content| content.text)
}

/// JSON indented for people; as it is where it cannot be read.
fn pretty(json: &str) -> String {
    serde_json::from_str::<serde_json::Value>(json)
        .and_then(|value| serde_json::to_string_pretty(&value))
        .unwrap_or_else(|_| json.to_owned())
}
