//! `annals export transcript`: a session as a document to read, or in its agent's own lines.

use std::path::PathBuf;

use super::destination::Destination;
use super::{Format, journals, shown};
use crate::agents::Agent;
use crate::agents::rebuilt::Rebuilt;
use crate::cli::replay::tokens;
use crate::cli::{CliError, Context, Exit, Result, counted, damage, written};
use crate::event::{Body, Content, Outcome, Recorded, TranscriptFlaw, TranscriptFlawed};
use crate::execution::replay::{Asked, Contents, Walk, What};
use crate::output::{escape, time};

/// Write a session as Markdown: prompts, answers, calls and results, in order
///
/// With --json in its agent's own lines, as far as they are recorded: `annals import` reads them back, and adds
/// nothing to this journal. The agents' own records of hooks and progress are recorded by nobody and are not in
/// it; thoughts only where `record.thinking` was on. Lines that the import could not read (above 32 MiB, or no JSON)
/// are named where they stood, and on standard error.
///
/// The exit code is 1 where events of it could not be read.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The session: its id, the beginning of it, or the agent's own name for it
    #[arg(value_name = "SESSION")]
    pub session: String,
    /// Without what the agent said, and the summaries made of it
    #[arg(long)]
    pub no_answers: bool,
    /// Write to this file: beside it first, then renamed over it
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

pub fn run(args: &Args, context: &mut Context) -> Result<Exit> {
    let journals = journals::named(context)?;
    let [named] = journals.as_slice() else {
        return Err(CliError::Refused { what: "a transcript is of one journal: give one --dir" });
    };
    damage::ask(&named.source, context);
    let asked = Asked { session: Some(args.session.clone()), ..Asked::default() };
    let window = journals::window(&asked, &named.journal, named.reading, context)?;
    let mut walk = Walk::events(&named.journal, named.reading, window)?;
    let contents = walk.contents().clone();
    let bring = |content: &Content| text(&contents, content);
    let (is_json, zone) = (context.output.is_json(), context.zone.clone());
    let mut rebuilt: Option<Rebuilt<'_>> = None;
    let mut unread = Vec::new();
    let mut destination =
        Destination::open(args.output.as_ref(), Format::Jsonl, &mut context.output)?;
    for step in &mut walk {
        let What::Event(recorded) = step?.what else { continue };
        let body = &recorded.event.body;
        if args.no_answers && body.is_answer() {
            continue;
        }
        unread.extend(unread_line(body));
        if !is_json {
            let at = time::local(recorded.event.envelope.at_ms, &zone);
            destination.text(&markdown(&recorded, &at, &bring))?;
            continue;
        }
        if let (None, Body::SessionStarted(started)) = (&rebuilt, body) {
            rebuilt = Agent::parse(&started.agent).map(|agent| Rebuilt::new(agent, &bring));
        }
        for line in rebuilt.iter_mut().flat_map(|rebuilt| rebuilt.lines(&recorded)) {
            destination.json(&line)?;
        }
    }
    let rows = destination.close()?;
    if let Some(path) = &args.output {
        written::remember(&context.sources()?, "transcript", path, context);
        let (rows, path) = (counted(rows, if is_json { "line" } else { "part" }), shown(path));
        context.output.note(format_args!("{rows} in {path}"));
    }
    if let Some(first) = unread.first() {
        let more = match unread.len() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        context.output.note(format_args!("not in it: {}{more}", escape::line(first)));
    }
    let unshown = walk.unshown();
    if unshown.lost.count + unshown.undecodable.count > 0 {
        context.output.note(format_args!("not all of {} could be read", shown(&named.journal)));
        context.output.note("try: annals verify");
        return Ok(Exit::Findings);
    }
    Ok(Exit::Fine)
}

/// A line of the transcript that the import could not read, in words.
fn unread_line(body: &Body) -> Option<String> {
    let Body::TranscriptFlawed(flawed) = body else { return None };
    let TranscriptFlawed { file, line, flaw, detail, .. } = flawed;
    let told = || format!("line {line} of {file}, which could not be read ({detail})");
    (*flaw == TranscriptFlaw::Unreadable).then(told)
}

fn text(contents: &Contents, content: &Content) -> String {
    let brought = contents.bring(content);
    let parts = [brought.bytes.as_deref(), brought.tail];
    let parts = parts.into_iter().flatten().map(String::from_utf8_lossy);
    parts.collect::<Vec<_>>().join("\n[…]\n")
}

