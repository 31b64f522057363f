//! Reads any JSON value as long as it does not come to too much.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::debug::limits::IMPORT_BYTES_MAX;

/// Bytes that a value costs besides its text.
const VALUE_BYTES: u64 = 32;
/// Of a member's name, characters that are told.
const NAME_CHARS_TOLD: usize = 80;

/// What may still come.
pub(super) struct Bounded(Cell<u64>);

impl Default for Bounded {
    fn default() -> Self {
        Self(Cell::new(4 * IMPORT_BYTES_MAX))
    }
}

impl Bounded {
    /// Reads one value within what may still come.
    pub(super) fn seed(&self) -> Seed<'_> {
        Seed(self)
    }

    fn pay<E: Error>(&self, bytes: usize) -> Result<(), E> {
        let cost = VALUE_BYTES.saturating_add(bytes as u64);
        let left = self.0.get().checked_sub(cost);
        self.0.set(left.unwrap_or_default());
        left.map(drop).ok_or_else(|| E::custom("it comes to more than is taken"))
    }
}

/// Reads one value.
#[derive(Clone, Copy)]
pub(super) struct Seed<'b>(&'b Bounded);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, it: bool) -> Result<Value, E> {
        self.0.pay(0).map(|()| it.into())
    }

    fn visit_i64<E: Error>(self, it: i64) -> Result<Value, E> {
        self.0.pay(0).map(|()| it.into())
    }

    fn visit_u64<E: Error>(self, it: u64) -> Result<Value, E> {
        self.0.pay(0).map(|()| it.into())
    }

    fn visit_f64<E: Error>(self, it: f64) -> Result<Value, E> {
        self.0.pay(0).map(|()| it.into())
    }

    fn visit_str<E: Error>(self, it: &str) -> Result<Value, E> {
        self.0.pay(it.len()).map(|()| it.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.0.pay(0).map(|()| Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        self.0.pay(0)?;
        let mut found = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            found.push(item);
        }
        Ok(found.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        self.0.pay(0)?;
        let mut found = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            self.0.pay(name.len())?;
            let value = members.next_value_seed(self)?;
            if found.contains_key(&name) {
                let name = name.chars().take(NAME_CHARS_TOLD).collect::<String>();
                return Err(A::Error::custom(format_args!("the member {name:?} is there twice")));
            }
            found.insert(name, value);
        }
        Ok(found.into())
    }
}
