//! What an operation takes: one type, of which the table that `help` tells is made, and by which a
//! request is read.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::PipeError;
use crate::parse::json;

/// So much of a wrong value is shown.
const SHOWN_BYTES_MAX: usize = 80;

/// One argument of an operation, as `help` tells it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Argument {
    pub name: &'static str,
    /// Other names for it: the contract's, where ours is shorter.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub also: &'static [&'static str],
    /// In JSON's words: `text`, `number`, `true or false`, `list of texts`, `object`, …
    pub kind: &'static str,
    pub required: bool,
    pub about: &'static str,
}

impl Argument {
    /// Why its value is none.
    pub fn wrong(&self, what: impl fmt::Display) -> PipeError {
        PipeError::argument(self.name, what)
    }

    /// Its value as serde reads it.
    pub fn read<T: for<'de> Deserialize<'de>>(&self, raw: &RawValue) -> Result<T, PipeError> {
        let given = raw.get();
        json::read(given.as_bytes()).map_err(|error| {
            let shown = &given[..given.floor_char_boundary(SHOWN_BYTES_MAX)];
            let more = if shown.len() < given.len() { "…" } else { "" };
            let what = format!("cannot be {shown}{more}; it takes: {}", self.kind);
            match error.path.is_empty() {
                true => self.wrong(what),
                false => PipeError::argument(
                    &error.within(self.name),
                    format_args!("{}: {what}", error.why),
                ),
            }
        })
    }
}

/// A type that an operation takes, or a part of one; [`arguments!`] makes it.
pub trait Arguments: Sized {
    fn tell(into: &mut Vec<Argument>);
    fn take(members: &mut Members) -> Result<Self, PipeError>;
}

impl Arguments for () {
    fn tell(_: &mut Vec<Argument>) {}

    fn take(_: &mut Members) -> Result<Self, PipeError> {
        Ok(())
    }
}

impl<A: Arguments, B: Arguments> Arguments for (A, B) {
    fn tell(into: &mut Vec<Argument>) {
        A::tell(into);
        B::tell(into);
    }

    fn take(members: &mut Members) -> Result<Self, PipeError> {
        Ok((A::take(members)?, B::take(members)?))
    }
}

pub fn table<T: Arguments>() -> Vec<Argument> {
    let mut all = Vec::new();
    T::tell(&mut all);
    all
}

/// Reads the arguments of a request. Every fault has its argument's name.
pub fn read<T: Arguments>(raw: Option<Box<RawValue>>) -> Result<T, PipeError> {
    T::take(&mut members(raw, &table::<T>())?)
}

/// The members of a request's arguments, by their own names and all of them known.
fn members(raw: Option<Box<RawValue>>, table: &[Argument]) -> Result<Members, PipeError> {
    let text = raw.as_deref().map_or("{}", RawValue::get);
    if !text.starts_with('{') {
        return Err(PipeError::argument("args", "must be a JSON object"));
    }
    let mut members: Members = serde_json::from_str(text)
        .map_err(|error| PipeError::argument("args", format_args!("cannot be read: {error}")))?;
    members.0.retain(|_, value| value.get() != "null");
    for argument in table {
        // By its own name from here on; where both are given the other is not known.
        for other in argument.also {
            let Some(value) = members.0.remove(*other) else { continue };
            if members.0.contains_key(argument.name) {
                let what = format!("the same as {}, which is there too", argument.name);
                return Err(PipeError::argument(other, what));
            }
            members.0.insert(argument.name.to_owned(), value);
        }
    }
    if let Some(name) = members.0.keys().find(|name| table.iter().all(|it| it.name != *name)) {
        let names: Vec<&str> = table.iter().map(|it| it.name).collect();
        let what = match names.as_slice() {
            [] => "no such argument; there are none".to_owned(),
            names => format!("no such argument; there are {}", names.join(", ")),
        };
        return Err(PipeError::argument(name, what));
    }
    let missing = table.iter().find(|it| it.required && !members.0.contains_key(it.name));
    if let Some(argument) = missing {
        return Err(argument.wrong(format_args!("is missing: {}", argument.about)));
    }
    Ok(members)
}

