//! The prompts of spec 003: their texts, which a user can change, and how a prompt is put together.

mod generate;
mod library;
mod sections;
#[cfg(test)]
mod tests;
mod texts;

use std::path::{Path, PathBuf};
use std::{fs, io};

pub use generate::{
    ablation_prompt, debug_prompt, draft_prompt, hyperparam_prompt, improve_prompt,
    inject_split_phase_context, phase1_prompt, side_prompt, task_prompt,
};
pub use library::Prompts;
pub use sections::Prompt;
pub use texts::{TEXTS, text_path};

/// Folders are looked into so deep: the texts' own are five deep.
const DEPTH_MAX: usize = 8;
/// So many files are told.
const TOLD_MAX: usize = 10;
/// So many entries are looked at.
const ENTRIES_MAX: usize = 10_000;

impl Prompts {
    /// Files of the user's folder that no prompt has, and those that are empty, a line each.
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

/// Why a prompt has no text.
#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    #[error("{} could not be read: make it readable, or take it away to have the built-in text", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} has more than {bytes_max} bytes: shorten it", path.display())]
    TooLarge { path: PathBuf, bytes_max: usize },
    #[error("{} is no UTF-8 text: correct it, or take it away to have the built-in text", path.display())]
    NoText { path: PathBuf },
    #[error("{} could not be written", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} is there already: name a new folder, or take it away", path.display())]
    Exists { path: PathBuf },
    #[error(
        "there is no folder {}, which `[phases] prompts` of .annals/config.toml names: make it with \
         `annals phases prompts --export`, or take the setting away",
        path.display()
    )]
    NoFolder { path: PathBuf },
    #[error("there is no text {path:?}")]
    Unknown { path: String },
}

/// What a prompt is put together from; what is empty or `None` has no section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptContext {
    /// `memory.enabled`: which texts are taken.
    pub memory: bool,
    /// The research idea.
    pub idea: String,
    /// The program of the parent: to be corrected, improved, or varied.
    pub code: String,
    /// What the parent printed.
    pub output: String,
    pub plot_feedback: Option<String>,
    pub time_feedback: Option<String>,
    /// The parameter to study, or the part to take away.
    pub variation: String,
    /// What the workspace is called where commands run; empty: `/workspace`.
    pub workspace: String,
    /// Facts about where commands run, a line each.
    pub environment: Vec<String>,
    /// What was planned before the first node.
    pub phase0_plan: Option<String>,
}

/// What a node is for (spec 003, "Detailed Flow by Node Type").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    Draft,
    Debug,
    Improve,
    Hyperparam,
    Ablation,
}

impl Task {
    /// All there are.
    pub const ALL: [Self; 5] =
        [Self::Draft, Self::Debug, Self::Improve, Self::Hyperparam, Self::Ablation];

    /// The word on the command line, and in the labels of queries.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Debug => "debug",
            Self::Improve => "improve",
            Self::Hyperparam => "hyperparam",
            Self::Ablation => "ablation",
        }
    }

    /// The task hint that memory is asked with.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Hyperparam => "hyperparam_node",
            Self::Ablation => "ablation_node",
            task => task.as_str(),
        }
    }

    /// Reads what [`Self::as_str`] or [`Self::hint`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|task| task.as_str() == text || task.hint() == text)
    }

    /// The stage of a search that such nodes belong to, unless it is told.
    pub fn stage(self) -> &'static str {
        match self {
            Self::Draft | Self::Debug => "1_initial_implementation",
            Self::Hyperparam => "2_baseline_tuning",
            Self::Improve => "3_creative_research",
            Self::Ablation => "4_ablation_studies",
        }
    }

    /// The folder of its texts.
    fn folder(self) -> &'static str {
        match self {
            Self::Draft => "agent/parallel/tasks/draft",
            Self::Debug => "agent/parallel/tasks/debug",
            Self::Improve => "agent/parallel/tasks/improve",
            Self::Hyperparam => "agent/parallel/nodes/hyperparam",
            Self::Ablation => "agent/parallel/nodes/ablation",
        }
    }
}

/// What else a model is asked about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideTask {
    ExecutionReview,
    Summary,
    ParseMetrics,
    VlmAnalysis,
}

impl SideTask {
    #[cfg(test)]
    /// All there are.
    pub const ALL: [Self; 4] =
        [Self::ExecutionReview, Self::Summary, Self::ParseMetrics, Self::VlmAnalysis];

    /// The label of its query, and the task hint that memory is asked with.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ExecutionReview => "execution_review",
            Self::Summary => "summary",
            Self::ParseMetrics => "parse_metrics",
            Self::VlmAnalysis => "vlm_analysis",
        }
    }

    /// Its text, without what tells it with memory from without.
    fn base(self) -> &'static str {
        match self {
            Self::ExecutionReview => "agent/parallel/tasks/execution_review/introduction",
            Self::Summary => "agent/parallel/tasks/summary/introduction",
            Self::ParseMetrics => "agent/parallel/tasks/parse_metrics/introduction",
            Self::VlmAnalysis => "agent/parallel/vlm_analysis",
        }
    }
}
