//! Bare `annals`: what is here, and the one next command.

use std::path::Path;

use super::{Context, Exit, Result, catch_up, counted, import, shown};
use crate::agents::import::survey;
use crate::agents::settings::{Agent, Home, Place, SettingsFile, standing};
use crate::journal::{ProjectError, Reading, Source, SourceError};

/// What was found of agents.
struct Found {
    /// Transcripts of past sessions here.
    files: u64,
    /// Whether any agent is used on this machine.
    agents: bool,
    /// Whether hooks of one are installed.
    installed: bool,
}

pub fn run(context: &mut Context) -> Result<Exit> {
    let sources = match context.sources() {
        Ok(sources) => sources,
        Err(error) => {
            let (project, source) = (error.below(), error.below());
            let is_none = matches!(project, Some(ProjectError::NotFound { .. }))
                || matches!(source, Some(SourceError::Absent { .. } | SourceError::Nothing { .. }));
            return if is_none { no_project(context) } else { Err(error) };
        }
    };
    let (mut calls, mut open, mut failed, mut found) = (0, 0, 0, None);
    for (source, opened) in sources.iter().zip(catch_up::open_all(context)?) {
        let counts = opened.stores.counts()?;
        let root = shown(source.root.as_deref().unwrap_or(&source.given));
        let sessions = counted(counts.sessions, "session");
        let all = counted(counts.calls, "call");
        let failures = counts.failed;
        context
            .output
            .line(format_args!("{root}: {all} in {sessions}, {failures} of them failed"))?;
        calls += counts.calls;
        open += counts.open;
        failed += counts.failed;
        if found.is_none() && is_live(source, context) {
            found = source.root.as_deref().map(look);
        }
    }
    let next = match found {
        Some(Found { files: 1.., installed: false, .. }) => {
            context.output.line("Agents worked here, and no hooks of annals are installed.")?;
            "annals enable"
        }
        Some(Found { agents: true, installed: false, .. }) if calls == 0 => "annals enable",
        _ if calls == 0 => "annals run -- COMMAND, or annals import auto for past sessions",
        _ if open > 0 => "annals status",
        _ if failed > 0 => "annals timeline, or annals log --failed",
        _ => "annals log",
    };
    context.output.line(format_args!("Next: {next}"))?;
    context.output.line("All there is: annals --help")?;
    Ok(Exit::Fine)
}

fn no_project(context: &mut Context) -> Result<Exit> {
    let here = shown(&context.start);
    context.output.line(format_args!("{here} is no project of annals yet."))?;
    let found = look(&context.start);
    let next = match (found.files, found.agents) {
        (0, false) => "annals init (or annals tour, to see it work)",
        (0, true) => "annals enable (or annals tour, to see it work)",
        (files, _) => {
            let files = counted(files, "transcript");
            context.output.line(format_args!("Agents worked here: {files} of past sessions."))?;
            "annals enable"
        }
    };
    context.output.line(format_args!("Next: {next}"))?;
    Ok(Exit::Fine)
}

fn is_live(source: &Source, context: &Context) -> bool {
    context.at.is_none() && source.reading(context.evidence) == Reading::Live
}

/// Looks for agents; what cannot be read says nothing, here of all places.
fn look(root: &Path) -> Found {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let home = Home::of_environment();
    let has_ours = |agent: Agent, place: &Place| {
        SettingsFile::read(&place.path)
            .is_ok_and(|file| standing(file.text(), agent).is_ok_and(|found| !found.is_empty()))
    };
    let installed = Agent::ALL
        .iter()
        .copied()
        .any(|agent| home.places(agent, &root).iter().any(|place| has_ours(agent, place)));
    Found {
        files: survey(&import::past(&root)).map_or(0, |(files, _)| files),
        agents: Agent::ALL.iter().copied().any(|agent| home.has(agent)),
        installed,
    }
}
