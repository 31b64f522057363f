//! The command that the settings name for a hook.

use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::Value;

use super::step::Step;
use crate::config::environment::INSIDE_HOOK;
use crate::debug::limits::HOOK_WITHIN_S_MAX;
use crate::grounding::tools::program;
use crate::grounding::tools::program::Ended;
use crate::journal::Project;
use crate::redact::Redactor;
use crate::repo::step_summary::line;

/// Of what a command said when it failed, characters that are kept.
const SAID_CHARS_MAX: usize = 200;

/// A command, run by `sh -c` in the project's root, with JSON on its standard input.
#[derive(Debug)]
pub(super) struct HookCommand {
    line: String,
    input: Value,
}

impl HookCommand {
    /// The one that the settings name, if they do. What it is told is asked for only then.
    pub(super) fn of(named: Option<&String>, input: impl FnOnce() -> Value) -> Option<Self> {
        let line = named.filter(|line| !line.trim().is_empty())?.clone();
        Some(Self { line, input: input() })
    }

    /// Runs it, and notes what became of it.
    pub(super) fn within(self, project: &Project, redactor: &Redactor, step: &mut Step) {
        let seconds = project.config().debug.hooks.timeout_s.clamp(1, HOOK_WITHIN_S_MAX);
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(&self.line).current_dir(project.root());
        // What it records runs no hooks: else one that runs tests would run itself.
        shell.env(INSIDE_HOOK, step.hook);
        let (input, stop) = (self.input.to_string(), AtomicBool::new(false));
        let within = Duration::from_secs(seconds);
        let why = match program::run_with(shell, Some(input.as_bytes()), within, &stop) {
            Err(error) => format!("its command could not be run: {error}"),
            Ok(ran) => match ran.ended {
                Ended::TooLong | Ended::Unwanted => {
                    format!("its command took more than {seconds} s and was ended")
                }
                Ended::ByItself if ran.status.success() => {
                    step.outcome.push_str("; its command succeeded");
                    return;
                }
                Ended::ByItself => {
                    let said = String::from_utf8_lossy(ran.stderr.head());
                    let said = line(&redactor.redact_text(&said), SAID_CHARS_MAX);
                    let colon = if said.is_empty() { "" } else { ": " };
                    format!("its command failed ({}){colon}{said}", ran.status)
                }
            },
        };
        step.failed = Some(why);
    }
}
