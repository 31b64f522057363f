//! What other programs print, read into values: compilers, test runners, shells, model replies.

pub mod content;
pub mod diagnostic;
pub mod diagnostics;
pub mod reply;
pub mod seconds;
pub mod shell;
pub mod test_report;
