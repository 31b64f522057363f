//! Recorded diagnostics as entities.

use serde::Deserialize;
use serde_json::Value;

use crate::store::code_graph::DiagnosticNode;

/// Diagnostics of one execution that get an edge, the first ones.
const LEN_MAX: usize = 2_000;

/// Spec 000's diagnostic object. Whatever else an object says is the artifact's to keep.
#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    level: Option<String>,
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    file_name: Option<String>,
    #[serde(default)]
    line_start: Option<u64>,
}

/// The diagnostics of a JSON array; what is not of their shape has no entity.
pub(super) fn of(json: &str) -> Vec<DiagnosticNode> {
    let values: Vec<Value> = serde_json::from_str(json).unwrap_or_default(); // the index lists it
    let told = values.into_iter().filter_map(|value| Told::deserialize(value).ok()); // as above
    told.take(LEN_MAX)
        .map(|told| DiagnosticNode {
            code: told.code,
            level: told.level.unwrap_or_else(|| "diagnostic".to_owned()),
            file_name: told.file_name,
            line_start: told.line_start,
            message: told.message.unwrap_or_default(),
        })
        .collect()
}
