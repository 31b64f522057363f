//! `annals pipe`: JSON lines in, JSON lines out, every operation of the library by the contract's
//! names. A file a group of operations under `ops/`, which lists them.

mod arguments;
mod batch;
mod input;
mod limits;
mod operation;
mod ops;
mod request;
mod serve;
mod values;

use std::os::unix::net::UnixStream;

use serde::Serialize;

pub(crate) use arguments::arguments;
pub use arguments::{Argument, Arguments, Members, Value, read, table};
pub use input::{Came, Input, Line};
pub(crate) use operation::operations;
pub use operation::{Answer, Answered, Caller, Entry, Op, Origin, Remember, Run};
pub use request::{PipeError, Request};
pub use serve::Pipe;
pub use values::{Page, Rows, Time};

use crate::cli::{CliError, Context};
use crate::journal::Project;

/// The version of requests and answers: greater where an old client would not understand.
pub const PROTOCOL: u32 = 1;

#[derive(Debug, Serialize)]
pub struct Greeting<'a> {
    pub annals: &'static str,
    pub protocol: u32,
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
            ops: ops::all().map(|(_, op)| op.name).collect(),
        }
    }
}

/// Answers requests on standard input until it ends.
pub fn serve(
    session: Option<&str>,
    project: &Project,
    context: &mut Context,
) -> Result<(), CliError> {
    run(standard_input()?, session, project, context)
}

/// Answers requests until the input ends, or `stop` has a byte.
fn run(
    mut input: Input,
    session: Option<&str>,
    project: &Project,
    context: &mut Context,
) -> Result<(), CliError> {
    context.output.json_line(&Greeting::of(project, session))?;
    context.output.flush()?;
    let mut pipe = Pipe::new(project, context)?;
    let answered = answer_all(&mut input, session, &mut pipe);
    let closed = pipe.close();
    answered.and(closed)
}

fn answer_all(
    input: &mut Input,
    session: Option<&str>,
    pipe: &mut Pipe<'_>,
) -> Result<(), CliError> {
    let mut idle = true;
    loop {
        match input.batch(idle).map_err(CliError::Input)? {
            Came::Lines(lines) => {
                idle = true;
                batch::answer(lines, session, pipe)?;
            }
            Came::Nothing => {
                idle = false;
                pipe.rest();
            }
            Came::End => return Ok(()),
        }
    }
}

/// The process's own standard input, ended by SIGTERM and SIGINT as by its end; a second signal
/// ends the process.
fn standard_input() -> Result<Input, CliError> {
    use std::os::fd::AsFd;
    let (stop, stopped) = UnixStream::pair().map_err(CliError::Input)?;
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT] {
        let told = stopped.try_clone().map_err(CliError::Input)?;
        let seen = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let again = std::sync::Arc::clone(&seen);
        signal_hook::flag::register_conditional_default(signal, again).map_err(CliError::Input)?;
        signal_hook::flag::register(signal, seen).map_err(CliError::Input)?;
        signal_hook::low_level::pipe::register(signal, told).map_err(CliError::Input)?;
    }
    let from = std::io::stdin().as_fd().try_clone_to_owned().map_err(CliError::Input)?;
    Ok(Input::new(from.into(), stop))
}
