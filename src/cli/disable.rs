//! `annals disable`: takes the hooks out of the agents' settings, and nothing else.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{CliError, Context, Exit, Result, ask, shown};
use crate::agents::settings::{
    Agent, Home, Scope, SettingsFile, Standing, made_from, remove, standing,
};
use crate::journal::ProjectError;
use crate::output::remedy;
use crate::output::stream::Colour;

/// Remove the hooks from your agents' settings
///
/// Every settings file becomes what it was before `annals enable`, to the byte; where you edited it
/// meanwhile only the lines of annals go. The journal and everything recorded stay.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Which agents [default: all]
    #[arg(value_enum, value_name = "AGENT")]
    agents: Vec<Agent>,
    /// Do it without asking
    #[arg(long, short = 'y')]
    yes: bool,
    /// Show what would be done, and do nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// Also remove them from your own settings, which apply to all projects
    #[arg(long)]
    user: bool,
}

/// A settings file with hooks of ours.
struct Found {
    agent: Agent,
    file: SettingsFile,
    standing: Vec<Standing>,
    /// The backup that it becomes again, and its text.
    before: Option<(PathBuf, String)>,
    /// What it becomes; `None`: it goes.
    after: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_write()?;
    let home = Home::of_environment();
    let root = root(context)?;
    let made = crate::cli::enable::list(&root);
    let (mut list, mut left) = (Vec::new(), Vec::new());
    for agent in Agent::ALL.iter().copied() {
        if !args.agents.is_empty() && !args.agents.contains(&agent) {
            continue;
        }
        for place in home.places(agent, &root) {
            let Some(found) = look(agent, &place.path, &made)? else { continue };
            // Without settings of one person in one project hooks are installed nowhere else.
            let has_own = agent.facts().settings.0.is_some();
            if place.scope != Scope::User || args.user || !has_own {
                found.file.must_be_writable()?;
                if place.scope != Scope::User {
                    found.file.must_lie_in(&root)?;
                }
                list.push(found);
            } else {
                left.push(place.path);
            }
        }
    }
    let asks = ask::is_possible(context);
    let goes = args.yes || asks && !args.dry_run;
    let mut told = told(&root, &list);
    if !context.output.is_json() {
        print(&list, &left, context)?;
    }
    let agreed = !list.is_empty() && goes && (args.yes || ask::yes("Take them out?", context)?);
    if agreed {
        for (found, told) in list.iter().zip(&mut told.files) {
            take_out(found, &root)?;
            told.done = true;
        }
        told.done = true;
    }
    if context.output.as_json(&told)? {
    } else if !list.is_empty() {
        let text = match (agreed, goes || args.dry_run) {
            (true, _) => "Done. The journal and everything recorded stay: annals log",
            (false, true) => "Nothing was done.",
            (false, false) => {
                "Nothing was done: there is no terminal to ask on. Next: annals disable --yes"
            }
        };
        context.output.line(text)?;
    }
    Ok(if list.is_empty() || goes || args.dry_run { Exit::Fine } else { Exit::Usage })
}

/// The project's folder; without a project, this one.
fn root(context: &mut Context) -> Result<PathBuf> {
    let root = match context.project() {
        Ok(project) => project.root().to_owned(),
        Err(error) => match error.below() {
            Some(ProjectError::NotFound { .. }) => context.start.clone(),
            Some(ProjectError::Lost(lost)) => {
                context.output.note(remedy::line(lost));
                lost.root.clone()
            }
            _ => return Err(error),
        },
    };
    root.canonicalize().map_err(|source| CliError::io("find", &root, source))
}

