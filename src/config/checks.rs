//! A project's own checks, as its settings name them.

use serde::Deserialize;

use super::PolicyConfig;
use crate::event::{CheckAspect, CheckStanding, DeclaredCheck};
use crate::parse::check::command::check_fault;

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

impl PolicyConfig {
    /// What it declares.
    pub fn declared(&self) -> Vec<DeclaredCheck> {
        let check = |it: &OwnCheck| DeclaredCheck {
            command: it.command.clone(),
            kind: it.kind,
            found_in: DeclaredCheck::SETTINGS.to_owned(),
            runs: None,
            standing: CheckStanding::InForce,
        };
        self.checks.iter().map(check).collect()
    }
}
