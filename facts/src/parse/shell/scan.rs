//! Reads a command line into simple commands.

use crate::parse::has_word;

use super::{BYTES_MAX, COMMANDS_MAX, Joint, RESERVED, Simple, program};

/// Words of a command that are made room for at once.
const WORDS: usize = 16;

pub(super) struct Scan<'a> {
    rest: &'a str,
    words: Vec<String>,
    outputs: Vec<String>,
    found: Vec<Simple>,
    /// Ends of here-documents that begin on the next line, each with the command that is given it.
    documents: Vec<(usize, String)>,
    depth: usize,
    /// The shells that are open, and how many there were.
    shells: Vec<Shell>,
    shells_len: u16,
    /// What comes next joins the brackets that were just closed, which are no substitution's.
    is_closed: bool,
}

#[derive(Clone, Copy)]
struct Shell {
    number: u16,
    /// It is a command by itself.
    is_alone: bool,
    /// What it prints is a word of a command.
    is_word: bool,
}

impl<'a> Scan<'a> {
    /// The simple commands; `None` where a quote stays open, or there is too much of it.
    pub fn commands(command: &'a str, depth: usize) -> Option<Vec<Simple>> {
        if command.len() > BYTES_MAX || depth == 0 {
            return None;
        }
        let (words, outputs, found) = (Vec::new(), Vec::new(), Vec::new());
        let (documents, shells, shells_len) = (Vec::new(), Vec::new(), 0);
        let rest = command;
        let is_closed = false;
        let mut scan =
            Self { rest, words, outputs, found, documents, depth, shells, shells_len, is_closed };
        while let Some(next) = scan.rest.chars().next() {
            scan.step(next)?;
        }
        scan.end(Joint::End)?;
        Some(scan.found)
    }

    fn step(&mut self, next: char) -> Option<()> {
        if let Some(rest) = self.rest.strip_prefix("\\\n") {
            self.rest = rest;
            return Some(());
        }
        match next {
            '\n' => {
                self.skip(1);
                self.end(Joint::Then)?;
                self.documents()
            }
            _ if next.is_whitespace() => {
                self.skip(next.len_utf8());
                Some(())
            }
            '#' => {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.skip(end);
                Some(())
            }
            '&' if self.rest.starts_with("&>") => {
                self.skip(1);
                self.output()
            }
            '&' | '|' | ';' => self.joint(),
            '(' | ')' => {
                self.skip(1);
                let is_alone = self.words.is_empty();
                let is_outer = self.shells.last().is_some_and(|it| it.is_word);
                let is_word = is_outer || !self.words.iter().all(|it| stands_before(it));
                self.end(Joint::Then)?;
                match next {
                    '(' => {
                        let number = self.another_shell();
                        self.shells.push(Shell { number, is_alone, is_word });
                    }
                    _ => self.is_closed = self.shells.pop().is_some_and(|it| it.is_alone),
                }
                Some(())
            }
            '>' => self.output(),
            '<' => self.input(),
            _ => {
                let word = self.word()?;
                let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
                if !(is_number && self.rest.starts_with(['<', '>'])) {
                    if self.words.is_empty() {
                        self.words.reserve(WORDS);
                    }
                    self.words.push(word);
                }
                Some(())
            }
        }
    }

