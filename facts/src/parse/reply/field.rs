//! One place in a JSON value, read as what it must be; errors name the place.

use serde_json::{Map, Value};

use super::limits::{ITEMS_MAX, NAME_BYTES_MAX};
use super::{ReplyError, Result};

/// One place in a JSON value: `core.best`, `archival[2].tags`.
#[derive(Clone, Debug)]
pub struct Field<'v> {
    pub at: String,
    pub value: &'v Value,
}

impl<'v> Field<'v> {
    pub fn new(at: impl Into<String>, value: &'v Value) -> Self {
        Self { at: at.into(), value }
    }

    pub fn is(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::String(_) => "a text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        }
    }

    pub fn wrong(&self, wants: &'static str) -> ReplyError {
        ReplyError::WrongType { at: self.at.clone(), is: self.is(), wants }
    }

    pub fn invalid(&self, why: impl Into<String>) -> ReplyError {
        ReplyError::Invalid { at: self.at.clone(), why: why.into() }
    }

    pub fn object(&self, wants: &'static str) -> Result<&'v Map<String, Value>> {
        self.value.as_object().ok_or_else(|| self.wrong(wants))
    }

    /// A member of an object; `None` where there is none, or it is null.
    pub fn member(&self, name: &str) -> Option<Self> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(Self::new(format!("{}.{name}", self.at), value))
    }

    pub fn first_of(&self, names: &[&str]) -> Option<Self> {
        names.iter().find_map(|name| self.member(name))
    }

    /// A text without NUL.
    pub fn text(&self) -> Result<String> {
        let text = self.value.as_str().ok_or_else(|| self.wrong("a text"))?;
        match text.contains('\0') {
            true => Err(self.invalid("has a NUL in it: leave it out")),
            false => Ok(text.to_owned()),
        }
    }

    /// A text, or a number or truth value as JSON writes it.
    pub fn scalar(&self) -> Result<String> {
        match self.value {
            Value::Number(_) | Value::Bool(_) => Ok(self.value.to_string()),
            _ => self.text(),
        }
    }

    pub fn name(&self) -> Result<String> {
        let name = self.scalar()?;
        match name.len() {
            0 => Err(self.invalid("is empty")),
            1..=NAME_BYTES_MAX => Ok(name),
            bytes => Err(self.invalid(format!("has {bytes} bytes; at most {NAME_BYTES_MAX}"))),
        }
    }

    /// A whole number that is not negative; also where it is written as a text.
    pub fn count(&self) -> Result<u64> {
        const WANTS: &str = "a whole number that is not negative";
        match self.value {
            // A model writes 5.0 as well.
            Value::Number(number) => number
                .as_u64()
                .or_else(|| {
                    number
                        .as_f64()
                        .filter(|n| *n >= 0.0 && n.fract() == 0.0 && *n < 1e15)
                        .map(|n| n as u64)
                })
                .ok_or_else(|| self.wrong(WANTS)),
            Value::String(text) => text.trim().parse().map_err(|_| self.wrong(WANTS)),
            _ => Err(self.wrong(WANTS)),
        }
    }

    /// The elements of a list; something that is no list is a list of itself.
    pub fn elements(&self) -> Result<Vec<Self>> {
        let Some(list) = self.value.as_array() else { return Ok(vec![self.clone()]) };
        self.bounded(list.len(), "elements")?;
        let field = |(i, value)| Self::new(format!("{}[{i}]", self.at), value);
        Ok(list.iter().enumerate().map(field).collect())
    }

    pub fn texts(&self) -> Result<Vec<String>> {
        match self.value {
            Value::Array(_) | Value::String(_) => self.elements()?.iter().map(Self::text).collect(),
            _ => Err(self.wrong("a list of texts")),
        }
    }

    /// The names in a list, or the one name; the same name once.
    pub fn names(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for element in self.elements()? {
            let name = element.name()?;
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// Holds that there are not too many.
    pub fn bounded(&self, count: usize, of: &'static str) -> Result<()> {
        match count > ITEMS_MAX {
            true => Err(ReplyError::TooMany { at: self.at.clone(), count, of, max: ITEMS_MAX }),
            false => Ok(()),
        }
    }
}
