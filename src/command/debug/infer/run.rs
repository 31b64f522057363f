//! A run of tests that an agent's session has.

use super::limits::OUTPUT_BYTES_MAX;
use crate::command::test_report::{OutputStream, TestReport, TestReportReader};
use crate::command::walk::Contents;
use crate::event::{Closing, Content, ExecutionId, Outcome};

/// A run of tests that an agent's session has.
#[derive(Clone, Debug)]
pub struct Run {
    pub execution: ExecutionId,
    /// When it ended, Unix milliseconds.
    pub at_ms: u64,
    pub report: TestReport,
}

impl Run {
    /// What a command's recorded output says of the tests; `None` where it says nothing, or nothing ran.
    pub fn of(
        execution: ExecutionId,
        at_ms: u64,
        command: &str,
        closing: &Closing,
        contents: &Contents,
    ) -> Option<Self> {
        let has_failed = match closing.outcome {
            Outcome::Ok => false,
            Outcome::Failed => true,
            Outcome::Refused | Outcome::Interrupted => return None,
        };
        let mut reader = TestReportReader::of(&[command]);
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
        let report = reader.finish(Some(code), closing.duration_ms);
        // A pipe that shortens the output to nothing leaves a success that nobody saw.
        let run = Self { execution, at_ms, report };
        let is_seen = run.report.is_understood || named && has_failed;
        (is_seen && (run.is_passed() || run.has_failed())).then_some(run)
    }

    /// Whether the tests ran, and none failed.
    pub fn is_passed(&self) -> bool {
        self.report.results.is_passed() && self.report.results.passed > 0
    }

    /// Whether a test failed, or what was to test it.
    pub fn has_failed(&self) -> bool {
        !self.report.results.is_passed()
    }
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
