//! Where commands run: the local shell, or whatever a prefix leads to.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::output;
use crate::grounding::tools::program::{self, Ended, Ran};
use crate::phases::artifacts::{PlannedCommand, quoted};

/// How long the place where commands run has to run nothing.
const EXECUTOR_WAIT_MAX: Duration = Duration::from_secs(60);
/// Of what it says instead, at either end.
const SAID_BYTES: usize = 512;

#[derive(Clone, Debug)]
pub struct Executor {
    /// A program and its arguments that run what follows them somewhere else (`docker exec box`),
    /// started where we were started; empty: here.
    pub prefix: Vec<String>,
    /// The workspace's folder here: where commands run.
    pub workspace: PathBuf,
    /// What the workspace is called where commands run.
    pub mount: String,
    pub within: Duration,
}

#[derive(Debug)]
pub struct CommandRan {
    pub ran: io::Result<Ran>,
    pub within: Duration,
}

impl Executor {
    /// Runs a command in a folder of the workspace, and ends it and all it started where it takes
    /// too long.
    pub fn run(
        &self,
        command: &PlannedCommand,
        workdir: &[String],
        stop: &AtomicBool,
    ) -> CommandRan {
        let ran = program::run(self.command(command, workdir), self.within, stop);
        CommandRan { ran, within: self.within }
    }

    fn command(&self, planned: &PlannedCommand, workdir: &[String]) -> Command {
        let Some((program, arguments)) = self.prefix.split_first() else {
            let folder = workdir.iter().fold(self.workspace.clone(), |path, part| path.join(part));
            let mut command = match planned {
                PlannedCommand::Line(line) => {
                    let mut shell = Command::new(local_shell());
                    shell.arg("-c").arg(line);
                    shell
                }
                PlannedCommand::Words(words) => {
                    let mut command = Command::new(words.first().map_or("", String::as_str));
                    command.args(words.iter().skip(1));
                    command
                }
            };
            command.current_dir(folder);
            return command;
        };
        let mut command = Command::new(program);
        command.args(arguments).args(["sh", "-c", &self.there(planned, workdir)]);
        command
    }

    /// A command behind a prefix: it begins in the workspace, wherever the prefix leads to.
    fn there(&self, planned: &PlannedCommand, workdir: &[String]) -> String {
        let mount = match self.mount.trim_end_matches('/') {
            "" => "/",
            mount => mount,
        };
        let folder = workdir.iter().fold(mount.to_owned(), |path, part| format!("{path}/{part}"));
        // A line of its own: what is behind `;` must not run elsewhere either.
        format!("cd -- {} || exit\n{}", quoted(&folder), planned.shown())
    }

    /// Why what the prefix leads to is not to be had, where that is why a command failed: its program
    /// is missing, or it leads nowhere (a docker client without its daemon), so that nothing runs there.
    pub fn is_missing(&self, ran: &CommandRan, stop: &AtomicBool) -> Option<String> {
        use io::ErrorKind::{NotFound, PermissionDenied};
        let (program, arguments) = self.prefix.split_first()?;
        let why = match &ran.ran {
            Err(error) => {
                // Without its workspace no program could be started.
                let is_its_own = matches!(error.kind(), NotFound | PermissionDenied);
                (is_its_own && self.workspace.is_dir()).then(|| error.to_string())?
            }
            Ok(ran) if ran.ended == Ended::ByItself && !ran.status.success() => {
                let mut nothing = Command::new(program);
                nothing.args(arguments).args(["sh", "-c", ":"]);
                let within = self.within.min(EXECUTOR_WAIT_MAX);
                let asked = CommandRan { ran: program::run(nothing, within, stop), within };
                if asked.is_unwanted() {
                    return None;
                }
                let failed = asked.failure()?;
                let said = asked.ran.map(|ran| output(&ran.stderr, SAID_BYTES, SAID_BYTES));
                format!(
                    "nothing can be run through it ({failed}): {}",
                    said.unwrap_or_default().trim()
                )
            }
            Ok(_) => return None,
        };
        Some(format!("{program:?}: {why}"))
    }

    /// The command line as it is recorded.
    pub fn shown(&self, planned: &PlannedCommand) -> String {
        let mut words: Vec<String> = self.prefix.iter().map(|word| quoted(word)).collect();
        match planned {
            PlannedCommand::Line(line) if !words.is_empty() => {
                words.extend(["sh".to_owned(), "-c".to_owned(), quoted(line)]);
            }
            planned => words.push(planned.shown()),
        }
        words.join(" ")
    }
}

/// Models write for bash (`source venv/bin/activate`): it is taken where there is one.
fn local_shell() -> &'static str {
    let bash = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"];
    bash.into_iter().find(|path| Path::new(path).exists()).unwrap_or("sh")
}

impl CommandRan {
    pub fn failure(&self) -> Option<String> {
        let ran = match &self.ran {
            Err(error) => return Some(format!("could not be started: {error}")),
            Ok(ran) => ran,
        };
        match ran.ended {
            Ended::TooLong => {
                Some(format!("took longer than {} s and was ended", self.within.as_secs()))
            }
            Ended::Unwanted => Some("was ended: nobody waits for it any more".to_owned()),
            Ended::ByItself if !ran.status.success() => Some(format!("ended with {}", ran.status)),
            Ended::ByItself => None,
        }
    }

    pub fn is_unwanted(&self) -> bool {
        self.ran.as_ref().is_ok_and(|ran| ran.ended == Ended::Unwanted)
    }
}

/// The words of a line: `'…'` is taken as it stands, in `"…"` and outside a `\` takes the next
/// character as it is. Nothing is put in for variables or patterns. `None` where a quote is not
/// closed, or nothing follows the last `\`.
pub fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next()? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next()? {
                        '"' => break,
                        '\\' => match rest.next()? {
                            c @ ('"' | '\\' | '$' | '`') => word.push(c),
                            c => word.extend(['\\', c]),
                        },
                        c => word.push(c),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(rest.next()?),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}
