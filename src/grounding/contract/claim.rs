//! Claims of success.

use super::ExecutionError;
use super::tool_mapper::layer;
use crate::execution::contract::ExecutionDb;
use crate::grounding::gate::Claim;

/// Declares success, in words. Accepted where a check passed after the session's last failure and
/// its last change, and every execution that the words cite exists; what became of it is recorded.
///
/// # Errors
/// [`ExecutionError::UnverifiedSuccess`], [`ExecutionError::UnknownExecution`]; or the journal cannot
/// be read or written.
pub fn declare_success(exec_db: &ExecutionDb, text: &str) -> Result<Claim, ExecutionError> {
    let claim = layer(exec_db)?.claim(text)?;
    match claim.refusal {
        Some(refusal) => Err(refusal.into()),
        None => Ok(claim),
    }
}
