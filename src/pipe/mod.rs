//! `annals pipe`: JSON lines in, JSON lines out, every operation of the library by the contract's
//! names. One file a group of operations under `ops/`; [`registry`] lists them.

mod args;
mod argument;
mod batch;
mod caller;
mod entry;
mod error;
mod greeting;
mod input;
pub mod limits;
mod members;
mod op;
mod ops;
pub mod registry;
mod remember;
mod request;
mod serve;

use std::os::unix::net::UnixStream;

pub use args::Args;
pub use argument::Argument;
pub use caller::Caller;
pub use entry::Entry;
pub use error::PipeError;
pub use greeting::Greeting;
pub use input::{Came, Input, Line};
pub use members::Members;
pub use op::{Op, Run, Told};
pub use remember::Remember;
pub use request::Request;
pub use serve::Pipe;

use crate::cli::{CliError, Context};
use crate::journal::Project;

/// Answers requests until the input ends, or `stop` has a byte.
pub fn run(
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
pub fn standard_input() -> Result<Input, CliError> {
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
