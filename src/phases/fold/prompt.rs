//! The prompt of one query: as JSON with what came back, and as the text a person reads.

use serde_json::value::RawValue;

use super::{LOG_BYTES_MAX, in_session, lost_content};
use crate::event::ModelQueried;
use crate::execution::json::Members;
use crate::memory::log_fold::Details;
use crate::memory::update::seconds;
use crate::parse::content::text;
use crate::store::folder::Folder;
use crate::store::{AnomalyKind, Result};

/// Sections in sections that get headings of their own.
const DEPTH_MAX: usize = 4;

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
    let query = Details::default()
        .and("stage", &prompt.stage)
        .and("timestamp", seconds(at_ms))
        .and("label", &prompt.label)
        .and("counter", prompt.counter)
        .and("round", prompt.round)
        .and("node_id", &body.node.node)
        .and("branch_id", &body.node.branch);
    let query = match sound {
        Some(raw) => query.and("prompt", raw),
        None => query.and("prompt", &sections),
    };
    let query = query
        .and("response", response)
        .and("error", &body.error)
        .and("duration_seconds", seconds(body.duration_ms));
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
