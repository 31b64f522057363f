//! A build without screens.

use super::Args;
use crate::cli::{CliError, Context, Exit};

/// Says that this build has no screen.
pub fn run(_: Args, _: &mut Context) -> Result<Exit, CliError> {
    let what = "this build has no screen: build annals with its feature `tui`, or use annals log";
    Err(CliError::Refused { what })
}
