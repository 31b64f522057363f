//! Asks a person, where one sits at a terminal.

use std::io::{self, BufRead, IsTerminal};

use super::{CliError, Context, Result};

/// More than an answer has.
const ANSWER_BYTES_MAX: u64 = 1024;

/// Whether there is somebody to ask.
pub fn is_possible(context: &Context) -> bool {
    context.output.terminal && !context.output.is_json() && io::stdin().is_terminal()
}

/// Asks a question with yes or no for an answer; nothing but the return key is a yes, the end of
/// input a no.
pub fn yes(question: &str, context: &mut Context) -> Result<bool> {
    answer(question, "[Y/n]", true, context)
}

/// The same, of what must be meant: nothing but the return key is a no.
pub fn surely(question: &str, context: &mut Context) -> Result<bool> {
    answer(question, "[y/N]", false, context)
}

fn answer(question: &str, choice: &str, default: bool, context: &mut Context) -> Result<bool> {
    loop {
        context.output.raw(format!("{question} {choice} ").as_bytes())?;
        context.output.flush()?;
        let mut answer = String::new();
        let mut input = io::Read::take(io::stdin().lock(), ANSWER_BYTES_MAX);
        if input.read_line(&mut answer).map_err(CliError::Input)? == 0 {
            return Ok(false);
        }
        match answer.trim().to_ascii_lowercase().as_str() {
            "" => return Ok(default),
            "y" | "yes" => return Ok(true),
            "n" | "no" => return Ok(false),
            _ => context.output.line("Answer y or n.")?,
        }
    }
}

/// Asks for what nobody is to see; what is typed does not show.
pub fn unseen(question: &str, context: &mut Context) -> Result<Vec<u8>> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
    let input = io::stdin();
    context.output.note(question.trim_end());
    let failed = |error: rustix::io::Errno| CliError::Input(error.into());
    let before = tcgetattr(&input).map_err(failed)?;
    let mut hidden = before.clone();
    hidden.local_modes.remove(LocalModes::ECHO);
    tcsetattr(&input, OptionalActions::Flush, &hidden).map_err(failed)?;
    let mut answer = String::new();
    let read = io::Read::take(input.lock(), ANSWER_BYTES_MAX).read_line(&mut answer);
    tcsetattr(&input, OptionalActions::Flush, &before).map_err(failed)?;
    read.map_err(CliError::Input)?;
    match answer.trim_end_matches('\n') {
        "" => Err(CliError::Refused { what: "nothing was typed" }),
        answer => Ok(answer.as_bytes().to_vec()),
    }
}
