//! The prompts of spec 003: their texts, which a user can change, and how a prompt is put together.

mod generate;
mod library;
#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;

use serde::{Serialize, Serializer};

use crate::event::words;
use crate::fault::{Class, Fault, Remedy, Sorted};
use crate::journal::fault;

pub use generate::{inject_split_phase_context, phase1_prompt, side_prompt, task_prompt};
pub use library::{Prompts, TEXTS, text_path};

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
        "there is no folder {}, which `[phases] prompts` of .annals/config.toml names: make it, \
         or take the setting away",
        path.display()
    )]
    NoFolder { path: PathBuf },
    #[error("there is no text {path:?}")]
    Unknown { path: String },
}

impl Fault for PromptError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Read { source, .. } | Self::Write { source, .. } => fault::of_io(source),
            Self::NoFolder { .. } => Class::Refused.with(Remedy::ExportPrompts),
            _ => Class::Refused.alone(),
        }
    }
}

pub type Result<T, E = PromptError> = std::result::Result<T, E>;

/// What a prompt is put together from; what is empty or `None` has no section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptContext {
    /// `memory.enabled`: which texts are taken.
    pub memory: bool,
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

words! {
    /// What a node is for (spec 003, "Detailed Flow by Node Type"), as the command line and the labels of
    /// queries have it.
    pub enum Task {
        Draft = "draft",
        Debug = "debug",
        Improve = "improve",
        Hyperparam = "hyperparam",
        Ablation = "ablation",
    }
}

impl Task {
    /// The task hint that memory is asked with.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Hyperparam => "hyperparam_node",
            Self::Ablation => "ablation_node",
            task => task.as_str(),
        }
    }

    /// The one of this word, or of this hint.
    pub fn named(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|task| task.as_str() == text || task.hint() == text)
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

words! {
    /// What else a model is asked about a node, as its label and the task hint that memory is asked with.
    pub enum SideTask {
        ExecutionReview = "execution_review",
        Summary = "summary",
        ParseMetrics = "parse_metrics",
        VlmAnalysis = "vlm_analysis",
    }
}

impl SideTask {
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

/// A prompt: named sections, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompt {
    sections: Vec<(String, Section)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Section {
    Text(String),
    /// Named parts, in order.
    Parts(Vec<(String, String)>),
}

impl Prompt {
    /// Puts a section at the end; one of this name that is there already is replaced where it is.
    pub fn set(&mut self, name: &str, text: impl Into<String>) {
        self.put(name, Section::Text(text.into()));
    }

    pub fn set_parts(&mut self, name: &str, parts: Vec<(String, String)>) {
        self.put(name, Section::Parts(parts));
    }

    fn put(&mut self, name: &str, section: Section) {
        match self.sections.iter_mut().find(|(one, _)| one == name) {
            Some((_, old)) => *old = section,
            None => self.sections.push((name.to_owned(), section)),
        }
    }

    pub fn remove(&mut self, name: &str) {
        self.sections.retain(|(one, _)| one != name);
    }

    pub fn get(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|(one, _)| one == name).map(|(_, section)| section)
    }

    pub fn names(&self) -> Vec<&str> {
        self.sections.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// As a model reads it: Markdown, a heading for each section and part.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for (name, section) in &self.sections {
            match section {
                Section::Text(said) => heading(&mut text, "#", name, said),
                Section::Parts(parts) => {
                    heading(&mut text, "#", name, "");
                    for (name, said) in parts {
                        heading(&mut text, "##", name, said);
                    }
                }
            }
        }
        text
    }

    /// As it is recorded: a JSON object whose members stand in order.
    pub fn json(&self) -> String {
        // Serialization of texts to a string has no way to fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

fn heading(text: &mut String, mark: &str, name: &str, said: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&format!("{mark} {name}\n"));
    if !said.trim().is_empty() {
        text.push_str(&format!("\n{}\n", said.trim_end()));
    }
}

impl Serialize for Prompt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.sections.iter().map(|(name, section)| (name, section)))
    }
}

impl Serialize for Section {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Parts(parts) => {
                serializer.collect_map(parts.iter().map(|(name, text)| (name, text)))
            }
        }
    }
}
