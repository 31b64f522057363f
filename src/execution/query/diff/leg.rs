//! Edits of a file that go on from one another, and why the next do not.

use super::sheet::{Base, Line, Sheet};

/// Why edits do not go on from those before; each names a call by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// The file holds other lines: a shell command, where one is known, or a person changed it.
    Outside(Option<usize>),
    /// A recorded edit that was not asked about.
    Other(usize),
    /// What this call did to it is not on record.
    Unread(usize),
    /// Where an edit of before stands was not known, nor how far it moved the rest.
    Misplaced,
}

/// Lines that came for others, wherever those stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loose {
    pub old: String,
    pub new: String,
    /// No line of it begins or ends outside.
    pub is_lines: bool,
    pub all: bool,
    pub by: usize,
}

impl Loose {
    pub fn lines(&self) -> Vec<Line> {
        let line = |text: &str| Line { text: text.to_owned(), by: Some(self.by) };
        self.new.split('\n').map(line).collect()
    }

    /// How many lines went and came, without those that stayed at either end.
    pub fn counts(&self) -> (usize, usize) {
        let [old, new]: [Vec<&str>; 2] = [&self.old, &self.new].map(|it| it.split('\n').collect());
        let alike = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
            pairs.take_while(|(old, new)| old == new).count()
        };
        let before = alike(&mut old.iter().zip(&new));
        let shorter = old.len().min(new.len());
        let behind = alike(&mut old.iter().rev().zip(new.iter().rev())).min(shorter - before);
        (old.len() - before - behind, new.len() - before - behind)
    }

    /// It was not put back.
    pub fn is_change(&self) -> bool {
        self.old != self.new
    }

    /// Puts whole lines in the place of such of what it left; says whether they stand there.
    pub fn replace_lines(&mut self, old: &str, new: &str) -> bool {
        let Some(at) = lines_at(&self.new, old) else { return false };
        self.new.replace_range(at..at + old.len(), new);
        true
    }
}

/// Edits that go on from one another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leg {
    /// Why it does not go on from the one before.
    pub why: Option<Gap>,
    /// Calls that name no file and may be why.
    pub strays: Vec<usize>,
    /// It was a call that is asked about which found that it does not.
    pub is_asked: bool,
    pub sheet: Sheet,
    pub loose: Vec<Loose>,
    pub is_deleted: bool,
    pub moved_to: Option<String>,
    /// A text was replaced wherever it stood, and not all lines are known.
    pub is_partly: bool,
    /// The calls it is made of.
    pub calls: Vec<usize>,
    /// How far an edit moved the lines below it is not known.
    pub is_unsure: bool,
}

impl Leg {
    pub fn is_changed(&self) -> bool {
        self.sheet.is_changed()
            || !self.loose.is_empty()
            || self.is_deleted
            || self.moved_to.is_some()
    }

    /// Whether every line that went or came is known.
    pub fn is_counted(&self) -> bool {
        let sheet = &self.sheet;
        let is_known = !self.is_deleted || sheet.is_whole && sheet.base == Base::Known;
        let is_all = self.is_partly || self.loose.iter().any(|it| it.all);
        sheet.base != Base::Unknown && is_known && !is_all
    }

    /// What it knows of the file is what that was before the edits that are asked about.
    pub fn is_of_base(&self) -> bool {
        matches!(self.why, None | Some(Gap::Misplaced))
    }
}

/// What a chain came to.
#[derive(Debug)]
pub struct End {
    pub legs: Vec<Leg>,
    /// A command that may have changed the file after them.
    pub touched: Option<usize>,
    /// Why a call that counts found other lines after them, and nothing else: it has no edits.
    pub after: Option<Leg>,
}

/// Where lines stand whole in others.
fn lines_at(text: &str, lines: &str) -> Option<usize> {
    let mut found = text.match_indices(lines).filter(|_| !lines.is_empty());
    let is_whole = |at: &usize| {
        let behind = at + lines.len();
        (*at == 0 || text[..*at].ends_with('\n'))
            && (behind == text.len() || text[behind..].starts_with('\n'))
    };
    found.find_map(|(at, _)| Some(at).filter(is_whole))
}
