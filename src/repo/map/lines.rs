//! A map as lines: what a pack and a screen show of it.

use super::{MappedFolder, OutlinedFile, RepoMap};

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
