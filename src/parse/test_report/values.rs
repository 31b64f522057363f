//! What an assertion wanted and what it was given, as its message says.

/// The two sides of a comparison, where there is exactly one outside of quotes and brackets.
pub fn sides<'a>(text: &'a str, operator: &str) -> Option<(&'a str, &'a str)> {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut escaped = false;
    let mut found = None;
    for (at, next) in text.char_indices() {
        if let Some(open) = quote {
            match next {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if next == open => quote = None,
                _ => {}
            }
            continue;
        }
        match next {
            '\'' | '"' => quote = Some(next),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if depth == 0 && text[at..].starts_with(operator) => {
                let before = found.replace(at);
                if before.is_some() {
                    return None;
                }
            }
            _ => {}
        }
    }
    let at = found?;
    Some((text[..at].trim(), text[at + operator.len()..].trim()))
}

/// `got 15, want 16`, `= 15, want 16`, `got: 15` and `want: 16` on lines of their own, `expected: 16` and
/// `actual: 15`: (expected, actual).
pub fn got_and_want(message: &str) -> (Option<String>, Option<String>) {
    let (mut expected, mut actual) = (None, None);
    for line in message.lines().map(str::trim) {
        for (words, value) in [
            (&["want", "expected", "wanted"][..], &mut expected),
            (&["got", "actual", "received"][..], &mut actual),
        ] {
            if value.is_none() {
                *value = after_word(line, words);
            }
        }
        if actual.is_none()
            && let Some((before, _)) = line.split_once(", want ")
            && let Some((_, given)) = before.rsplit_once(" = ")
        {
            actual = Some(given.to_owned());
        }
    }
    // One alone is mostly prose: "unexpected error: got stuck".
    if expected.is_some() && actual.is_some() { (expected, actual) } else { (None, None) }
}

/// What follows one of these words, till the next comma that one of a pair follows.
fn after_word(line: &str, words: &[&str]) -> Option<String> {
    for word in words {
        let mut from = 0;
        while let Some(at) = line[from..].find(word).map(|at| at + from) {
            let end = at + word.len();
            let starts = line[..at].ends_with(|it: char| !it.is_alphanumeric()) || at == 0;
            let rest = line[end..].trim_start();
            let value = rest.strip_prefix([':', '=']).unwrap_or(rest).trim_start();
            let parted = line[end..].starts_with([' ', ':', '=']);
            if starts && parted && !value.is_empty() {
                let cut = [", want", "; want", ", expected", ", got", "; got", ", actual"]
                    .iter()
                    .filter_map(|next| value.find(next))
                    .min();
                return Some(value[..cut.unwrap_or(value.len())].trim().to_owned());
            }
            from = end;
        }
    }
    None
}
