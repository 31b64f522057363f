//! `annals export otlp`: sessions as OpenTelemetry's spans, in a file or to a collector.

use std::path::{Path, PathBuf};

use super::destination::Destination;
use super::part::PartArgs;
use super::{Format, journals, shown};
use crate::agents::otlp::written::{self as spans, Encoding, Request, Which};
use crate::agents::outward::Plan;
use crate::cli::journals::Named;
use crate::cli::{CliError, Context, Exit, Result, counted, damage, written};
use crate::execution::replay::{Walk, Window};
#[cfg(feature = "otlp")]
use crate::output::escape;

/// Write sessions as OpenTelemetry's traces (OTLP; GenAI semantic conventions), into a file or to a collector
///
/// A session is a trace: a span for it, one for each turn, and below that what models said (`chat`), calls of tools
/// (`execute_tool`), operations on memory and what the gate judged. A call that failed has an error; one that was interrupted
/// or is open has none, and says so in `annals.outcome`. Ids are made of the session's and the call's own: written again, it is
/// the same spans. `annals import otlp` reads them back. docs/exported.md lists the attributes, and what is not in them.
///
/// A file has a request a line, as a collector's file exporter writes them; with --protobuf it is one message. A URL is asked to
/// take requests one by one (OTLP/HTTP, in a build with the feature `otlp`): one that is busy is waited for;
/// `OTEL_EXPORTER_OTLP_HEADERS` names headers.
///
/// The exit code is 1 where events could not be read, or spans were not taken.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A file, `-` for standard output, or http://HOST:4318 (or with a path of its own)
    #[arg(value_name = "TO")]
    pub target: PathBuf,
    /// With arguments, what was printed, prompts, answers and memories
    #[arg(long)]
    pub content: bool,
    /// Without what agents said
    #[arg(long)]
    pub no_answers: bool,
    /// In protobuf instead of JSON
    #[arg(long)]
    pub protobuf: bool,
    #[command(flatten)]
    pub part: PartArgs,
}

/// What was given away.
#[derive(Default)]
struct Given {
    spans: u64,
    requests: u64,
    /// Journals of which not all could be read.
    unread: Vec<PathBuf>,
}

impl Given {
    /// Says what could not be read.
    fn told(&self, context: &mut Context) -> Exit {
        for journal in &self.unread {
            context.output.note(format_args!("not all of {} could be read", shown(journal)));
            context.output.note("try: annals verify");
        }
        if self.unread.is_empty() { Exit::Fine } else { Exit::Findings }
    }
}

pub fn run(args: &Args, context: &mut Context) -> Result<Exit> {
    let target = args.target.to_string_lossy();
    if target.starts_with("http://") || target.starts_with("https://") {
        return send(args, &target, context);
    }
    let parts = parts(args, context)?;
    let is_file = args.target != Path::new("-");
    if is_file {
        written::remember(&context.sources()?, "export", &args.target, context);
    }
    let path = Some(args.target.clone()).filter(|_| is_file);
    let mut destination = Destination::open(path.as_ref(), Format::Jsonl, &mut context.output)?;
    let given = give(args, &parts, &mut |request| match encoding(args) {
        Encoding::Json => {
            let line = String::from_utf8_lossy(&request.bytes);
            destination.part(&format!("{line}\n"), false)
        }
        Encoding::Protobuf => destination.bytes(&request.bytes),
    })?;
    destination.close()?;
    if is_file {
        let spans = counted(given.spans, "span");
        context.output.note(format_args!("{spans} in {}", shown(&args.target)));
    }
    Ok(given.told(context))
}

fn encoding(args: &Args) -> Encoding {
    if args.protobuf { Encoding::Protobuf } else { Encoding::Json }
}

/// The journals that are asked for, and which part of each.
fn parts(args: &Args, context: &mut Context) -> Result<Vec<(Named, Window)>> {
    let named = journals::named(context)?;
    named
        .into_iter()
        .map(|named| {
            damage::ask(&named.source, context);
            let part = args.part.durable(&named, context)?;
            Ok((named, part))
        })
        .collect()
}

/// Gives the requests of every journal.
fn give(
    args: &Args,
    parts: &[(Named, Window)],
    put: &mut dyn FnMut(Request) -> Result<()>,
) -> Result<Given> {
    let which = Which { content: args.content, answers: !args.no_answers };
    let mut given = Given::default();
    for (named, part) in parts {
        let walk = || Walk::events(&named.journal, named.reading, Plan::window(part));
        let plan = Plan::of(&mut walk()?)?;
        let mut walk = walk()?;
        spans::write::<CliError>(&mut walk, &plan, part, which, encoding(args), &mut |request| {
            given.spans += request.spans;
            given.requests += 1;
            put(request)
        })?;
        let unshown = walk.unshown();
        if unshown.lost.count + unshown.undecodable.count > 0 {
            given.unread.push(named.journal.clone());
        }
    }
    Ok(given)
}

#[cfg(not(feature = "otlp"))]
fn send(_: &Args, _: &str, _: &mut Context) -> Result<Exit> {
    let what = "this build speaks to no collector: cargo install --path . --features otlp; a file it writes";
    Err(CliError::Refused { what })
}

#[cfg(feature = "otlp")]
fn send(args: &Args, target: &str, context: &mut Context) -> Result<Exit> {
    use crate::agents::otlp::sender::Sender;

    let parts = parts(args, context)?;
    let mut sender = Sender::of(target, encoding(args))?;
    let place = sender.place().to_owned();
    written::remember(&context.sources()?, "export", Path::new(&place), context);
    let given = give(args, &parts, &mut |request| Ok(sender.send(&request)?));
    let sent = sender.sent();
    for told in &sent.told {
        context.output.note(format_args!("{}: {}", escape::line(&place), escape::line(told)));
    }
    if given.is_err() && sent.spans > 0 {
        let spans = counted(sent.spans, "span");
        context
            .output
            .note(format_args!("{spans} went there before; sent again they are the same"));
    }
    let given = given?;
    let spans = counted(sent.spans, "span");
    let requests = counted(given.requests, "request");
    context.output.note(format_args!("{spans} in {requests} to {}", escape::line(&place)));
    let exit = given.told(context);
    if sent.rejected == 0 {
        return Ok(exit);
    }
    context.output.note(format_args!("{} not taken", counted(sent.rejected, "span")));
    Ok(exit.worse(Exit::Findings))
}
