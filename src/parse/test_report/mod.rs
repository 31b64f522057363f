//! What a test runner's output tells: totals, failures, where they come from, coverage.
//!
//! A [`TestReportReader`] is given the bytes of both streams as they come, in any pieces, and keeps of
//! them only what the report will hold: a log of any length is read in bounded memory. The runner is told
//! by the command; where that says nothing (`make`, `npm test`), by the output.

mod counts;
mod detect;
mod either;
mod end;
mod error_kind;
mod failures;
mod go;
mod jest;
mod kept;
mod limits;
mod lines;
mod node;
mod os;
mod output;
mod parsed;
mod places;
mod pytest;
mod reader;
mod report;
mod runner;
mod rust;
mod sniffed;
mod stream;
mod unittest;
mod values;

#[cfg(test)]
mod tests;

pub use os::OS;
pub use reader::TestReportReader;
pub use report::TestReport;
pub use runner::TestRunner;
pub use stream::OutputStream;
