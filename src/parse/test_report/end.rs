//! The end of an output.

use std::collections::VecDeque;

use super::kept::KeptText;
use super::limits::STACK_BYTES;

/// The last lines of an output.
#[derive(Debug, Default)]
pub struct End {
    lines: VecDeque<String>,
    bytes: usize,
}

impl End {
    pub fn line(&mut self, line: &str) {
        let line = KeptText::cut(line, STACK_BYTES / 4);
        self.bytes += line.len() + 1;
        self.lines.push_back(line);
        while self.bytes > STACK_BYTES {
            let Some(first) = self.lines.pop_front() else { break };
            self.bytes -= first.len() + 1;
        }
    }

    pub fn finish(self) -> String {
        Vec::from(self.lines).join("\n")
    }
}
