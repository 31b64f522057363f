//! `annals hook`: what agents call. It answers in JSON and ends with 0, whatever happens.

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::io::Write;
use std::panic;
use std::path::PathBuf;
use std::process::{self, ExitCode};

use crate::agents::hook::{Agent, HookRequest, panicked, respond};
use crate::event::GateMode;
use crate::stores::STORES;

/// Answer an agent's hook
///
/// Reads the agent's JSON on standard input, records what it tells, and answers in JSON. Always ends
/// with 0: its own errors are reported in `systemMessage` and kept for `annals status`. Where there is
/// no journal upward from the agent's folder nothing is done or said; where it is lost, that is told once
/// a session, and kept for `annals status`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The agent: claude-code or codex
    agent: Option<String>,
    /// Deny what the gate refuses, unless the project's settings say otherwise
    #[arg(long, conflicts_with_all = ["observe", "advise"])]
    enforce: bool,
    /// Record what the gate would have refused, and nothing else
    #[arg(long, conflicts_with = "advise")]
    observe: bool,
    /// Let it pass, and give the timeline along [the default]
    #[arg(long)]
    advise: bool,
}

const USAGE: &str = "usage: annals hook claude-code|codex [--enforce|--advise|--observe]";

/// Whether a command line asks for a hook: it is answered before anything else looks at it, for a
/// usage error's exit code would block every tool, and a parser of all commands costs a millisecond.
pub fn is_asked(words: &[OsString]) -> bool {
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    let mut rest = words.iter().skip(1).map(text);
    let asks_help = words.iter().any(|word| word == "--help" || word == "-h");
    while let Some(word) = rest.next() {
        match word.as_str() {
            "hook" => return !asks_help,
            "--dir" | "--at" | "--format" => drop(rest.next()),
            _ if word.starts_with('-') => {}
            _ => return false,
        }
    }
    false
}

pub fn main(words: &[OsString]) -> ExitCode {
    super::survive_file_size_limit();
    let answer = match read(words) {
        Ok(request) => {
            answer_panics(request.clone());
            respond(&request, std::io::stdin().lock())
        }
        Err(usage) => serde_json::json!({ "systemMessage": usage }).to_string(),
    };
    print(&answer);
    ExitCode::SUCCESS
}

fn print(answer: &str) {
    if answer.is_empty() {
        return;
    }
    let mut out = std::io::stdout().lock();
    // Where nobody listens any more there is nobody to tell.
    let _ = writeln!(out, "{answer}").and_then(|()| out.flush());
}

/// Lets a panic end with an answer and 0, whatever the build does after it.
fn answer_panics(request: HookRequest) {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |told| {
        before(told);
        print(&panicked(&request));
        process::exit(0);
    }));
}

fn read(words: &[OsString]) -> Result<HookRequest, String> {
    let mut words = words.iter().skip(1).map(|word| word.to_string_lossy());
    let (mut agent, mut mode, mut usage) = (None, None, None);
    let mut dir = std::env::var_os("ANNALS_DIR").map(PathBuf::from);
    let mut seen_hook = false;
    while let Some(word) = words.next() {
        match word.as_ref() {
            "hook" if !seen_hook => seen_hook = true,
            "--enforce" => mode = Some(GateMode::Enforce),
            "--advise" => mode = Some(GateMode::Advise),
            "--observe" => mode = Some(GateMode::Observe),
            "--json" => {}
            "--at" | "--format" => drop(words.next()),
            "--dir" => dir = words.next().map(|dir| PathBuf::from(dir.as_ref())),
            _ if word.starts_with("--dir=") => dir = word.get(6..).map(PathBuf::from),
            _ if agent.is_none() && Agent::parse(&word).is_some() => {
                agent = Agent::parse(&word);
            }
            other => usage = Some(format!("{other} is not understood; {USAGE}")),
        }
    }
    let Some(agent) = agent else {
        return Err(format!("annals: {}", usage.unwrap_or_else(|| USAGE.to_owned())));
    };
    let own = agent.facts().project_variable.and_then(std::env::var_os).map(PathBuf::from);
    // A deleted folder has no name, and no project either.
    let here = std::env::current_dir().ok();
    let starts = dir.into_iter().chain(own.filter(|path| path.is_absolute())).chain(here).collect();
    let env_file = agent.facts().env_files.iter().find_map(std::env::var_os).map(PathBuf::from);
    Ok(HookRequest { agent, mode, starts, env_file, usage, around: &STORES })
}

/// The words as the general parser took them: a hook is answered before it, so this is help's.
pub fn run(args: Args, _: &mut super::Context) -> Result<super::Exit, super::CliError> {
    let mut words: Vec<OsString> = vec!["annals".into(), "hook".into()];
    words.extend(args.agent.map(OsString::from));
    for (given, word) in
        [(args.enforce, "--enforce"), (args.observe, "--observe"), (args.advise, "--advise")]
    {
        words.extend(given.then(|| word.into()));
    }
    main(&words);
    Ok(super::Exit::Fine)
}
