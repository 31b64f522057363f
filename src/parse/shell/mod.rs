//! Command lines as far as a gate must read them: what is a check, what writes.
//!
//! No shell: what a variable holds, or a function does, nobody knows here. A line that cannot be
//! read as a shell reads it is no check, and writes nothing.

mod check;
mod idle;
mod inline;
mod plain;
mod program;
mod read;
mod scan;
#[cfg(test)]
mod tests;
mod write;

use scan::Scan;

/// Bytes of a command line that are read.
const BYTES_MAX: usize = 32 << 10;
/// Simple commands that are read.
const COMMANDS_MAX: usize = 256;
/// `bash -c` inside of `bash -c`.
const DEPTH_MAX: usize = 4;

/// What stands between two commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joint {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Pipe,
    /// `&`
    Background,
    /// `;`, a line's end, a bracket
    Then,
    /// Nothing follows.
    End,
}

/// One program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Simple {
    pub words: Vec<String>,
    /// Files that its output goes into.
    pub outputs: Vec<String>,
    /// Here-documents that it reads.
    pub given: String,
    pub joint: Joint,
}

/// A command line, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    commands: Vec<Simple>,
    /// It has no function, subshell, substitution or variable: what it runs is what it says.
    literal: bool,
    /// It has a function: a name in it may run anything.
    defines: bool,
}

impl Script {
    pub fn of(command: &str) -> Self {
        let commands = Scan::commands(command, DEPTH_MAX).unwrap_or_default();
        Self { commands, literal: is_literal(command), defines: command.contains("()") }
    }

    /// Whether there is no command in it that could be read.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }
}

/// Whether a line has no function, subshell, substitution or variable. The one bracket that it may
/// have is a quoted `memory_query(…)`.
fn is_literal(command: &str) -> bool {
    let plain = |text: &str| !text.contains(['(', ')', '{', '}', '`', '$']);
    let mut parts = command.split("'memory_query(");
    parts.next().is_none_or(plain)
        && parts.all(|part| {
            part.split_once(")'").is_some_and(|(asked, rest)| plain(asked) && plain(rest))
        })
}
