//! Texts of runners: cut ones, counts and times, and what an assertion wanted and was given.

use crate::redact::end_of_head;

/// Text of which only the beginning is kept; what is cut is counted.
#[derive(Clone, Debug)]
pub struct KeptText {
    text: String,
    bytes_max: usize,
    cut: u64,
}

impl KeptText {
    pub fn new(bytes_max: usize) -> Self {
        Self { text: String::new(), bytes_max, cut: 0 }
    }

    pub fn line(&mut self, line: &str) {
        if !self.text.is_empty() || self.cut > 0 {
            self.push("\n");
        }
        self.push(line);
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.cut == 0
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn clear(&mut self) {
        self.text.clear();
        self.cut = 0;
    }

    /// The text without blank space around it, and a word on what was cut; `None` where there is none.
    pub fn finish(self) -> Option<String> {
        let cut = self.cut;
        let text = self.text.trim_end().trim_start_matches('\n');
        match (text.is_empty(), cut) {
            (true, 0) => None,
            (_, 0) => Some(text.to_owned()),
            _ => Some(format!("{text}… {cut} bytes more")),
        }
    }

    pub fn cut(text: &str, bytes_max: usize) -> String {
        let mut kept = Self::new(bytes_max);
        kept.push(text);
        match kept.cut {
            0 => kept.text,
            cut => format!("{}… {cut} bytes more", kept.text),
        }
    }

    pub fn push(&mut self, text: &str) {
        let room = if self.cut > 0 { 0 } else { self.bytes_max.saturating_sub(self.text.len()) };
        // What reads it next takes secrets out, and would not know half of one.
        let fits = match room < text.len() {
            true if is_endless(text.as_bytes(), room) => text.floor_char_boundary(room),
            true => text.floor_char_boundary(end_of_head(text.as_bytes(), room)),
            false => text.len(),
        };
        self.text.push_str(&text[..fits]);
        self.cut += (text.len() - fits) as u64;
    }
}

/// What goes on longer without a blank or a quote around the cut is no secret: a value of megabytes.
const ENDLESS_BYTES: usize = 16 << 10;

fn is_endless(text: &[u8], at: usize) -> bool {
    let parts = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`');
    let before = text[..at].iter().rev().take_while(|it| !parts(it)).count();
    let behind = text[at..].iter().take(ENDLESS_BYTES).take_while(|it| !parts(it)).count();
    before + behind >= ENDLESS_BYTES
}

/// No run has more tests; a larger number is something else.
const COUNT_MAX: u64 = 1_000_000_000;

/// The counts of a line, with the words that follow them, as `("failed", 9)`. Nothing where any part is
/// no count.
pub fn counts(line: &str) -> Option<Vec<(&str, u64)>> {
    line.split(", ").map(count).collect()
}

/// `1 passed` → `("passed", 1)`; of more words the first ones.
pub fn count(part: &str) -> Option<(&str, u64)> {
    let (number, word) = part.trim().split_once(' ')?;
    let number = number.parse().ok()?; // no number: no count
    (number <= COUNT_MAX).then_some((word.trim(), number))
}

/// `1.18s`, `0.5 s`, `120 ms` → milliseconds.
pub fn milliseconds(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.find(|it: char| !it.is_ascii_digit() && it != '.')?;
    let number: f64 = text[..digits].parse().ok()?; // no number: no time
    let scale = match text[digits..].trim() {
        "s" => 1000.0,
        "ms" => 1.0,
        "m" => 60_000.0,
        _ => return None,
    };
    whole(number * scale)
}

/// A count of something, from a float that is one.
fn whole(number: f64) -> Option<u64> {
    let fits = number.is_finite() && (0.0..1e15).contains(&number);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "looked at above")]
    fits.then(|| number.round() as u64)
}

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
