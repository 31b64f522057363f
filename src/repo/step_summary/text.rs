//! Texts made fit for a summary: no control characters, within a bound.

/// A text without control characters: those that colour or move go with what they ask for, line ends
/// stay.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' => out.push('\n'),
            '\t' => out.push(' '),
            '\u{1b}' if rest.peek() == Some(&'[') => {
                rest.next();
                // Parameters, up to the letter that ends them.
                while rest.next_if(|c| matches!(c, ' '..='?')).is_some() {}
                rest.next_if(|c| matches!(c, '@'..='~'));
            }
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// A text in one line of at most so many characters; one that was cut ends in `…`.
pub fn line(text: &str, chars_max: usize) -> String {
    let plain = plain(text);
    shortened(&plain.split_whitespace().collect::<Vec<_>>().join(" "), chars_max)
}

/// A line's beginning, at most so many characters; one that was cut ends in `…`.
pub fn shortened(line: &str, chars_max: usize) -> String {
    if line.chars().nth(chars_max).is_none() {
        return line.to_owned();
    }
    let mut kept: String = line.chars().take(chars_max.saturating_sub(1)).collect();
    kept.truncate(kept.trim_end().len());
    if chars_max > 0 {
        kept.push('…');
    }
    kept
}

/// A text's first lines, whole, and how many are left out; at most so many characters.
pub fn whole_lines(text: &str, chars_max: usize) -> String {
    let text = text.trim();
    if text.chars().nth(chars_max).is_none() {
        return text.to_owned();
    }
    let count = text.lines().count();
    let (mut kept, mut chars) = (Vec::new(), 0);
    for line in text.lines() {
        chars += line.chars().count() + 1;
        let left = left_out(count - kept.len() - 1);
        if chars + left.chars().count() > chars_max {
            break;
        }
        kept.push(line);
    }
    if kept.is_empty() {
        return shortened(text.lines().next().unwrap_or_default(), chars_max);
    }
    let left = left_out(count - kept.len());
    format!("{}\n{left}", kept.join("\n"))
}

fn left_out(lines: usize) -> String {
    format!("(left out: {lines} more lines)")
}
