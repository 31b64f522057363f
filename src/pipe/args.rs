//! A request's arguments, taken one by one, each fault with its argument's name.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::limits::ROWS_MAX;
use super::{Argument, Members, PipeError};

/// So much of a wrong value is shown.
const SHOWN_BYTES_MAX: usize = 80;

/// A request's arguments. Values stay as they were written until they are taken, so that integers
/// beyond 2^53 survive.
#[derive(Debug)]
pub struct Args {
    left: BTreeMap<String, Box<RawValue>>,
    raw: Option<Box<RawValue>>,
    known: &'static [Argument],
}

impl Args {
    /// Reads the arguments of an operation.
    pub fn of(raw: Option<Box<RawValue>>, known: &'static [Argument]) -> Result<Self, PipeError> {
        let text = raw.as_deref().map_or("{}", RawValue::get);
        if !text.starts_with('{') {
            return Err(PipeError::argument("args", "must be a JSON object"));
        }
        let Members(mut left) = serde_json::from_str(text).map_err(|error| {
            PipeError::argument("args", format_args!("cannot be read: {error}"))
        })?;
        left.retain(|_, value| value.get() != "null");
        if let Some(name) = left.keys().find(|name| !known.iter().any(|it| it.is(name))) {
            let names: Vec<&str> = known.iter().map(|it| it.name).collect();
            let what = match names.as_slice() {
                [] => "no such argument; there are none".to_owned(),
                names => format!("no such argument; there are {}", names.join(", ")),
            };
            return Err(PipeError::argument(name, what));
        }
        for argument in known {
            // By its own name from here on; where both are given the other is not known.
            for other in argument.also {
                if !left.contains_key(argument.name)
                    && let Some(value) = left.remove(*other)
                {
                    left.insert(argument.name.to_owned(), value);
                }
            }
            if let Some(name) = argument.also.iter().find(|name| left.contains_key(**name)) {
                let what = format!("the same as {}, which is there too", argument.name);
                return Err(PipeError::argument(name, what));
            }
            if argument.required && !left.contains_key(argument.name) {
                let what = format_args!("is missing: {}", argument.about);
                return Err(PipeError::argument(argument.name, what));
            }
        }
        Ok(Self { left, raw, known })
    }

    /// All of them as they were written.
    pub fn raw(&self) -> &str {
        self.raw.as_deref().map_or("{}", RawValue::get)
    }

    /// Whether it is there and was not taken.
    pub fn has(&self, name: &str) -> bool {
        self.left.contains_key(name)
    }

    /// What was not taken, as a JSON object, with other members on top of it.
    pub fn with(&self, more: Vec<(&str, String)>) -> String {
        let left = self.left.iter().map(|(name, value)| (name.as_str(), value.get().to_owned()));
        let members: BTreeMap<&str, String> = left.chain(more).collect();
        // Names are those of the operation's arguments: nothing in them is to be escaped.
        let members = members.iter().map(|(name, value)| format!("\"{name}\":{value}"));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    }

    /// Takes one; `None` where it is absent or null.
    pub fn take<T: for<'de> Deserialize<'de>>(
        &mut self,
        name: &str,
    ) -> Result<Option<T>, PipeError> {
        let Some(raw) = self.left.remove(name) else { return Ok(None) };
        match serde_json::from_str(raw.get()) {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(PipeError::argument(name, self.cannot_be(name, raw.get()))),
        }
    }

    /// What is said of a value that is none of the argument's.
    fn cannot_be(&self, name: &str, given: &str) -> String {
        let shown = &given[..given.floor_char_boundary(SHOWN_BYTES_MAX)];
        let more = if shown.len() < given.len() { "…" } else { "" };
        let known = self.known.iter().find(|it| it.is(name));
        let kind = known.map(|it| format!("; it takes: {}", it.kind)).unwrap_or_default();
        format!("cannot be {shown}{more}{kind}")
    }

    /// Takes one that must be there.
    pub fn need<T: for<'de> Deserialize<'de>>(&mut self, name: &str) -> Result<T, PipeError> {
        self.take(name)?.ok_or_else(|| PipeError::argument(name, "is missing"))
    }

    /// Takes one as it was written.
    pub fn take_raw(&mut self, name: &str) -> Option<Box<RawValue>> {
        self.left.remove(name)
    }

    /// How many rows are asked for, no more than [`ROWS_MAX`].
    pub fn rows(&mut self, name: &str, default: u64) -> Result<usize, PipeError> {
        let asked = self.take::<u64>(name)?.unwrap_or(default);
        Ok(usize::try_from(asked.min(ROWS_MAX)).unwrap_or(usize::MAX))
    }

    /// A JSON object as it was written, an empty one where there is none.
    pub fn object(&mut self, name: &str) -> Result<String, PipeError> {
        match self.take_raw(name) {
            None => Ok("{}".to_owned()),
            Some(raw) if raw.get().starts_with('{') => Ok(raw.get().to_owned()),
            Some(_) => Err(PipeError::argument(name, "must be a JSON object")),
        }
    }

    /// A time: Unix milliseconds, or RFC 3339.
    pub fn time(&mut self, name: &str) -> Result<Option<u64>, PipeError> {
        let Some(raw) = self.take_raw(name) else { return Ok(None) };
        if let Ok(ms) = raw.get().parse::<u64>() {
            return Ok(Some(ms));
        }
        let wrong = || {
            PipeError::argument(name, "must be Unix milliseconds or an RFC 3339 time from 1970 on")
        };
        let text: String = serde_json::from_str(raw.get()).map_err(|_| wrong())?;
        let at: jiff::Timestamp = text.parse().map_err(|_| wrong())?;
        u64::try_from(at.as_millisecond()).map(Some).map_err(|_| wrong())
    }
}
