//! Patterns of the tables.

use std::sync::OnceLock;

use memchr::memmem::Finder;
use regex_automata::meta::{Config, Regex};
use regex_automata::util::captures;
use serde::Deserialize;

use crate::parse::check::matcher::PROGRAM_BYTES_MAX;

/// Bytes of one of the tables' own patterns once it is compiled.
const OWN_BYTES_MAX: usize = 10 << 20;

/// A pattern, compiled once a line has the literals that it asks for. One that does not compile matches
/// nothing; a test compiles all.
#[derive(Debug, Deserialize)]
#[serde(from = "String")]
pub struct Expression {
    text: String,
    asks: Asks,
    compiled: OnceLock<Option<Regex>>,
}

impl From<String> for Expression {
    fn from(text: String) -> Self {
        Self { asks: Asks::of(&text).unwrap_or_default(), text, compiled: OnceLock::new() }
    }
}

impl Expression {
    /// A project's own, of which nothing is known beforehand.
    pub fn declared(text: &str) -> Self {
        let made = compiled(text, PROGRAM_BYTES_MAX); // it was held to this when it was declared
        Self { text: text.to_owned(), asks: Asks::default(), compiled: OnceLock::from(made) }
    }

    pub fn is_match(&self, line: &str) -> bool {
        self.asks.are_in(line)
            && (self.asks.are_all || self.regex().is_some_and(|it| it.is_match(line)))
    }

    pub fn captures<'l>(&self, line: &'l str) -> Option<Captures<'l>> {
        let regex = if self.asks.are_in(line) { self.regex()? } else { return None };
        let mut groups = regex.create_captures();
        regex.captures(line, &mut groups);
        groups.is_match().then_some(Captures { line, groups })
    }

    pub fn regex(&self) -> Option<&Regex> {
        let compiled = || compiled(&self.text, OWN_BYTES_MAX); // a test compiles all
        self.compiled.get_or_init(compiled).as_ref()
    }
}

/// A pattern that is asked of a few short lines: what finds it sooner in long ones takes longer to make than it saves.
fn compiled(pattern: &str, bytes_max: usize) -> Option<Regex> {
    let config = Config::new().hybrid(false).dfa(false).onepass(false);
    let config = config.pool_capacity(1).nfa_size_limit(Some(bytes_max));
    Regex::builder().configure(config).build(&lean(pattern)).ok()
}

/// A line that a pattern matches.
#[derive(Debug)]
pub struct Captures<'l> {
    line: &'l str,
    groups: captures::Captures,
}

impl<'l> Captures<'l> {
    /// What a group took of it.
    pub fn name(&self, name: &str) -> Option<&'l str> {
        self.line.get(self.groups.get_group_by_name(name)?.range())
    }
}

/// What every line has that a pattern matches: most lines lack it, and most patterns are never compiled.
#[derive(Debug, Default)]
struct Asks {
    /// At its beginning.
    first: String,
    /// Somewhere, the longest there is.
    some: Option<Finder<'static>>,
    /// It asks for nothing else.
    are_all: bool,
}

impl Asks {
    fn are_in(&self, line: &str) -> bool {
        // Few lines have the first byte, and that is told without a call.
        self.first.as_bytes().first().is_none_or(|it| line.as_bytes().first() == Some(it))
            && line.starts_with(&self.first)
            && self.some.as_ref().is_none_or(|it| it.find(line.as_bytes()).is_some())
    }

