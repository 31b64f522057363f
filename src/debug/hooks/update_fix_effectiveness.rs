//! `on_success.update_fix_effectiveness`: the templates that fixes were made from have one trial more.

use serde_json::json;

use super::{HookCommand, Step};
use crate::debug::query::{DebugRecord, DebugView};
use crate::debug::{DebugError, DebugWriter};
use crate::event::{Body, Verification};

pub(super) const NAME: &str = "on_success.update_fix_effectiveness";

pub(super) fn step(
    writer: &DebugWriter<'_, '_>,
    view: DebugView<'_>,
    record: &DebugRecord,
) -> Result<Step, DebugError> {
    let mut tried = Vec::new();
    for uncounted in record.uncounted_templates() {
        let verification = uncounted.verification.unwrap_or(Verification::Pending);
        tried.extend(writer.tried(view, record, uncounted.attempt, verification)?);
    }
    let told: Vec<_> = tried
        .iter()
        .filter_map(|body| match body {
            Body::TemplateTried(it) => Some(json!({
                "session_id": it.template.session.to_string(),
                "pattern": it.template.pattern,
                "attempt": it.attempt,
                "worked": it.worked,
            })),
            _ => None,
        })
        .collect();
    let outcome = match told.len() {
        0 => "no template was tried".to_owned(),
        1 => "1 template was tried".to_owned(),
        count => format!("{count} templates were tried"),
    };
    let command = &writer.project.config().debug.hooks.update_fix_effectiveness;
    let command = HookCommand::of(command.as_ref(), || {
        let mut input = writer.input(NAME, record);
        input["tried"] = told.into();
        input
    });
    Ok(Step::new(NAME, outcome).recording(tried).running(command))
}
