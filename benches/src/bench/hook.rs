//! One recorded call, from the start of a process to its end: `annals record`, and an agent's hooks.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use annals::internal::journal::Project;

use crate::harness::{Contest, Program, timed, watched};
use crate::request::Request;
use crate::{BenchError, workload};

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let count = request.count_or(100);
    let folder = request.folder()?;
    let root = folder.path().join("project");
    let program = Program::find()?;
    program.init(&root)?;
    let behind = request.behind.unwrap_or(0);
    fill(&root, behind, &program)?;
    let (raw, floor) = (folder.path().join("raw"), Program::floor()?);
    crate::floor::RawFile::zero_filled(&raw, 1 << 20)?;
    let title = format!("one recorded call, process start to exit, {behind} executions behind it");
    let mut contest = Contest::new(title, count as f64, "calls");
    contest.enter("floor: an empty program, pwrite, fdatasync", || {
        timed(|| (0..count).try_for_each(|_| floor_call(&floor, &raw).map(drop)))
    });
    let files = folder.path();
    // A session of its own each: what begins ends, also where that is not measured. No file is edited twice.
    let asked = [
        ("annals hook, PreToolUse of Bash", "PreToolUse", "Bash"),
        ("annals hook, PostToolUse of Bash", "PostToolUse", "Bash"),
        ("annals hook, PreToolUse of Edit, timeline read", "PreToolUse", "Edit"),
    ];
    for (session, (name, hook, tool)) in (1_u64..).zip(asked) {
        let (program, root) = (program.clone(), root.clone());
        let mut number = session * 1_000_000;
        contest.enter(name, move || {
            let mut took = Duration::ZERO;
            for _ in 0..count {
                number += 1;
                let mut command = program.in_project(&root);
                command.args(["hook", "claude-code"]).env_remove("CLAUDE_PROJECT_DIR");
                let mut tell = |hook: &str| {
                    let input = input(files, &root, hook, tool, number)?;
                    told(&mut command, Some(&input))
                };
                if hook == "PostToolUse" {
                    tell("PreToolUse")?;
                }
                took += tell(hook)?;
                if hook == "PreToolUse" {
                    tell("PostToolUse")?;
                }
            }
            Ok(took)
        });
        contest.aim(0.33);
    }
    if behind == 0 {
        contest.enter("annals record", || {
            timed(|| (0..count).try_for_each(|index| record(&program, &root, index)))
        });
    }
    contest.run(request.rounds, out)?;
    drop(contest);
    if behind > 0 {
        return Ok(());
    }
    let (mut number, mut limit) = (9_000_000, 8_000_000);
    let mut contest = Contest::new("annals run -- true, stores there", count as f64, "calls");
    contest.enter("floor: a hook, PreToolUse of Bash", || {
        let mut took = Duration::ZERO;
        for _ in 0..count {
            number += 1;
            took += call(&program, files, &root, number)?;
        }
        Ok(took)
    });
    contest.enter("annals run -- true", || {
        let mut took = Duration::ZERO;
        for _ in 0..count {
            took += told(program.in_project(&root).args(["run", "--", "true"]), None)?;
        }
        Ok(took)
    });
    contest.aim(0.5);
    contest.enter("limit: two hooks, and the command alone", || {
        let mut took = Duration::ZERO;
        for _ in 0..count {
            limit += 1;
            let (begin, end) = both(&program, files, &root, limit)?;
            took += begin + end + told(&mut Command::new("true"), None)?;
        }
        Ok(took)
    });
    contest.limit();
    contest.run(request.rounds, out).map(drop)
}

/// One PreToolUse of Bash; that the call ends is told as well, and not measured.
pub(super) fn call(
    program: &Program,
    folder: &Path,
    root: &Path,
    number: u64,
) -> Result<Duration, BenchError> {
    both(program, folder, root, number).map(|(begin, _)| begin)
}

/// A call's begin and end, as its agent tells them.
fn both(
    program: &Program,
    folder: &Path,
    root: &Path,
    number: u64,
) -> Result<(Duration, Duration), BenchError> {
    let mut command = program.in_project(root);
    command.args(["hook", "claude-code"]).env_remove("CLAUDE_PROJECT_DIR");
    let begin = told(&mut command, Some(&input(folder, root, "PreToolUse", "Bash", number)?))?;
    let end = told(&mut command, Some(&input(folder, root, "PostToolUse", "Bash", number)?))?;
    Ok((begin, end))
}

/// One run of the empty program that appends to a file once.
pub(super) fn floor_call(floor: &Path, raw: &Path) -> Result<Duration, BenchError> {
    told(Command::new(floor).arg(raw), None)
}

fn record(program: &Program, root: &Path, index: u64) -> Result<(), BenchError> {
    let execution = workload::execution(index);
    let mut command = program.in_project(root);
    command.args(["record", "--tool", "file_read", "--arguments"]);
    command.arg(&execution.arguments).args(["--path", &execution.path]);
    if let Some(stdout) = &execution.stdout {
        command.args(["--stdout", stdout]);
    }
    watched(&mut command, &[0]).map(drop)
}

/// Puts so many executions into a project's journal, and its stores behind them.
fn fill(root: &Path, behind: u64, program: &Program) -> Result<(), BenchError> {
    if behind == 0 {
        return Ok(());
    }
    let project = Project::open(root).map_err(BenchError::program("opening a project"))?;
    let journal = project.journal().map_err(BenchError::program("opening a journal"))?;
    for index in 0..behind {
        let execution = workload::execution(index);
        journal
            .stage(&execution.events(), execution.at_ms)
            .map_err(BenchError::program("filling a journal"))?;
    }
    journal.sync().map_err(BenchError::program("filling a journal"))?;
    drop(project);
    watched(program.in_project(root).args(["log", "-n", "1"]), &[0]).map(drop)
}

/// What an agent tells, in a file to be read from.
fn input(
    folder: &Path,
    root: &Path,
    hook: &str,
    tool: &str,
    number: u64,
) -> Result<PathBuf, BenchError> {
    let arguments = match tool {
        "Bash" => r#"{"command":"cargo test --quiet","description":"Run the tests"}"#.to_owned(),
        _ => format!(
            r#"{{"file_path":"{}/src/a{number}.rs","old_string":"a","new_string":"b"}}"#,
            root.display()
        ),
    };
    let output = "test result: ok. 12 passed; 0 failed\\n".repeat(30);
    let text = format!(
        r#"{{"session_id":"0193a5b2-7c1e-4f00-8a00-00000000000{}","cwd":"{}","hook_event_name":"{hook}","tool_name":"{tool}","tool_use_id":"toolu_{number}","tool_input":{arguments},"tool_response":{{"stdout":"{output}","stderr":"","interrupted":false}}}}"#,
        number / 1_000_000,
        root.display(),
    );
    let path = folder.join("told.json");
    std::fs::write(&path, text).map_err(BenchError::io("writing what is told"))?;
    Ok(path)
}

/// Runs a command to its end, its standard input from a file.
fn told(command: &mut Command, input: Option<&Path>) -> Result<Duration, BenchError> {
    let stdin = match input {
        Some(path) => File::open(path).map_err(BenchError::io("reading what is told"))?.into(),
        None => Stdio::null(),
    };
    let start = Instant::now();
    let status = command.stdin(stdin).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let status = status.map_err(BenchError::io("starting a command"))?;
    let took = start.elapsed();
    if status.success() {
        return Ok(took);
    }
    Err(BenchError::Child { command: format!("{command:?}"), status: status.to_string() })
}
