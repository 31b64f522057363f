//! What the tests ran in, where the tests' own output does not say it.

use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::event::DebugEnvironment;
use crate::grounding::tools::program;
use crate::grounding::tools::program::Ended;
use crate::parse::check::runner::{OS, TestRunner};

const WITHIN: Duration = Duration::from_secs(5);

/// Fills in the operating system and the runtime's version, which is asked of the runtime where tests
/// ran just now, in the same folder.
pub fn complete(environment: &mut DebugEnvironment, runner: Option<TestRunner>) {
    environment.os = environment.os.take().or_else(|| OS.map(str::to_owned));
    if environment.runtime_version.is_none() {
        // Where the command names no runner, its output did.
        let of = |it: &TestRunner| environment.test_framework.as_deref() == Some(it.framework());
        let runner = runner.or_else(|| TestRunner::ALL.iter().copied().find(of));
        environment.runtime_version = runner.and_then(version);
    }
}

/// `None` where it does not say, or takes too long: the attempt is worth recording without.
fn version(runner: TestRunner) -> Option<String> {
    let (program, arguments) = runner.version_command().split_first()?;
    let mut command = Command::new(program);
    command.args(arguments);
    let ran = program::run(command, WITHIN, &AtomicBool::new(false)).ok()?; // not there
    if ran.ended != Ended::ByItself || !ran.status.success() {
        return None;
    }
    let printed = String::from_utf8_lossy(ran.stdout.head());
    TestRunner::version_in(&printed).map(str::to_owned)
}
