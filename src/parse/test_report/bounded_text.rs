//! Text of which only the beginning is kept.

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

    /// One line more.
    pub fn line(&mut self, line: &str) {
        if !self.text.is_empty() || self.cut > 0 {
            self.push("\n");
        }
        self.push(line);
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.cut == 0
    }

    /// What was kept so far.
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

    /// A whole text, cut to so many bytes.
    pub fn cut(text: &str, bytes_max: usize) -> String {
        let mut kept = Self::new(bytes_max);
        kept.push(text);
        match kept.cut {
            0 => kept.text,
            cut => format!("{}… {cut} bytes more", kept.text),
        }
    }

    fn push(&mut self, text: &str) {
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

/// Whether the word that is at `at` is too long for a secret.
fn is_endless(text: &[u8], at: usize) -> bool {
    let parts = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`');
    let before = text[..at].iter().rev().take_while(|it| !parts(it)).count();
    let behind = text[at..].iter().take(ENDLESS_BYTES).take_while(|it| !parts(it)).count();
    before + behind >= ENDLESS_BYTES
}
