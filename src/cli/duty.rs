//! What each command owes to who calls it where the journal is damaged.

use super::Command;

/// What a command owes to who calls it where the journal is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// What it prints is an answer: the line, before it is printed, and exit 3.
    Answer,
    /// The line. Its exit code is its own, unless a part of it answers and asks.
    Line,
    /// It tells in its own words, or has no journal, or one of its own.
    Own,
}

impl Duty {
    /// Every command has one: a new one must be given its own here.
    pub fn of(command: &Command) -> Self {
        match command {
            Command::Sessions(_)
            | Command::Log(_)
            | Command::Show(_)
            | Command::Failures(_)
            | Command::Query(_)
            | Command::Timeline(_)
            | Command::Trace(_)
            | Command::Gate(_)
            | Command::Claim(_)
            | Command::Context(_)
            | Command::Export(_)
            | Command::Sql(_)
            | Command::Bundle(_)
            | Command::Rebuild(_) => Self::Answer,
            Command::Enable(_)
            | Command::Disable(_)
            | Command::Init(_)
            | Command::Run(_)
            | Command::Record(_)
            | Command::Import(_)
            | Command::Session(_)
            | Command::Replay(_)
            | Command::Step(_)
            | Command::Tui(_)
            | Command::Memory(_)
            | Command::Repo(_)
            | Command::Debug(_)
            | Command::Pipe(_)
            | Command::Trust(_)
            | Command::Scan(_)
            | Command::Phases(_)
            | Command::Tool(_) => Self::Line,
            Command::Tour(_)
            | Command::Status(_)
            | Command::Verify(_)
            | Command::Repair(_)
            | Command::Salvage(_)
            | Command::Hook(_)
            | Command::Inspect(_)
            | Command::Completions(_)
            | Command::Man(_) => Self::Own,
        }
    }
}
