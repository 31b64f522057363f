//! Documents among the lines that a check prints, written for machines: SARIF and other JSON, JUnit's XML.
//!
//! One is held back till its end is seen, within bounds, wherever in an output it stands; what turns out to be
//! none is read as the lines that it is. A crate for SARIF alone would be some eight thousand lines of types for
//! the dozen members that are asked for here.

pub mod json;
mod junit;
mod location;
mod sarif;
#[cfg(test)]
mod tests;

use super::diagnostic::Finding;
use super::runner::{self, Parsed};

/// Of a document, the bytes that are held back.
const DOCUMENT_BYTES_MAX: usize = 4 << 20;

/// What the documents of a stream tell.
#[derive(Debug, Default)]
pub struct Told {
    pub findings: Vec<Finding>,
    /// Of JUnit's XML.
    pub tests: Option<Parsed>,
    /// One of a linter or a compiler was there, whole.
    pub is_whole: bool,
    /// A build says of itself that it failed.
    pub has_failed: bool,
    /// The end of one is missing: what it does not tell may have failed.
    pub is_cut: bool,
}

impl Told {
    pub fn add(&mut self, more: Self) {
        more.findings.into_iter().for_each(|it| it.add_to(&mut self.findings));
        self.is_whole |= more.is_whole;
        self.has_failed |= more.has_failed;
        self.is_cut |= more.is_cut;
        let Some(tests) = more.tests else { return };
        match &mut self.tests {
            Some(known) => {
                runner::add(&mut known.results, &tests.results);
                let (failures, left_out) = tests.failures.finish();
                failures.into_iter().for_each(|it| known.failures.add(it));
                known.failures.leave_out(left_out);
            }
            None => self.tests = Some(tests),
        }
    }
}

/// A document whose end was not seen yet.
#[derive(Debug)]
pub struct Open {
    form: Form,
    pub text: String,
}

#[derive(Debug)]
enum Form {
    Json {
        depth: usize,
        in_string: bool,
        is_escaped: bool,
    },
    /// Whether its root is seen, the name of that, and how many such elements are open.
    Xml {
        root: Option<&'static str>,
        depth: usize,
    },
}

/// What a line is to an open document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Open,
    /// It ended; so many bytes of the line are behind it.
    Whole(usize),
    /// It is none.
    Broken,
}

impl Open {
    /// Where a line may begin a document: further in is code that is shown. `reads_json`: tests print JSON of
    /// their own.
    pub fn at(line: &str, reads_json: bool) -> Option<Self> {
        let form = match line.as_bytes() {
            [b'{' | b'[', ..] if reads_json => {
                Form::Json { depth: 0, in_string: false, is_escaped: false }
            }
            [b'<', ..] if line.starts_with("<?xml") || line.starts_with("<testsuite") => {
                Form::Xml { root: None, depth: 0 }
            }
            _ => return None,
        };
        Some(Self { form, text: String::new() })
    }

    /// Takes the next line, the first one included.
    pub fn line(&mut self, line: &str) -> Step {
        let fits = self.text.len() + line.len() < DOCUMENT_BYTES_MAX;
        self.text.push_str(line);
        self.text.push('\n');
        let step = match &mut self.form {
            _ if !fits => Step::Broken,
            Form::Json { depth, in_string, is_escaped } => json(line, depth, in_string, is_escaped),
            Form::Xml { root, depth } => xml(line, root, depth),
        };
        if let Step::Whole(rest) = step {
            self.text.truncate(self.text.len() - 1 - rest);
        }
        step
    }

    /// Whether it tells something without its end.
    pub fn is_read_in_part(&self) -> bool {
        matches!(self.form, Form::Xml { root: Some(_), .. })
    }

    /// What it tells; `None` where it is nobody's that is known here.
    pub fn read(&self) -> Option<Told> {
        match self.form {
            Form::Json { .. } => json::document(&self.text),
            Form::Xml { .. } => junit::read(&self.text),
        }
    }
}

/// Follows the nesting: what no JSON has outside of its strings ends it at once.
fn json(line: &str, depth: &mut usize, in_string: &mut bool, is_escaped: &mut bool) -> Step {
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            _ if std::mem::take(is_escaped) => {}
            b'\\' if *in_string => *is_escaped = true,
            b'"' => *in_string = !*in_string,
            _ if *in_string => {}
            b'{' | b'[' => *depth += 1,
            b'}' | b']' if *depth == 1 => return Step::Whole(line.len() - at - 1),
            b'}' | b']' => *depth -= 1,
            // Numbers, `true`, `false` and `null`.
            b' ' | b'\t' | b',' | b':' | b'+' | b'-' | b'.' | b'0'..=b'9' => {}
            letter if b"truefalsnE".contains(&letter) => {}
            _ => return Step::Broken,
        }
    }
    if *in_string { Step::Broken } else { Step::Open }
}

/// Sees the end of a report by JUnit's rules, as far as a line tells it; another root is none.
fn xml(line: &str, root: &mut Option<&'static str>, depth: &mut usize) -> Step {
    let mut rest = line;
    if root.is_none() {
        let begins = |(at, _): &(usize, char)| line[at + 1..].starts_with(char::is_alphabetic);
        let tag = line.char_indices().filter(|it| it.1 == '<').find(begins);
        let Some((at, _)) = tag else { return Step::Open };
        rest = &line[at + 1..];
        let name = ["testsuites", "testsuite"].into_iter().find(|it| rest.starts_with(it));
        let Some(name) = name else { return Step::Broken };
        *root = Some(name);
        *depth = 1;
        if let Some((tag, behind)) = rest.split_once('>')
            && tag.ends_with('/')
        {
            return Step::Whole(behind.len());
        }
    }
    let Some(root) = *root else { return Step::Open };
    while let Some((before, behind)) = rest.split_once(root) {
        let is = |mark: &str| before.ends_with(mark) && behind.starts_with([' ', '>', '\t']);
        rest = behind;
        if is("</") {
            *depth = depth.saturating_sub(1);
            if *depth == 0 {
                let end = behind.find('>').map_or(behind.len(), |at| at + 1);
                return Step::Whole(behind.len() - end);
            }
        } else if is("<") {
            *depth += 1;
        }
    }
    Step::Open
}
