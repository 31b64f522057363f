//! The failures that a session met, each once, and what the pattern of each is called.

use std::collections::BTreeMap;

use crate::debug::query::failure_key;
use crate::event::{DebugDocument, DebugExecution, TestFailure};

/// Patterns that are made of one session.
const PATTERNS_MAX: usize = 20;
/// Of a pattern's name, characters.
const NAME_CHARS_MAX: usize = 80;

/// A failure that a session met, as it was seen last.
#[derive(Debug)]
pub(super) struct Met<'d> {
    pub failure: &'d TestFailure,
    /// The last attempt in which it was seen.
    pub execution: &'d DebugExecution,
    /// Its message without what differs from run to run.
    pub message: String,
    /// What the pattern is called that is learnt of it.
    pub name: String,
}

/// Failures that differ in error or message, in the order in which they first were, and how many more
/// there are.
pub(super) fn met(document: &DebugDocument) -> (Vec<Met<'_>>, usize) {
    let mut places: BTreeMap<_, usize> = BTreeMap::new();
    let mut found: Vec<Met<'_>> = Vec::new();
    let mut more = 0;
    for execution in &document.executions {
        for failure in execution.failures.iter().flatten() {
            let key = failure_key(failure);
            if let Some(at) = places.get(&key) {
                if let Some(met) = found.get_mut(*at) {
                    (met.failure, met.execution) = (failure, execution);
                }
                continue;
            }
            let message = key.1.clone();
            if found.len() < PATTERNS_MAX {
                places.insert(key, found.len());
                let name = unused(slug(failure, &message), &found);
                found.push(Met { failure, execution, message, name });
            } else {
                // No place in what was found: it is only counted, and once.
                places.insert(key, usize::MAX);
                more += 1;
            }
        }
    }
    (found, more)
}

/// What the pattern is called that was learnt of a failure like this.
pub(super) fn name_of(document: &DebugDocument, failure: &TestFailure) -> Option<String> {
    let key = failure_key(failure);
    let (found, _) = met(document);
    found.into_iter().find(|met| failure_key(met.failure) == key).map(|met| met.name)
}

fn unused(name: String, others: &[Met<'_>]) -> String {
    let is_taken = |name: &str| others.iter().any(|other| other.name == name);
    if !is_taken(&name) {
        return name;
    }
    let mut numbered = (2..).map(|number: u32| format!("{name}_{number}"));
    numbered.find(|name| !is_taken(name)).unwrap_or_default()
}

/// `typeerror_cannot_read_property_length_of_null`
fn slug(failure: &TestFailure, message: &str) -> String {
    let kind = failure.error_type.as_str().to_ascii_lowercase();
    let words = message.split(|letter: char| !letter.is_alphanumeric()).filter(|it| !it.is_empty());
    let name = [kind.as_str()].into_iter().chain(words).collect::<Vec<_>>().join("_");
    let name: String = name.chars().take(NAME_CHARS_MAX).collect();
    name.trim_end_matches('_').to_owned()
}
