//! What a file is written in, by its name; and how a line of it looks that defines something.

mod table;

pub use table::LANGUAGES;

/// A language, by the names of its files.
#[derive(Debug)]
pub struct Language {
    pub name: &'static str,
    /// In lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole names of files.
    pub names: &'static [&'static str],
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
    pub modifiers: &'static [&'static str],
    /// Passed over, and what follows is meant for others.
    pub exporting: &'static [&'static str],
    pub defining: &'static [Defining],
    /// The language does not tell upper case from lower.
    pub any_case: bool,
}

/// A word that defines something.
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
        if let Some(named) = LANGUAGES.iter().find(|it| it.names.contains(&file_name)) {
            return Some(named);
        }
        let (stem, extension) = file_name.rsplit_once('.')?;
        let extension = extension.to_ascii_lowercase();
        let is = |it: &&Self| it.extensions.contains(&extension.as_str());
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
