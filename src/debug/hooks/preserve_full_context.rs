//! `on_escalation.preserve_full_context`: the session with everything that it rests on, in a file.

use serde_json::Value;

use super::{HookCommand, Step};
use crate::debug::query::DebugRecord;
use crate::debug::{DebugError, DebugWriter, durable_file};

pub(super) const NAME: &str = "on_escalation.preserve_full_context";
/// Where it goes, below `.annals`.
pub(crate) const FOLDER: &str = "debug-exports";

pub(super) fn step(writer: &DebugWriter<'_, '_>, record: &DebugRecord) -> Result<Step, DebugError> {
    let export = writer.export_of(record)?;
    let value = serde_json::to_value(&export).unwrap_or(Value::Null);
    let name = format!("{}.json", record.session.id);
    let path = writer.project.annals_dir().join(FOLDER).join(&name);
    let mut text = format!("{value:#}");
    text.push('\n');
    durable_file::write(&path, text.as_bytes())?;
    let command = &writer.project.config().debug.hooks.preserve_full_context;
    let command = HookCommand::of(command.as_ref(), || value);
    Ok(Step::new(NAME, format!("kept in .annals/{FOLDER}/{name}")).running(command))
}
