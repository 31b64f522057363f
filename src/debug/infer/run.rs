//! A run of tests that an agent's session has.

use std::path::{Path, PathBuf};

use super::selection::Selection;
use super::{OUTPUT_BYTES_MAX, Places};
use crate::event::{Closing, Content, ExecutionId, Outcome};
use crate::execution::replay::Contents;
use crate::parse::test_report::{OutputStream, TestReport, TestReportReader};

/// The shell's codes for a program that is not there, or may not be run.
const NOT_FOUND: [i32; 2] = [126, 127];

/// A run of tests that an agent's session has.
#[derive(Clone, Debug)]
pub struct Run {
    pub execution: ExecutionId,
    /// When it ended, Unix milliseconds.
    pub at_ms: u64,
    pub report: TestReport,
    /// What ran the tests, without what changes from one attempt to the next.
    pub command: String,
    /// Where they ran, absolute.
    pub folder: PathBuf,
    pub selection: Selection,
}

impl Run {
    /// What a command's recorded output says of the tests; `None` where it says nothing, or nothing ran.
    pub fn of(
        execution: ExecutionId,
        at_ms: u64,
        command: &str,
        folder: &Path,
        places: Places<'_>,
        closing: &Closing,
        contents: &Contents,
    ) -> Option<Self> {
        let has_failed = match closing.outcome {
            Outcome::Ok => false,
            Outcome::Failed => true,
            Outcome::Refused | Outcome::Interrupted => return None,
        };
        let mut reader = TestReportReader::of(&[command]).in_folder(folder);
        let named = reader.runner().is_some();
        for (stream, content) in
            [(OutputStream::Stdout, &closing.stdout), (OutputStream::Stderr, &closing.stderr)]
        {
            if let Some(content) = content {
                feed(&mut reader, stream, content, contents);
            }
        }
        // Transcripts tell of a failure, and not always the number that it ended with.
        let code = closing.exit_code.unwrap_or(i32::from(has_failed));
        let mut report = reader.finish(Some(code), closing.duration_ms);
        if !report.is_understood && (NOT_FOUND.contains(&code) || has_no_runner(&report)) {
            return None;
        }
        for failure in &mut report.failures {
            let source = failure.source_location.as_mut().and_then(|it| it.file.as_mut());
            for file in source.into_iter().chain(&mut failure.test_file) {
                *file = places.placed(file, folder);
            }
        }
        // A pipe that shortens the output to nothing leaves a success that nobody saw.
        let (selection, folder) = (Selection::of(command), folder.to_owned());
        let command = command.to_owned();
        let run = Self { execution, at_ms, report, command, folder, selection };
        let is_seen = run.report.is_understood || named && has_failed;
        (is_seen && (run.is_passed() || run.has_failed())).then_some(run)
    }

    /// Whether the tests ran, and none failed.
    pub fn is_passed(&self) -> bool {
        self.report.results.is_passed() && self.report.results.passed > 0
    }

    /// The runner's name, as the output or the command tells it.
    pub fn runner(&self) -> &str {
        self.report.environment.test_framework.as_deref().unwrap_or(&self.command)
    }

    /// Whether something kept every test from running: a build that failed.
    pub fn ran_none(&self) -> bool {
        let (results, runtime) = (&self.report.results, &self.report.environment.runtime);
        let is_built = matches!(runtime.as_deref(), Some("rust" | "go"));
        let none = results.passed == 0 && results.failed == 0;
        !self.report.is_understood || is_built && none
    }

    /// Whether a test failed, or what was to test it.
    pub fn has_failed(&self) -> bool {
        !self.report.results.is_passed()
    }
}

/// Whether what was to run the tests is not there, and nothing was tried therefore.
fn has_no_runner(report: &TestReport) -> bool {
    const SAY: [&str; 6] = [
        "No module named pytest",
        "No module named 'pytest'",
        "command not found",
        ": not found",
        "no such command: `nextest`",
        "could not determine executable to run",
    ];
    let texts = report.failures.iter().map(|it| (&it.error_message, &it.stack_trace));
    let mut texts = texts.flat_map(|(message, trace)| [Some(message), trace.as_ref()]).flatten();
    texts.any(|text| SAY.iter().any(|say| text.contains(say)))
}

fn feed(
    reader: &mut TestReportReader,
    stream: OutputStream,
    content: &Content,
    contents: &Contents,
) {
    let brought = contents.bring(content);
    for bytes in [brought.bytes.as_deref(), brought.tail].into_iter().flatten() {
        reader.feed(stream, &bytes[..bytes.len().min(OUTPUT_BYTES_MAX)]);
    }
}
