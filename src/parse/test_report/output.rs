//! What a parser is.

use super::OutputStream;
use super::parsed::Parsed;

/// Reads one runner's output line by line. It keeps of it what the report will hold, and no more.
pub trait RunnerOutput: std::fmt::Debug + Send {
    fn line(&mut self, from: OutputStream, line: &str);
    fn finish(self: Box<Self>) -> Parsed;
}
