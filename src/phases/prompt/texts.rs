//! The built-in texts, under the paths that spec 003 gives them.

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
