//! What the global flags and the environment mean, resolved once.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

use jiff::tz::TimeZone;

use super::damage::Damage;
use super::exit::Contradiction;
use super::{CliError, Exit, Result, Surfaces, session};
use crate::event::SessionId;
use crate::journal::{Project, ProjectError, Source, SourceKind, id};
use crate::output::stream::{Format, Output};
use crate::output::time::zone;
use crate::store::evidence::{BuiltStores, Cache, EvidenceError, Wants};

/// What stands over the flags of every command, in its help.
const EVERYWHERE: &str = "Options of every command";

/// Flags that every command takes.
#[derive(clap::Args, Debug)]
pub struct GlobalArgs {
    /// The project's folder, or a copy of its journal [default: the nearest with `.annals/`]
    ///
    /// Also: an `.annals` folder, a journal's folder, one .seg file or a bundle. May be
    /// repeated.
    #[arg(long, global = true, help_heading = EVERYWHERE, value_name = "DIR", env = "ANNALS_DIR", hide_env_values = true)]
    #[arg(action = clap::ArgAction::Append)]
    dir: Vec<PathBuf>,
    /// Take no lock and change no byte
    ///
    /// Stores are built from the journal in your cache; those inside a copy are compared with them, never
    /// trusted. Implied where nothing can be written.
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    evidence: bool,
    /// Answer as of a past moment: a call's number, an age (2h), a time
    ///
    /// 142 (an execution's end), @4711 (an event), a UUID's beginning, `last`, an age (2h) or a time at
    /// which it was recorded.
    #[arg(long, global = true, help_heading = EVERYWHERE, value_name = "REF")]
    at: Option<String>,
    /// Print JSON (the same as --format json)
    #[arg(long, global = true, help_heading = EVERYWHERE, conflicts_with = "format")]
    json: bool,
    /// How to print
    #[arg(long, global = true, help_heading = EVERYWHERE, value_name = "FORMAT", value_enum)]
    format: Option<Format>,
}

/// What every command knows of its surroundings.
pub struct Context {
    pub output: Output,
    /// Where the project is or is looked for, upward unless `given`.
    pub start: PathBuf,
    /// The folder was named, not found.
    pub given: bool,
    /// What else was named, to be asked about together.
    pub others: Vec<PathBuf>,
    /// How often `--dir` stands on the command line.
    dirs_typed: usize,
    /// Nothing may be written or locked.
    pub evidence: bool,
    /// As of when to answer.
    pub at: Option<String>,
    /// Where stores are built that belong to no project.
    pub cache: Cache,
    /// The agent's session, from `ANNALS_SESSION`.
    pub session: Option<String>,
    /// Read by who tells a time.
    pub zone: LazyLock<TimeZone>,
    /// Somebody held the journal for as long as is waited for: it is not waited for again.
    pub journal_is_held: bool,
    /// What is known to be wrong with the journals that were met.
    pub damage: Damage,
    /// Stores that were met and are kept as evidence.
    pub contradiction: Contradiction,
    pub surfaces: Surfaces,
    /// Which stores the command asks of a copy.
    pub wants: Wants,
    /// A copy's stores, made while the copy was looked at.
    pub made: Option<(PathBuf, Result<BuiltStores, EvidenceError>)>,
}

impl Context {
    pub fn new(args: GlobalArgs, surfaces: Surfaces) -> Result<Self> {
        let format = match (args.json, args.format) {
            (true, _) => Format::Json,
            (false, format) => format.unwrap_or(Format::Table),
        };
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let mut dirs = args.dir.into_iter();
        let (first, others) = (dirs.next(), dirs.collect());
        let given = first.is_some();
        let start = match first {
            Some(dir) => dir,
            None => std::env::current_dir()
                .map_err(|source| CliError::io("find", ".".as_ref(), source))?,
        };
        Ok(Self {
            output: Output::standard(format, no_colour),
            start,
            given,
            others,
            dirs_typed: std::env::args_os().take_while(|it| it != "--").filter(is_dir).count(),
            evidence: args.evidence,
            at: args.at,
            cache: Cache::of_user(),
            session: std::env::var("ANNALS_SESSION").ok().filter(|name| !name.is_empty()), // unset
            zone: LazyLock::new(zone::system),
            journal_is_held: false,
            damage: Damage::default(),
            contradiction: Contradiction::default(),
            surfaces,
            wants: Wants::All,
            made: None,
        })
    }

