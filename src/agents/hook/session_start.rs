//! `SessionStart`: a session begins, goes on after a pause, or forgot what was said.

use std::path::PathBuf;

use super::{Firing, HookAnswer, HookError, Known, env_file, words};
use crate::event::{Body, GateMode, HookRan};
use crate::grounding::gate;

/// `env_file` is where the agent's shells read their variables from, where it has told.
pub fn answer(
    firing: &Firing<'_>,
    env_file: Option<PathBuf>,
    known: &mut Known<'_>,
) -> Result<HookAnswer, HookError> {
    let exported = env_file.map(|path| {
        env_file::export(&path, firing.session)
            .map_err(|source| HookError::EnvFile { path, source })
    });
    let grounding = known.grounding();
    let mut events = vec![match grounding.last_ms() {
        0 => firing.event(firing.session_started()),
        _ => firing.event(Body::HookRan(HookRan {
            agent: firing.agent.as_str().to_owned(),
            hook: firing.input.name().to_owned(),
            outcome: firing.input.source.to_text().unwrap_or_default(),
            duration_ms: None,
        })),
    }];
    let mut answer = HookAnswer::default();
    if firing.mode != GateMode::Observe {
        events.push(firing.event(gate::checkpoint(grounding)));
        let is_exported = matches!(exported, Some(Ok(())));
        answer.context = Some(words::opening(firing, grounding, is_exported));
    }
    firing.record(events, known)?;
    exported.transpose()?;
    Ok(answer)
}
