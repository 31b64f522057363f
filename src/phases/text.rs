//! Texts, cut to what can be told.

/// The beginning of a text, and how much more there is.
pub fn beginning_of(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        None => text.to_owned(),
        Some((at, _)) => {
            let more = text[at..].chars().count();
            format!("{} … ({more} more characters)", &text[..at])
        }
    }
}

/// The end of a text: what a failing program says last matters most.
pub fn end_of(text: &str, chars_max: usize) -> String {
    let chars = text.chars().count();
    match chars.checked_sub(chars_max) {
        None | Some(0) => text.to_owned(),
        Some(left_out) => {
            let end: String = text.chars().skip(left_out).collect();
            format!("({left_out} characters before) … {end}")
        }
    }
}

/// A text as one block that nothing in it can end.
pub fn fenced(text: &str, language: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", text.trim_end_matches('\n'))
}