    /// Tells why one of several could not be done: it keeps none of the others back.
    pub fn left_out(&mut self, which: impl std::fmt::Display, error: &CliError) -> Exit {
        let (what, way) = error.said();
        let way = way.map(|way| format!(" (try: {way})")).unwrap_or_default();
        self.output.note(format_args!("{which}: {what}{way}"));
        error.exit()
    }

    /// What `--dir` names, one after the other.
    pub fn named(&self) -> Result<Vec<PathBuf>> {
        if self.dirs_typed > 1 + self.others.len() {
            // Of two places the parser takes one, and would leave journals out unsaid.
            let what = "give every --dir on the same side of the command";
            return Err(CliError::Refused { what });
        }
        Ok(std::iter::once(&self.start).chain(&self.others).cloned().collect())
    }

    /// The project that was named, or the nearest one upward: for commands that write.
    pub fn project(&self) -> Result<Project> {
        self.must_write()?;
        let found =
            if self.given { Project::open(&self.start) } else { Project::find(&self.start) };
        Ok(found?)
    }

    /// Whether the project that was named, or the nearest one upward, is one that its user began or trusts.
    pub fn is_believed(&self) -> bool {
        let found =
            if self.given { Project::open(&self.start) } else { Project::find(&self.start) };
        found.is_ok_and(|it| it.is_believed())
    }

    /// Holds that nothing was asked for under which a command that writes cannot be run.
    pub fn must_write(&self) -> Result<()> {
        let alone = |it: Source| it.kind != SourceKind::Project;
        let alone = self.given && Source::of(&self.start).is_ok_and(alone);
        for (asked, what) in [
            (alone, "a journal alone is read, never written: name its project"),
            (self.evidence, "--evidence reads, and this command writes"),
            (self.at.is_some(), "--at asks about the past, and this command writes"),
            (!self.others.is_empty(), "this command writes to one project: give one --dir"),
        ] {
            if asked {
                return Err(CliError::Refused { what });
            }
        }
        Ok(())
    }

    /// Everything that was named, in order; from now on only what is given to [`Self::ask_alone`] is.
    pub fn take_named(&mut self) -> Vec<PathBuf> {
        let others = std::mem::take(&mut self.others);
        self.dirs_typed = 1;
        std::iter::once(self.start.clone()).chain(others).collect()
    }

    pub fn ask_alone(&mut self, path: PathBuf) {
        self.start = path;
    }

    /// Holds that `--at` was not given, for commands that take a journal as it lies.
    pub fn must_be_now(&self) -> Result<()> {
        let why = "this command takes a journal whole, as it stands now".to_owned();
        match self.at.clone() {
            Some(text) => Err(CliError::At { text, why }),
            None => Ok(()),
        }
    }

    /// Everything that was named to be asked about, or the nearest project upward.
    pub fn sources(&self) -> Result<Vec<Source>> {
        if !self.given {
            let found = Source::find(&self.start)?;
            let found = found.ok_or_else(|| ProjectError::NotFound { at: self.start.clone() })?;
            return Ok(vec![found]);
        }
        let sources =
            self.named()?.iter().map(|path| Source::of(path)).collect::<Result<Vec<_>, _>>()?;
        let real = |source: &Source| source.journal.canonicalize();
        for (at, source) in sources.iter().enumerate() {
            let is_same =
                |other: &Source| matches!((real(source), real(other)), (Ok(a), Ok(b)) if a == b);
            if sources[..at].iter().any(is_same) {
                return Err(CliError::NamedTwice { path: source.given.clone() });
            }
        }
        Ok(sources)
    }

    /// The session that `ANNALS_SESSION` names.
    pub fn named_session(&self) -> Option<SessionId> {
        self.session.as_ref().map(|_| self.session_id())
    }

    /// The same, else the default one of those without.
    pub fn session_id(&self) -> SessionId {
        id::session(session::AGENT, self.session_name())
    }

    pub fn session_name(&self) -> &str {
        self.session.as_deref().unwrap_or(session::DEFAULT)
    }
}

fn is_dir(argument: &OsString) -> bool {
    argument == "--dir" || argument.as_encoded_bytes().starts_with(b"--dir=")
}
