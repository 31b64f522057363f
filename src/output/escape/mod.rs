//! Escapes what a terminal would obey: everything printed passes through here.
//!
//! Tool output, paths and transcripts are untrusted. A terminal obeys control characters (C0, DEL,
//! C1) and reorders text on bidirectional controls, so that a log line could hide or forge another.

use std::borrow::Cow;
use std::fmt::Write as _;

#[cfg(test)]
mod tests;

/// One line of text: every control, newlines and tabs among them, becomes visible.
pub fn line(text: &str) -> Cow<'_, str> {
    escape(text, is_hostile)
}

/// The error and what caused it, on one line, escaped.
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        let said = source.to_string();
        // Some errors repeat their source in their own words.
        if !text.contains(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
        cause = source.source();
    }
    line(&text).into_owned()
}

/// Text of several lines: newlines and tabs stay, every other control becomes visible.
pub fn block(text: &str) -> Cow<'_, str> {
    escape(text, |c| is_hostile(c) && c != '\n' && c != '\t')
}

/// Serialized JSON: what `serde_json` leaves bare inside strings becomes `\uXXXX`.
///
/// Outside of strings JSON is ASCII, so the result means the same.
pub fn json(serialized: &str) -> Cow<'_, str> {
    let bare = |c: char| is_hostile(c) && c != '\n';
    if !serialized.chars().any(bare) {
        return Cow::Borrowed(serialized);
    }
    let mut out = String::with_capacity(serialized.len() + 16);
    for c in serialized.chars() {
        if bare(c) {
            let mut units = [0_u16; 2];
            for unit in c.encode_utf16(&mut units) {
                push(&mut out, format_args!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Whether a terminal would act on the character instead of showing it.
pub fn is_hostile(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'              // C0, DEL, C1
        | '\u{ad}'                                          // soft hyphen
        | '\u{61c}' | '\u{200e}' | '\u{200f}'               // direction marks
        | '\u{200b}' | '\u{2060}' | '\u{feff}'              // invisible
        | '\u{2028}'..='\u{202e}'                           // line separators, bidi embeddings
        | '\u{2066}'..='\u{2069}'                           // bidi isolates
        | '\u{fff9}'..='\u{fffb}'                           // interlinear annotations
        | '\u{e0000}'..='\u{e007f}'                         // tags
    )
}

fn escape(text: &str, hostile: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&hostile) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if !hostile(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if u32::from(c) < 0x100 => push(&mut out, format_args!("\\x{:02x}", u32::from(c))),
            c => push(&mut out, format_args!("\\u{{{:x}}}", u32::from(c))),
        }
    }
    Cow::Owned(out)
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = out.write_fmt(text);
}
