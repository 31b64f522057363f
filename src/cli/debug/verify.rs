//! `annals debug verify`: whether a fix helped.

use super::work;
use crate::cli::{CliError, Context, Exit};
use crate::event::Verification;

/// Record whether a fix helped; the next attempt does so by itself
#[derive(clap::Args, Debug)]
pub struct Args {
    /// passed, failed or pending
    #[arg(value_name = "WORD", value_parser = crate::cli::debug::verification)]
    verification: Verification,
    /// The debug session: its id, the beginning of it, or `last`
    #[arg(value_name = "SESSION", default_value = work::LAST)]
    session: String,
    /// The attempt that the fix followed [default: the last that has one]
    #[arg(long, value_name = "NUMBER")]
    attempt: Option<u32>,
}

pub fn run(args: &Args, context: &mut Context) -> Result<Exit, CliError> {
    let done = work::on(&args.session, context, |writer, session| {
        writer.verify(session, args.attempt, args.verification)
    })?;
    let word = args.verification.as_str();
    let sentence = format!("The fix of debug session {} is {word}", done.session);
    let next = format!("annals debug show {}", done.session);
    work::tell(done, &sentence, &next, context)?;
    Ok(Exit::Fine)
}
