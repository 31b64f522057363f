//! Values of attributes, and times, as OTLP's JSON has them.

use std::borrow::Cow;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::agents::import::item::Head;
use crate::agents::import::loose::parsed;
use crate::agents::import::odd::Stamp;

/// Of `AnyValue` the value; OTLP's JSON writes whole numbers as texts.
pub fn plain(any: Value) -> Option<Value> {
    let Value::Object(any) = any else { return None };
    let (kind, value) = any.into_iter().next()?;
    Some(match (kind.as_str(), value) {
        ("stringValue", Value::String(text)) => text.into(),
        ("intValue", Value::String(number)) => number.parse::<i64>().ok()?.into(), // no number of OTLP's
        ("intValue" | "doubleValue", Value::Number(number)) => number.into(),
        ("boolValue", Value::Bool(flag)) => flag.into(),
        ("arrayValue", Value::Object(mut list)) => match list.remove("values") {
            Some(Value::Array(values)) => values.into_iter().filter_map(plain).collect(),
            _ => Value::Array(Vec::new()),
        },
        ("kvlistValue", Value::Object(mut list)) => match list.remove("values") {
            Some(Value::Array(pairs)) => {
                let pair = |mut pair: Value| {
                    let key = pair.get("key")?.as_str()?.to_owned();
                    Some((key, plain(pair.get_mut("value")?.take()).unwrap_or_default()))
                };
                Value::Object(pairs.into_iter().filter_map(pair).collect())
            }
            _ => Value::Object(serde_json::Map::new()),
        },
        _ => return None,
    })
}

/// What a result says that is `{"stdout": …, "stderr": …}`, or one of them.
pub fn streams(json: &str) -> Option<[Option<Vec<u8>>; 2]> {
    let Value::Object(mut printed) = parsed(json.as_bytes())? else { return None };
    let mut take = |name| match printed.remove(name) {
        Some(Value::String(text)) => Some(Some(text.into_bytes())),
        Some(_) => None,
        None => Some(None),
    };
    let both = [take("stdout")?, take("stderr")?];
    (printed.is_empty() && both.iter().any(Option::is_some)).then_some(both)
}

/// The head of a time in nanoseconds.
pub fn time(raw: Option<&RawValue>) -> Head {
    let words =
        raw.map(|raw| raw.get().trim_matches('"')).filter(|it| !matches!(*it, "0" | "null"));
    Head::told(raw.and_then(nanos), &Stamp(words.map(Cow::Borrowed)))
}

/// Nanoseconds, as a text or a number, in milliseconds; 0 stands for none.
fn nanos(raw: &RawValue) -> Option<u64> {
    let text = parsed::<String>(raw.get().as_bytes());
    let nanos: u64 = text.as_deref().unwrap_or(raw.get()).parse().ok()?;
    Some(nanos / 1_000_000).filter(|ms| *ms > 0)
}
