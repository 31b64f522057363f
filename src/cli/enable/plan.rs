//! What enabling would do: all is looked at before anything is done, and shown to people.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{Args, Enabled, Hooks, Plan};
use crate::agents::import::survey;
use crate::agents::settings::{
    Agent, Home, HookLine, Place, Scope, SettingsError, SettingsFile, install, standing,
};
use crate::cli::{CliError, Context, Result, counted, import, quote, shown};
use crate::event::GateMode;
use crate::journal::ProjectError;
use crate::journal::trust::Settings;
use crate::output::escape::line;
use crate::output::stream::{Colour, Output};
use crate::output::time;

pub fn gather(args: &Args, context: &Context) -> Result<Plan> {
    let home = Home::of_environment();
    let agents = agents(args, &home)?;
    let (root, is_project) = root(context)?;
    let withheld = match is_project {
        true => Settings::of(&root).withheld().to_vec(),
        false => Vec::new(),
    };
    let request = import::past(&root);
    let (files, bytes) = survey(&request)?;
    let program = word()?;
    let mode = if args.enforce { GateMode::Enforce } else { GateMode::Advise };
    let mut hooks = Vec::new();
    for agent in agents {
        let line = HookLine { agent, program: program.clone(), mode };
        hooks.push(self::hooks(line, args, &home, &root)?);
    }
    Ok(Plan { root, is_project, request, files, bytes, withheld, hooks })
}

fn agents(args: &Args, home: &Home) -> Result<Vec<Agent>> {
    if !args.agents.is_empty() {
        let named = |agent: &Agent| args.agents.contains(agent);
        return Ok(Agent::ALL.iter().copied().filter(named).collect());
    }
    let found: Vec<_> = Agent::ALL.iter().copied().filter(|agent| home.has(*agent)).collect();
    if found.is_empty() {
        let folder = |agent: &Agent| home.folder(*agent).unwrap_or_default();
        let folders = Agent::ALL.iter().map(folder).collect();
        return Err(SettingsError::NoAgent { folders }.into());
    }
    Ok(found)
}

/// The project's folder, and whether it is one already.
fn root(context: &Context) -> Result<(PathBuf, bool)> {
    match context.project() {
        Ok(project) => {
            let root = project.root();
            let root = root.canonicalize().map_err(|source| CliError::io("find", root, source))?;
            Ok((root, true))
        }
        Err(error) if matches!(error.below(), Some(ProjectError::NotFound { .. })) => {
            let start = &context.start;
            let root =
                start.canonicalize().map_err(|source| CliError::io("find", start, source))?;
            Ok((root, false))
        }
        Err(error) => Err(error),
    }
}

fn hooks(line: HookLine, args: &Args, home: &Home, root: &Path) -> Result<Hooks> {
    let agent = line.agent;
    let none = SettingsError::NoHome { agent: agent.title() };
    let place = home.chosen(agent, root, args.user).ok_or(none)?;
    let file = SettingsFile::read(&place.path)?;
    let installation =
        install(file.text(), &line, args.enforce).map_err(|fault| file.fault(fault))?;
    let elsewhere = match installation.found.is_empty() {
        true => elsewhere(&line, &place, home, root)?,
        false => None,
    };
    let mut hooks = Hooks { agent, place, line, file, installation, elsewhere, notes: Vec::new() };
    if !hooks.is_done() {
        hooks.file.must_be_writable()?;
        if hooks.place.scope != Scope::User {
            hooks.file.must_lie_in(root)?;
        }
    }
    hooks.notes = notes(&hooks, home, root);
    Ok(hooks)
}

