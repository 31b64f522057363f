//! Lines as far as they are code: without comments, and without blanks that say nothing.

use super::files::ending_of;
use crate::parse::has_word;

/// Endings of files whose comments begin with `#`.
const HASHED: &str = "py rb sh bash toml yaml yml mk r pl ex exs";
/// Of those, where the blanks that a line begins with say something.
const INDENTED: &str = "py yaml yml";

/// What is left of lines; two that give the same do the same.
pub fn code_of<'l>(file: &str, lines: impl Iterator<Item = &'l str>) -> Vec<String> {
    let ending = ending_of(file);
    let is_hashed = has_word(HASHED, &ending) || ending.is_empty();
    let is_indented = has_word(INDENTED, &ending);
    let (mut found, mut is_within) = (Vec::new(), false);
    for line in lines {
        let mut code = bare(line, is_hashed, &mut is_within);
        if code.is_empty() || !is_hashed && (code == "*" || line.trim_start().starts_with("* ")) {
            continue;
        }
        if is_indented {
            let indent = line.len() - line.trim_start().len();
            code.insert_str(0, &line[..indent]);
        }
        found.push(code);
    }
    found
}

/// A line without its comment and its blanks, those between quotes aside; `is_within`: a comment of several lines
/// is open.
fn bare(line: &str, is_hashed: bool, is_within: &mut bool) -> String {
    let (mut code, mut quote, mut rest) = (String::new(), None, line);
    while let Some(first) = rest.chars().next() {
        if *is_within {
            match rest.find("*/") {
                Some(at) => (*is_within, rest) = (false, &rest[at + 2..]),
                None => break,
            }
            continue;
        }
        let next = &rest[first.len_utf8()..];
        if quote.is_some() {
            code.push(first);
            if first == '\\' {
                let escaped = next.chars().next();
                code.extend(escaped);
                rest = &next[escaped.map_or(0, char::len_utf8)..];
                continue;
            }
            quote = quote.filter(|it| *it != first);
        } else if is_hashed && first == '#' || !is_hashed && rest.starts_with("//") {
            break;
        } else if !is_hashed && rest.starts_with("/*") {
            (*is_within, rest) = (true, &rest[2..]);
            continue;
        } else if !first.is_whitespace() {
            code.push(first);
            quote = ['"', '\'', '`'].into_iter().find(|it| *it == first);
        } else if needs_blank(&code, next) {
            code.push(' ');
        }
        rest = next;
    }
    code
}

/// Whether a blank parts two words.
fn needs_blank(before: &str, behind: &str) -> bool {
    let is_of_word = |it: char| it.is_alphanumeric() || it == '_';
    before.ends_with(is_of_word) && behind.starts_with(is_of_word)
}
