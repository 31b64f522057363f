//! Fields that may be of any JSON type: the wanted type is taken, any other reads as absent.
//!
//! Thirty versions of the agent have written transcripts, and a field that changed its type must
//! not make a record unreadable. Strings borrow from the line wherever they hold no escape.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// An object of the wanted shape; what is none of it has nothing in it.
pub fn object<'a, T: Deserialize<'a> + Default>(json: &'a [u8]) -> T {
    parsed::<Loose<T>>(json).and_then(|object| object.0).unwrap_or_default()
}

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
#[derive(Debug, Clone, Copy)]
pub struct Loose<T>(pub Option<T>);

/// A list, each of whose elements is read as it can be, or nothing.
#[derive(Debug, Clone)]
pub struct List<T>(pub Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Lenient<'de> for List<T> {
    fn of_list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        let mut found = Vec::new();
        while let Some(element) = list.next_element()? {
            found.push(element);
        }
        Ok(Self(found))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::read(from)
    }
}

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
    /// A whole number of things; `None` where it is none.
    pub fn to_count(self) -> Option<u64> {
        const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
        let is_count = |count: &f64| (0.0..EXACT_MAX).contains(count) && count.fract() == 0.0;
        self.0.filter(is_count).map(|count| count as u64)
    }

    /// Whole milliseconds, rounded; `None` below zero or beyond a hundred years.
    pub fn to_ms(self, unit_ms: f64) -> Option<u64> {
        const CENTURY_MS: f64 = 100.0 * 366.0 * 86_400_000.0;
        let ms = self.0? * unit_ms;
        (0.0..CENTURY_MS).contains(&ms).then_some(ms.round() as u64)
    }
}

/// What takes the JSON types that it wants, and reads every other as its default.
pub trait Lenient<'de>: Default {
    fn of_flag(_: bool) -> Self {
        Self::default()
    }

    fn of_number(_: f64) -> Self {
        Self::default()
    }

    fn of_text(_: Cow<'de, str>) -> Self {
        Self::default()
    }

    fn of_list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }

    fn of_object<A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }

    fn read<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reading(PhantomData))
    }
}

struct Reading<T>(PhantomData<T>);

impl<'de, T: Lenient<'de>> Visitor<'de> for Reading<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_bool<E>(self, flag: bool) -> Result<T, E> {
        Ok(T::of_flag(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<T, E> {
        Ok(T::of_number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<T, E> {
        Ok(T::of_number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<T, E> {
        Ok(T::of_number(number))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<T, E> {
        Ok(T::of_text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(T::of_text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        T::of_list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<T, A::Error> {
        T::of_object(object)
    }
}

impl<'de> Lenient<'de> for Text<'de> {
    fn of_text(text: Cow<'de, str>) -> Self {
        Self(Some(text))
    }
}

impl Lenient<'_> for Flag {
    fn of_flag(flag: bool) -> Self {
        Self(flag)
    }
}

impl Lenient<'_> for Number {
    fn of_number(number: f64) -> Self {
        Self(Some(number))
    }
}

impl<'de, T: Deserialize<'de>> Lenient<'de> for Loose<T> {
    fn of_object<A: MapAccess<'de>>(object: A) -> Result<Self, A::Error> {
        T::deserialize(MapAccessDeserializer::new(object)).map(|value| Self(Some(value)))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Text::read(from)
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::read(from)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::read(from)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Loose<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::read(from)
    }
}
