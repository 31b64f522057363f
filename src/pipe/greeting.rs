//! The first line of a pipe's output.

use serde::Serialize;

use super::registry;
use crate::journal::Project;

/// The version of requests and answers: greater where an old client would not understand.
pub const PROTOCOL: u32 = 1;

/// The first line of a pipe's output.
#[derive(Debug, Serialize)]
pub struct Greeting<'a> {
    /// The program's version.
    pub annals: &'static str,
    pub protocol: u32,
    /// The project's folder.
    pub project: String,
    /// The agent's name of the session, where one was given.
    pub session: Option<&'a str>,
    /// The names of all operations; `help` tells what each takes.
    pub ops: Vec<&'static str>,
}

impl<'a> Greeting<'a> {
    pub fn of(project: &Project, session: Option<&'a str>) -> Self {
        Self {
            annals: env!("CARGO_PKG_VERSION"),
            protocol: PROTOCOL,
            project: project.root().to_string_lossy().into_owned(),
            session,
            ops: registry::all().map(|op| op.name).collect(),
        }
    }
}
