//! The journals that are asked about, for what needs nothing but them: no store, no lock.

use std::path::PathBuf;

use super::{CliError, Context};
use crate::command::journal_path;

/// A journal to be read.
pub struct Named {
    /// What its rows are told from others' by; `None` where it is the only one.
    pub name: Option<String>,
    /// Its folder, or one segment of it.
    pub journal: PathBuf,
}

/// Every journal that is asked about.
///
/// # Errors
/// Where there is none.
pub fn named(context: &Context) -> Result<Vec<Named>, CliError> {
    Ok(vec![Named { name: None, journal: journal_path(&context.project_folder()?) }])
}
