//! The map of a repository's tree: what `indexes/repo-map.json` and `indexes/symbols.json` hold.
//!
//! Made by `command/tree_map`, read here. A map may come from another machine or another build: what
//! cannot be read is no map, and nothing that is read is believed to be short or one line.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub const VERSION: u32 = 1;

/// A repository's tree: its folders with what lies in them, and what its files define; the most
/// useful first. Nothing in it changes unless a file comes, goes, or defines something else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RepoMap {
    pub version: u32,
    /// Files in the tree, those of folders that are not told included.
    pub files: u64,
    /// By path; the root is `.`. A folder's files are those of its folders too.
    pub folders: Vec<MappedFolder>,
    /// Entry points first, then those that define most.
    pub outlines: Vec<OutlinedFile>,
    pub left_out: LeftOut,
}

impl RepoMap {
    /// Reads the JSON of one; `None` where it is none, or of a later shape.
    pub fn parse(json: &str) -> Option<Self> {
        // What is wrong with it is no help to who asks: it is made anew.
        let map: Self = serde_json::from_str(json).ok()?;
        (map.version == VERSION).then_some(map)
    }
}

// A map as lines: what a pack and a screen show of it.

impl RepoMap {
    /// One line each, the most useful first: the whole tree, the folders of its top, the files with
    /// what they define, the other folders. As they were stored: nothing is escaped.
    pub fn lines(&self) -> Vec<String> {
        let is_whole = |folder: &&MappedFolder| folder.path == ".";
        let (near, far): (Vec<_>, Vec<_>) = self
            .folders
            .iter()
            .filter(|folder| folder.path != ".")
            .partition(|folder| !folder.path.contains('/'));
        let whole = match self.folders.iter().find(is_whole) {
            Some(whole) => whole.told("the whole tree"),
            None => format!("the whole tree: {}", counted(self.files)),
        };
        let folder = |folder: &&MappedFolder| folder.told(&format!("{}/", folder.path));
        std::iter::once(whole)
            .chain(near.iter().map(folder))
            .chain(self.outlines.iter().map(OutlinedFile::told))
            .chain(far.iter().map(folder))
            .collect()
    }

    /// What the map itself has no room for; `None` where it has room for all.
    pub fn left_out_told(&self) -> Option<String> {
        let out = &self.left_out;
        let parts = [
            (out.folders, "folders"),
            (out.outlines, "files that define something"),
            (out.unread, "files not read"),
        ];
        let told: Vec<_> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        (!told.is_empty()).then(|| told.join(", "))
    }
}

impl MappedFolder {
    fn told(&self, name: &str) -> String {
        let files = counted(self.files);
        let languages: Vec<_> =
            self.languages.iter().map(|it| format!("{} {}", it.language, it.files)).collect();
        match languages.is_empty() {
            true => format!("{name}: {files}"),
            false => format!("{name}: {files} ({})", languages.join(", ")),
        }
    }
}

impl OutlinedFile {
    fn told(&self) -> String {
        let Self { path, definitions, more, .. } = self;
        let more = match more {
            0 => String::new(),
            more => format!(", {more} more"),
        };
        format!("{path}: {}{more}", definitions.join(", "))
    }
}

fn counted(files: u64) -> String {
    if files == 1 { "1 file".to_owned() } else { format!("{files} files") }
}

/// What a code graph says of symbols: those of each file, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SymbolsIndex {
    pub version: u32,
    pub symbols: u64,
    /// The files that define most, by path.
    pub files: Vec<FileSymbols>,
    /// Files with symbols that are not told.
    pub left_out: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileSymbols {
    pub path: String,
    /// In the graph's order.
    pub symbols: Vec<String>,
    /// Symbols that are not told.
    pub more: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MappedFolder {
    /// From the top, with `/`; the top itself is `.`.
    pub path: String,
    /// In it and below it.
    pub files: u64,
    /// What they are written in, most files first; files of no known language are in none.
    pub languages: Vec<LanguageCount>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LanguageCount {
    pub language: String,
    pub files: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OutlinedFile {
    pub path: String,
    pub language: String,
    /// `fn main`, `class Cart`: in the file's order.
    pub definitions: Vec<String>,
    /// Definitions that are not told.
    pub more: u64,
}

/// What a map has no room for, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    pub folders: u64,
    /// Files that define something.
    pub outlines: u64,
    /// Files that were not read: larger than is read, no text, or unreadable.
    pub unread: u64,
}
