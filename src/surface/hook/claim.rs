//! Whether a session that stops may say that it succeeded.

use super::{Firing, HookError};
use crate::command::gate::{Cited, Claim, Grounding, judge_said, says_success, unverified_now};

/// Judges the end of a turn: `None` where nothing was claimed, by word or by deed.
///
/// # Errors
/// Where what the agent cites could not be looked up.
pub fn judge(firing: &Firing<'_>, grounding: &Grounding) -> Result<Option<Claim>, HookError> {
    let message = firing.input.last_assistant_message.as_deref().unwrap_or_default();
    let changed = grounding.step().mutations > 0;
    let worked = grounding.last_mutation().is_some() || grounding.last_failure().is_some();
    if worked && says_success(message) {
        let cited = Cited::new(firing.project);
        let claim = judge_said(grounding, message, |citation| cited.find(citation))?;
        return Ok(Some(claim));
    }
    if !changed {
        return Ok(None);
    }
    // Changes are a claim of their own; that something failed before is none.
    let unchecked = grounding.mutations_since_check() > 0;
    let refusal = unverified_now(grounding).filter(|_| unchecked);
    let verified_by = grounding.last_check().map(|check| check.id());
    Ok(Some(Claim {
        text: "stopped after changes".to_owned(),
        verified_by: verified_by.filter(|_| refusal.is_none()),
        cited: Vec::new(),
        refusal,
    }))
}
