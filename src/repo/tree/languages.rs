//! The languages that a map knows, from `languages.txt`: a line each, its columns parted by ` | `.
//!
//! Name, extensions, whole names of files, shape; then exporting words, modifiers, and of each word that
//! defines something the word, what may end the name, and where it counts.

use std::sync::LazyLock;

use super::outline::{Counts, Defining, Language, Shape, Words};

const TABLE: &str = include_str!("languages.txt");

/// Every language, the first that a name fits.
pub static LANGUAGES: LazyLock<Vec<Language>> =
    LazyLock::new(|| TABLE.lines().filter_map(language).collect());

/// `None`: no such line is in the table, which a test holds.
fn language(line: &'static str) -> Option<Language> {
    let mut columns = line.split('|').map(str::trim);
    let (name, extensions, names) = (columns.next()?, columns.next()?, columns.next()?);
    let shape = columns.next()?;
    let (exporting, modifiers) = (columns.next(), columns.next());
    let any_case = shape == "words-of-any-case";
    let defining: Vec<&str> = columns.next().unwrap_or_default().split_whitespace().collect();
    let words = Words {
        modifiers: modifiers.unwrap_or_default(),
        exporting: exporting.unwrap_or_default(),
        defining: defining.chunks(3).map(defined).collect::<Option<_>>()?,
        any_case,
    };
    let shape = match shape {
        "words" | "words-of-any-case" => Shape::Words(words),
        "words-and-functions" => Shape::WordsAndFunctions(words),
        "shell" => Shape::Shell(words),
        "headings" => Shape::Headings,
        "targets" => Shape::Targets,
        "nothing" => Shape::Nothing,
        _ => return None,
    };
    Some(Language { name, extensions, names, shape })
}

fn defined(columns: &[&'static str]) -> Option<Defining> {
    let &[word, ends, counts] = columns else { return None };
    let counts = match counts {
        "top" => Counts::AtTop,
        "nested" => Counts::Nested,
        "nested-if-exported" => Counts::NestedIfExported,
        "if-exported" => Counts::IfExported,
        _ => return None,
    };
    Some(Defining { word, ends, counts })
}
