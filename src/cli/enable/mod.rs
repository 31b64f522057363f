//! `annals enable`: a project, its past sessions, and the agents' hooks, each shown and confirmed.

mod carry_out;
mod plan;

use std::fs;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{CliError, Context, Exit, Result};
use crate::agents::import::{ImportReport, ImportRequest};
use crate::agents::settings::{Agent, HookLine, Installation, Place, SettingsFile};
use crate::config::Setting;
use crate::event::GateMode;
use crate::journal::enclosure::OpenHow;
use crate::journal::{FOLDER, enclosure};

/// Record your coding agents here from now on, and import their past
///
/// Makes this folder a project if it is none, imports the past sessions of Claude Code and Codex in
/// it, keeps what their turns came to as the repository's memory, and installs the agents' hooks. It
/// shows each step, with the file and the exact lines, and asks first. Hooks advise: an edit without a read of the timeline passes, and the agent gets the
/// timeline. Running it again changes nothing; `annals disable` removes the hooks and restores every settings
/// file.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Which agents [default: those found on this machine]
    #[arg(value_enum, value_name = "AGENT")]
    agents: Vec<Agent>,
    /// Do everything without asking
    #[arg(long, short = 'y')]
    yes: bool,
    /// Show what would be done, and do nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// Hooks deny an edit that has no read of the timeline before it
    #[arg(long)]
    enforce: bool,
    /// Install in your own settings, for all projects; hooks do nothing where there is no journal
    #[arg(long)]
    user: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_write()?;
    let plan = plan::gather(&args, context)?;
    let asks = super::ask::is_possible(context);
    let mut told = plan.told();
    if args.dry_run || !(args.yes || asks) {
        if !context.output.as_json(&told)? {
            plan::print(&plan, &mut context.output)?;
            let again = plan::again(&args);
            let text = match args.dry_run {
                true => format!("Nothing was done. Next: {again}"),
                false => {
                    format!("Nothing was done: there is no terminal to ask on. Next: {again} --yes")
                }
            };
            context.output.line(text)?;
        }
        return Ok(if args.dry_run { Exit::Fine } else { Exit::Usage });
    }
    let exit = carry_out::all(&plan, args.yes, &mut told, context)?;
    if context.output.is_json() {
        context.output.json(&told)?;
    }
    Ok(exit)
}

pub struct Plan {
    pub root: PathBuf,
    /// There is a journal already.
    pub is_project: bool,
    /// Past sessions of this project that would be read.
    pub request: ImportRequest,
    pub files: u64,
    pub bytes: u64,
    /// Settings of a project that is there already, which wait for consent.
    pub withheld: Vec<Setting>,
    pub hooks: Vec<Hooks>,
}

/// What would be done to one agent's settings.
pub struct Hooks {
    pub agent: Agent,
    pub place: Place,
    pub line: HookLine,
    pub file: SettingsFile,
    pub installation: Installation,
    /// They are installed in another file that this agent reads here.
    pub elsewhere: Option<PathBuf>,
    /// What the person must still do.
    pub notes: Vec<String>,
}

impl Hooks {
    pub fn is_done(&self) -> bool {
        let Installation { added, changed, .. } = &self.installation;
        self.elsewhere.is_some() || added.is_empty() && changed.is_empty()
    }

    /// The mode that what stands in the file will have.
    pub fn mode(&self) -> GateMode {
        let found = self.installation.found.first().map(|it| it.line.mode);
        match found {
            Some(found) if !self.installation.switched => found,
            _ => self.line.mode,
        }
    }
}

/// What `enable` did; what it would do, where `done` is false.
#[derive(Debug, Serialize)]
pub struct Enabled {
    pub root: String,
    /// There was no journal before.
    pub created: bool,
    /// Transcripts of past sessions that were found.
    pub past_files: u64,
    pub past_bytes: u64,
    /// `null` where nothing was imported.
    pub import: Option<ImportReport>,
    /// Settings that count only with consent, and do not have it.
    pub withheld: Vec<Setting>,
    pub hooks: Vec<EnabledHooks>,
    /// All hooks are in place.
    pub done: bool,
}

#[derive(Debug, Serialize)]
pub struct EnabledHooks {
    pub agent: String,
    pub path: String,
    /// `local`, `shared` or `user`.
    pub scope: String,
    /// `advise` or `enforce`.
    pub mode: String,
    pub command: String,
    /// Events that got a hook.
    pub added: Vec<String>,
    /// Events whose hook got another mode.
    pub changed: Vec<String>,
    /// What is written into the file.
    pub lines: Vec<String>,
    pub done: bool,
    /// The file as it was; `null` where there was none, or nothing was changed.
    pub backup: Option<String>,
    /// What the person must still do.
    pub notes: Vec<String>,
}

impl Plan {
    /// As JSON, nothing of it done.
    pub fn told(&self) -> Enabled {
        let hooks = self.hooks.iter().map(|it| EnabledHooks {
            agent: it.agent.as_str().to_owned(),
            path: it.elsewhere.as_ref().unwrap_or(&it.place.path).to_string_lossy().into_owned(),
            scope: it.place.scope.as_str().to_owned(),
            mode: it.mode().as_str().to_owned(),
            command: it.line.command(),
            added: it.installation.added.iter().map(|&event| event.to_owned()).collect(),
            changed: it.installation.changed.clone(),
            lines: it.installation.lines.clone(),
            done: it.is_done(),
            backup: None,
            notes: it.notes.clone(),
        });
        Enabled {
            root: self.root.to_string_lossy().into_owned(),
            created: false,
            past_files: self.files,
            past_bytes: self.bytes,
            import: None,
            withheld: self.withheld.clone(),
            hooks: hooks.collect(),
            done: false,
        }
    }
}

/// A list that was damaged is forgotten: then an empty folder stays.
const BYTES_MAX: u64 = 1 << 20;

/// What was made for the project at `root`, in the order it was made.
pub fn list(root: &Path) -> Vec<PathBuf> {
    let path = file(root);
    let bytes = enclosure::read(&path, BYTES_MAX).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

pub fn set(root: &Path, made: &[PathBuf]) -> Result<()> {
    let path = file(root);
    let failed = |source| CliError::io("write", &path, source);
    if made.is_empty() {
        return match enclosure::remove(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(()),
        };
    }
    let text = serde_json::to_string_pretty(made).map_err(|error| failed(error.into()))?;
    let temporary = path.with_extension("json.new");
    let mut out = enclosure::open(&temporary, OpenHow::ReadWriteOrCreate).map_err(failed)?;
    out.set_len(0).and_then(|()| out.write_all(text.as_bytes())).map_err(failed)?;
    enclosure::rename(&temporary, &path).map_err(failed)
}

/// Makes the folder of a settings file where it is missing; gives the folders it made.
pub fn folder_of(path: &Path) -> Result<Vec<PathBuf>> {
    let missing: Vec<_> = path.ancestors().skip(1).take_while(|folder| !folder.exists()).collect();
    let mut made = Vec::new();
    for folder in missing.into_iter().rev() {
        match fs::create_dir(folder) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(source) => return Err(CliError::io("make", folder, source)),
            Ok(()) => {
                let given = || {
                    let above = File::open(folder.parent().unwrap_or(folder))?;
                    enclosure::give(File::open(folder)?, above)
                };
                given().map_err(|source| CliError::io("make", folder, source))?;
                made.push(folder.to_owned());
            }
        }
    }
    Ok(made)
}

fn file(root: &Path) -> PathBuf {
    root.join(FOLDER).join("settings-made.json")
}
