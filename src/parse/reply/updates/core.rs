//! What a model writes to core memory.

use crate::parse::reply::ReplyError;
use crate::parse::reply::field::Field;

/// A key and the value it is to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreWrite {
    pub key: String,
    pub value: String,
    /// 1 to 5; `None`: what a model's writes have unless they say so.
    pub importance: Option<u8>,
    /// As it was given: decimal seconds, or any text.
    pub ttl: Option<String>,
}

impl CoreWrite {
    /// A plain value, or `{"value", "importance", "ttl"}`.
    pub(super) fn read(key: &str, field: &Field<'_>) -> Result<Self, ReplyError> {
        let key = key.to_owned();
        if field.value.is_null() {
            return Err(field.wrong("a text; `core_delete` takes a key away"));
        }
        if !field.value.is_object() {
            let value = match field.value.is_array() {
                true => field.value.to_string(),
                false => field.scalar()?,
            };
            return Ok(Self { key, value, importance: None, ttl: None });
        }
        let Some(value) = field.member("value") else {
            return Err(field.wrong("a text, or an object with `value`"));
        };
        let value = match value.value.is_array() || value.value.is_object() {
            true => value.value.to_string(),
            false => value.scalar()?,
        };
        let importance = match field.member("importance") {
            None => None,
            Some(importance) => Some(clamped(&importance)?),
        };
        let ttl = field.member("ttl").map(|ttl| ttl.scalar()).transpose()?;
        Ok(Self { key, value, importance, ttl })
    }
}

/// A number, brought between 1 and 5.
fn clamped(field: &Field<'_>) -> Result<u8, ReplyError> {
    let number = match field.value {
        serde_json::Value::String(text) => text.trim().parse().ok(), // a text that is no number
        value => value.as_f64(),
    };
    let number = number.filter(|number: &f64| number.is_finite());
    // Between 1 and 5 nothing is cut by the conversion but the fraction.
    number.map(|n| n.clamp(1.0, 5.0) as u8).ok_or_else(|| field.wrong("a number from 1 to 5"))
}
