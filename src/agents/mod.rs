//! Coding agents: what is particular to each, a folder an agent, and the hooks, settings and import that they
//! share.

pub mod claude_code;
pub mod codex;
pub mod hook;
pub mod import;
pub mod settings;

/// An agent whose hooks are installed and answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Agent {
    ClaudeCode,
    Codex,
}

/// What is particular to an agent, besides its transcripts.
#[derive(Debug)]
pub struct Facts {
    /// Its name on our command line, in sessions and call keys.
    pub name: &'static str,
    pub title: &'static str,
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
}

impl Agent {
    pub const ALL: [Self; 2] = [Self::ClaudeCode, Self::Codex];

    pub fn facts(self) -> &'static Facts {
        match self {
            Self::ClaudeCode => &claude_code::FACTS,
            Self::Codex => &codex::FACTS,
        }
    }

    /// Its name on our command line, in sessions and call keys.
    pub fn as_str(self) -> &'static str {
        self.facts().name
    }

    pub fn title(self) -> &'static str {
        self.facts().title
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
        Self::ALL.into_iter().find(|agent| agent.as_str() == name)
    }
}
