//! An attempt: the tests were run on the code as it was.

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

use super::TestFailure;
use crate::event::{Content, DebugSessionId, ExecutionId, Json};

/// The tests were run on the code as it was.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct AttemptRecorded {
    #[serde(rename = "debug_session")]
    pub session: DebugSessionId,
    /// From 1, in its session.
    pub attempt: u32,
    /// The recorded execution of the tests, where there is one.
    pub execution: Option<ExecutionId>,
    /// SHA-256 of the code in hexadecimal digits, or what the caller gave.
    pub code_hash: String,
    /// The code itself, where it was asked for.
    pub code_snapshot: Option<Content>,
    pub environment: Option<DebugEnvironment>,
    #[serde(rename = "test_results")]
    pub results: TestResults,
    /// As many as were kept; [`TestResults::failed`] counts them all.
    pub failures: Vec<TestFailure>,
}

/// What the tests ran in.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode, Serialize, Deserialize)]
pub struct DebugEnvironment {
    /// `rust`, `python`, `node`, `go`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime_version: Option<String>,
    /// `cargo test`, `pytest`, `jest`, `go test`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_framework: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    /// A JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "object")]
    pub additional: Option<Json>,
}

/// What the tests came to.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode, Serialize, Deserialize)]
pub struct TestResults {
    pub total: u64,
    pub passed: u64,
    pub failed: u64,
    /// Runtime errors, which are no failed assertions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_percent: Option<f64>,
}

impl TestResults {
    /// Whether something ran and nothing failed.
    pub fn is_passed(&self) -> bool {
        self.failed == 0 && self.errors.unwrap_or(0) == 0
    }

    /// How many ran, whatever they came to.
    pub fn ran(&self) -> u64 {
        self.passed.saturating_add(self.failed).saturating_add(self.errors.unwrap_or(0))
    }
}

/// JSON inside of JSON: the text's value, not the text.
mod object {
    use serde::de::{self, Deserialize, Deserializer};
    use serde::ser::{Error, Serialize, Serializer};
    use serde_json::value::RawValue;

    use crate::event::Json;

    pub fn serialize<S: Serializer>(json: &Option<Json>, to: S) -> Result<S::Ok, S::Error> {
        let raw = json.as_ref().map(|json| RawValue::from_string(json.0.clone())).transpose();
        raw.map_err(S::Error::custom)?.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Json>, D::Error> {
        // As text: a number that goes through a float may not come back the same.
        let Some(raw) = Option::<Box<RawValue>>::deserialize(from)? else { return Ok(None) };
        let json = Json::canonical("additional", raw.get()).map_err(de::Error::custom)?;
        match json.is_object() {
            true => Ok(Some(json)),
            false => Err(de::Error::custom("additional must be an object")),
        }
    }
}
