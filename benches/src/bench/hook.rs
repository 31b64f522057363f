//! One recorded call, from the start of a process to its end.

use std::io::Write;
use std::process::Command;

use crate::BenchError;
use crate::harness::{Contest, Program, timed, watched};
use crate::request::Request;
use crate::workload;

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let count = request.count.unwrap_or(100);
    let folder = request.folder()?;
    let root = folder.path().join("project");
    let program = Program::find()?;
    program.init(&root)?;
    let own = std::env::current_exe().map_err(BenchError::io("finding this program"))?;
    let floor = own.with_file_name("floor-hook");
    let raw = folder.path().join("raw");
    crate::floor::RawFile::zero_filled(&raw, 1 << 20)?;
    let mut contest =
        Contest::new("one recorded call, process start to exit", count as f64, "calls");
    contest.enter("floor: an empty program, pwrite, fdatasync", || {
        timed(|| {
            (0..count).try_for_each(|_| watched(Command::new(&floor).arg(&raw), &[0]).map(drop))
        })
    });
    contest.enter("annals record, stores caught up", || {
        timed(|| {
            (0..count).try_for_each(|index| {
                let execution = workload::execution(index);
                let mut command = program.in_project(&root);
                command.args(["record", "--tool", "file_read", "--arguments"]);
                command.arg(&execution.arguments).args(["--path", &execution.path]);
                if let Some(stdout) = &execution.stdout {
                    command.args(["--stdout", stdout]);
                }
                watched(&mut command, &[0]).map(drop)
            })
        })
    });
    contest.run(request.rounds, out).map(drop)
}
