//! A project's own checks and matchers, as its settings name them.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::PolicyConfig;
use crate::event::{CheckAspect, CheckList, DeclaredCheck, DeclaredMatcher};
use crate::parse::check::command::check_fault;
use crate::parse::check::matcher::pattern_fault;

/// A command that checks the project: how its lines begin, alone or with what it checks.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub struct OwnCheck {
    pub command: String,
    pub kind: CheckAspect,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a command, or a table with `command` and `kind`")]
enum Written {
    Command(String),
    Whole(Whole),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    command: String,
    kind: CheckAspect,
}

impl TryFrom<Written> for OwnCheck {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let (command, kind) = match written {
            Written::Command(command) => (command, CheckAspect::Test),
            Written::Whole(Whole { command, kind }) => (command, kind),
        };
        match check_fault(&command) {
            Some(reason) => Err(format!("`{command}` cannot be a check: {reason}")),
            None => Ok(Self { command, kind }),
        }
    }
}

/// `[[policy.matchers]]`: lines of a tool that tell of a problem.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnMatcher {
    pub name: String,
    /// Programs whose output it reads; none: what tasks and the project's own checks print.
    #[serde(default)]
    pub programs: Vec<String>,
    /// The level, where no group tells.
    pub level: Option<String>,
    /// One line after the other, in the syntax of the regex crate, with groups `file`, `line`, `column`,
    /// `level`, `code`, `message`.
    #[serde(deserialize_with = "patterns")]
    pub lines: Vec<String>,
    /// The last of its lines may come again, each a problem.
    #[serde(default)]
    pub repeat: bool,
}

fn patterns<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let lines = Vec::deserialize(from)?;
    match pattern_fault(&lines) {
        Some(fault) => Err(D::Error::custom(fault)),
        None => Ok(lines),
    }
}

impl PolicyConfig {
    /// What it declares.
    pub fn declared(&self) -> CheckList {
        let found_in = || DeclaredCheck::SETTINGS.to_owned();
        let check = |it: &OwnCheck| DeclaredCheck {
            command: it.command.clone(),
            kind: it.kind,
            found_in: found_in(),
            program: None,
        };
        let matcher = |it: &OwnMatcher| DeclaredMatcher {
            name: it.name.clone(),
            programs: it.programs.clone(),
            found_in: found_in(),
            level: it.level.clone(),
            lines: it.lines.clone(),
            repeat: it.repeat,
        };
        CheckList {
            checks: self.checks.iter().map(check).collect(),
            matchers: self.matchers.iter().map(matcher).collect(),
        }
    }
}