    fn another_shell(&mut self) -> u16 {
        self.shells_len = self.shells_len.saturating_add(1);
        self.shells_len
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    fn joint(&mut self) -> Option<()> {
        let known = [
            ("&&", Joint::And),
            ("||", Joint::Or),
            ("|&", Joint::Pipe),
            ("|", Joint::Pipe),
            (";;", Joint::Then),
            (";", Joint::Then),
            ("&", Joint::Background),
        ];
        let (text, joint) = known.into_iter().find(|(text, _)| self.rest.starts_with(text))?;
        self.skip(text.len());
        self.end(joint)
    }

    fn output(&mut self) -> Option<()> {
        self.rest = self.rest.trim_start_matches('>');
        let duplicate = self.rest.starts_with('&');
        self.rest = self.rest.strip_prefix(['&', '|']).unwrap_or(self.rest);
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let target = self.word()?;
        let is_descriptor = target == "-" || target.bytes().all(|byte| byte.is_ascii_digit());
        if !(duplicate && is_descriptor) {
            self.outputs.push(target);
        }
        Some(())
    }

    fn input(&mut self) -> Option<()> {
        let here = self.rest.starts_with("<<") && !self.rest.starts_with("<<<");
        self.rest = self.rest.trim_start_matches('<');
        if here {
            self.rest = self.rest.strip_prefix('-').unwrap_or(self.rest);
        }
        if self.rest.starts_with('(') {
            return Some(()); // what feeds it is read as commands of its own
        }
        self.rest = self.rest.trim_start_matches(['&', ' ', '\t']);
        let word = self.word()?;
        if here {
            self.documents.push((self.found.len(), word));
        }
        Some(())
    }

    /// Takes the here-documents that begin here: no commands of this line, but what one is given.
    fn documents(&mut self) -> Option<()> {
        for (at, end) in std::mem::take(&mut self.documents) {
            let begin = self.rest;
            loop {
                let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
                let over = line.trim_start_matches('\t') == end || self.rest.is_empty();
                if over {
                    let given = &begin[..begin.len() - self.rest.len()];
                    if let Some(command) = self.found.get_mut(at) {
                        command.given.push_str(given);
                    }
                    self.rest = rest;
                    break;
                }
                self.rest = rest;
            }
        }
        Some(())
    }

    /// One word, its quotes taken off; `None` where one stays open.
    fn word(&mut self) -> Option<String> {
        let (text, mut at) = (self.rest, 0);
        let (mut word, mut quote) = (String::new(), None);
        loop {
            let rest = &text[at..];
            // What nothing is to be done about, at once.
            let plain = match quote {
                Some(quote) => rest.find([quote, '\\']).unwrap_or(rest.len()),
                None => rest.bytes().take_while(|it| is_plain(*it)).count(),
            };
            match word.is_empty() {
                true => word = rest[..plain].to_owned(),
                false => word.push_str(&rest[..plain]),
            }
            at += plain;
            let mut chars = rest[plain..].chars();
            let Some(c) = chars.next() else { break };
            match (quote, c) {
                (Some('\''), '\'') | (Some('"'), '"') => quote = None,
                (None, '\'' | '"') => quote = Some(c),
                (None | Some('"'), '\\') => word.extend(chars.next()),
                (None, '|' | ';' | '&' | '<' | '>' | '(' | ')') => break,
                (None, _) if c.is_whitespace() => break,
                _ => word.push(c),
            }
            at = text.len() - chars.as_str().len();
        }
        self.skip(at);
        quote.is_none().then_some(word)
    }

    fn end(&mut self, joint: Joint) -> Option<()> {
        let (words, outputs) = (std::mem::take(&mut self.words), std::mem::take(&mut self.outputs));
        if words.is_empty() && outputs.is_empty() {
            // `a &&` and a line's end: the first joint counts. Of brackets, what stands behind them.
            if std::mem::take(&mut self.is_closed)
                && let Some(last) = self.found.last_mut()
                && last.joint != Joint::Background
            {
                last.joint = joint;
            }
            return Some(());
        }
        self.is_closed = false;
        if self.found.len() >= COMMANDS_MAX {
            return None;
        }
        let command =
            Simple::new(words, outputs, joint, self.shells.last().map_or(0, |it| it.number));
        let script = command.program().and_then(|it| program::script(&it));
        match script.and_then(|inner| Scan::commands(&inner, self.depth - 1)) {
            Some(mut inner) if !inner.is_empty() => {
                if let Some(last) = inner.last_mut() {
                    // What the inner shell leaves behind, the outer one does not wait for.
                    if last.joint != Joint::Background {
                        last.joint = joint;
                    }
                    last.outputs.extend_from_slice(&command.outputs);
                }
                if command.is_fed() {
                    // Each of them runs as often as the shell does.
                    inner.iter_mut().for_each(Simple::feed);
                }
                let shell = self.another_shell();
                let is_word = self.shells.last().is_some_and(|it| it.is_word);
                let outer = self.shells.last().map_or(0, |it| it.number);
                inner.iter_mut().for_each(|it| {
                    let is_inner = it.shell > 0;
                    it.outer = if is_inner { it.outer.saturating_add(shell) } else { outer };
                    it.shell = it.shell.saturating_add(shell);
                    it.is_word |= is_word;
                });
                self.shells_len = inner.iter().map(|it| it.shell).max().unwrap_or(shell);
                self.found.append(&mut inner);
                (self.found.len() <= COMMANDS_MAX).then_some(())
            }
            _ => {
                let outer = self.shells.iter().rev().nth(1).map_or(0, |it| it.number);
                let is_word = self.shells.last().is_some_and(|it| it.is_word);
                self.found.push(Simple { outer, is_word, ..command });
                Some(())
            }
        }
    }
}

/// Whether a word before a bracket leaves what is in it a command: `if (`, `X=$(`.
fn stands_before(word: &str) -> bool {
    has_word(RESERVED, word) || word == "time" || program::is_assignment(word)
}

/// What is a word's own outside of quotes, of ASCII.
fn is_plain(byte: u8) -> bool {
    const PLAIN: [bool; 256] = {
        let (mut plain, mut byte) = ([false; 256], 0);
        while byte < 256 {
            plain[byte] = stands_for_itself(byte as u8);
            byte += 1;
        }
        plain
    };
    PLAIN[usize::from(byte)]
}

const fn stands_for_itself(byte: u8) -> bool {
    let is_mark = matches!(
        byte,
        b'-' | b'_' | b'.' | b'/' | b'=' | b':' | b',' | b'+' | b'@' | b'%' | b'~' | b'$' | b'*'
    );
    let is_other_mark = matches!(byte, b'[' | b']' | b'{' | b'}' | b'^' | b'?' | b'!' | b'#');
    byte.is_ascii_alphanumeric() || is_mark || is_other_mark
}
