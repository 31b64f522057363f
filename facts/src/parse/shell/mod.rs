//! Command lines: the simple commands in them, what writes, what shows the timeline.
//!
//! No shell: what a variable holds, or a function does, nobody knows here. A line that cannot be
//! read as a shell reads it runs nothing, and writes nothing.

mod edits;
mod flow;
mod look;
mod prefix;
mod program;
mod question;
mod scan;
#[cfg(test)]
mod tests;
mod write;

use crate::parse::has_word;
use prefix::Place;
use scan::Scan;

pub use edits::{Changed, ShellEdits};
pub use flow::FIRST_IN_PIPE;
pub use prefix::RESERVED;
pub use program::Program;
pub use write::{FORMATTING, is_interpreter};

const BYTES_MAX: usize = 32 << 10;
const COMMANDS_MAX: usize = 256;
/// `bash -c` inside of `bash -c`.
const DEPTH_MAX: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simple {
    pub words: Vec<String>,
    /// Files that its output goes into.
    pub outputs: Vec<String>,
    /// Here-documents that it reads.
    pub given: String,
    pub joint: Joint,
    /// Which shell of its own it runs in (brackets, `sh -c`); 0 is the line's.
    pub shell: u16,
    /// The shell around that one.
    pub outer: u16,
    /// What it prints is a word of another command, whose exit code counts: `echo $(it)`, `diff <(it) x`.
    pub is_word: bool,
    /// Where among its words its program is.
    place: Option<Place>,
}

impl Simple {
    fn new(words: Vec<String>, outputs: Vec<String>, joint: Joint, shell: u16) -> Self {
        let (place, given) = (Place::of(&words), String::new());
        Self { words, outputs, given, joint, shell, outer: 0, is_word: false, place }
    }

    /// Lets `xargs` run it.
    fn feed(&mut self) {
        self.words.insert(0, "xargs".to_owned());
        self.place = Place::of(&self.words);
    }

    /// The same with other words.
    fn with(&self, words: Vec<String>, outputs: Vec<String>) -> Self {
        let (given, outer, is_word) = (self.given.clone(), self.outer, self.is_word);
        Self { given, outer, is_word, ..Self::new(words, outputs, self.joint, self.shell) }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    pub commands: Vec<Simple>,
    /// It runs annals, and has no function, subshell, substitution or variable: what it runs is what it
    /// says.
    literal: bool,
    /// It has a function: a name in it may run anything.
    pub defines: bool,
}

impl Script {
    pub fn of(command: &str) -> Self {
        let commands = Scan::commands(command, DEPTH_MAX).unwrap_or_default();
        // Of no other line it is asked.
        let is_ours = |it: &Simple| it.words.first().is_some_and(|it| it.ends_with("annals"));
        let literal = commands.iter().any(is_ours) && is_literal(command);
        Self { commands, literal, defines: command.contains("()") }
    }

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

/// First words behind which a command may not run, or not be what it is called.
const UNSURE: &str = "\
    if then elif else fi while until for do done case esac select function ! alias exit return \
    exec set source . trap unset export hash kill";

impl Script {
    /// Whether it plainly shows the timeline: its last command is `annals timeline`, or `annals tool
    /// memory_query`, which runs whatever came before, and whose output the agent sees.
    pub fn reads_timeline(&self) -> bool {
        let piped = |it: &&Simple| it.joint == Joint::End && shows(&it.words);
        let (last, before) = match self.commands.as_slice() {
            [before @ .., read, last] if read.joint == Joint::Pipe && piped(&last) => {
                if !last.outputs.is_empty() {
                    return false;
                }
                (read, before)
            }
            [before @ .., last] if matches!(last.joint, Joint::End | Joint::Then) => (last, before),
            _ => return false,
        };
        let runs_on = |it: &Simple| {
            let first = it.words.first().map(String::as_str).unwrap_or_default();
            matches!(it.joint, Joint::And | Joint::Then)
                && !has_word(UNSURE, first)
                && !first.starts_with("PATH=")
        };
        self.is_plain(last) && before.iter().all(runs_on)
    }

    /// Whether it is that and nothing else.
    pub fn reads_timeline_alone(&self) -> bool {
        self.commands.len() == 1 && self.reads_timeline()
    }

    fn is_plain(&self, command: &Simple) -> bool {
        let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
        let Some((program, arguments)) = words.split_first() else { return false };
        let asks = match arguments {
            ["timeline", options @ ..] => asks(options),
            ["tool", "memory_query", options @ ..] => !options.iter().any(|it| is_other(it)),
            _ => false,
        };
        self.literal
            && command.outputs.is_empty()
            && program.rsplit('/').next() == Some("annals")
            && asks
    }
}

/// Whether `annals timeline` shows its own session's timeline with these options.
fn asks(options: &[&str]) -> bool {
    let mut options = options.iter().copied();
    while let Some(option) = options.next() {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (option, None),
        };
        let shown = match name {
            "--block" | "--json" | "--project" => true,
            "-n" | "--number" | "--chars" | "--query" | "--color" => {
                let value = value.or_else(|| options.next());
                value.is_some_and(|it| !is_zero(it) && !is_other(it))
            }
            _ => option.strip_prefix("-n").is_some_and(|it| is_count(it) && !is_zero(it)),
        };
        if !shown {
            return false;
        }
    }
    true
}

/// What asks for help, another place, another time or another session, or for nothing.
fn is_other(word: &str) -> bool {
    ["-h", "--help", "-V", "--version", "-C"].contains(&word)
        || ["--dir", "--evidence", "--at", "session", "last=0", "\"last\":0", "\"last\": 0"]
            .iter()
            .any(|it| word.contains(it))
}

/// What shows all that it is given, or some lines of it.
fn shows(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let lines = |count: &str| is_count(count) && !is_zero(count);
    match words[..] {
        ["cat" | "head" | "tail"] => true,
        ["head" | "tail", "-n", count] => lines(count),
        ["head" | "tail", count] => {
            let count = count.strip_prefix('-').unwrap_or_default();
            lines(count.strip_prefix('n').unwrap_or(count))
        }
        _ => false,
    }
}

fn is_count(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_zero(word: &str) -> bool {
    word.bytes().all(|byte| byte == b'0')
}
