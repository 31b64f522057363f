//! The texts: a folder of the user's, else the built-in ones, under the paths that spec 003 gives them.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::{PromptError, Result};
use crate::phases::limits::PROMPT_FILE_BYTES_MAX;

macro_rules! texts {
    ($($path:literal),* $(,)?) => {
        [$((concat!("prompt/", $path), include_str!($path))),*]
    };
}

/// Each text's path, and the text.
pub const TEXTS: [(&str, &str); 32] = texts![
    "agent/parallel/nodes/ablation/instructions.txt",
    "agent/parallel/nodes/ablation/introduction.txt",
    "agent/parallel/nodes/ablation/introduction_with_memory.txt",
    "agent/parallel/nodes/hyperparam/instructions.txt",
    "agent/parallel/nodes/hyperparam/introduction.txt",
    "agent/parallel/nodes/hyperparam/introduction_with_memory.txt",
    "agent/parallel/response_format/execution_split.txt",
    "agent/parallel/response_format/execution_split_with_memory.txt",
    "agent/parallel/tasks/debug/instructions.txt",
    "agent/parallel/tasks/debug/introduction.txt",
    "agent/parallel/tasks/debug/introduction_with_memory.txt",
    "agent/parallel/tasks/draft/instructions.txt",
    "agent/parallel/tasks/draft/introduction.txt",
    "agent/parallel/tasks/draft/introduction_with_memory.txt",
    "agent/parallel/tasks/execution_review/introduction.txt",
    "agent/parallel/tasks/execution_review/introduction_with_memory.txt",
    "agent/parallel/tasks/improve/instructions.txt",
    "agent/parallel/tasks/improve/introduction.txt",
    "agent/parallel/tasks/improve/introduction_with_memory.txt",
    "agent/parallel/tasks/parse_metrics/introduction.txt",
    "agent/parallel/tasks/parse_metrics/introduction_with_memory.txt",
    "agent/parallel/tasks/summary/introduction.txt",
    "agent/parallel/tasks/summary/introduction_with_memory.txt",
    "agent/parallel/vlm_analysis.txt",
    "agent/parallel/vlm_analysis_with_memory.txt",
    "base_system.txt",
    "config/environment/injection.txt",
    "config/environment/resources_injection.txt",
    "config/memory/operations.txt",
    "config/phases/phase1_installer.txt",
    "config/phases/phase1_installer_with_memory.txt",
    "domain_neutral.txt",
];

/// The path of a text that exists with memory and without (spec 003, "Prompt Switching Table").
pub fn text_path(base: &str, memory: bool) -> String {
    format!("prompt/{base}{}.txt", if memory { "_with_memory" } else { "" })
}

/// Folders are looked into so deep: the texts' own are five deep.
const DEPTH_MAX: usize = 8;
/// So many files are told.
const TOLD_MAX: usize = 10;
/// So many entries are looked at.
const ENTRIES_MAX: usize = 10_000;

#[derive(Clone, Debug, Default)]
pub struct Prompts {
    /// Texts that lie here, under their paths, stand in for the built-in ones.
    folder: Option<PathBuf>,
}

impl Prompts {
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder }
    }

    /// The text of a path, and whether it is the user's.
    pub fn find(&self, path: &str) -> Result<(String, bool)> {
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

    pub fn text(&self, path: &str) -> Result<String> {
        let (text, _) = self.find(path)?;
        Ok(text.trim_end().to_owned())
    }

    /// Writes the texts in use into a folder, for changing them; answers how many. What is there
    /// already is never written over.
    pub fn export(&self, folder: &Path) -> Result<usize> {
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

    /// Files of the user's folder that no prompt has, and those that are empty, a line each.
    pub fn remarks(&self) -> Result<Vec<String>> {
        let Some(folder) = &self.folder else { return Ok(Vec::new()) };
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
            remarks.push(format!("{shown} has no text of a prompt, by the paths that those have"));
        }
        Ok(remarks)
    }
}

#[derive(Default)]
struct Look {
    remarks: Vec<String>,
    texts: usize,
    entries: usize,
}

impl Look {
    fn folder(&mut self, root: &Path, at: &Path, depth: usize) -> Result<()> {
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

fn read(path: &Path) -> Result<Option<String>> {
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
