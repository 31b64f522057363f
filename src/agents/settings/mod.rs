//! The settings files of coding agents: our hooks in them, put in and taken out as text, so that
//! nothing else in the file changes.

mod document;
mod file;
mod install;
mod installed;
mod location;
mod remove;

use std::path::{Path, PathBuf};
use std::{fmt, io};

pub use file::SettingsFile;
pub use install::{Installation, install};
pub use installed::{Standing, standing};
pub use location::{Home, Place, Scope};
pub use remove::{made_from, remove};

/// An agent whose hooks can be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Agent {
    ClaudeCode,
    Codex,
}

impl Agent {
    pub const ALL: [Self; 2] = [Self::ClaudeCode, Self::Codex];

    /// Its name on our command line and in the journal.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
    }

    /// Its name as people say it.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
        }
    }

    /// The events whose hooks are installed, in the order of a session.
    pub fn events(self) -> &'static [&'static str] {
        match self {
            Self::ClaudeCode => &[
                "SessionStart",
                "UserPromptSubmit",
                "PreToolUse",
                "PostToolUse",
                "PostToolUseFailure",
                "Notification",
                "PreCompact",
                "SubagentStop",
                "Stop",
                "SessionEnd",
            ],
            // An event that an older Codex does not know is ignored by it.
            Self::Codex => &[
                "SessionStart",
                "UserPromptSubmit",
                "PreToolUse",
                "PostToolUse",
                "PreCompact",
                "SubagentStop",
                "Stop",
                "SessionEnd",
            ],
        }
    }

    /// Seconds after which the agent gives up a hook of this event: an end imports what its transcript
    /// grew by. Codex lets nobody wait longer than three at a session's end, and warns at every start
    /// of whoever asks for more.
    pub fn timeout_s(self, event: &str) -> u32 {
        match (self, event) {
            (Self::Codex, "SessionEnd") => 3,
            _ => 60,
        }
    }
}

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
    #[error("neither {} nor {} is there: name the agent (claude-code or codex)", claude.display(), codex.display())]
    NoAgent { claude: PathBuf, codex: PathBuf },
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
    /// A fault at a byte of a text.
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
    pub mode: Mode,
}

impl HookLine {
    /// The command.
    pub fn command(&self) -> String {
        let flag = match self.mode {
            Mode::Observe => " --observe",
            Mode::Advise => "",
            Mode::Enforce => " --enforce",
        };
        format!("{} hook {}{flag}", self.program, self.agent.as_str())
    }

    /// The line that a command is, if it is one of ours for that agent, wherever the program lies.
    pub fn parse(command: &str, agent: Agent) -> Option<Self> {
        let flags = [
            (" --enforce", Mode::Enforce),
            (" --observe", Mode::Observe),
            (" --advise", Mode::Advise),
            ("", Mode::Advise),
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
    edits.sort_by_key(|edit| edit.start);
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

/// What an installed hook does with the gate's verdicts, where the project's settings say nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A stale mutation is noted and nothing else. Never installed, but a person may write it.
    Observe,
    /// A stale mutation passes, and the agent is given the timeline.
    Advise,
    /// It is denied.
    Enforce,
}

impl Mode {
    /// Its word, as in `.annals/config.toml`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Observe => "observe",
            Self::Advise => "advise",
            Self::Enforce => "enforce",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests;