/// A kind of value that an argument has.
pub trait Value: Sized {
    const KIND: &'static str;

    /// What it is where it is not given; `None` where it must be.
    fn absent() -> Option<Self> {
        None
    }

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError>;
}

impl<T: Value> Value for Option<T> {
    const KIND: &'static str = T::KIND;

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        T::read(argument, raw).map(Some)
    }
}

/// Makes types that operations take. Of each field, behind its type: `as` what `help` calls its kind,
/// where that is not the type's own word; `=` what it is about. A field of which that is not said is a
/// group of arguments, itself such a type. With `for` instead of `struct` the type is one that there is.
macro_rules! arguments {
    ($(
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($field:ident $(| $also:ident)* : $ty:ty $(as $kind:literal)? $(= $about:expr)?),* $(,)?
        }
    )*) => {
        $(
            $(#[$meta])*
            $vis struct $name {
                $($vis $field: $ty),*
            }
        )*
        $crate::pipe::arguments! {$(
            for $name {
                $($field $(| $also)* : $ty $(as $kind)? $(= $about)?),*
            }
        )*}
    };
    ($(
        for $name:ident {
            $($field:ident $(| $also:ident)* : $ty:ty $(as $kind:literal)? $(= $about:expr)?),* $(,)?
        }
    )*) => {$(
        impl $crate::pipe::Arguments for $name {
            fn tell(into: &mut Vec<$crate::pipe::Argument>) {
                $($crate::pipe::arguments!(
                    @tell into $field [$($also)*] $ty, [$($kind)?] $($about)?
                );)*
            }

            fn take(members: &mut $crate::pipe::Members) -> Result<Self, $crate::pipe::PipeError> {
                Ok(Self {
                    $($field: $crate::pipe::arguments!(
                        @take members $field $ty, [$($kind)?] $($about)?
                    )),*
                })
            }
        }
    )*};
    (@tell $into:ident $field:ident [] $ty:ty, []) => {
        <$ty as $crate::pipe::Arguments>::tell($into)
    };
    (@tell $into:ident $field:ident [$($also:ident)*] $ty:ty, [$($kind:literal)?] $about:expr) => {
        $into.push($crate::pipe::Argument {
            name: stringify!($field),
            also: &[$(stringify!($also)),*],
            kind: $crate::pipe::arguments!(@kind $ty, $($kind)?),
            required: <$ty as $crate::pipe::Value>::absent().is_none(),
            about: $about,
        })
    };
    (@take $members:ident $field:ident $ty:ty, []) => {
        <$ty as $crate::pipe::Arguments>::take($members)?
    };
    (@take $members:ident $field:ident $ty:ty, [$($kind:literal)?] $about:expr) => {
        $members.take(stringify!($field), $crate::pipe::arguments!(@kind $ty, $($kind)?))?
    };
    (@kind $ty:ty, $kind:literal) => { $kind };
    (@kind $ty:ty,) => { <$ty as $crate::pipe::Value>::KIND };
}
pub(crate) use arguments;

/// The members of a JSON object. Values stay as they were written until they are taken, so that
/// integers beyond 2^53 survive; a name that comes twice is refused, for nobody can say which of the
/// two was meant.
#[derive(Debug, Default)]
pub struct Members(BTreeMap<String, Box<RawValue>>);

impl Members {
    pub fn take<T: Value>(
        &mut self,
        name: &'static str,
        kind: &'static str,
    ) -> Result<T, PipeError> {
        let argument = Argument { name, also: &[], kind, required: true, about: "" };
        match self.0.remove(name) {
            Some(raw) => T::read(&argument, &raw),
            None => T::absent().ok_or_else(|| argument.wrong("is missing")),
        }
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    if members.contains_key(&name) {
                        return Err(A::Error::custom(format_args!("{name:?} comes twice")));
                    }
                    members.insert(name, value);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Read)
    }
}
