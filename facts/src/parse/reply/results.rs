//! What reads of memory found, and how a model is told (spec 003: `prompt["Memory Read Results"]`).

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::limits::{RESULT_CHARS_MAX, RESULTS_CHARS_MAX};
use crate::event::wire;

/// What the reads of one `<memory_update>` found; `None` where it had no such read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReadResults {
    /// Keys in the order asked, with their values.
    #[serde(serialize_with = "by_key")]
    pub core_get: Option<Vec<(String, Option<String>)>>,
    pub archival_search: Option<Vec<FoundRecord>>,
    pub recall_search: Option<Vec<FoundEvent>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundRecord {
    pub id: u64,
    pub text: String,
    pub tags: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundEvent {
    pub id: u64,
    pub kind: String,
    pub summary: String,
    pub tags: Vec<String>,
    /// Unix milliseconds.
    #[serde(rename = "ts", serialize_with = "wire::seconds")]
    pub at_ms: u64,
}

type Values = Option<Vec<(String, Option<String>)>>;

fn by_key<S: Serializer>(values: &Values, to: S) -> Result<S::Ok, S::Error> {
    let values = values.as_ref();
    let told = values.map(|it| it.iter().map(|(key, value)| (key, value)).collect());
    Option::<BTreeMap<_, _>>::serialize(&told, to)
}

impl ReadResults {
    /// Whether there was a read at all, whatever it found.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What the model is told in the next round: lines, one a finding, within
    /// `RESULTS_CHARS_MAX` characters. The same results give the same text.
    pub fn for_prompt(&self) -> String {
        let mut told = Told::default();
        if let Some(values) = &self.core_get {
            told.heading("Core memory");
            for (key, value) in values {
                match value {
                    Some(value) => told.line(&format!("- {}: {}", one_line(key), cut(value))),
                    None => told.line(&format!("- {}: (not set)", one_line(key))),
                }
            }
        }
        if let Some(records) = &self.archival_search {
            told.heading("Archival search");
            for record in records {
                let tags = tags(&record.tags);
                told.line(&format!("- [{}] {}{tags}", record.id, cut(&record.text)));
            }
            told.none(records.is_empty());
        }
        if let Some(events) = &self.recall_search {
            told.heading("Recall search");
            for event in events {
                let (kind, tags) = (one_line(&event.kind), tags(&event.tags));
                told.line(&format!("- [{}] ({kind}) {}{tags}", event.id, cut(&event.summary)));
            }
            told.none(events.is_empty());
        }
        told.text()
    }
}

#[derive(Default)]
struct Told {
    text: String,
    chars: usize,
    left_out: usize,
}

impl Told {
    fn heading(&mut self, name: &str) {
        let begin = if self.text.is_empty() { "" } else { "\n" };
        self.line(&format!("{begin}{name}:"));
    }

    fn none(&mut self, none: bool) {
        if none {
            self.line("- (nothing found)");
        }
    }

    fn line(&mut self, line: &str) {
        let chars = line.chars().count() + 1;
        // Once a line was left out, so are those behind it: what is told is a beginning.
        if self.left_out > 0 || self.chars + chars > RESULTS_CHARS_MAX {
            self.left_out += 1;
            return;
        }
        self.chars += chars;
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn text(mut self) -> String {
        if self.left_out > 0 {
            self.text.push_str(&format!("… {} more lines: ask for less at once\n", self.left_out));
        }
        self.text.truncate(self.text.trim_end().len());
        self.text
    }
}

fn tags(tags: &[String]) -> String {
    match tags.is_empty() {
        true => String::new(),
        false => format!(" (tags: {})", one_line(&tags.join(", "))),
    }
}

/// What memory holds can end no section of a prompt: lines behind the first are indented.
fn cut(text: &str) -> String {
    let text = text.trim_end();
    let short = match text.char_indices().nth(RESULT_CHARS_MAX) {
        None => text.to_owned(),
        Some((at, _)) => {
            let more = text[at..].chars().count();
            format!("{} … ({more} more characters)", &text[..at])
        }
    };
    short.split(['\n', '\r']).collect::<Vec<_>>().join("\n    ")
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
