//! Where the files go.

use std::path::{Path, PathBuf};

use crate::config::RepoConfig;

/// The folder that `repos/` is in, by the project's settings; `None` where that is the user's own and the
/// user has none.
pub fn home_of(config: &RepoConfig, root: &Path, user_home: Option<&Path>) -> Option<PathBuf> {
    match config.home.strip_prefix('~') {
        Some("") => user_home.map(Path::to_owned),
        Some(rest) if rest.starts_with('/') => {
            user_home.map(|home| home.join(rest.trim_start_matches('/')))
        }
        _ => Some(root.join(&config.home)),
    }
}
