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
    told.unread = each(reader, redactor, &mut |recorded, found| {
        let mut wanted =
            found.into_iter().filter(|it| rule.is_none_or(|rule| rule == it.rule)).peekable();
        told.records.extend(wanted.peek().map(|first| (recorded.sequence, first.rule.clone())));
        for Found { rule, value, .. } in wanted {
            if value.len() >= VALUE_MIN && known.insert(value.clone()) {
                told.values.push((value, rule));
            }
        }
    })?;
    Ok(told)
}

/// Looks over every event with the rules, and tells of each record by rule: the first field that it finds something in, and
/// how often it does in all of them.
pub fn each_by_rules(
    reader: &Rc<JournalReader>,
    redactor: &Redactor,
    take: &mut dyn FnMut(&Recorded, &str, &str, u64),
) -> Result<(), JournalError> {
    // What is lost is told by who verifies.
    let _unread = each(reader, redactor, &mut |recorded, found| {
        let mut by_rule: BTreeMap<String, (String, u64)> = BTreeMap::new();
        for Found { rule, field, .. } in found {
            by_rule.entry(rule).or_insert((field, 0)).1 += 1;
        }
        for (rule, (field, count)) in &by_rule {
            take(recorded, rule, field, *count);
        }
    })?;
    Ok(())
}

/// What a rule finds in a field.
struct Found {
    rule: String,
    field: String,
    value: Vec<u8>,
}

/// Tells of each event what rules find in it, field by field; how many could not be read.
fn each(
    reader: &Rc<JournalReader>,
    redactor: &Redactor,
    take: &mut dyn FnMut(&Recorded, Vec<Found>),
) -> Result<u64, JournalError> {
    let mut unread = 0;
    for item in reader.replay(Sequence(1), None) {
        let recorded = match item? {
            ReplayItem::Event(recorded) => recorded,
            ReplayItem::Lost(finding) if !finding.verdict.is_note() => {
                unread += 1;
                continue;
            }
            _ => continue,
        };
        let reads = Rc::clone(reader) as Rc<dyn ReadsContents>;
        let body = serde_json::to_value(WithContents { it: &recorded.event.body, reader: reads });
        let mut found = Vec::new();
        // What is no JSON has no field to look over.
        for (field, text) in body.map(texts).unwrap_or_default() {
            let (bytes, _) = text.bytes();
            found.extend(text.find(redactor, &bytes).into_iter().map(|one| Found {
                rule: one.rule.to_owned(),
                field: field.clone(),
                value: read(&bytes[one.range.clone()], text.is_json()),
            }));
        }
        take(&recorded, found);
    }
    Ok(unread)
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
