//! A prompt: named sections, in order.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// A prompt: named sections, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompt {
    sections: Vec<(String, Section)>,
}

/// What a section says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Section {
    Text(String),
    /// Named parts, in order.
    Parts(Vec<(String, String)>),
}

impl Prompt {
    /// Puts a section at the end; one of this name that is there already is replaced where it is.
    pub fn set(&mut self, name: &str, text: impl Into<String>) {
        self.put(name, Section::Text(text.into()));
    }

    /// The same, of named parts.
    pub fn set_parts(&mut self, name: &str, parts: Vec<(String, String)>) {
        self.put(name, Section::Parts(parts));
    }

    fn put(&mut self, name: &str, section: Section) {
        match self.sections.iter_mut().find(|(one, _)| one == name) {
            Some((_, old)) => *old = section,
            None => self.sections.push((name.to_owned(), section)),
        }
    }

    /// Takes a section away.
    pub fn remove(&mut self, name: &str) {
        self.sections.retain(|(one, _)| one != name);
    }

    /// A section.
    pub fn get(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|(one, _)| one == name).map(|(_, section)| section)
    }

    /// The sections' names, in order.
    pub fn names(&self) -> Vec<&str> {
        self.sections.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// As a model reads it: Markdown, a heading for each section and part.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for (name, section) in &self.sections {
            match section {
                Section::Text(said) => heading(&mut text, "#", name, said),
                Section::Parts(parts) => {
                    heading(&mut text, "#", name, "");
                    for (name, said) in parts {
                        heading(&mut text, "##", name, said);
                    }
                }
            }
        }
        text
    }

    /// As it is recorded: a JSON object whose members stand in order.
    pub fn json(&self) -> String {
        // Serialization of texts to a string has no way to fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

fn heading(text: &mut String, mark: &str, name: &str, said: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&format!("{mark} {name}\n"));
    if !said.trim().is_empty() {
        text.push_str(&format!("\n{}\n", said.trim_end()));
    }
}

impl Serialize for Prompt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.sections.len()))?;
        for (name, section) in &self.sections {
            map.serialize_entry(name, section)?;
        }
        map.end()
    }
}

impl Serialize for Section {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Parts(parts) => {
                let mut map = serializer.serialize_map(Some(parts.len()))?;
                for (name, text) in parts {
                    map.serialize_entry(name, text)?;
                }
                map.end()
            }
        }
    }
}
