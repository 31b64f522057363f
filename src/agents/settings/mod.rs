//! The settings files of coding agents: our hooks in them, put in and taken out as text, so that
//! nothing else in the file changes.

mod document;
mod file;
mod install;
mod remove;

use std::io;
use std::path::{Path, PathBuf};

use crate::event::{GateMode, Ordered};
use crate::fault::{Class, Fault, Remedy, Sorted};
use crate::journal::fault;

pub use super::Agent;
pub use file::SettingsFile;
pub use install::{Installation, install};
pub use remove::{Standing, made_from, remove, standing};

/// The user's folders that agents keep their settings in.
#[derive(Clone, Debug, Default)]
pub struct Home {
    pub home: Option<PathBuf>,
    /// Folders that the environment names.
    pub named: Vec<(Agent, PathBuf)>,
}

/// Whom a settings file speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One person in one project; not for commit.
    Local,
    /// Everybody in one project.
    Shared,
    /// One person in all projects.
    User,
}

impl Scope {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Shared => "shared",
            Self::User => "user",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub scope: Scope,
    pub path: PathBuf,
}

impl Home {
    pub fn of_environment() -> Self {
        let folder = |name| std::env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
        let named = |agent: Agent| Some((agent, folder(agent.facts().folder.0)?));
        Self { home: folder("HOME"), named: Agent::ALL.iter().copied().filter_map(named).collect() }
    }

    pub fn folder(&self, agent: Agent) -> Option<PathBuf> {
        let named = self.named.iter().find(|(whose, _)| *whose == agent).map(|(_, it)| it.clone());
        named.or_else(|| Some(self.home.as_ref()?.join(agent.facts().folder.1)))
    }

    pub fn has(&self, agent: Agent) -> bool {
        self.folder(agent).is_some_and(|folder| folder.is_dir())
    }

    /// Every file that the agent reads hooks from in the project at `root`.
    pub fn places(&self, agent: Agent, root: &Path) -> Vec<Place> {
        let (own, shared, user) = agent.facts().settings;
        let local = own.map(|own| Place { scope: Scope::Local, path: root.join(own) });
        let shared = Place { scope: Scope::Shared, path: root.join(shared) };
        let user =
            self.folder(agent).map(|folder| Place { scope: Scope::User, path: folder.join(user) });
        // In the home folder itself the project's file is the user's.
        let user = user.filter(|user| user.path != shared.path);
        local.into_iter().chain([shared]).chain(user).collect()
    }

    /// The file that hooks are installed in. What lies in a repository is its team's, so that it is the user's
    /// own for an agent without settings of one person in one project.
    pub fn chosen(&self, agent: Agent, root: &Path, user: bool) -> Option<Place> {
        let has_own = agent.facts().settings.0.is_some();
        let scope = if has_own && !user { Scope::Local } else { Scope::User };
        self.places(agent, root).into_iter().find(|place| place.scope == scope)
    }
}

type Result<T, E = SettingsError> = std::result::Result<T, E>;

/// Why a settings file was left as it is.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("could not {did} {}", path.display())]
    Io { path: PathBuf, did: &'static str, source: io::Error },
    #[error("{}:{line}:{column}: {fault}; the file was left as it is", path.display())]
    Fault { path: PathBuf, line: usize, column: usize, fault: SettingsFault },
    #[error("{} is not a settings file: not a regular file of at most 16 MiB", path.display())]
    NotSettings { path: PathBuf },
    #[error("{} is a link that leads nowhere", path.display())]
    Dangling { path: PathBuf },
    #[error(
        "{} leads out of the project through a symbolic link, so it was left as it is: put a file of the project's in its place",
        path.display()
    )]
    Outside { path: PathBuf },
    #[error("{} is write-protected, so it was left as it is", path.display())]
    ReadOnly { path: PathBuf },
    #[error("{} was changed by another program meanwhile, so it was left as it is", path.display())]
    Changed { path: PathBuf },
    #[error(
        "the hooks are in {} already, with {found} instead of {wanted}: two would run side by side",
        path.display()
    )]
    Elsewhere { path: PathBuf, found: &'static str, wanted: &'static str },
    #[error("no folder of {agent}'s is known: HOME is not set")]
    NoHome { agent: &'static str },
    #[error("neither {} is there: name the agent ({})", shown(folders), names())]
    NoAgent { folders: Vec<PathBuf> },
}

