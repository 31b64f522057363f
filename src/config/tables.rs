//! The tables of `.annals/config.toml`, and their defaults.

use std::path::PathBuf;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::Pattern;
use super::{OwnCheck, OwnMatcher};
use crate::event::words;

/// A table: its settings, each with its default.
macro_rules! table {
    (
        $(#[$of_table:meta])*
        $name:ident {
            $($(#[$of_setting:meta])* $setting:ident: $type:ty = $default:expr,)*
        }
    ) => {
        $(#[$of_table])*
        #[derive(Clone, Debug, PartialEq, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $($(#[$of_setting])* pub $setting: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($setting: $default,)* }
            }
        }
    };
}

words! {
    /// Whether the contract's tool list may grow (ruling 4).
    #[derive(Default)]
    pub enum Contract {
        /// Importers and hooks declare what they meet.
        #[default]
        Open = "open",
        /// The eleven names of the first version, and no others.
        Locked = "locked",
    }
}

table! {
    /// `[policy]`: what the gate judges by.
    PolicyConfig {
        /// How long a read of the timeline holds, milliseconds, inclusive (ruling 6). Through hooks it
        /// holds until the session's next failure, where that is longer.
        window_ms: u64 = 10_000,
        /// Refuse an action whose newest run with the same arguments failed not longer ago than this,
        /// seconds, where nothing was changed since; 0: never.
        refuse_repeated_within_s: u64 = 0,
        /// In a failure loop, refuse a mutation until the failure was read.
        read_failure_loops: bool = false,
        /// Shell commands that surely edit files of the project (`sed -i`, here-documents, `tee`, redirections,
        /// `mv`, formatters) are mutations.
        shell_mutations: bool = true,
        /// Shell commands that are checks, besides the known ones.
        checks: Vec<OwnCheck> = Vec::new(),
        /// How lines of what the project's own checks print tell of a problem.
        matchers: Vec<OwnMatcher> = Vec::new(),
    }
}

table! {
    /// `[memory]`: the sizes of branch memory. Characters are Unicode scalar values.
    MemoryConfig {
        /// Whether the phases of a node use memory.
        enabled: bool = true,
        /// A branch's own core, as lines `key: value`; above, the least important goes to the archive.
        core_max_chars: u64 = 2_000,
        /// Events that a branch sees.
        recall_max_events: u64 = 20,
        /// Above this many times `recall_max_events`, older events become summaries.
        consolidation_factor: f64 = 1.5,
        /// Whether that happens by itself.
        auto_consolidate: bool = true,
        /// Records that a search gives where it is not told how many.
        retrieval_k: u64 = 8,
        /// Of one archived text, at least 256; what is longer goes on in further records.
        archival_max_chars: u64 = 8_000,
        /// Of memory in a prompt, and in a prompt of the phases.
        prompt_budget_chars: u64 = 4_000,
        phase_prompt_budget_chars: u64 = 24_000,
        /// How often a model that read memory is asked again.
        max_memory_read_rounds: u64 = 2,
        /// Whether a reply must have a `<memory_update>`, and how often it is asked for.
        require_memory_update: bool = true,
        memory_update_retries: u64 = 2,
        /// Whether searches for all words use the full-text index; without it they find the same.
        use_fts: bool = true,
        /// A command that judges what matters: items on its input, scores on its output.
        importance_model: Option<String> = None,
        /// A command that makes vectors of texts: JSON lines on its input and its output.
        embed: Option<String> = None,
        /// How long a search waits for one, seconds.
        embed_timeout_s: u64 = 5,
        pressure_thresholds: PressureThresholds = PressureThresholds::default(),
    }
}

table! {
    /// `[memory.pressure_thresholds]`: from which share on memory is how full.
    PressureThresholds {
        medium: f64 = 0.7,
        high: f64 = 0.85,
        critical: f64 = 0.95,
    }
}

table! {
    /// `[phases]`: how the phases of a node run.
    PhasesConfig {
        /// How the download phase runs.
        download: DownloadMode = DownloadMode::Iterative,
        /// How many commands a model may give in it, one after the other.
        #[serde(deserialize_with = "some_steps")]
        phase1_max_steps: u64 = 12,
        /// How long one command may take, and one answer of a model; seconds.
        command_timeout_s: u64 = 3_600,
        model_timeout_s: u64 = 600,
        /// A folder whose `prompt/…` files stand in for the built-in ones; from the project's root.
        prompts: Option<PathBuf> = None,
    }
}

/// How the download phase runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DownloadMode {
    /// A model is asked for one command after the other.
    #[default]
    Iterative,
    /// The commands of `phase_artifacts`.
    Batch,
}

/// With none a model could never say that it is done.
fn some_steps<'de, D: Deserializer<'de>>(value: D) -> Result<u64, D::Error> {
    match u64::deserialize(value)? {
        0 => Err(D::Error::custom(
            "phase1_max_steps is 0: give at least 1, or set `download = \"batch\"`, which asks no model",
        )),
        steps => Ok(steps),
    }
}

table! {
    /// `[repo]`: the memory of repositories. Characters are Unicode scalar values.
    RepoConfig {
        /// The folder that `repos/<repoHash>/` lies in; `~/` is the user's home, anything else that is not
        /// absolute is relative to the project.
        home: String = "~/.codex-toolloop".to_owned(),
        /// Whether the end of a step leaves a summary.
        summaries: bool = true,
        /// A command that makes a step's summary: what happened on its input, the summary on its output.
        summary_model: Option<String> = None,
        /// How long it may take, seconds.
        summary_timeout_s: u64 = 60,
        /// Of one summary.
        summary_max_chars: u64 = 2_000,
        /// Of a context pack.
        context_max_chars: u64 = 12_000,
        /// The latest summaries that a context pack has at most.
        context_summaries: u64 = 8,
    }
}

/// A session takes no more attempts.
pub const ATTEMPTS_MAX: u32 = 1_000;

table! {
    /// `[debug]`: debug memory.
    DebugConfig {
        /// So many failed attempts, and a session is escalated: from 1 to [`ATTEMPTS_MAX`].
        #[serde(deserialize_with = "attempts")]
        attempts_max: u32 = 3,
        /// Days that a document is kept after its last change; the longest that applies counts.
        retention_days: u32 = 30,
        /// Where the session was escalated.
        retention_escalated_days: u32 = 90,
        /// Where a pattern was learnt.
        retention_learned_days: u32 = 60,
        /// The folder that a document is copied to before it expires; relative to the project unless
        /// absolute or below `~/`. `None`: the journal's events are all that stays.
        archive: Option<String> = None,
        /// Whether `debug run` keeps the file's code with each attempt.
        snapshot: bool = false,
        hooks: DebugHooksConfig = DebugHooksConfig::default(),
    }
}

table! {
    /// `[debug.hooks]`: a command of the user's behind each hook of the schema, besides what annals does
    /// itself. JSON on its input; what it does never changes what was recorded.
    DebugHooksConfig {
        /// How long one command may take, seconds.
        timeout_s: u64 = 60,
        /// On failure.
        check_similar_past_issues: Option<String> = None,
        /// On failure, where a template is known: the only one that is meant to edit code.
        apply_known_fix_template: Option<String> = None,
        /// On success.
        update_fix_effectiveness: Option<String> = None,
        /// On success.
        extract_learnings: Option<String> = None,
        /// On escalation: the context pack on its input.
        notify_human: Option<String> = None,
        /// On escalation: the export on its input.
        preserve_full_context: Option<String> = None,
    }
}

fn attempts<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let given = u32::deserialize(from)?;
    match (1..=ATTEMPTS_MAX).contains(&given) {
        true => Ok(given),
        false => {
            let why = format_args!("attempts_max is {given}; it must be from 1 to {ATTEMPTS_MAX}");
            Err(D::Error::custom(why))
        }
    }
}

/// When an append is acknowledged (DESIGN, "Writing").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Durability {
    /// Once written: survives the process, not the machine.
    Buffered,
    /// Once a flush covers it.
    #[default]
    Group,
    /// As group, and the tail slot is flushed too.
    Strict,
}

/// `[journal]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JournalConfig {
    pub durability: Durability,
}

/// `[redact]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RedactConfig {
    /// What to take out besides what the built-in rules know.
    pub patterns: Vec<Pattern>,
}

table! {
    /// `[record]`: what of a conversation is recorded, besides prompts, calls and their results.
    RecordConfig {
        /// What the agent says, with its model and tokens, and the summaries that it makes of what was said.
        answers: bool = true,
        /// What it thinks before that.
        thinking: bool = false,
    }
}

table! {
    /// `[quarantine]`: how much is kept of what the journal makes again.
    QuarantineConfig {
        files_max: u64 = 32,
        bytes_max: u64 = 1 << 30,
    }
}