/// A settings file, if hooks of ours are in it, and what it becomes without them.
fn look(agent: Agent, path: &Path, made: &[PathBuf]) -> Result<Option<Found>> {
    let file = SettingsFile::read(path)?;
    let fault = |fault| CliError::from(file.fault(fault));
    let found = standing(file.text(), agent).map_err(fault)?;
    if found.is_empty() {
        return Ok(None);
    }
    let backups = file.backups();
    let is_bare = |text: &String| standing(text, agent).is_ok_and(|found| found.is_empty());
    let exact = |text: &String| made_from(Some(text), file.text(), agent);
    let before = backups.iter().find(|(_, text)| exact(text));
    let is_whole = before.is_some();
    let before = before.or_else(|| backups.iter().find(|(_, text)| is_bare(text))).cloned();
    let is_made = made.iter().any(|it| it == path);
    let text = before.as_ref().map(|(_, text)| text.as_str());
    let without = remove(file.text(), agent, text).map_err(fault)?;
    // A file that enabling made and that holds nothing else has no reason to stay.
    let is_empty = made_from(None, file.text(), agent)
        || without.as_ref().is_some_and(|text| text.trim() == "{}");
    let after = match is_made && !is_whole && is_empty {
        true => None,
        false => Some(without.unwrap_or_else(|| file.text().to_owned())),
    };
    let before = before.filter(|_| is_whole);
    Ok(Some(Found { agent, file, standing: found, before, after }))
}

fn take_out(found: &Found, root: &Path) -> Result<()> {
    match &found.after {
        Some(text) => found.file.write(text)?,
        None => found.file.delete()?,
    }
    if let Some((backup, text)) = &found.before
        && found.after.as_ref() == Some(text)
    {
        // The file is what the backup is: nothing is lost with it.
        std::fs::remove_file(backup).map_err(|source| CliError::io("remove", backup, source))?;
    }
    if found.after.is_some() {
        return Ok(());
    }
    let mut made = crate::cli::enable::list(root);
    made.retain(|path| *path != found.file.path);
    for folder in found.file.path.ancestors().skip(1) {
        // One that somebody put something into stays.
        if !made.iter().any(|it| it == folder) || std::fs::remove_dir(folder).is_err() {
            break;
        }
        made.retain(|it| it != folder);
    }
    crate::cli::enable::set(root, &made)
}

fn told(root: &Path, list: &[Found]) -> Disabled {
    let files = list.iter().map(|found| DisabledFile {
        agent: found.agent.as_str().to_owned(),
        path: found.file.path.to_string_lossy().into_owned(),
        removed: found.standing.iter().map(|it| it.event.clone()).collect(),
        restored: found.before.is_some() || found.after.is_none(),
        deleted: found.after.is_none(),
        done: false,
    });
    let files: Vec<_> = files.collect();
    Disabled { root: root.to_string_lossy().into_owned(), done: files.is_empty(), files }
}

fn print(list: &[Found], left: &[PathBuf], context: &mut Context) -> Result<()> {
    if list.is_empty() && left.is_empty() {
        context.output.line("No hooks of annals are installed here.")?;
    }
    for found in list {
        let (title, path) = (found.agent.title(), shown(&found.file.path));
        let becomes = match (&found.after, &found.before) {
            (None, _) => "the file goes: enable made it",
            (_, Some(_)) => "the file becomes what it was, to the byte",
            (..) => "only these lines go",
        };
        context.output.line(format_args!("{title}: {path} ({becomes})"))?;
        for it in &found.standing {
            let command = it.line.command();
            let text =
                crate::output::escape::line(&format!("  - {}: {command}", it.event)).into_owned();
            context.output.coloured(Colour::Red, &text)?;
        }
    }
    for path in left {
        let path = shown(path);
        context.output.line(format_args!(
            "For all projects the hooks stay in {path}: annals disable --user takes them out"
        ))?;
    }
    Ok(())
}

/// What `disable` did; what it would do, where `done` is false.
#[derive(Debug, Serialize)]
pub struct Disabled {
    pub root: String,
    pub files: Vec<DisabledFile>,
    pub done: bool,
}

#[derive(Debug, Serialize)]
pub struct DisabledFile {
    pub agent: String,
    pub path: String,
    /// Events whose hooks were ours.
    pub removed: Vec<String>,
    /// Whether the file is again what it was before, to the byte.
    pub restored: bool,
    /// Whether it was made by `enable`, and has gone again.
    pub deleted: bool,
    pub done: bool,
}
