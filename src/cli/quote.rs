//! Words as a POSIX shell reads them back.

use std::path::Path;

use super::shown;

/// One word, in quotation marks where it needs them.
pub fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@%+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// An argument vector as one command line.
pub fn line(words: &[String]) -> String {
    words.iter().map(|text| word(text)).collect::<Vec<_>>().join(" ")
}

/// The command that puts a copy in a file's place: its other names keep what they have.
pub fn replaced_by_a_copy(path: &Path) -> String {
    let file = word(&shown(path));
    let new = word(&format!("{}.new", shown(path)));
    format!("cp {file} {new} && mv {new} {file}")
}
