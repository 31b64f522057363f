//! The prompt of one query: as JSON with what came back, and as the text a person reads.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{LOG_BYTES_MAX, in_session, lost_content};
use crate::event::ModelQueried;
use crate::execution::json::Members;
use crate::memory::update::seconds;
use crate::parse::content::text;
use crate::store::folder::Folder;
use crate::store::{AnomalyKind, Result};

/// Sections in sections that get headings of their own.
const DEPTH_MAX: usize = 4;

#[derive(Serialize)]
struct Query<'a> {
    stage: &'a str,
    timestamp: f64,
    label: &'a str,
    counter: u64,
    round: u64,
    node_id: &'a str,
    branch_id: &'a str,
    prompt: Prompt<'a>,
    response: Option<Cow<'a, str>>,
    error: Option<&'a str>,
    duration_seconds: f64,
}

/// Its sections, or, where they are not the JSON they must be, what there is.
#[derive(Serialize)]
#[serde(untagged)]
enum Prompt<'a> {
    Sections(&'a RawValue),
    Text(Cow<'a, str>),
}

/// Writes `<label>_round<r>.json` and `.md`.
pub(super) fn write(
    body: &ModelQueried,
    at_ms: u64,
    folder: &mut Folder,
    lost: &mut dyn FnMut(AnomalyKind, String),
) -> Result<()> {
    let prompt = &body.prompt;
    let Some(sections) = text(&body.sections, LOG_BYTES_MAX) else {
        lost(AnomalyKind::LostContent, lost_content(&body.sections));
        return Ok(());
    };
    let response = text(&body.reply, LOG_BYTES_MAX);
    if response.is_none() {
        lost(AnomalyKind::LostContent, lost_content(&body.reply));
    }
    // What is not the JSON it must be is told as the text it is.
    let sound: Option<&RawValue> = serde_json::from_str(&sections).ok();
    if sound.is_none() {
        lost(AnomalyKind::InvalidJson, "a prompt's sections are not JSON".to_owned());
    }
    let mut rendered = String::new();
    match sound {
        Some(raw) => markdown(raw, 1, &mut rendered),
        None => rendered.push_str(&sections),
    }
    let query = Query {
        stage: &prompt.stage,
        timestamp: seconds(at_ms),
        label: &prompt.label,
        counter: prompt.counter,
        round: prompt.round,
        node_id: &body.node.node,
        branch_id: &body.node.branch,
        prompt: match sound {
            Some(raw) => Prompt::Sections(raw),
            None => Prompt::Text(Cow::Borrowed(sections.as_ref())),
        },
        response,
        error: body.error.as_deref(),
        duration_seconds: seconds(body.duration_ms),
    };
    let stem = format!("{}_round{}", prompt.label, prompt.round);
    // Numbers, strings and what was JSON before always serialise.
    if let Ok(mut json) = serde_json::to_vec_pretty(&query) {
        json.push(b'\n');
        folder.replace(in_session(prompt, &stem, "json"), json)?;
    }
    folder.replace(in_session(prompt, &stem, "md"), rendered.into_bytes())
}

/// As the model read it: a heading for each section and each part, in their order.
fn markdown(raw: &RawValue, depth: usize, out: &mut String) {
    let Ok(Members(sections)) = serde_json::from_str(raw.get()) else {
        return said(&plain(raw), out);
    };
    for (title, section) in sections {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&format!("{} {title}\n", "#".repeat(depth)));
        match depth < DEPTH_MAX && section.get().starts_with('{') {
            true => markdown(section, depth + 1, out),
            false => said(&plain(section), out),
        }
    }
}

fn said(text: &str, out: &mut String) {
    if !text.trim().is_empty() {
        out.push_str(&format!("\n{}\n", text.trim_end()));
    }
}

/// A text as it is, texts as a list, all else as JSON.
fn plain(raw: &RawValue) -> String {
    if let Ok(text) = serde_json::from_str(raw.get()) {
        return text;
    }
    match serde_json::from_str::<Vec<String>>(raw.get()) {
        Ok(items) => items.iter().map(|item| format!("- {item}\n")).collect(),
        Err(_) => raw.get().to_owned(),
    }
}
