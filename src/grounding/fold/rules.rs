//! What a fold must be told of a project's settings.

use super::{CheckKind, passed};
use crate::event::{Outcome, tool};
use crate::parse::shell::Script;

/// What a fold must be told of a project's settings: another set of rules is another fold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroundingRules {
    /// Beginnings of shell commands that are checks, besides the known ones.
    pub checks: Vec<String>,
    /// Shell commands that write are mutations.
    pub shell_mutations: bool,
}

impl GroundingRules {
    /// Whether a call changes files. `command` is its command line, where it has one.
    pub fn is_mutation(&self, tool: &str, command: Option<&str>) -> bool {
        let writes = |command| self.shell_mutations && Script::of(command).writes();
        tool::is_mutation(tool) || command.is_some_and(writes)
    }

    /// Whether a call checks the work.
    pub fn check(&self, tool: &str, command: Option<&str>) -> CheckKind {
        match command {
            // Whatever it is called as: `--tool lsp_check -- true` checks nothing.
            Some(command) => Script::of(command).check(&self.checks),
            None if tool == CHECK => CheckKind::Plain,
            None => CheckKind::None,
        }
    }

    /// How a check ended of which only what it printed is known; `None` where that does not tell, and of
    /// what is no check.
    pub fn ended(&self, tool: &str, command: Option<&str>, printed: &str) -> Option<Outcome> {
        passed::ended(self.check(tool, command), printed)
    }

    /// What tells one set of rules from another.
    pub fn digest(&self) -> super::Hex {
        let mut text = format!("{FOLD_VERSION} {}", self.shell_mutations);
        for check in &self.checks {
            text.push('\0');
            text.push_str(check);
        }
        super::Hex::of_text("grounding rules", &text)
    }
}

/// The contract's tool that checks.
const CHECK: &str = "lsp_check";
/// Another number where the fold of the same events became another.
const FOLD_VERSION: u32 = 8;
