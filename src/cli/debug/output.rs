//! Hands a child's output on, and reads along what the tests came to.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use crate::parse::test_report::{OutputStream, TestReport, TestReportReader, TestRunner};

/// Reads along both outputs of a child.
#[derive(Clone)]
pub struct Heard {
    reader: Arc<Mutex<TestReportReader>>,
    runner: Option<TestRunner>,
}

/// One output on its way.
struct Along<W> {
    to: W,
    stream: OutputStream,
    heard: Heard,
}

impl Heard {
    /// For the output of this command.
    pub fn of(words: &[String]) -> Self {
        let reader = TestReportReader::of(words);
        let reader = match std::env::current_dir() {
            Ok(folder) => reader.in_folder(&folder),
            Err(_) => reader, // paths stay as they are printed
        };
        Self { runner: reader.runner(), reader: Arc::new(Mutex::new(reader)) }
    }

    /// The runner that the command names.
    pub fn runner(&self) -> Option<TestRunner> {
        self.runner
    }

    /// Reads along what is written to an output.
    pub fn along(
        &self,
        stream: OutputStream,
        to: impl Write + Send + 'static,
    ) -> Box<dyn Write + Send> {
        Box::new(Along { to, stream, heard: self.clone() })
    }

    /// Reads bytes of an output.
    pub fn take(&self, stream: OutputStream, bytes: &[u8]) {
        // A reader that panicked has what it had read before.
        self.reader.lock().unwrap_or_else(PoisonError::into_inner).feed(stream, bytes);
    }

    /// What the tests came to. What a child left behind may still print is not waited for.
    pub fn finish(&self, exit_code: Option<i32>, duration_ms: Option<u64>) -> TestReport {
        let none: [&str; 0] = [];
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let reader = std::mem::replace(&mut *reader, TestReportReader::of(&none));
        reader.finish(exit_code, duration_ms)
    }
}

impl<W: Write> Write for Along<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.to.write(bytes)?;
        self.heard.take(self.stream, &bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
