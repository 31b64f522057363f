//! Lists in a column: JSON arrays, byte for byte as Python's `json.dumps` writes them.

use std::fmt::Write;

/// An array of strings: `", "` between them, nothing but ASCII.
pub fn json_texts<S: AsRef<str>>(texts: &[S]) -> String {
    let mut json = String::from("[");
    for (at, text) in texts.iter().enumerate() {
        json.push_str(if at == 0 { "\"" } else { ", \"" });
        text.as_ref().chars().for_each(|c| push(&mut json, c));
        json.push('"');
    }
    json.push(']');
    json
}

/// An array of numbers.
pub fn json_numbers(numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    format!("[{}]", numbers.join(", "))
}

fn push(json: &mut String, c: char) {
    match c {
        '"' => json.push_str("\\\""),
        '\\' => json.push_str("\\\\"),
        '\n' => json.push_str("\\n"),
        '\r' => json.push_str("\\r"),
        '\t' => json.push_str("\\t"),
        '\u{8}' => json.push_str("\\b"),
        '\u{c}' => json.push_str("\\f"),
        ' '..='~' => json.push(c),
        _ => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // A String takes whatever is written to it.
                let _ = write!(json, "\\u{unit:04x}");
            }
        }
    }
}