impl Fault for SettingsError {
    fn sorted(&self) -> Sorted {
        Class::Refused.with(match self {
            Self::Io { source, .. } => return fault::of_io(source),
            Self::Elsewhere { .. } => Remedy::MoveHooks,
            Self::Changed { .. } => Remedy::Do("close the agent, then run the command again"),
            Self::ReadOnly { .. } => {
                Remedy::Do("make it writable, or write the lines yourself: --dry-run")
            }
            Self::Fault { .. } => Remedy::Do("correct it, then run the command again"),
            _ => return Class::Refused.alone(),
        })
    }
}

fn shown(folders: &[PathBuf]) -> String {
    folders.iter().map(|it| it.display().to_string()).collect::<Vec<_>>().join(" nor ")
}

fn names() -> String {
    Agent::ALL.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(" or ")
}

/// What of a settings file cannot be read as settings, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsFault {
    #[error("not valid JSON: {reason}")]
    NotJson { reason: String },
    #[error("not valid UTF-8")]
    NotText,
    #[error("nested more than {deep} deep")]
    Deep { deep: usize },
    #[error("{what} is not {wanted}")]
    Shape { what: String, wanted: &'static str },
    #[error("{key:?} stands there twice")]
    Twice { key: String },
}

impl SettingsError {
    fn fault(path: &Path, text: &[u8], (at, fault): (usize, SettingsFault)) -> Self {
        let before = &text[..at.min(text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count();
        Self::Fault { path: path.to_owned(), line, column, fault }
    }
}

/// The command of an installed hook. Its form never changes between versions: Codex runs no hook
/// that has changed before its user looked at it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookLine {
    pub agent: Agent,
    /// The program as a word of a shell.
    pub program: String,
    pub mode: GateMode,
}

impl HookLine {
    pub fn command(&self) -> String {
        let flag = match self.mode {
            GateMode::Observe => " --observe",
            GateMode::Advise => "",
            GateMode::Enforce => " --enforce",
        };
        format!("{} hook {}{flag}", self.program, self.agent.as_str())
    }

    /// The line that a command is, if it is one of ours for that agent, wherever the program lies.
    pub fn parse(command: &str, agent: Agent) -> Option<Self> {
        let flags = [
            (" --enforce", GateMode::Enforce),
            (" --observe", GateMode::Observe),
            (" --advise", GateMode::Advise),
            ("", GateMode::Advise),
        ];
        let (rest, mode) = flags
            .into_iter()
            .find_map(|(flag, mode)| Some((command.trim().strip_suffix(flag)?, mode)))?;
        let program = rest.strip_suffix(agent.as_str())?.strip_suffix(" hook ")?;
        let name = Path::new(&word(program)?).file_name()?.to_str()?.to_owned();
        name.starts_with("annals").then(|| Self { agent, program: program.to_owned(), mode })
    }
}

/// What a shell reads there as one word; `None` where it reads anything else.
fn word(text: &str) -> Option<String> {
    if let Some(inner) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        let parts: Vec<&str> = inner.split(r"'\''").collect();
        return parts.iter().all(|part| !part.contains('\'')).then(|| parts.join("'"));
    }
    if let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return (!inner.contains(['"', '\\', '`'])).then(|| inner.to_owned());
    }
    let special = |c: char| c.is_whitespace() || "'\"\\|&;<>()`*?[]#".contains(c);
    (!text.is_empty() && !text.contains(special)).then(|| text.to_owned())
}

/// Bytes `start..end` of a text become `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub start: usize,
    pub end: usize,
    pub text: String,
}

impl Edit {
    pub fn insert(at: usize, text: String) -> Self {
        Self { start: at, end: at, text }
    }

    pub fn cut(start: usize, end: usize) -> Self {
        Self { start, end, text: String::new() }
    }
}

/// The text with all edits made; they do not overlap. One that lies outside is left out.
pub fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.order_by_key(|edit| edit.start);
    let (mut out, mut at) = (String::with_capacity(text.len() + 2048), 0);
    for edit in edits {
        let Some(before) = text.get(at..edit.start) else { continue };
        out.push_str(before);
        out.push_str(&edit.text);
        at = edit.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests;
