//! What go's compiler and `go vet` say of a package that could not be run.

use crate::event::{ErrorType, SourceLocation, TestFailure};
use crate::parse::test_report::kept::KeptText;
use crate::parse::test_report::limits::{MESSAGE_BYTES, STACK_BYTES};
use crate::parse::test_report::places::place;

/// What the compiler says of a package: `# example.com/cart [example.com/cart.test]`, then its errors.
#[derive(Debug)]
pub struct Build {
    package: String,
    text: KeptText,
    place: Option<(String, i64)>,
    message: Option<String>,
}

impl Build {
    pub fn begin(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("# ")?;
        let (package, more) = rest.split_once(' ').unwrap_or((rest, ""));
        let is_package = !package.is_empty() && (more.is_empty() || more.starts_with('['));
        is_package.then(|| Self {
            package: package.to_owned(),
            text: KeptText::new(STACK_BYTES),
            place: None,
            message: None,
        })
    }

    /// Takes the next line; false where it is none of the compiler's.
    pub fn line(&mut self, line: &str) -> bool {
        let line = line.strip_prefix("vet: ").unwrap_or(line);
        let told = place(line).filter(|(file, _, _)| file.ends_with(".go") && !file.contains(' '));
        if let Some((file, number, rest)) = told {
            if self.place.is_none() {
                let file = file.strip_prefix("./").unwrap_or(file);
                self.place = Some((file.to_owned(), number));
                self.message = Some(KeptText::cut(message(rest), MESSAGE_BYTES));
            }
        } else if !line.starts_with(['\t', ' ']) && line != "too many errors" {
            return false;
        }
        self.text.line(line);
        true
    }

    pub fn finish(self) -> Option<TestFailure> {
        let error_message = self.message?;
        Some(TestFailure {
            error_type: kind(&error_message),
            error_message,
            stack_trace: self.text.finish(),
            source_location: self.place.map(|(file, line)| SourceLocation {
                file: Some(file),
                line: Some(line),
                function: None,
            }),
            ..unbuilt(&self.package)
        })
    }
}

/// A package that was not built, and nobody says why.
pub fn unbuilt(package: &str) -> TestFailure {
    TestFailure {
        test_name: package.to_owned(),
        test_file: None,
        test_line: None,
        error_type: ErrorType::Other,
        error_message: "the package was not built".to_owned(),
        stack_trace: None,
        expected: None,
        actual: None,
        source_location: None,
    }
}

/// `:14: cannot use …` → `cannot use …`.
fn message(rest: &str) -> &str {
    rest.trim_start_matches(|it: char| it == ':' || it.is_ascii_digit()).trim()
}

fn kind(message: &str) -> ErrorType {
    if message.starts_with("cannot use ") || message.contains("mismatched types") {
        ErrorType::TypeError
    } else if message.starts_with("undefined: ") || message.contains(" undefined (") {
        ErrorType::ReferenceError
    } else if message.starts_with("syntax error") || message.starts_with("expected ") {
        ErrorType::SyntaxError
    } else {
        ErrorType::Other
    }
}
