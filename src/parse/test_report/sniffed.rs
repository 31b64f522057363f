//! The parsers of an output whose runner is not known.

use super::output::RunnerOutput;
use super::parsed::Parsed;
use super::{OutputStream, TestRunner};

/// Every parser reads along; who understood most is right.
#[derive(Debug)]
pub struct Sniffed {
    parsers: Vec<(TestRunner, Box<dyn RunnerOutput>)>,
}

impl Sniffed {
    pub fn of(runner: Option<TestRunner>) -> Self {
        let all = TestRunner::ALL.iter().copied();
        let chosen = all.filter(|it| runner.is_none_or(|named| named == *it));
        Self { parsers: chosen.map(|it| (it, it.parser())).collect() }
    }

    pub fn line(&mut self, from: OutputStream, line: &str) {
        for (_, parser) in &mut self.parsers {
            parser.line(from, line);
        }
    }

    /// The one that found most that went wrong, else most tests: what another one makes of a test's own
    /// output is less.
    pub fn finish(self) -> Option<(TestRunner, Parsed)> {
        let told = self.parsers.into_iter().map(|(runner, parser)| (runner, parser.finish()));
        let told = told.filter(|(_, parsed)| parsed.is_understood);
        told.reduce(|best, next| if next.1.weight() > best.1.weight() { next } else { best })
    }
}
