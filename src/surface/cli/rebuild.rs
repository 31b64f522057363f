//! `annals rebuild`: derived stores from nothing but the journal.

use serde::Serialize;

use super::{CliError, Context, Exit, feed, shown};
use crate::command::{self, RebuildMode, StoreName};

/// Rebuild derived stores from the journal
///
/// A store is built beside the old one and swapped in; the old one is kept where anyone still has
/// it open (exit code 4).
#[derive(clap::Args, Debug)]
pub struct Args {
    /// execution_log or index [default: all]
    #[arg(value_name = "STORE", value_parser = store)]
    pub stores: Vec<StoreName>,
    /// Change nothing: build, compare, and say whether the store differs (exit code 1)
    #[arg(long)]
    pub check: bool,
}
