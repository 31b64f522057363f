//! Fields that may be of any JSON type: the wanted type is taken, any other reads as absent.
//!
//! Thirty versions of the agent have written transcripts, and a field that changed its type must
//! not make a record unreadable. Strings borrow from the line wherever they hold no escape.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// What these bytes hold, where they are JSON of that shape. A transcript's own mistakes are not
/// errors to hand on: who reads it takes what is there.
pub fn parsed<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Option<T> {
    serde_json::from_slice(json).ok() // as the doc comment says
}

/// A string, or nothing.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Text<'a>(pub Option<Cow<'a, str>>);

/// `true`, or not.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Flag(pub bool);

/// A number, or nothing.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Number(pub Option<f64>);

/// An object of the wanted shape, or nothing.
#[derive(Debug, Clone)]
pub struct Loose<T>(pub Option<T>);

impl Text<'_> {
    pub fn as_deref(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// Unix milliseconds, where it is a time after 1970.
    pub fn to_unix_ms(&self) -> Option<u64> {
        let stamp: jiff::Timestamp = self.as_deref()?.parse().ok()?;
        u64::try_from(stamp.as_millisecond()).ok()
    }

    /// An owned copy of a text that is not empty.
    pub fn to_text(&self) -> Option<String> {
        self.0.as_deref().filter(|text| !text.is_empty()).map(str::to_owned)
    }
}

impl<T> Default for Loose<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl Number {
    /// Whole milliseconds, rounded; `None` below zero or beyond a hundred years.
    pub fn to_ms(self, unit_ms: f64) -> Option<u64> {
        const CENTURY_MS: f64 = 100.0 * 366.0 * 86_400_000.0;
        let ms = self.0? * unit_ms;
        (0.0..CENTURY_MS).contains(&ms).then_some(ms.round() as u64)
    }
}

/// Reads every JSON type that is not wanted as the default.
macro_rules! otherwise_default {
    ($($method:ident($type:ty)),*) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("any JSON")
        }
        $(fn $method<E>(self, _: $type) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        })*
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
}

macro_rules! seq_default {
    () => {
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
}

macro_rules! map_default {
    () => {
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
}

pub(super) use {map_default, otherwise_default};

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;
    otherwise_default!(visit_bool(bool), visit_i64(i64), visit_u64(u64), visit_f64(f64));
    seq_default!();
    map_default!();

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Text(Some(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text(Some(Cow::Owned(text.to_owned()))))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TextVisitor)
    }
}

struct FlagVisitor;

impl<'de> Visitor<'de> for FlagVisitor {
    type Value = Flag;
    otherwise_default!(visit_i64(i64), visit_u64(u64), visit_f64(f64), visit_str(&str));
    seq_default!();
    map_default!();

    fn visit_bool<E>(self, flag: bool) -> Result<Self::Value, E> {
        Ok(Flag(flag))
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(FlagVisitor)
    }
}

struct NumberVisitor;

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = Number;
    otherwise_default!(visit_bool(bool), visit_str(&str));
    seq_default!();
    map_default!();

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Number(Some(number as f64)))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Number(Some(number as f64)))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Number(Some(number)))
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(NumberVisitor)
    }
}

struct LooseVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for LooseVisitor<T> {
    type Value = Loose<T>;
    otherwise_default!(
        visit_bool(bool),
        visit_i64(i64),
        visit_u64(u64),
        visit_f64(f64),
        visit_str(&str)
    );
    seq_default!();

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(|value| Loose(Some(value)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Loose<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(LooseVisitor(PhantomData))
    }
}
