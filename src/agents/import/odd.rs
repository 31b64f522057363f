//! Fields of which it matters whether something else stands in their place: that is told, and not taken for nothing.

use std::borrow::Cow;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess};

use super::loose::{Lenient, Number, Text};

/// A time as it stands there: its words, also where they are no time.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Stamp<'a>(pub Option<Cow<'a, str>>);

/// How many of something: nothing, a whole number, or something else in its place.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    #[default]
    Absent,
    Of(u64),
    Odd,
}

/// An object of the wanted shape, nothing, or something else in its place.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Given<T> {
    #[default]
    Absent,
    Is(T),
    Odd,
}

/// Whether it is a time that says no zone: then it tells an order.
pub fn is_of_no_zone(words: &str) -> bool {
    !words.ends_with(['Z', 'z'])
        && !words.contains('+')
        && words.parse::<jiff::civil::DateTime>().is_ok()
}

impl Stamp<'_> {
    pub fn as_deref(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// Unix milliseconds of a text with its zone, where it is a time after 1970.
    pub fn to_unix_ms(&self) -> Option<u64> {
        Text(self.as_deref().map(Cow::Borrowed)).to_unix_ms()
    }

    /// Unix milliseconds of a number of these units.
    pub fn to_ms(&self, unit_ms: f64) -> Option<u64> {
        Number(self.as_deref()?.parse().ok()).to_ms(unit_ms) // a text that is none is told by its words
    }
}

impl Count {
    pub fn to_count(self) -> Option<u64> {
        match self {
            Self::Of(count) => Some(count),
            Self::Absent | Self::Odd => None,
        }
    }

    pub fn is_odd(self) -> bool {
        self == Self::Odd
    }
}

impl<T> Given<T> {
    pub fn get(&self) -> Option<&T> {
        match self {
            Self::Is(it) => Some(it),
            Self::Absent | Self::Odd => None,
        }
    }
}

impl<'de> Lenient<'de> for Stamp<'de> {
    fn of_flag(flag: bool) -> Self {
        Self(Some(flag.to_string().into()))
    }

    fn of_number(number: f64) -> Self {
        Self(Some(number.to_string().into()))
    }

    fn of_text(text: Cow<'de, str>) -> Self {
        Self(Some(text))
    }

    fn of_list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self(Some("a list".into())))
    }

    fn of_object<A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self(Some("an object".into())))
    }
}

impl<'de> Lenient<'de> for Count {
    fn of_flag(_: bool) -> Self {
        Self::Odd
    }

    fn of_number(number: f64) -> Self {
        Number(Some(number)).to_count().map_or(Self::Odd, Self::Of)
    }

    fn of_text(_: Cow<'de, str>) -> Self {
        Self::Odd
    }

    fn of_list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::Odd)
    }

    fn of_object<A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::Odd)
    }
}

impl<'de, T: Deserialize<'de> + Default> Lenient<'de> for Given<T> {
    fn of_flag(_: bool) -> Self {
        Self::Odd
    }

    fn of_number(_: f64) -> Self {
        Self::Odd
    }

    fn of_text(_: Cow<'de, str>) -> Self {
        Self::Odd
    }

    fn of_list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::Odd)
    }

    fn of_object<A: MapAccess<'de>>(object: A) -> Result<Self, A::Error> {
        T::deserialize(MapAccessDeserializer::new(object)).map(Self::Is)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Stamp<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Stamp::read(from)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::read(from)
    }
}

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Given<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::read(from)
    }
}
