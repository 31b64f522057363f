//! The command of an installed hook: how it is written, and how it is known again.

use std::path::Path;

use super::{Agent, Mode};

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
