//! A command line without what changes from one attempt to the next (ruling 10).
//!
//! `cd X && cargo test 2>&1 | tail -5` is `cargo test`. Leading `cd X &&` go, output redirections
//! go, a trailing pipe into what only shortens the output goes, and runs of blanks become one.
//! Input stays: it decides what a command does. A line that this cannot read as a shell does
//! (a here-document, an open quote) stays as it is.

/// Programs that only choose what of an output is seen.
const VIEWERS: [&str; 9] = ["head", "tail", "grep", "egrep", "fgrep", "rg", "less", "more", "cat"];

/// The command as it is compared.
pub(super) fn normal(command: &str) -> String {
    let mut rest = command.trim();
    while let Some(behind) = without_cd(rest) {
        rest = behind;
    }
    match Scan::of(rest) {
        Some(scan) => scan.without_viewers(),
        None => rest.to_owned(),
    }
}

/// What follows a leading `cd X &&`, `cd X;` or `cd X` on a line of its own.
fn without_cd(command: &str) -> Option<&str> {
    let rest = command.strip_prefix("cd")?;
    let after = rest.trim_start_matches([' ', '\t']);
    if after.len() == rest.len() {
        return None;
    }
    let rest = after[word(after)?..].trim_start_matches([' ', '\t']);
    let rest = ["&&", ";", "\n"].iter().find_map(|end| rest.strip_prefix(end))?.trim_start();
    (!rest.is_empty()).then_some(rest)
}

/// The length in bytes of the word that a text begins with; `None` where a quote stays open.
fn word(text: &str) -> Option<usize> {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            // Most are, and are told at once.
            (_, c) if c.is_ascii_alphanumeric() => {}
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (None | Some('"'), '\\') => escaped = true,
            (None, '\'' | '"') => quote = Some(c),
            (None, '|' | ';' | '&' | '<' | '>' | '(' | ')') => return Some(at),
            (None, _) if c.is_whitespace() => return Some(at),
            _ => {}
        }
    }
    quote.is_none().then_some(text.len())
}

/// A command line read from left to right.
#[derive(Default)]
struct Scan {
    out: String,
    /// Where the pipes of the last pipeline are in `out`.
    pipes: Vec<usize>,
}

impl Scan {
    fn of(mut rest: &str) -> Option<Self> {
        let mut scan = Self::default();
        while let Some(c) = rest.chars().next() {
            let mut used = c.len_utf8();
            match c {
                '\\' if rest.starts_with("\\\n") => {
                    scan.blank();
                    used = 2;
                }
                '<' if rest.starts_with("<<") => return None,
                '>' if rest.starts_with(">(") => return None,
                '>' => used = scan.redirection(rest)?,
                '|' | '&' | ';' | '\n' => used = scan.operator(rest),
                _ if c.is_whitespace() => scan.blank(),
                '<' | '(' | ')' => scan.out.push(c),
                _ => {
                    used = word(rest)?;
                    scan.out.push_str(&rest[..used]);
                }
            }
            rest = &rest[used..];
        }
        Some(scan)
    }

    fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with([' ', '\n']) {
            self.out.push(' ');
        }
    }

    /// Reads `|`, `||`, `&&`, `;` and what else ends a command; gives the bytes used.
    fn operator(&mut self, rest: &str) -> usize {
        if rest.starts_with("&>") {
            return 1; // the redirection follows
        }
        let double = rest.starts_with("||") || rest.starts_with("&&") || rest.starts_with("|&");
        let operator = &rest[..if double { 2 } else { 1 }];
        match operator {
            "|" | "|&" => self.pipes.push(self.out.len()),
            _ => self.pipes.clear(),
        }
        self.out.push_str(operator);
        operator.len()
    }

    /// Leaves `2>&1`, `> file`, `>> file`, `&> file` out; gives the bytes used.
    fn redirection(&mut self, rest: &str) -> Option<usize> {
        let before = self.out.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        if before == 0 || self.out[..before].ends_with([' ', '\n']) {
            self.out.truncate(before);
        }
        let mut target = rest.trim_start_matches('>');
        target = target.strip_prefix(['&', '|']).unwrap_or(target);
        target = target.trim_start_matches([' ', '\t']);
        Some(rest.len() - target.len() + word(target)?)
    }

    fn without_viewers(mut self) -> String {
        while let Some(at) = self.pipes.pop() {
            let segment = self.out[at..].trim_start_matches(['|', '&', ' ']);
            let program = segment.split_whitespace().next().unwrap_or_default();
            if !VIEWERS.contains(&program) {
                break;
            }
            self.out.truncate(at);
        }
        let end = self.out.trim_end_matches([' ', '\n', ';']).len();
        self.out.truncate(end);
        self.out
    }
}
