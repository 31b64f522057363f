//! SARIF 2.1.0: as much of it as tells what is wrong, and where.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use super::json::number;
use crate::parse::check::diagnostic::{
    self, DIAGNOSTICS_LEN_MAX, Diagnostic, Finding, MESSAGE_BYTES_MAX, NAME_BYTES_MAX, cut,
};

/// Other places of a result that are kept.
const RELATED_MAX: usize = 8;

/// A run's rules by their ids.
type Rules<'a> = HashMap<&'a str, &'a Value>;

/// The findings of a run: what passed, and what was suppressed, is none.
pub fn run(run: &Value, found: &mut Vec<Finding>) {
    let listed = run["tool"]["driver"]["rules"].as_array().into_iter().flatten();
    let rules: Rules<'_> = listed.filter_map(|it| Some((it["id"].as_str()?, it))).collect();
    for result in run["results"].as_array().into_iter().flatten() {
        let is_finding = matches!(result["kind"].as_str(), None | Some("fail" | "open" | "review"));
        let holds = |it: &Value| !matches!(it["status"].as_str(), Some("rejected" | "underReview"));
        let suppressed = result["suppressions"].as_array().is_some_and(|it| it.iter().any(holds));
        let is_gone = result["baselineState"] == "absent";
        if found.len() >= DIAGNOSTICS_LEN_MAX {
            return;
        }
        if is_finding && !suppressed && !is_gone {
            finding(run, &rules, result).add_to(found);
        }
    }
}

fn finding(run: &Value, rules: &Rules<'_>, result: &Value) -> Finding {
    let rule = rule(run, rules, result);
    let text = |it: &Value| it.as_str().map(str::to_owned);
    let is_open = matches!(result["kind"].as_str(), Some("open" | "review"));
    let level = text(&result["level"])
        .or_else(|| is_open.then(|| "none".to_owned()))
        .or_else(|| text(&rule?["defaultConfiguration"]["level"]))
        .unwrap_or_else(|| "warning".to_owned());
    let list = |key: &str| result[key].as_array().into_iter().flatten();
    let place = list("locations").next().map(|it| &it["physicalLocation"]);
    let region = |key: &str| number(&place?["region"][key], 1);
    let others = list("locations").skip(1).chain(list("relatedLocations"));
    let code = result["ruleId"].as_str().or_else(|| result["rule"]["id"].as_str());
    Finding {
        tool: run["tool"]["driver"]["name"].as_str().unwrap_or("sarif").to_owned(),
        column: region("startColumn"),
        related: others.take(RELATED_MAX).filter_map(|it| related(run, it)).collect(),
        diagnostic: Diagnostic {
            level: diagnostic::level(&level).to_owned(),
            message: message(result, rule),
            file_name: place.and_then(|it| file(run, &it["artifactLocation"])),
            line_start: region("startLine"),
            code: code.or_else(|| rule?["id"].as_str()).map(str::to_owned),
        },
    }
}

/// A result's rule, by its index, else by its id, which may have a part behind it: `CA1000/1`.
fn rule<'a>(run: &'a Value, rules: &Rules<'a>, result: &Value) -> Option<&'a Value> {
    let own = &result["rule"];
    let place = |it: &Value| usize::try_from(it.as_u64()?).ok(); // no place in a list
    let listed = match place(&own["toolComponent"]["index"]) {
        Some(at) => &run["tool"]["extensions"][at]["rules"],
        None => &run["tool"]["driver"]["rules"],
    };
    let index = place(&result["ruleIndex"]).or_else(|| place(&own["index"]));
    let by_id = || {
        let id = result["ruleId"].as_str().or_else(|| own["id"].as_str())?;
        let without_part = || rules.get(id.rsplit_once('/')?.0);
        rules.get(id).or_else(without_part).copied()
    };
    index.and_then(|at| listed.get(at)).or_else(by_id)
}

/// Its own text, else its rule's with the arguments in place.
fn message(result: &Value, rule: Option<&Value>) -> String {
    let own = &result["message"];
    let text = own["text"].as_str().or_else(|| own["markdown"].as_str());
    let of_rule = || {
        let rule = rule?;
        let named = own["id"].as_str().and_then(|id| rule["messageStrings"][id]["text"].as_str());
        named.or_else(|| rule["shortDescription"]["text"].as_str())
    };
    let short = |text: &str| cut(text, MESSAGE_BYTES_MAX).to_owned();
    let mut told = short(text.or_else(of_rule).unwrap_or_default());
    for (at, value) in own["arguments"].as_array().into_iter().flatten().take(10).enumerate() {
        let value = cut(value.as_str().unwrap_or_default(), NAME_BYTES_MAX);
        told = short(&told.replace(&format!("{{{at}}}"), value));
    }
    told
}

/// `src/b.rs:3: first borrowed here`.
fn related(run: &Value, location: &Value) -> Option<String> {
    let place = &location["physicalLocation"];
    let file = file(run, &place["artifactLocation"])?;
    let line = number(&place["region"]["startLine"], 1).map(|it| format!(":{it}"));
    let said = location["message"]["text"].as_str().map(|it| format!(": {it}"));
    Some(format!("{file}{}{}", line.unwrap_or_default(), said.unwrap_or_default()))
}

/// The path of an artifact: of its own URI, or by its index, behind its base where that is a known folder.
fn file(run: &Value, location: &Value) -> Option<String> {
    let by_index = || {
        let at = usize::try_from(location["index"].as_u64()?).ok()?; // no place in a list
        Some(&run["artifacts"].get(at)?["location"])
    };
    let location = if location["uri"].is_string() { location } else { by_index()? };
    let uri = location["uri"].as_str()?;
    let base =
        location["uriBaseId"].as_str().and_then(|id| run["originalUriBaseIds"][id]["uri"].as_str());
    let is_absolute = uri.starts_with('/') || uri.contains(":/");
    let told = match base.filter(|_| !is_absolute) {
        Some(base) => Cow::Owned(format!("{}/{uri}", base.trim_end_matches('/'))),
        None => Cow::Borrowed(uri),
    };
    Some(path(&told))
}

/// A URI's path, with what is escaped in it.
fn path(uri: &str) -> String {
    let rest =
        uri.strip_prefix("file://").map_or(uri, |it| it.strip_prefix("localhost").unwrap_or(it));
    let mut bytes = Vec::with_capacity(rest.len());
    let mut left = rest.as_bytes();
    while let [first, behind @ ..] = left {
        let digit = |at: usize| char::from(*behind.get(at)?).to_digit(16);
        match (*first == b'%').then(|| digit(0).zip(digit(1))).flatten() {
            Some((high, low)) => {
                bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'?')); // two digits are a byte
                left = &behind[2..];
            }
            None => {
                bytes.push(*first);
                left = behind;
            }
        }
    }
    let path = String::from_utf8_lossy(&bytes).into_owned();
    // A drive's: `/C:/a`.
    match path.as_bytes() {
        [b'/', drive, b':', ..] if drive.is_ascii_alphabetic() => path[1..].to_owned(),
        _ => path,
    }
}