    /// `None` where the pattern has a choice at its top, or is not of the tables' plain kind.
    fn of(pattern: &str) -> Option<Self> {
        // Literals so far, the last one open; and how many there were before each open group, and whether it
        // has a choice.
        let mut found = vec![String::new()];
        let mut groups: Vec<(usize, bool)> = Vec::new();
        let mut rest = pattern.strip_prefix('^').unwrap_or(pattern).chars().peekable();
        if pattern.contains("(?i") {
            return None;
        }
        while let Some(next) = rest.next() {
            let literal = match next {
                '(' => {
                    groups.push((found.len(), false));
                    found.push(String::new());
                    if rest.next_if_eq(&'?').is_some() {
                        rest.by_ref().find(|it| matches!(it, ':' | '>'))?;
                    }
                    continue;
                }
                ')' => {
                    let (before, has_choice) = groups.pop()?;
                    if has_choice || rest.peek().is_some_and(|it| "?*{".contains(*it)) {
                        found.truncate(before);
                        found.push(String::new());
                    }
                    None
                }
                '|' => {
                    groups.last_mut()?.1 = true;
                    None
                }
                '[' => {
                    while let Some(member) = rest.next().filter(|it| *it != ']') {
                        if member == '\\' {
                            rest.next();
                        }
                    }
                    None
                }
                '\\' => rest.next().filter(|it| !it.is_alphanumeric()),
                '.' | '^' | '$' | '?' | '*' | '+' => None,
                '{' => {
                    rest.by_ref().find(|it| *it == '}')?;
                    None
                }
                literal => Some(literal),
            };
            match literal.filter(|_| !rest.peek().is_some_and(|it| "?*+{".contains(*it))) {
                Some(literal) => found.last_mut()?.push(literal),
                None => found.push(String::new()),
            }
        }
        let is_anchored = pattern.starts_with('^');
        let first = found.first().filter(|_| is_anchored).cloned().unwrap_or_default();
        let others = &found[usize::from(is_anchored)..];
        let some = others.iter().max_by_key(|it| it.len()).filter(|it| !it.is_empty());
        let are_all = found.len() == 1;
        Some(Self { first, some: some.map(|it| Finder::new(it).into_owned()), are_all })
    }
}

/// The pattern with classes that compile in a third of the time: digits and blanks are ASCII's, and what
/// is not of ASCII counts as a letter.
pub fn lean(pattern: &str) -> String {
    let mut text = String::with_capacity(pattern.len() * 2);
    let mut rest = pattern.chars();
    let mut is_class = false;
    while let Some(next) = rest.next() {
        let escaped = if next == '\\' { rest.next() } else { None };
        match (next, escaped) {
            (_, Some('b')) => text.push_str(r"(?-u:\b)"),
            (_, Some('S')) if !is_class => text.push_str(r"[^ \t]"),
            (_, Some(class @ ('d' | 's' | 'w'))) => {
                let members = match class {
                    'd' => "0-9",
                    's' => r" \t",
                    _ => r"A-Za-z0-9_\x{80}-\x{10FFFF}",
                };
                match is_class {
                    true => text.push_str(members),
                    false => text.extend(["[", members, "]"]),
                }
            }
            (_, Some(other)) => text.extend(['\\', other]),
            (_, None) => {
                is_class = next == '[' || is_class && next != ']';
                text.push(next);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::Asks;

    #[test]
    fn a_pattern_asks_for_its_literals() {
        for (pattern, first, some) in [
            ("^FAIL\t", "FAIL\t", ""),
            (r"^FAIL\t", "FAIL", ""),
            (r"^(?<file>[^\s:]+\.go):(?<line>\d+): ", "", ".go"),
            (r"^running 0 tests$", "running 0 tests", ""),
            (r"^\d+ errors? generated\.$", "", " generated."),
            (r"^(?:a|b)c", "", "c"),
            (r"a|b", "", ""),
            (r"^(?:vet: )?x", "", "x"),
            (r"^[A\]b]c{2,3}(?<x>de)+f", "", "de"),
            (r"^(ab(b|c)d)e", "", "ab"),
        ] {
            let asks = Asks::of(pattern).unwrap_or_default();
            let some_of = asks.some.as_ref().map_or(&b""[..], |it| it.needle());
            assert_eq!((asks.first.as_str(), some_of), (first, some.as_bytes()), "{pattern}");
        }
    }
}
