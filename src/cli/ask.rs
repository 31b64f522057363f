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
