//! A test that failed, and its message without what differs from one run to the next.

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

use crate::event::words;

/// A test that failed in an attempt.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize, Deserialize)]
pub struct TestFailure {
    pub test_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_file: Option<String>,
    /// From 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_line: Option<i64>,
    pub error_type: ErrorType,
    pub error_message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack_trace: Option<String>,
    /// What an assertion wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_location: Option<SourceLocation>,
}

/// Where in the source the failure comes from.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode, Serialize, Deserialize)]
pub struct SourceLocation {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// From 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

words! {
    /// What kind of error it is. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum ErrorType {
        AssertionError = "AssertionError",
        TypeError = "TypeError",
        ReferenceError = "ReferenceError",
        SyntaxError = "SyntaxError",
        RuntimeError = "RuntimeError",
        TimeoutError = "TimeoutError",
        NetworkError = "NetworkError",
        ValidationError = "ValidationError",
        Other = "Other",
    }
}

/// Characters of a message that count: the first lines say what is wrong.
const CHARS_MAX: usize = 200;
/// Characters that are looked at to get them.
const LOOKED_AT_CHARS_MAX: usize = 4 * CHARS_MAX;
/// Digits from which on a word of hexadecimal ones is a number.
const HEX_DIGITS_MIN: usize = 8;

/// A failure's message without what differs from one run to the next: the first 200 characters, lower
/// case, each run of white space one blank, numbers and addresses `#`, of paths the last part. What is
/// quoted stays but for that.
pub fn normalised_message(message: &str) -> String {
    let mut normal = String::new();
    let mut word = String::new();
    let looked_at = message.chars().take(LOOKED_AT_CHARS_MAX);
    for letter in looked_at.flat_map(char::to_lowercase).chain([' ']) {
        if is_of_word(letter) {
            word.push(letter);
            continue;
        }
        put(&mut normal, &word);
        word.clear();
        if !letter.is_whitespace() && !letter.is_control() {
            normal.push(letter);
        } else if !normal.is_empty() && !normal.ends_with(' ') {
            normal.push(' ');
        }
    }
    let kept: String = normal.chars().take(CHARS_MAX).collect();
    kept.trim_end().to_owned()
}

/// What a path, a number, a name is made of.
fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '/' | '\\' | '.' | '-' | '~' | '@' | '+')
}

fn put(normal: &mut String, word: &str) {
    let last = word.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default();
    // A bare slash is no path.
    let last = if last.is_empty() { word } else { last };
    if is_address(last) {
        normal.push('#');
        return;
    }
    let mut is_number = false;
    for letter in last.chars() {
        if !letter.is_numeric() {
            normal.push(letter);
        } else if !is_number {
            normal.push('#');
        }
        is_number = letter.is_numeric();
    }
}

/// `0x7ffe`, a UUID, a commit: hexadecimal digits with a decimal one among them.
fn is_address(word: &str) -> bool {
    if let Some(digits) = word.strip_prefix("0x") {
        return !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    }
    let digits = word.bytes().filter(u8::is_ascii_hexdigit).count();
    digits >= HEX_DIGITS_MIN
        && word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        && word.bytes().any(|byte| byte.is_ascii_digit())
}
