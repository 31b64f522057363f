//! `annals debug open`: begins a debug session.

use std::path::PathBuf;

use super::work;
use crate::cli::{CliError, Context, Exit};
use crate::debug::OpenGiven;

/// Begin a debug session of a file; `annals debug run` does so by itself
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The file that is broken
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    of: Of,
}

/// Whose session it is, and its rule
#[derive(clap::Args, Debug, Default)]
pub struct Of {
    /// The agent that works on it
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The task that it is part of
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// The iteration of the agent's loop
    #[arg(long, value_name = "NUMBER")]
    iteration: Option<i64>,
    /// So many failed attempts, and it is escalated [default: debug.attempts_max of the settings]
    #[arg(long, value_name = "COUNT")]
    attempts_max: Option<u32>,
}

impl Of {
    /// The session that is to be opened.
    pub fn given(self, file_path: String) -> OpenGiven {
        OpenGiven {
            session: None,
            file_path,
            attempts_max: self.attempts_max,
            agent: self.agent,
            task_id: self.task,
            ralph_iteration: self.iteration,
        }
    }
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let project = context.project()?;
    let given = args.of.given(work::code_file(&project, &args.file)?);
    let done = work::operate_on(&project, context, |writer| writer.open(given))?;
    let sentence = format!("Opened debug session {} of {}", done.session, done.document.file_path);
    let next = format!("annals debug run {} -- COMMAND", done.document.file_path);
    work::tell(done, &sentence, &next, context)?;
    Ok(Exit::Fine)
}
