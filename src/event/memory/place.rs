//! Where the logs of a run lie, as spec 003's "Files Generated Per Node" names the folders.

use bincode::{Decode, Encode};

/// `experiments/<run>/logs/<index>-<name>/`
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Experiment {
    pub run: String,
    pub index: u64,
    pub name: String,
}

/// One query of a model: `prompt_logs/<session>/<label>_round<round>`.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PromptPlace {
    pub experiment: Experiment,
    pub session: String,
    /// The stage of the search.
    pub stage: String,
    /// What was asked and the attempt: `draft_attempt1`.
    pub label: String,
    /// How many queries of this session came before, plus one.
    pub counter: u64,
    /// 0, then one more for each answer to a read of memory.
    pub round: u64,
}
