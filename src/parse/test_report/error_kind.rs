//! Which of the schema's error types an error is.

use crate::event::ErrorType;

/// Parts of the names of exceptions, the first that fits counts; upper case is as it is.
const NAMES: &[(&str, ErrorType)] = &[
    ("Assert", ErrorType::AssertionError),
    ("Timeout", ErrorType::TimeoutError),
    ("DeadlineExceeded", ErrorType::TimeoutError),
    ("TypeError", ErrorType::TypeError),
    ("AttributeError", ErrorType::TypeError),
    ("ReferenceError", ErrorType::ReferenceError),
    ("NameError", ErrorType::ReferenceError),
    ("UnboundLocalError", ErrorType::ReferenceError),
    ("ImportError", ErrorType::ReferenceError),
    ("ModuleNotFoundError", ErrorType::ReferenceError),
    ("SyntaxError", ErrorType::SyntaxError),
    ("IndentationError", ErrorType::SyntaxError),
    ("TabError", ErrorType::SyntaxError),
    ("Connect", ErrorType::NetworkError),
    ("BrokenPipe", ErrorType::NetworkError),
    ("Network", ErrorType::NetworkError),
    ("gaierror", ErrorType::NetworkError),
    ("HTTPError", ErrorType::NetworkError),
    ("URLError", ErrorType::NetworkError),
    ("SSLError", ErrorType::NetworkError),
    ("Validation", ErrorType::ValidationError),
    ("ValueError", ErrorType::ValidationError),
];

/// Parts of messages, in lower case.
const MESSAGES: &[(&str, ErrorType)] = &[
    ("timed out", ErrorType::TimeoutError),
    ("timedout", ErrorType::TimeoutError),
    ("exceeded timeout", ErrorType::TimeoutError),
    ("etimedout", ErrorType::TimeoutError),
    ("deadline exceeded", ErrorType::TimeoutError),
    ("i/o timeout", ErrorType::TimeoutError),
    ("connection refused", ErrorType::NetworkError),
    ("connectionrefused", ErrorType::NetworkError),
    ("econnrefused", ErrorType::NetworkError),
    ("econnreset", ErrorType::NetworkError),
    ("enotfound", ErrorType::NetworkError),
    ("connection reset", ErrorType::NetworkError),
    ("no such host", ErrorType::NetworkError),
    ("dns error", ErrorType::NetworkError),
    ("network is unreachable", ErrorType::NetworkError),
];

/// By an exception's name: any that is none of the schema's is an error at run time.
pub fn by_name(name: &str) -> ErrorType {
    let fits = NAMES.iter().find(|(part, _)| name.contains(part));
    fits.map_or(ErrorType::RuntimeError, |(_, kind)| *kind)
}

/// By words of a message that tell of time or of the network.
pub fn by_message(message: &str) -> Option<ErrorType> {
    let message = message.to_lowercase();
    MESSAGES.iter().find(|(part, _)| message.contains(part)).map(|(_, kind)| *kind)
}

/// The exception's name that a line begins with, and what follows its colon: `KeyError: 'a'`.
pub fn named(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(':').unwrap_or((line, ""));
    let is_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.');
    let last = name.rsplit('.').next()?;
    let is_error = name.chars().all(is_name)
        && (last.ends_with("Error")
            || last.ends_with("Exception")
            || last.ends_with("Warning")
            || matches!(last, "Failed" | "Exit" | "KeyboardInterrupt" | "timeout" | "gaierror"));
    is_error.then_some((name, rest.trim_start()))
}
