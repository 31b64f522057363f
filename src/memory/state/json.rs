//! JSON as it was written, on one line.

/// The same without blanks between its parts: numbers, texts and the order of members stay as they are.
pub fn compact(json: &str) -> String {
    let mut compact = String::with_capacity(json.len());
    let (mut is_text, mut is_escaped) = (false, false);
    for c in json.chars() {
        if !is_text && c.is_ascii_whitespace() {
            continue;
        }
        compact.push(c);
        is_text ^= c == '"' && !is_escaped;
        is_escaped = is_text && c == '\\' && !is_escaped;
    }
    compact
}
