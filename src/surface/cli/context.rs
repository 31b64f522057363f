//! What the global flags and the environment mean, resolved once.

use std::path::PathBuf;

use jiff::tz::TimeZone;

use super::{CliError, session};
use crate::command::{FOLDER, Project, ProjectError, id};
use crate::event::SessionId;
use crate::surface::output::{Format, Output};

/// Flags that every command takes.
#[derive(clap::Args, Debug)]
pub struct GlobalArgs {
    /// The project's folder [default: the nearest parent holding `.annals/`]
    #[arg(long, global = true, value_name = "DIR", env = "ANNALS_DIR", hide_env_values = true)]
    dir: Option<PathBuf>,
    /// Print JSON (the same as --format json)
    #[arg(long, global = true, conflicts_with = "format")]
    json: bool,
    /// How to print: a table for people, one JSON document, or one a line
    #[arg(long, global = true, value_name = "FORMAT", value_enum)]
    format: Option<Format>,
}

/// What every command knows of its surroundings.
pub struct Context {
    pub output: Output,
    /// Where the project is or is looked for, upward unless `given`.
    pub start: PathBuf,
    /// The folder was named, not found.
    pub given: bool,
    /// The agent's session, from `ANNALS_SESSION`.
    pub session: Option<String>,
    pub zone: TimeZone,
}

impl Context {
    /// Resolves flags and environment.
    ///
    /// # Errors
    /// Where there is no working folder.
    pub fn new(args: GlobalArgs) -> Result<Self, CliError> {
        let format = match (args.json, args.format) {
            (true, _) => Format::Json,
            (false, format) => format.unwrap_or(Format::Table),
        };
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let given = args.dir.is_some();
        let start = match args.dir {
            Some(dir) => dir,
            None => std::env::current_dir()
                .map_err(|source| CliError::io("find", ".".as_ref(), source))?,
        };
        Ok(Self {
            output: Output::standard(format, no_colour),
            start,
            given,
            session: std::env::var("ANNALS_SESSION").ok().filter(|name| !name.is_empty()), // unset
            zone: TimeZone::system(),
        })
    }

    /// The project that was named, or the nearest one upward.
    ///
    /// # Errors
    /// Where there is none, or it cannot be opened.
    pub fn project(&self) -> Result<Project, CliError> {
        let found =
            if self.given { Project::open(&self.start) } else { Project::find(&self.start) };
        Ok(found?)
    }

    /// The folder of the project that was named, or of the nearest one upward: for what reads a
    /// journal where nothing else can be opened any more.
    ///
    /// # Errors
    /// Where there is none.
    pub fn project_folder(&self) -> Result<PathBuf, CliError> {
        if self.given {
            return Ok(self.start.clone());
        }
        let holds = |folder: &&std::path::Path| folder.join(FOLDER).is_dir();
        match self.start.ancestors().find(holds) {
            Some(folder) => Ok(folder.to_owned()),
            None => Err(ProjectError::NotFound { at: self.start.clone() }.into()),
        }
    }

    /// The session that `ANNALS_SESSION` names, else the default one of those without.
    pub fn session_id(&self) -> SessionId {
        id::session(session::AGENT, self.session.as_deref().unwrap_or(session::DEFAULT))
    }
}
