//! Lines cut to a terminal's columns.

/// A text in parts of at most this many columns. Tabs become four spaces.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut used = 0;
    for c in text.chars() {
        let (c, times) = if c == '\t' { (' ', 4) } else { (c, 1) };
        for _ in 0..times {
            let wide = width(c);
            if used + wide > columns.max(2) {
                parts.push(String::new());
                used = 0;
            }
            used += wide;
            if let Some(last) = parts.last_mut() {
                last.push(c);
            }
        }
    }
    parts
}

/// The first part alone, with an ellipsis where more would follow.
pub fn cut(text: &str, columns: usize) -> String {
    let mut parts = wrap(text, columns);
    if parts.len() == 1 {
        return parts.pop().unwrap_or_default();
    }
    let mut first = wrap(text, columns.saturating_sub(1)).swap_remove(0);
    first.push('…');
    first
}

/// Columns that a terminal gives a character: none to marks that join the one before, two to the
/// wide ones of East Asia and to most pictures.
pub fn width(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36f | 0x483..=0x489 | 0x591..=0x5bd | 0x610..=0x61a | 0x64b..=0x65f => 0,
        0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x200b..=0x200f | 0x20d0..=0x20ff => 0,
        0xfe00..=0xfe0f | 0xfe20..=0xfe2f | 0xe0100..=0xe01ef => 0,
        0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0x33ff | 0x3400..=0x4dbf => 2,
        0x4e00..=0x9fff | 0xa000..=0xa4cf | 0xa960..=0xa97f | 0xac00..=0xd7a3 => 2,
        0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 => 2,
        0x1f300..=0x1f64f | 0x1f680..=0x1f6ff | 0x1f900..=0x1f9ff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}
