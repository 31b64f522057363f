//! JSON that a person or a program hands in: what is wrong with it is told by the field.

#[cfg(test)]
mod tests;

use serde::Deserialize;

/// What is wrong, and where, as one writes it: `[2].level`; empty: the value itself.
#[derive(Debug, thiserror::Error)]
#[error("{}{why}", if path.is_empty() { String::new() } else { format!("{path}: ") })]
pub struct FieldError {
    pub path: String,
    pub why: serde_json::Error,
}

pub fn read<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, FieldError> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = Some(error.path().to_string()).filter(|path| path != ".").unwrap_or_default();
        FieldError { path, why: error.into_inner() }
    })?;
    reader.end().map(|()| value).map_err(|why| FieldError { path: String::new(), why })
}

impl FieldError {
    /// Where it is within a value of this name.
    pub fn within(&self, name: &str) -> String {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        format!("{name}{dot}{}", self.path)
    }
}
