//! What the rules find in a journal, as values to be looked for in every form.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::event::{ReadsContents, Recorded, Sequence, WithContents};
use crate::journal::scan::texts;
use crate::journal::{JournalError, JournalReader, ReplayItem};
use crate::redact::Redactor;

/// A secret that is told by a name alone and is shorter is looked for nowhere else.
const VALUE_MIN: usize = 8;

/// What rules find.
#[derive(Debug, Default)]
pub struct RuleFound {
    /// Each once, with its rule.
    pub values: Vec<(Vec<u8>, String)>,
    /// The records that rules find something in, with the first rule.
    pub records: Vec<(Sequence, String)>,
    pub unread: u64,
}

/// Looks over every event with the rules, or with the one of a name.
pub fn by_rules(
    reader: &Rc<JournalReader>,
    redactor: &Redactor,
    rule: Option<&str>,
) -> Result<RuleFound, JournalError> {
    let mut told = RuleFound::default();
    let mut known = BTreeSet::new();
    for item in reader.replay(Sequence(1), None) {
        let recorded = match item? {
            ReplayItem::Event(recorded) => recorded,
            ReplayItem::Lost(finding) if !finding.verdict.is_note() => {
                told.unread += 1;
                continue;
            }
            _ => continue,
        };
        let reads = Rc::clone(reader) as Rc<dyn ReadsContents>;
        let body = serde_json::to_value(WithContents { it: &recorded.event.body, reader: reads });
        let mut first = None;
        // What is no JSON has no field to look over.
        for (_, text) in body.map(texts).unwrap_or_default() {
            let (bytes, _) = text.bytes();
            for one in text.find(redactor, &bytes) {
                if rule.is_some_and(|rule| rule != one.rule) {
                    continue;
                }
                first.get_or_insert_with(|| one.rule.to_owned());
                let value = read(&bytes[one.range.clone()], text.is_json());
                if value.len() >= VALUE_MIN && known.insert(value.clone()) {
                    told.values.push((value, one.rule.to_owned()));
                }
            }
        }
        told.records.extend(first.map(|rule| (recorded.sequence, rule)));
    }
    Ok(told)
}

/// A part of a JSON text as it reads.
fn read(part: &[u8], is_json: bool) -> Vec<u8> {
    if is_json
        && let Ok(text) = std::str::from_utf8(part)
        && let Ok(read) = serde_json::from_str::<String>(&format!("\"{text}\""))
    {
        return read.into_bytes();
    }
    part.to_vec()
}

/// Looks over every event with the rules, and tells of each record by rule: the first field that it finds something in, and
/// how often it does in all of them.
pub fn each_by_rules(
    reader: &Rc<JournalReader>,
    redactor: &Redactor,
    take: &mut dyn FnMut(&Recorded, &str, &str, u64),
) -> Result<(), JournalError> {
    for item in reader.replay(Sequence(1), None) {
        // What is lost is told by who verifies.
        let ReplayItem::Event(recorded) = item? else { continue };
        let reads = Rc::clone(reader) as Rc<dyn ReadsContents>;
        let body = serde_json::to_value(WithContents { it: &recorded.event.body, reader: reads });
        let mut found: BTreeMap<String, (String, u64)> = BTreeMap::new();
        for (field, text) in body.map(texts).unwrap_or_default() {
            let (bytes, _) = text.bytes();
            for one in text.find(redactor, &bytes) {
                found.entry(one.rule.to_owned()).or_insert_with(|| (field.clone(), 0)).1 += 1;
            }
        }
        for (rule, (field, count)) in &found {
            take(&recorded, rule, field, *count);
        }
    }
    Ok(())
}
