//! Holds a document against the keywords that the contract's schema uses.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};
use uuid::Uuid;

use super::{SchemaFault, shortened, walk};
use crate::event::{DebugDocument, Json};

const FAULTS_MAX: usize = 20;
const UUID_CHARS: usize = 36;

pub(super) fn check(schema: &Value, document: &Value, strict: bool) -> Vec<SchemaFault> {
    let mut faults = Vec::new();
    walk(schema, schema, document, &mut String::new(), &mut |at, schema, value| {
        let Some(schema) = schema.and_then(Value::as_object) else { return };
        let found = [
            wrong_type(schema, value),
            wrong_choice(schema, value),
            out_of_bounds(schema, value),
            too_short(schema, value),
            wrong_format(schema, value).filter(|_| strict),
        ];
        let why = found.into_iter().flatten().chain(missing(schema, value));
        let left = FAULTS_MAX.saturating_sub(faults.len());
        let told = |why: String| SchemaFault { at: shortened(at), why: shortened(&why) };
        faults.extend(why.take(left).map(told));
    });
    faults
}

fn wrong_type(schema: &Map<String, Value>, value: &Value) -> Option<String> {
    let wanted = schema.get("type")?.as_str()?;
    let is_it = match wanted {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(is_whole),
        _ => true,
    };
    (!is_it).then(|| format!("it is not of type \"{wanted}\""))
}

/// JSON Schema takes 1.0 for an integer.
fn is_whole(number: f64) -> bool {
    number.fract() == 0.0
}

fn missing<'s>(
    schema: &'s Map<String, Value>,
    value: &'s Value,
) -> impl Iterator<Item = String> + use<'s> {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let members = value.as_object();
    required
        .filter_map(Value::as_str)
        .filter(move |name| members.is_some_and(|members| !members.contains_key(*name)))
        .map(|name| format!("\"{name}\" is a required property"))
}

fn wrong_choice(schema: &Map<String, Value>, value: &Value) -> Option<String> {
    let choices = schema.get("enum")?.as_array()?;
    let names = || choices.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
    (!choices.contains(value)).then(|| format!("it is not one of {}", names()))
}

fn out_of_bounds(schema: &Map<String, Value>, value: &Value) -> Option<String> {
    let number = value.as_f64()?;
    let bound = |name| schema.get(name).and_then(Value::as_f64);
    let below = bound("minimum").filter(|least| number < *least);
    let above = bound("maximum").filter(|most| number > *most);
    below
        .map(|least| format!("it is less than the minimum of {least}"))
        .or_else(|| above.map(|most| format!("it is greater than the maximum of {most}")))
}

fn too_short(schema: &Map<String, Value>, value: &Value) -> Option<String> {
    let least = usize::try_from(schema.get("minLength")?.as_u64()?).ok()?;
    let is_short = value.as_str()?.chars().take(least).count() < least;
    is_short.then(|| format!("it is shorter than {least} characters"))
}

fn wrong_format(schema: &Map<String, Value>, value: &Value) -> Option<String> {
    let (format, text) = (schema.get("format")?.as_str()?, value.as_str()?);
    let is_it = match format {
        "uuid" => text.len() == UUID_CHARS && Uuid::try_parse(text).is_ok(),
        "date-time" => is_date_time(text),
        _ => true,
    };
    (!is_it).then(|| format!("it is not a \"{format}\""))
}

/// RFC 3339: jiff reads more than that, so its shape is looked at first.
fn is_date_time(text: &str) -> bool {
    let shape = text.char_indices().all(|(at, char)| match at {
        4 | 7 => char == '-',
        10 => matches!(char, 'T' | 't'),
        13 | 16 => char == ':',
        0..=18 => char.is_ascii_digit(),
        _ => char.is_ascii_digit() || matches!(char, '.' | ':' | '+' | '-' | 'Z' | 'z'),
    });
    let zone = text.get(19..).unwrap_or_default();
    let zone = zone.strip_prefix('.').map_or(zone, |it| it.trim_start_matches(char::is_numeric));
    let is_zone = matches!(zone, "Z" | "z")
        || zone.len() == 6 && zone.as_bytes()[3] == b':' && zone.starts_with(['+', '-']);
    shape && is_zone && text.parse::<jiff::Timestamp>().is_ok()
}

const TOLD_MAX: usize = 20;
/// Integers that may be less than nothing.
const SIGNED: [&str; 4] = ["test_line", "line", "occurrences", "ralph_iteration"];

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
