//! What the schema takes of a document and nobody can keep: import refuses it.

use std::collections::BTreeMap;

use serde_json::{Number, Value};

use super::SchemaFault;
use super::fault::shortened;
use super::walk::walk;
use crate::event::{DebugDocument, Json};

/// So many are told.
const TOLD_MAX: usize = 20;
/// Integers that may be less than nothing.
const SIGNED: [&str; 4] = ["test_line", "line", "occurrences", "ralph_iteration"];

/// What import refuses of a document that the schema takes.
pub(super) fn unkept(schema: &Value, document: &Value) -> Vec<SchemaFault> {
    let mut found = integers(schema, document);
    found.extend(attempts(document));
    if found.is_empty() {
        let canonical = Json::canonical("document", &document.to_string());
        let read = canonical.map_err(|error| error.to_string()).and_then(|json| {
            serde_json::from_str::<DebugDocument>(&json.0).map_err(|error| error.to_string())
        });
        found.extend(read.err().map(|why| fault("", &why)));
    }
    found.truncate(TOLD_MAX);
    found
}

fn integers(schema: &Value, document: &Value) -> Vec<SchemaFault> {
    let mut found = Vec::new();
    walk(schema, schema, document, &mut String::new(), &mut |at, schema, value| {
        let is_integer = schema.and_then(|it| it.get("type")).is_some_and(|it| it == "integer");
        let Some(number) = value.as_number().filter(|_| is_integer) else { return };
        let name = at.rsplit('/').next().unwrap_or_default();
        let (least, most): (i128, i128) = match name {
            "attempt" => (1, u32::MAX.into()),
            name if SIGNED.contains(&name) => (i64::MIN.into(), i64::MAX.into()),
            _ => (0, u64::MAX.into()),
        };
        if found.len() < TOLD_MAX && !(least..=most).contains(&whole(number)) {
            found.push(fault(at, &format!("it must be from {least} to {most}")));
        }
    });
    found
}

#[expect(clippy::cast_possible_truncation, reason = "what is beyond 128 bits is so still")]
fn whole(number: &Number) -> i128 {
    let integer = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from));
    integer.unwrap_or_else(|| number.as_f64().map_or(i128::MAX, |it| it as i128))
}

/// Attempts of one number: only one of them could be kept.
fn attempts(document: &Value) -> Vec<SchemaFault> {
    let executions = document.get("executions").and_then(Value::as_array).into_iter().flatten();
    let mut first: BTreeMap<i128, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (index, execution) in executions.enumerate() {
        let Some(number) = execution.get("attempt").and_then(Value::as_number) else { continue };
        let number = whole(number);
        match first.get(&number) {
            Some(other) if found.len() < TOLD_MAX => {
                let why = format!("it is {number}, as /executions/{other}/attempt is");
                found.push(fault(&format!("/executions/{index}/attempt"), &why));
            }
            Some(_) => {}
            None => drop(first.insert(number, index)),
        }
    }
    found
}

fn fault(at: &str, why: &str) -> SchemaFault {
    SchemaFault { at: shortened(at), why: shortened(why) }
}
