//! Coding agents: what is particular to each, a folder an agent, and the hooks, settings and import that they
//! share.

pub mod aider;
pub mod asciinema;
pub mod atif;
pub mod claude_code;
pub mod cline;
pub mod codex;
pub mod cursor;
pub mod execution_log;
pub mod gemini_cli;
pub mod github_actions;
pub mod hook;
pub mod import;
pub mod mapped;
pub mod mcp;
pub mod opencode;
pub mod openhands;
pub mod otlp;
pub mod outward;
pub mod own_lines;
pub mod rebuilt;
pub mod settings;
pub mod swe_agent;

use std::io;
use std::path::{Path, PathBuf};

use crate::parse::check::CheckRules;
use hook::{Firing, ToolCall};
use import::transcript::Dialect;
use import::{Call, CallResult, LogSource, SourceFile};
use settings::{Home, Scope};

/// The one list of sources of logs: a new one is an entry here. The first that knows a file has it.
pub const SOURCES: &[&LogSource] = &[
    &claude_code::SOURCE,
    &codex::SOURCE,
    &openhands::SOURCE,
    &swe_agent::SOURCE,
    &atif::SOURCE,
    &gemini_cli::SOURCE,
    &cline::SOURCE,
    &otlp::SOURCE,
    &opencode::SOURCE,
    &execution_log::SOURCE,
    &asciinema::SOURCE,
    &mcp::SOURCE,
    &github_actions::SOURCE,
    &aider::SOURCE,
    &cursor::SOURCE,
    &own_lines::SOURCE,
];

/// The one list of agents with hooks: a new one is an entry here.
macro_rules! agents {
    ($($agent:ident => $facts:path),* $(,)?) => {
        /// An agent whose hooks are installed and answered.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
        pub enum Agent {
            $($agent),*
        }

        impl Agent {
            pub const ALL: &'static [Self] = &[$(Self::$agent),*];

            pub fn facts(self) -> &'static Facts {
                match self {
                    $(Self::$agent => &$facts),*
                }
            }
        }
    };
}

agents! {
    ClaudeCode => claude_code::FACTS,
    Codex => codex::FACTS,
}

/// What is particular to an agent.
#[derive(Debug)]
pub struct Facts {
    /// Its logs, by whose name it goes.
    pub source: &'static LogSource,
    /// What its program is called.
    pub program: &'static str,
    /// The events whose hooks are installed, in the order of a session.
    pub events: &'static [&'static str],
    /// Seconds after which it gives up the hook of a session's end, which imports what its transcript grew by.
    pub end_s: u32,
    /// Variables of the environment that name the file in which its shells read theirs.
    pub env_files: &'static [&'static str],
    /// The variable that names the folder in which it was started, wherever it went since.
    pub project_variable: Option<&'static str>,
    /// The variable that names its folder, and where that is below the home folder without it.
    pub folder: (&'static str, &'static str),
    /// Files of hooks: one person's in a project, everybody's there, and the user's in the agent's folder.
    pub settings: (Option<&'static str>, &'static str, &'static str),
    /// Whether its shells know their session without being told.
    pub names_session: bool,
    /// Reads its transcripts.
    pub dialect: fn() -> Box<dyn Dialect>,
    /// Where in its folder transcripts of a project lie, and those that are there.
    pub past_sessions: fn(&Path, &Path) -> io::Result<(PathBuf, Vec<SourceFile>)>,
    /// What a hook tells of a prompt; `None`: nobody typed it.
    pub prompt: fn(&str) -> Option<String>,
    /// What a hook tells of a call, by its id and the tool's name.
    pub call: fn(&Firing<'_>, String, String) -> Option<Call>,
    /// How a call ended, as far as a hook tells.
    pub result: fn(&ToolCall, &Firing<'_>, &CheckRules, bool) -> Option<CallResult>,
    /// What a person must know of hooks that were installed.
    pub notes: fn(Scope, &Path, &Home) -> Vec<String>,
}

impl Agent {
    /// Its name on our command line, in sessions and call keys.
    pub fn as_str(self) -> &'static str {
        self.source().name
    }

    pub fn title(self) -> &'static str {
        self.source().title
    }

    pub fn source(self) -> &'static LogSource {
        self.facts().source
    }

    /// The events whose hooks are installed, in the order of a session.
    pub fn events(self) -> &'static [&'static str] {
        self.facts().events
    }

    /// Seconds after which the agent gives up a hook of this event.
    pub fn timeout_s(self, event: &str) -> u32 {
        if event == "SessionEnd" { self.facts().end_s } else { 60 }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|agent| agent.as_str() == name)
    }
}
