//! The prompts of spec 003: their texts, which a user can change, and how a prompt is put together.

mod context;
mod error;
mod generate;
mod library;
mod sections;
mod task;
#[cfg(test)]
mod tests;
mod texts;
mod unused;

pub use context::PromptContext;
pub use error::PromptError;
pub use generate::{
    ablation_prompt, debug_prompt, draft_prompt, hyperparam_prompt, improve_prompt,
    inject_split_phase_context, phase1_prompt, side_prompt, task_prompt,
};
pub use library::Prompts;
pub use sections::{Prompt, Section};
pub use task::{SideTask, Task};
pub use texts::{TEXTS, text_path};
