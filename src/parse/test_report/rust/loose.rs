//! What tests said outside of the harness's blocks.

use std::collections::BTreeMap;

use super::block::Block;
use super::panic::Panic;
use crate::parse::test_report::OutputStream;
use crate::parse::test_report::limits::FAILURES_MAX;

/// The thread of a documentation's test: its process has no other.
const MAIN: &str = "main";

/// What tests said outside of the harness's blocks: `--nocapture` prints it as it comes.
#[derive(Debug, Default)]
pub struct Loose {
    told: BTreeMap<String, Block>,
    /// Panics of documentation's tests.
    mains: u64,
    open: [Option<Panic>; 2],
}

impl Loose {
    /// Takes a line, of this test where that is known.
    pub fn line(&mut self, from: OutputStream, test: Option<&str>, line: &str) {
        let slot = usize::from(from == OutputStream::Stderr);
        if let Some(panic) = Panic::begin(line) {
            self.close(slot);
            self.open[slot] = Some(panic);
        } else if line.starts_with("Error: ") {
            self.close(slot);
            if let Some(test) = test.filter(|_| self.told.len() < FAILURES_MAX) {
                let mut block = Block::new(test);
                block.line(line);
                self.told.insert(test.to_owned(), block);
            }
        } else if let Some(open) = &mut self.open[slot] {
            let is_over =
                line.is_empty() && !open.message.is_empty() || line.starts_with("error: ");
            if is_over || !open.line(line) {
                self.close(slot);
            }
        }
    }

    /// The harness speaks: what a test said is over.
    pub fn end(&mut self, from: OutputStream) {
        self.close(usize::from(from == OutputStream::Stderr));
    }

    /// No more will come.
    pub fn finish(&mut self) {
        (0..2).for_each(|slot| self.close(slot));
    }

    /// What a test said.
    pub fn take(&mut self, test: &str) -> Option<Block> {
        self.told.remove(test)
    }

    /// What the only one of the documentation's tests said that panicked.
    pub fn take_only_main(&mut self) -> Option<Block> {
        self.told.remove(MAIN).filter(|_| self.mains == 1)
    }

    fn close(&mut self, slot: usize) {
        let Some(panic) = self.open[slot].take() else { return };
        self.mains += u64::from(panic.thread == MAIN);
        if self.told.len() < FAILURES_MAX {
            let thread = panic.thread.clone();
            self.told.insert(thread.clone(), Block::new(&thread).with(panic));
        }
    }
}