/// Another file that the agent reads here and that has the hooks: two files' hooks would both run.
fn elsewhere(line: &HookLine, chosen: &Place, home: &Home, root: &Path) -> Result<Option<PathBuf>> {
    for place in home.places(line.agent, root) {
        if place == *chosen {
            continue;
        }
        let file = SettingsFile::read(&place.path)?;
        let found = standing(file.text(), line.agent).map_err(|fault| file.fault(fault))?;
        let Some(first) = found.first() else { continue };
        if line.mode == GateMode::Enforce && first.line.mode != line.mode {
            let (path, found) = (place.path, first.line.mode.as_str());
            return Err(SettingsError::Elsewhere { path, found, wanted: "enforce" }.into());
        }
        return Ok(Some(place.path));
    }
    Ok(None)
}

fn notes(hooks: &Hooks, home: &Home, root: &Path) -> Vec<String> {
    (hooks.agent.facts().notes)(hooks.place.scope, root, home)
}

/// This program as a word of a shell: its name where PATH leads to it, else where it lies.
pub fn word() -> Result<String> {
    let own = std::env::current_exe()
        .map_err(|source| CliError::io("find", "the program itself".as_ref(), source))?;
    let name = own.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let first = std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|it| runs(it));
    Ok(match first {
        Some(found) if same(&found, &own) => quote::word(&name),
        _ => quote::word(&own.to_string_lossy()),
    })
}

fn runs(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

fn same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| -> Option<PathBuf> { path.canonicalize().ok() }; // then it is not the same
    real(one).is_some() && real(one) == real(other)
}

/// Longer lines are cut: a settings file may be one line of megabytes.
const CHARS_MAX: usize = 200;

pub fn print(plan: &Plan, output: &mut Output) -> io::Result<()> {
    project(plan, output)?;
    if plan.files > 0 {
        past_sessions(plan, output)?;
    }
    for setting in &plan.withheld {
        let (effect, value) = (setting.effect.as_str(), line(&setting.value));
        output
            .line(format_args!("Ignored until you allow it: {} {effect}: {value}", setting.name))?;
    }
    recorded(output)?;
    for it in &plan.hooks {
        output.blank()?;
        print_hooks(it, output)?;
        for note in &it.notes {
            output.line(line(note))?;
        }
    }
    output.blank()
}

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
    project(plan, &mut context.output)?;
    recorded(&mut context.output)
}

/// What of a conversation is recorded, and how not to.
fn recorded(output: &mut Output) -> io::Result<()> {
    output.line(
        "Recorded are prompts, what the agent answers, its calls and their results. To leave answers out: \
         [record] answers = false in .annals/config.toml",
    )
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
pub fn print_hooks(hooks: &Hooks, output: &mut Output) -> io::Result<()> {
    let (title, mode) = (hooks.agent.title(), hooks.mode());
    if let Some(path) = &hooks.elsewhere {
        let path = shown(path);
        return output
            .line(format_args!("{title}: the hooks are in {path} already ({})", mode.as_str()));
    }
    let path = shown(&hooks.place.path);
    if hooks.is_done() {
        return output
            .line(format_args!("{title}: the hooks are in {path} already ({})", mode.as_str()));
    }
    let what = match mode {
        GateMode::Observe => "they record",
        GateMode::Advise => "they record, and advise",
        GateMode::Enforce => "they record, and deny edits without a read of the timeline",
    };
    let new = if hooks.file.exists() { "" } else { ", a new file" };
    output.line(format_args!("{title}: hooks in {path}{new} ({what})"))?;
    for text in &hooks.installation.lines {
        let text = line(&crate::output::table::cut(text, CHARS_MAX)).into_owned();
        output.coloured(Colour::Green, format_args!("  + {text}"))?;
    }
    Ok(())
}

pub fn end(told: &Enabled, context: &mut Context) -> io::Result<()> {
    if context.output.is_json() {
        return Ok(());
    }
    context.output.blank()?;
    let imported = told.import.as_ref().is_some_and(|report| report.calls > 0);
    let next = if imported { "annals log" } else { "annals status, once your agent has worked" };
    context.output.line(format_args!("Next: {next}. To undo: annals disable"))
}
