//! `on_escalation.notify_human`: a person is to look; a command of the user's tells them, with the
//! context pack at hand.

use serde_json::json;

use super::{HookCommand, Step};
use crate::debug::DebugWriter;
use crate::debug::query::DebugRecord;
use crate::repo::context::{ContextAsked, context};

pub(super) const NAME: &str = "on_escalation.notify_human";
/// Tells packs of this build that are kept from those of another.
const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), " debug");

pub(super) fn step(writer: &DebugWriter<'_, '_>, record: &DebugRecord) -> Step {
    let command = &writer.project.config().debug.hooks.notify_human;
    let command = HookCommand::of(command.as_ref(), || {
        let mut input = writer.input(NAME, record);
        // Without a pack somebody is told all the same.
        let pack = context(writer.project, &ContextAsked::default(), BUILD);
        match pack {
            Ok(told) => input["context"] = json!(told.pack.text),
            Err(error) => input["context_error"] = json!(error.to_string()),
        }
        input
    });
    let outcome = match command {
        Some(_) => "a person is to look",
        None => "a person is to look; the settings name no command that tells them",
    };
    Step::new(NAME, outcome.to_owned()).running(command)
}
