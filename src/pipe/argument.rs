//! What an operation takes.

use serde::Serialize;

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
    /// One that must be there.
    pub const fn needed(name: &'static str, kind: &'static str, about: &'static str) -> Self {
        Self { name, also: &[], kind, required: true, about }
    }

    /// One that may be there.
    pub const fn maybe(name: &'static str, kind: &'static str, about: &'static str) -> Self {
        Self { name, also: &[], kind, required: false, about }
    }

    /// The same under other names as well.
    #[must_use]
    pub const fn or(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }

    /// Whether this is a name of it.
    pub fn is(&self, name: &str) -> bool {
        self.name == name || self.also.contains(&name)
    }
}
