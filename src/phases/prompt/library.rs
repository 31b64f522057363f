//! Where the texts come from: a folder of the user's, else the built-in ones.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::{PromptError, TEXTS};
use crate::phases::limits::PROMPT_FILE_BYTES_MAX;

/// Where the texts come from.
#[derive(Clone, Debug, Default)]
pub struct Prompts {
    /// Texts that lie here, under their paths, stand in for the built-in ones.
    folder: Option<PathBuf>,
}

impl Prompts {
    /// The built-in texts, and what a folder has of them.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder }
    }

    /// The folder of the user's texts.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The text of a path, and whether it is the user's.
    pub fn find(&self, path: &str) -> Result<(String, bool), PromptError> {
        let built_in = TEXTS.iter().find(|(name, _)| *name == path);
        let Some((_, built_in)) = built_in else {
            return Err(PromptError::Unknown { path: path.to_owned() });
        };
        let Some(folder) = &self.folder else { return Ok(((*built_in).to_owned(), false)) };
        Ok(match read(&folder.join(path))? {
            Some(text) => (text, true),
            None => ((*built_in).to_owned(), false),
        })
    }

    /// The text of a path.
    pub fn text(&self, path: &str) -> Result<String, PromptError> {
        let (text, _) = self.find(path)?;
        Ok(text.trim_end().to_owned())
    }

    /// Writes the texts in use into a folder, for changing them; answers how many. What is there
    /// already is never written over.
    pub fn export(&self, folder: &Path) -> Result<usize, PromptError> {
        if let Some((path, _)) = TEXTS.iter().find(|(path, _)| folder.join(path).exists()) {
            return Err(PromptError::Exists { path: folder.join(path) });
        }
        for (path, _) in TEXTS {
            let (text, _) = self.find(path)?;
            let path = folder.join(path);
            let failed = |source| PromptError::Write { path: path.clone(), source };
            fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
            let file = OpenOptions::new().write(true).create_new(true).open(&path);
            file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(failed)?;
        }
        Ok(TEXTS.len())
    }
}

/// A text; `None` where there is none.
fn read(path: &Path) -> Result<Option<String>, PromptError> {
    let failed = |source| PromptError::Read { path: path.to_owned(), source };
    let file = match File::open(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        file => file.map_err(failed)?,
    };
    let mut bytes = Vec::new();
    file.take(PROMPT_FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() > PROMPT_FILE_BYTES_MAX {
        let path = path.to_owned();
        return Err(PromptError::TooLarge { path, bytes_max: PROMPT_FILE_BYTES_MAX });
    }
    let text =
        String::from_utf8(bytes).map_err(|_| PromptError::NoText { path: path.to_owned() })?;
    Ok(Some(text))
}
