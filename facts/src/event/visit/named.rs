//! A JSON value that has a name.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::{TextVisitor, canonical};

/// A JSON value as the member of this name: what it is called can tell that it is a secret.
pub(super) fn json(v: &mut dyn TextVisitor, name: &str, json: &mut String) {
    if json.starts_with('{') {
        return v.json(json);
    }
    let mut member = String::from("{");
    canonical::write_text(name, &mut member);
    let member = format!("{member}:{json}}}");
    let mut seen = member.clone();
    v.json(&mut seen);
    if seen == member {
        return;
    }
    match serde_json::from_str::<BTreeMap<String, &RawValue>>(&seen) {
        Ok(only) => *json = only.into_values().map(|it| it.get().to_owned()).collect(),
        // What is no JSON is for whoever records it to refuse; it is seen all the same.
        Err(_) => v.json(json),
    }
}
