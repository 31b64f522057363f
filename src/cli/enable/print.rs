//! What enabling would do, and has done, for people.

use std::io;

use super::{Args, Hooks, Plan};
use crate::agents::settings::Mode;
use crate::cli::{Context, counted, shown};
use crate::output::escape::line;
use crate::output::stream::{Colour, Output};
use crate::output::{time, wire};

/// Longer lines are cut: a settings file may be one line of megabytes.
const CHARS_MAX: usize = 200;

/// The whole plan.
pub fn plan(plan: &Plan, output: &mut Output) -> io::Result<()> {
    project(plan, output)?;
    if plan.files > 0 {
        past_sessions(plan, output)?;
    }
    for setting in &plan.withheld {
        let (effect, value) = (setting.effect.as_str(), line(&setting.value));
        output
            .line(format_args!("Ignored until you allow it: {} {effect}: {value}", setting.name))?;
    }
    for it in &plan.hooks {
        output.blank()?;
        hooks(it, output)?;
        for note in &it.notes {
            output.line(line(note))?;
        }
    }
    output.blank()
}

/// The command that does it.
pub fn again(args: &Args) -> String {
    let mut text = "annals enable".to_owned();
    for agent in &args.agents {
        text.push_str(&format!(" {}", agent.as_str()));
    }
    for (is_set, flag) in [(args.enforce, " --enforce"), (args.user, " --user")] {
        if is_set {
            text.push_str(flag);
        }
    }
    text
}

/// Before the first question.
pub fn begin(plan: &Plan, context: &mut Context) -> io::Result<()> {
    if context.output.is_json() {
        return Ok(());
    }
    project(plan, &mut context.output)
}

/// The past sessions, before they are asked about.
pub fn past(plan: &Plan, context: &mut Context) -> io::Result<()> {
    if context.output.is_json() {
        return Ok(());
    }
    past_sessions(plan, &mut context.output)
}

fn project(plan: &Plan, output: &mut Output) -> io::Result<()> {
    let root = shown(&plan.root);
    if plan.is_project {
        return output.line(format_args!("{root} is a project: its journal is in .annals/"));
    }
    output.line(format_args!("{root} becomes a project: its journal in .annals/, kept out of git"))
}

fn past_sessions(plan: &Plan, output: &mut Output) -> io::Result<()> {
    let (files, bytes) = (counted(plan.files, "transcript"), time::bytes(plan.bytes));
    output.line(format_args!("Past sessions of this project: {files}, {bytes}"))
}

/// One agent's file and the very lines.
pub fn hooks(hooks: &Hooks, output: &mut Output) -> io::Result<()> {
    let (title, mode) = (hooks.agent.title(), hooks.mode());
    if let Some(path) = &hooks.elsewhere {
        let path = shown(path);
        return output.line(format_args!("{title}: the hooks are in {path} already ({mode})"));
    }
    let path = shown(&hooks.place.path);
    if hooks.is_done() {
        return output.line(format_args!("{title}: the hooks are in {path} already ({mode})"));
    }
    let what = match mode {
        Mode::Observe => "they record",
        Mode::Advise => "they record, and advise",
        Mode::Enforce => "they record, and deny edits without a read of the timeline",
    };
    let new = if hooks.file.exists() { "" } else { ", a new file" };
    output.line(format_args!("{title}: hooks in {path}{new} ({what})"))?;
    for text in &hooks.installation.lines {
        let text = line(&crate::output::table::cut(text, CHARS_MAX)).into_owned();
        let text = output.paint(Colour::Green, &format!("  + {text}"));
        output.line(text)?;
    }
    Ok(())
}

/// What to do next.
pub fn end(told: &wire::Enabled, context: &mut Context) -> io::Result<()> {
    if context.output.is_json() {
        return Ok(());
    }
    context.output.blank()?;
    let imported = told.import.as_ref().is_some_and(|report| report.calls > 0);
    let next = if imported { "annals log" } else { "annals status, once your agent has worked" };
    context.output.line(format_args!("Next: {next}. To undo: annals disable"))
}
