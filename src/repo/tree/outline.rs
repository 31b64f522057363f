//! What a file is written in, by its name; and what it defines, read line by line.

use super::languages::LANGUAGES;
use super::{DEFINITIONS_MAX, LINE_BYTES_MAX, NAME_CHARS_MAX};

/// A language, by the names of its files. Lists of words are parted by blanks.
#[derive(Debug)]
pub struct Language {
    pub name: &'static str,
    /// In lower case, without the dot.
    pub extensions: &'static str,
    /// Whole names of files.
    pub names: &'static str,
    pub shape: Shape,
}

/// How lines look that define something.
#[derive(Debug)]
pub enum Shape {
    /// A word of the language, then the name.
    Words(Words),
    /// The same, and `type name(…` from the first column on.
    WordsAndFunctions(Words),
    /// `name() {`, or after a word.
    Shell(Words),
    /// `# Title`, the first two levels.
    Headings,
    /// `target:` from the first column on.
    Targets,
    /// Nothing that a map should tell.
    Nothing,
}

/// Words of a language that define something, and those that may stand before them.
#[derive(Debug)]
pub struct Words {
    /// Passed over.
    pub modifiers: &'static str,
    /// Passed over, and what follows is meant for others.
    pub exporting: &'static str,
    pub defining: Vec<Defining>,
    /// The language does not tell upper case from lower.
    pub any_case: bool,
}

pub fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

#[derive(Debug)]
pub struct Defining {
    pub word: &'static str,
    /// What may follow the name; the end of the line always may.
    pub ends: &'static str,
    pub counts: Counts,
}

/// Where a definition counts: the first column, or up to one level of indentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Not indented.
    AtTop,
    /// Not indented, or by one level.
    Nested,
    /// Not indented; by one level where it is exported.
    NestedIfExported,
    /// Not indented, and exported.
    IfExported,
}

impl Language {
    /// What a file of this name is written in.
    pub fn of(file_name: &str) -> Option<&'static Self> {
        if let Some(named) = LANGUAGES.iter().find(|it| has(it.names, file_name)) {
            return Some(named);
        }
        let (stem, extension) = file_name.rsplit_once('.')?;
        let extension = extension.to_ascii_lowercase();
        let is = |it: &&Self| has(it.extensions, &extension);
        (!stem.is_empty()).then(|| LANGUAGES.iter().find(is)).flatten()
    }

    /// Whether anything is looked for in its files.
    pub fn is_outlined(&self) -> bool {
        !matches!(self.shape, Shape::Nothing)
    }

    /// Text for people: told after what programs are made of.
    pub fn is_prose(&self) -> bool {
        matches!(self.shape, Shape::Headings)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// `fn main`, one a line, in the file's order; no name is longer than a line.
    pub definitions: Vec<String>,
    /// Definitions beyond those that are kept.
    pub more: u32,
}

/// What a text defines. A guess by the look of its lines: nothing is parsed.
pub fn outline(language: &Language, text: &str) -> Outline {
    let mut outline = Outline::default();
    let mut fenced = false;
    for line in text.lines() {
        if line.len() > LINE_BYTES_MAX || line.is_empty() {
            continue;
        }
        let found = match &language.shape {
            Shape::Words(words) => by_words(words, line),
            Shape::WordsAndFunctions(words) => by_words(words, line).or_else(|| function(line)),
            Shape::Shell(words) => by_words(words, line).or_else(|| shell_function(line)),
            Shape::Headings => {
                fenced ^= line.trim_start().starts_with("```");
                heading(line).filter(|_| !fenced)
            }
            Shape::Targets => target(line),
            Shape::Nothing => return outline,
        };
        match found {
            Some(_) if outline.definitions.len() >= DEFINITIONS_MAX => {
                outline.more = outline.more.saturating_add(1);
            }
            Some(found) => outline.definitions.push(found),
            None => {}
        }
    }
    outline
}

