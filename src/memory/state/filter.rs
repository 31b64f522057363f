//! Which values are wanted, by what their members are.

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// Members that a value must have: equal to what is given, or as an object of operators says (`$eq`, `$ne`, `$gt`,
/// `$gte`, `$lt`, `$lte`); an object without operators is what the member must be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter(Map<String, Value>);

impl Filter {
    /// `None` where it is no object, or has an operator that there is not.
    pub fn of(given: Value) -> Option<Self> {
        let Value::Object(members) = given else { return None };
        let mut asked = members.values().filter_map(Value::as_object).flat_map(Map::keys);
        asked
            .all(|name| !name.starts_with('$') || OPERATORS.contains(&name.as_str()))
            .then_some(())?;
        Some(Self(members))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn takes(&self, value: &Value) -> bool {
        self.0.iter().all(|(name, wanted)| is_as(value.get(name).unwrap_or(&Value::Null), wanted))
    }
}

const OPERATORS: [&str; 6] = ["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"];

fn is_as(found: &Value, wanted: &Value) -> bool {
    match wanted {
        Value::Object(asked) if asked.keys().any(|name| name.starts_with('$')) => {
            asked.iter().all(|(name, wanted)| {
                let order = order(found, wanted);
                match name.as_str() {
                    "$eq" => is_equal(found, wanted),
                    "$ne" => !is_equal(found, wanted),
                    "$gt" => order == Some(Ordering::Greater),
                    "$gte" => order.is_some_and(Ordering::is_ge),
                    "$lt" => order == Some(Ordering::Less),
                    "$lte" => order.is_some_and(Ordering::is_le),
                    _ => false,
                }
            })
        }
        Value::Object(members) => found.as_object().is_some_and(|found| {
            members.iter().all(|(name, wanted)| found.get(name).is_some_and(|it| is_as(it, wanted)))
        }),
        Value::Array(wanted) => found.as_array().is_some_and(|found| {
            found.len() == wanted.len() && found.iter().zip(wanted).all(|(it, to)| is_as(it, to))
        }),
        wanted => is_equal(found, wanted),
    }
}

/// 1 is 1.0.
fn is_equal(a: &Value, b: &Value) -> bool {
    a == b || (a.is_number() && order(a, b) == Some(Ordering::Equal))
}

/// Of two numbers, or two texts.
fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        (Value::Number(a), Value::Number(b)) => match (a.as_i128(), b.as_i128()) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
        },
        _ => None,
    }
}
