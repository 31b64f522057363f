//! What is wrong with a folder of texts that does not keep it from being used.

use std::fs;
use std::path::Path;

use super::{PromptError, Prompts, TEXTS};

/// Folders are looked into so deep: the texts' own are five deep.
const DEPTH_MAX: usize = 8;
/// So many files are told.
const TOLD_MAX: usize = 10;
/// So many entries are looked at.
const ENTRIES_MAX: usize = 10_000;

impl Prompts {
    /// Files of the user's folder that no prompt has, and those that are empty, a line each.
    ///
    /// # Errors
    /// Where the folder is not there, or cannot be read: its texts would be passed over unnoticed.
    pub fn remarks(&self) -> Result<Vec<String>, PromptError> {
        let Some(folder) = self.folder() else { return Ok(Vec::new()) };
        if !folder.is_dir() {
            return Err(PromptError::NoFolder { path: folder.to_owned() });
        }
        let mut look = Look::default();
        look.folder(folder, &folder.join("prompt"), 0)?;
        let shown = folder.display();
        let Look { mut remarks, texts, .. } = look;
        let more = remarks.len().saturating_sub(TOLD_MAX);
        remarks.sort();
        remarks.truncate(TOLD_MAX);
        if more > 0 {
            remarks.push(format!("{shown}: {more} more such files"));
        }
        if texts == 0 {
            remarks.push(format!(
                "{shown} has no text of a prompt: `annals phases prompts` lists their paths"
            ));
        }
        Ok(remarks)
    }
}

/// What was found so far.
#[derive(Default)]
struct Look {
    remarks: Vec<String>,
    texts: usize,
    entries: usize,
}

impl Look {
    fn folder(&mut self, root: &Path, at: &Path, depth: usize) -> Result<(), PromptError> {
        let failed = |source| PromptError::Read { path: at.to_owned(), source };
        if !at.is_dir() {
            return Ok(());
        }
        for entry in fs::read_dir(at).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            self.entries += 1;
            let hidden = path.file_name().is_some_and(|it| it.as_encoded_bytes()[0] == b'.');
            if hidden || self.entries > ENTRIES_MAX {
                continue;
            }
            let about = fs::metadata(&path);
            match about {
                Ok(about) if about.is_dir() && depth < DEPTH_MAX => {
                    self.folder(root, &path, depth + 1)?;
                }
                about => self.file(root, &path, about.map_or(1, |about| about.len())),
            }
        }
        Ok(())
    }

    fn file(&mut self, root: &Path, path: &Path, bytes: u64) {
        let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy();
        if !TEXTS.iter().any(|(known, _)| *known == name) {
            self.remarks.push(format!("{}: no prompt has this text", path.display()));
            return;
        }
        self.texts += 1;
        if bytes == 0 {
            self.remarks.push(format!("{} is empty: its prompt says nothing", path.display()));
        }
    }
}