/// An event as a part of the document; empty where it is none.
fn markdown(recorded: &Recorded, at: &str, bring: &dyn Fn(&Content) -> String) -> String {
    let by = |actor: &Option<String>| match actor {
        Some(actor) => format!(" · {}", one_line(actor)),
        None => String::new(),
    };
    match &recorded.event.body {
        Body::TranscriptFlawed(_) => match unread_line(&recorded.event.body) {
            Some(told) => format!("*Not here: {}*\n\n", one_line(&told)),
            None => String::new(),
        },
        Body::SessionStarted(b) if b.title.is_some() => {
            format!("# {}\n\n", one_line(b.title.as_deref().unwrap_or_default()))
        }
        Body::PromptSubmitted(b) => {
            let named = |it: &crate::event::Attachment| {
                let name = it.name.as_deref().or(it.media_type.as_deref()).unwrap_or("attachment");
                format!("\n[{}, {} bytes]\n", one_line(name), it.bytes)
            };
            let with: String = b.attachments.iter().map(named).collect();
            format!("## Prompt{} · {at}\n\n{}\n{with}\n", by(&b.actor), quoted(&bring(&b.text)))
        }
        Body::AssistantSaid(b) => {
            let model = b.model.as_deref().map(|it| format!(" · {}", one_line(it)));
            let tokens = tokens(&b.usage).map(|it| format!("\n*{it}*\n")).unwrap_or_default();
            let thinking = b.thinking.as_ref().map(|it| format!("{}\n\n", quoted(&bring(it))));
            let (model, thinking) = (model.unwrap_or_default(), thinking.unwrap_or_default());
            let text = bring(&b.text);
            match text.trim().is_empty() && thinking.is_empty() {
                true => String::new(),
                false => {
                    format!(
                        "### Answer{}{model} · {at}\n\n{thinking}{text}\n{tokens}\n",
                        by(&b.actor)
                    )
                }
            }
        }
        Body::ModelChanged(b) => format!("*The model is now {}.*\n\n", one_line(&b.to)),
        Body::Compacted(b) => {
            format!("### What was said became a summary · {at}\n\n{}\n\n", bring(&b.summary))
        }
        Body::ExecutionStarted(b) => {
            let tool = b.native_tool.as_deref().unwrap_or(&b.tool);
            let head = format!("**{}**{}", one_line(tool), by(&b.actor));
            format!("{head}\n\n{}\n", fenced("json", &b.arguments.0))
        }
        Body::ExecutionFinished(b) => ended(&b.closing, bring),
        Body::ExecutionCorrected(b) => ended(&b.closing, bring),
        Body::ExecutionInterrupted(b) => format!("*interrupted: {}*\n\n", one_line(&b.reason)),
        _ => String::new(),
    }
}

fn ended(closing: &crate::event::Closing, bring: &dyn Fn(&Content) -> String) -> String {
    let code = closing.exit_code.map(|code| format!(", exit code {code}")).unwrap_or_default();
    let mut told = match closing.outcome {
        Outcome::Ok => String::new(),
        outcome => format!("*{}{code}*\n\n", outcome.as_str()),
    };
    for content in [&closing.stdout, &closing.stderr].into_iter().flatten() {
        told.push_str(&fenced("", &bring(content)));
        told.push('\n');
    }
    told
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("> {line}").trim_end().to_owned() + "\n").collect()
}

/// A block that nothing inside of it ends.
fn fenced(kind: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}{kind}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Envelope, Event, Sequence, Source};

    #[test]
    fn a_line_that_was_not_read_is_named_where_it_stood() {
        let flawed = |flaw| {
            let detail = "longer than 32 MiB".to_owned();
            let (agent, file) = ("claude-code".to_owned(), "a\n# b.jsonl".to_owned());
            let body =
                Body::TranscriptFlawed(TranscriptFlawed { agent, file, line: 7, flaw, detail });
            let envelope = Envelope::new(None, Source::Import, 1);
            let recorded =
                Recorded { sequence: Sequence(9), recorded_ms: 1, event: Event { envelope, body } };
            markdown(&recorded, "now", &|_| String::new())
        };
        let told =
            "*Not here: line 7 of a # b.jsonl, which could not be read (longer than 32 MiB)*\n\n";
        assert_eq!(flawed(TranscriptFlaw::Unreadable), told);
        assert_eq!(flawed(TranscriptFlaw::ResultWithoutCall), "");
    }

    #[test]
    fn nothing_inside_ends_a_fence_or_a_quote() {
        for (text, expected) in [
            ("a", "```\na\n```\n"),
            ("a\n```\nb\n", "````\na\n```\nb\n````\n"),
            ("````` x", "``````\n````` x\n``````\n"),
        ] {
            assert_eq!(fenced("", text), expected);
        }
        assert_eq!(quoted("# a\n\nb"), "> # a\n>\n> b\n");
        assert_eq!(one_line("a\n# b"), "a # b");
    }
}