fn by_words(words: &Words, line: &str) -> Option<String> {
    let mut rest = line.trim_start();
    let indent: usize =
        line[..line.len() - rest.len()].chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
    if indent > 4 {
        return None;
    }
    let mut exported = false;
    loop {
        let (word, after) = first_word(rest);
        let is = |known: &str| match words.any_case {
            true => word.eq_ignore_ascii_case(known),
            false => word == known,
        };
        if word.is_empty() {
            return None;
        }
        // A word may be both, as `const` is: what follows it decides.
        if let Some(defining) = words.defining.iter().find(|it| is(it.word))
            && let Some(name) = name_after(after, defining.ends)
        {
            let counts = match defining.counts {
                Counts::AtTop => indent == 0,
                Counts::Nested => true,
                Counts::NestedIfExported => indent == 0 || exported,
                Counts::IfExported => indent == 0 && exported,
            };
            return counts.then(|| format!("{} {name}", defining.word));
        }
        if words.exporting.split(' ').any(is) {
            exported = true;
        } else if !words.modifiers.split(' ').any(is) {
            return None;
        }
        rest = after;
        // `pub(crate)`.
        if let Some(inner) = rest.strip_prefix('(') {
            rest = inner.split_once(')')?.1;
        }
        rest = rest.trim_start();
    }
}

fn first_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '!' | '$')));
    text.split_at(end.unwrap_or(text.len()))
}

/// The name that follows a defining word, where what follows the name may.
fn name_after(text: &str, ends: &str) -> Option<String> {
    let mut rest = text.trim_start();
    if rest.len() == text.len() && !text.starts_with(['(', '*']) {
        return None;
    }
    if let Some(receiver) = rest.strip_prefix('(') {
        // Go's `func (cart *Cart) Add(`.
        rest = receiver.split_once(')')?.1.trim_start();
    }
    rest = rest.trim_start_matches(['*', '&']).trim_start();
    for passed in ["if not exists ", "IF NOT EXISTS "] {
        rest = rest.strip_prefix(passed).unwrap_or(rest);
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '?' | '!' | '.' | '"');
    let mut end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
    // `Cart::add`.
    while rest[end..].starts_with("::") {
        let more = rest[end + 2..].find(|c: char| !is_part(c));
        end = more.map_or(rest.len(), |more| end + 2 + more);
    }
    let (name, after) = rest.split_at(end);
    let after = after.trim_start();
    let ended = after.chars().next().is_none_or(|c| ends.contains(c.to_ascii_lowercase()));
    let words = ended && name.starts_with(|c: char| c.is_alphabetic() || "_$\"".contains(c));
    words.then(|| cut(name))
}

/// `static int cart_add(struct cart *cart` in the first column, where no `;` ends the line.
fn function(line: &str) -> Option<String> {
    let (head, _) = line.split_once('(')?;
    if line.starts_with(|c: char| !c.is_alphabetic() && c != '_')
        || line.ends_with([';', ',', '\\'])
    {
        return None;
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '~');
    let begin = head.rfind(|c: char| !is_part(c))? + 1; // a separator of one byte, or none is found
    let name = head.get(begin..)?;
    let kind = head.get(..begin)?;
    let plain = |c: char| is_part(c) || c.is_whitespace() || "*&<>,".contains(c);
    let begins = first_word(kind).0;
    let no_type = matches!(begins, "" | "if" | "else" | "for" | "while" | "switch" | "return");
    (!no_type && !name.is_empty() && kind.chars().all(plain)).then(|| cut(&format!("{name}()")))
}

/// `name() {`
fn shell_function(line: &str) -> Option<String> {
    let (name, after) = line.split_once("()")?;
    let name = name.trim_end();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':');
    let begins = matches!(after.trim_start().chars().next(), None | Some('{' | '('));
    (begins && !name.is_empty() && name.chars().all(is_name)).then(|| cut(&format!("{name}()")))
}

/// `# Title` and `## Title`.
fn heading(line: &str) -> Option<String> {
    let title = line.strip_prefix("## ").or_else(|| line.strip_prefix("# "))?.trim();
    (!title.is_empty()).then(|| cut(&format!("# {title}")))
}

/// `target:` and `target: what it needs`.
fn target(line: &str) -> Option<String> {
    let (name, after) = line.split_once(':')?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.');
    let named = name.starts_with(|c: char| c.is_alphanumeric()) && name.chars().all(is_name);
    (named && !after.starts_with(['=', ':'])).then(|| cut(name))
}

/// The beginning of a name, without what could end its line.
fn cut(name: &str) -> String {
    name.chars().take(NAME_CHARS_MAX).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
