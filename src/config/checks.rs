//! A project's own checks, as its settings name them.

use serde::Deserialize;

use super::PolicyConfig;
use crate::event::{CheckAspect, CheckList, CheckStanding, DeclaredCheck, DeclaredMatcher};
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

/// A problem matcher of the project's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "WrittenMatcher")]
pub struct OwnMatcher(pub DeclaredMatcher);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenMatcher {
    name: String,
    #[serde(default)]
    programs: Vec<String>,
    level: Option<String>,
    lines: Vec<String>,
    #[serde(default)]
    repeat: bool,
}

impl TryFrom<WrittenMatcher> for OwnMatcher {
    type Error = String;

    fn try_from(written: WrittenMatcher) -> Result<Self, String> {
        let WrittenMatcher { name, programs, level, lines, repeat } = written;
        let found_in = DeclaredCheck::SETTINGS.to_owned();
        let made = DeclaredMatcher { name, programs, found_in, level, lines, repeat };
        let alone = CheckList { checks: Vec::new(), matchers: vec![made.clone()] };
        match alone.excess().or_else(|| pattern_fault(&made.lines)) {
            Some(reason) => Err(format!("the matcher `{}`: {reason}", made.name)),
            None => Ok(Self(made)),
        }
    }
}

impl PolicyConfig {
    /// What it declares.
    pub fn declared(&self) -> CheckList {
        let check = |it: &OwnCheck| DeclaredCheck {
            command: it.command.clone(),
            kind: it.kind,
            found_in: DeclaredCheck::SETTINGS.to_owned(),
            runs: None,
            standing: CheckStanding::InForce,
        };
        CheckList {
            checks: self.checks.iter().map(check).collect(),
            matchers: self.matchers.iter().map(|it| it.0.clone()).collect(),
        }
    }
}
