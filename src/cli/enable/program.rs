//! How a shell finds this program again.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::cli::{CliError, quote};

/// This program as a word of a shell: its name where PATH leads to it, else where it lies.
pub fn word() -> Result<String, CliError> {
    let own = std::env::current_exe()
        .map_err(|source| CliError::io("find", "the program itself".as_ref(), source))?;
    let name = own.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let first = std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|it| runs(it));
    Ok(match first {
        Some(found) if same(&found, &own) => quote::word(&name),
        _ => quote::word(&own.to_string_lossy()),
    })
}

fn runs(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

fn same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| -> Option<PathBuf> { path.canonicalize().ok() }; // then it is not the same
    real(one).is_some() && real(one) == real(other)
}
