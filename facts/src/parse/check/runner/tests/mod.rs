//! Real output of real runners, and what is made of it.

mod bounds;
mod captured;
mod detection;
mod printed;
mod small;
mod streams;

use std::path::PathBuf;

use super::{OutputStream, TestReport, TestReportReader};

/// The folder of what was captured; its README says how.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/runners")
}

/// The report of an output on stdout.
fn report(argv: &[&str], stdout: &str, exit_code: i32) -> TestReport {
    let mut reader = TestReportReader::of(argv);
    reader.feed(OutputStream::Stdout, stdout.as_bytes());
    reader.finish(Some(exit_code), None)
}
