//! A JSON object's fields, taken one by one, each fault with its field's name.
//!
//! Values stay raw until they are taken, so that integers beyond 2^53 in arguments survive.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::LineError;

/// Every field a line may have, in the order of the documentation.
pub const NAMES: &[&str] = &[
    "tool",
    "arguments",
    "outcome",
    "success",
    "exit_code",
    "duration_ms",
    "error",
    "stdout",
    "stderr",
    "diagnostics",
    "paths",
    "symbols",
    "changed",
    "at",
    "session",
    "agent",
    "call",
    "execution",
    "native_tool",
    "cwd",
    "branch",
];

/// The contract's own names (spec 000, "Record tool invocations"), taken for ours.
const CONTRACT_NAMES: &[(&str, &str)] = &[
    ("tool_name", "tool"),
    ("timestamp", "at"),
    ("execution_id", "execution"),
    ("error_message", "error"),
    ("target_paths", "paths"),
    ("target_symbols", "symbols"),
];

/// The fields of one line that were not taken yet.
pub struct Fields<'a> {
    left: BTreeMap<String, &'a RawValue>,
}

impl<'a> Fields<'a> {
    /// Reads a line.
    pub fn of(line: &'a [u8]) -> Result<Self, LineError> {
        let mut left: BTreeMap<String, &RawValue> =
            serde_json::from_slice(line).map_err(|source| LineError::NotObject { source })?;
        for (contract, ours) in CONTRACT_NAMES {
            // Where both are given, the contract's stays behind and is refused as unknown.
            if !left.contains_key(*ours)
                && let Some(value) = left.remove(*contract)
            {
                left.insert((*ours).to_owned(), value);
            }
        }
        match left.keys().find(|name| !NAMES.contains(&name.as_str())) {
            Some(field) => Err(LineError::Unknown { field: field.clone() }),
            None => Ok(Self { left }),
        }
    }

    /// Takes a field; `None` where it is absent or null.
    pub fn take<T: Deserialize<'a>>(&mut self, field: &str) -> Result<Option<T>, LineError> {
        match self.left.remove(field) {
            None => Ok(None),
            Some(raw) => serde_json::from_str::<Option<T>>(raw.get())
                .map_err(|source| LineError::Value { field: field.to_owned(), source }),
        }
    }

    /// Takes a field's JSON as it was written; `None` where it is absent or null.
    pub fn take_raw(&mut self, field: &str) -> Option<&'a str> {
        self.left.remove(field).map(RawValue::get).filter(|raw| *raw != "null")
    }
}
