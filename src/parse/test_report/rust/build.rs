//! What the compiler says where nothing could be run.

use crate::event::{ErrorType, SourceLocation, TestFailure};
use crate::parse::test_report::kept::KeptText;
use crate::parse::test_report::limits::STACK_BYTES;
use crate::parse::test_report::places::place;

/// The compiler's errors: they are one failure, since no test ran.
#[derive(Debug)]
pub struct Build {
    /// The first error's code and message.
    first: Option<(Option<String>, String)>,
    place: Option<(String, i64)>,
    errors: u64,
    rendered: KeptText,
    is_open: bool,
    has_failed: bool,
}

impl Default for Build {
    fn default() -> Self {
        Self {
            first: None,
            place: None,
            errors: 0,
            rendered: KeptText::new(STACK_BYTES),
            is_open: false,
            has_failed: false,
        }
    }
}

impl Build {
    pub fn line(&mut self, line: &str) {
        if line.starts_with("error: could not compile") {
            self.has_failed = true;
            self.is_open = false;
        } else if let Some(rest) = line.strip_prefix("error") {
            let told = match rest.strip_prefix('[').and_then(|it| it.split_once("]: ")) {
                Some((code, message)) => Some((Some(code.to_owned()), message)),
                None => rest.strip_prefix(": ").map(|message| (None, message)),
            };
            let Some((code, message)) = told else { return };
            if message.starts_with("aborting due to") || message.starts_with("command `") {
                self.is_open = false;
                return;
            }
            self.errors += 1;
            self.first.get_or_insert_with(|| (code, message.to_owned()));
            self.is_open = true;
            self.rendered.line(line);
        } else if self.is_open {
            self.is_open =
                line.starts_with(' ') || line.starts_with(|it: char| it.is_ascii_digit());
            self.rendered.line(if self.is_open { line } else { "" });
            if let Some(at) = line.trim_start().strip_prefix("--> ")
                && self.place.is_none()
            {
                self.place = place(at).map(|(file, line, _)| (file.to_owned(), line));
            }
        }
    }

    pub fn finish(self) -> Option<TestFailure> {
        let (code, message) = self.first.filter(|_| self.has_failed)?;
        let error_type = match code.as_deref() {
            None => ErrorType::SyntaxError,
            Some("E0308" | "E0277" | "E0061" | "E0271" | "E0369" | "E0282") => ErrorType::TypeError,
            Some("E0425" | "E0433" | "E0432" | "E0412" | "E0599" | "E0405" | "E0609" | "E0423") => {
                ErrorType::ReferenceError
            }
            Some(_) => ErrorType::Other,
        };
        let code = code.map_or_else(String::new, |code| format!("[{code}]"));
        Some(TestFailure {
            test_name: "build".to_owned(),
            test_file: None,
            test_line: None,
            error_type,
            error_message: format!("error{code}: {message}"),
            stack_trace: self.rendered.finish(),
            expected: None,
            actual: None,
            source_location: self.place.map(|(file, line)| SourceLocation {
                file: Some(file),
                line: Some(line),
                function: None,
            }),
        })
    }
}
