//! A run of tests, as a program saw it.

use crate::parse::test_report::{OutputStream, TestReport, TestReportReader};

/// A run of tests, as a program saw it. What is longer than is worth holding goes through a
/// [`TestReportReader`] of one's own.
#[derive(Clone, Copy, Debug, Default)]
pub struct TestRun<'a> {
    /// The command's words.
    pub command: &'a [&'a str],
    pub stdout: &'a [u8],
    pub stderr: &'a [u8],
    /// 128 and the signal's number where a signal ended it.
    pub exit_code: Option<i32>,
    pub duration_ms: Option<u64>,
}

impl TestRun<'_> {
    /// What it came to.
    pub fn report(&self) -> TestReport {
        let mut reader = TestReportReader::of(self.command);
        reader.feed(OutputStream::Stdout, self.stdout);
        reader.feed(OutputStream::Stderr, self.stderr);
        reader.finish(self.exit_code, self.duration_ms)
    }
}
