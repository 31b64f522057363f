//! What checks said, as SARIF 2.1.0.

use serde_json::{Value, json};

use super::destination::Destination;
use crate::cli::Result;
use crate::cli::journals::Opened;
use crate::execution::query::check_runs::{CheckRunRow, Place, ToldResult, ToldRun, roots_of};
use crate::execution::replay::{Walk, Window};
use crate::output::time;
use crate::parse::check::Verdict;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// What paths are told from.
const ROOT: &str = "%SRCROOT%";

/// One document of all runs, each written as it is read; of how many what they said is gone.
pub fn write(
    opened: &[Opened],
    windows: &[Window],
    all: bool,
    destination: &mut Destination<'_>,
) -> Result<u64> {
    destination
        .part(&format!("{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":["), false)?;
    let (mut gone, mut comma) = (0, "");
    for (one, window) in opened.iter().zip(windows) {
        let walk = Walk::events(&one.journal, one.reading(), Window::default())?;
        let roots = roots_of(&walk)?;
        for row in one.stores.check_runs(window, all)? {
            let own = one.stores.checks_at(&row)?;
            let Some(told) = row.read(&walk, &roots, &own)? else {
                gone += 1;
                continue;
            };
            let run = run(&row, &told, one.name.as_deref());
            destination.part(&format!("{comma}\n{run}"), true)?;
            comma = ",";
        }
    }
    destination.part("\n]}\n", false)?;
    Ok(gone)
}

fn run(row: &CheckRunRow, told: &ToldRun, journal: Option<&str>) -> Value {
    let mut rules: Vec<&str> = Vec::new();
    for result in &told.results {
        if !rules.contains(&result.rule.as_str()) {
            rules.push(&result.rule);
        }
    }
    let results: Vec<Value> = told.results.iter().map(|it| result(it, &rules)).collect();
    let rules: Vec<Value> = rules.iter().map(|id| json!({"id": id})).collect();
    let mut invocation = json!({
        "commandLine": told.command,
        // The check ran to its end; what it found is in the results.
        "executionSuccessful": told.verdict != Verdict::Unknown,
        "endTimeUtc": time::utc(row.at_ms),
    });
    let members = [
        ("exitCode", row.exit_code.map(Value::from)),
        ("startTimeUtc", row.started_ms.and_then(time::utc).map(Value::from)),
    ];
    for (name, value) in members {
        if let Some(value) = value {
            invocation[name] = value;
        }
    }
    json!({
        "tool": {"driver": {"name": told.program, "rules": rules}},
        "automationDetails": {"id": format!("{}/{}", told.command, row.id)},
        "invocations": [invocation],
        "originalUriBaseIds": {ROOT: {"description": {"text": "the project's root"}}},
        "results": results,
        "properties": {
            "no": row.ordinal,
            "session": row.session.map(|it| it.to_string()),
            "journal": journal,
            "verdict": told.verdict.as_str(),
            "basis": told.basis,
        },
    })
}

fn result(told: &ToldResult, rules: &[&str]) -> Value {
    let level = match told.level.as_str() {
        level @ ("error" | "warning") => level,
        _ => "note",
    };
    let mut result = json!({
        "ruleId": told.rule,
        "ruleIndex": rules.iter().position(|it| *it == told.rule),
        "level": level,
        "message": {"text": told.message},
        "partialFingerprints": {"annals/v1": told.fingerprint},
    });
    let mut location = told.place.as_ref().map_or_else(|| json!({}), at);
    if let Some(test) = &told.test {
        location["logicalLocations"] = json!([{"fullyQualifiedName": test, "kind": "function"}]);
    }
    if location != json!({}) {
        result["locations"] = json!([location]);
    }
    if !told.related.is_empty() {
        let related = told.related.iter().map(|(text, place)| {
            let mut there = place.as_ref().map_or_else(|| json!({}), at);
            there["message"] = json!({"text": text});
            there
        });
        result["relatedLocations"] = related.collect();
    }
    result
}

fn at(place: &Place) -> Value {
    let file = place.file.as_str();
    let artifact = match file.starts_with('/') {
        true => json!({"uri": format!("file://{}", escaped(file))}),
        false => json!({"uri": escaped(file), "uriBaseId": ROOT}),
    };
    let mut physical = json!({"artifactLocation": artifact});
    if let Some(line) = place.line.filter(|it| *it > 0) {
        physical["region"] = json!({"startLine": line});
        if let Some(column) = place.column.filter(|it| *it > 0) {
            physical["region"]["startColumn"] = column.into();
        }
    }
    json!({"physicalLocation": physical})
}

/// A path as a URI has it.
fn escaped(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
