//! What a model proposes to do: `phase_artifacts` and `constraints` (spec 003, "Phase Execution").

mod coding;
mod command;
mod compile;
mod constraints;
mod download;
mod run;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use crate::parse::reply::field::Field;
use crate::parse::reply::{ReplyError, Updates, answer, extract_memory_updates};

pub use coding::{PlannedFile, WorkspacePlan};
pub use command::{PlannedCommand, quoted};
pub use compile::CompilePlan;
pub use constraints::Constraints;
pub use download::DownloadPlan;
pub use run::RunPlan;

/// What a model proposes to do, read and found sound.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseArtifacts {
    pub download: DownloadPlan,
    pub coding: WorkspacePlan,
    pub compile: CompilePlan,
    pub run: RunPlan,
    pub constraints: Constraints,
    /// `{"constraints", "phase_artifacts"}` as they were given, canonical JSON.
    pub json: String,
}

/// What a reply must have.
pub const WANTS: &str = "`phase_artifacts` (download, coding, compile, run) and `constraints`";

const SECTIONS: [&str; 4] = ["download", "coding", "compile", "run"];

impl PhaseArtifacts {
    /// Reads the object that has them.
    ///
    /// # Errors
    /// Where a part is missing or cannot be; the error names it.
    pub fn of(value: &Value) -> Result<Self, ReplyError> {
        let whole = Field::new("phase_artifacts", payload(value));
        // Some models put the one object into a list.
        let whole = sole(whole);
        whole.object("an object with download, coding, compile and run")?;
        let section = |name: &str| whole.member(name).map(sole);
        let constraints = value.get("constraints").filter(|value| !value.is_null());
        let constraints = constraints.map(|value| sole(Field::new("constraints", value)));
        let mut parts = Map::new();
        parts.insert("phase_artifacts".to_owned(), whole.value.clone());
        if let Some(constraints) = &constraints {
            parts.insert("constraints".to_owned(), constraints.value.clone());
        }
        Ok(Self {
            download: DownloadPlan::read(section("download").as_ref())?,
            coding: WorkspacePlan::read(section("coding").as_ref())?,
            compile: CompilePlan::read(section("compile").as_ref())?,
            run: RunPlan::read(section("run").as_ref())?,
            constraints: Constraints::read(constraints.as_ref())?,
            json: json!(parts).to_string(),
        })
    }
}

/// Reads a whole reply: its `<memory_update>`, and what it proposes to do.
///
/// # Errors
/// Where the block is missing and required, or either cannot be read.
pub fn extract_phase_artifacts(
    reply: &str,
    require_memory_update: bool,
) -> Result<(Option<Updates>, PhaseArtifacts), ReplyError> {
    let extracted = extract_memory_updates(reply, require_memory_update)?;
    Ok((extracted.updates, artifacts_of(&extracted.rest)?))
}

/// Reads what a reply proposes to do, without its `<memory_update>`.
///
/// # Errors
/// Where it is missing or cannot be read.
pub fn artifacts_of(rest: &str) -> Result<PhaseArtifacts, ReplyError> {
    PhaseArtifacts::of(&answer(rest, WANTS, has_artifacts)?)
}

fn has_artifacts(value: &Value) -> bool {
    let has = |name: &str| value.get(name).is_some();
    has("phase_artifacts") || has("plan") || SECTIONS.into_iter().all(has)
}

/// The reference also takes `plan`, or the four sections without a name around them.
fn payload(value: &Value) -> &Value {
    value.get("phase_artifacts").or_else(|| value.get("plan")).unwrap_or(value)
}

fn sole(field: Field<'_>) -> Field<'_> {
    match field.value.as_array().map(Vec::as_slice) {
        Some([one]) => Field { at: field.at, value: one },
        _ => field,
    }
}
