//! What annals takes from the environment of its process, besides flags' defaults.

use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// The user's home folder; `None` where it is not set, or is no absolute path.
pub fn user_home() -> Option<PathBuf> {
    std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute())
}

/// The folder of annals in the user's state (XDG base directory specification); `None` where the user has
/// none.
#[cfg(not(test))]
pub fn state_folder() -> Option<PathBuf> {
    let named = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|it| it.is_absolute());
    Some(named.or_else(|| Some(user_home()?.join(".local/state")))?.join("annals"))
}

/// That of tests, which leave the user's own alone.
#[cfg(test)]
pub fn state_folder() -> Option<PathBuf> {
    Some(std::env::temp_dir().join(format!("annals-tests-{}", rustix::process::geteuid().as_raw())))
}

/// The folder of annals in the user's settings (XDG base directory specification); `None` where the user has
/// none.
pub fn config_folder() -> Option<PathBuf> {
    let named =
        std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|it| it.is_absolute());
    Some(named.or_else(|| Some(user_home()?.join(".config")))?.join("annals"))
}

/// The folder of annals in the user's cache (XDG base directory specification); `None` where the user has
/// none.
#[cfg(not(test))]
pub fn cache_folder() -> Option<PathBuf> {
    let named = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|it| it.is_absolute());
    Some(named.or_else(|| Some(user_home()?.join(".cache")))?.join("annals"))
}

/// That of tests.
#[cfg(test)]
pub fn cache_folder() -> Option<PathBuf> {
    None
}

/// Where what nobody keeps may lie.
pub fn temporary_folder() -> PathBuf {
    std::env::temp_dir()
}

/// What tells this build of the program from another one: stores in the cache are used by the one that made
/// them.
pub fn build() -> String {
    let file = std::env::current_exe().and_then(std::fs::metadata);
    let file = file.map(|it| format!("{} {} {}", it.len(), it.mtime(), it.mtime_nsec()));
    format!("{} {}", env!("CARGO_PKG_VERSION"), file.unwrap_or_default())
}

/// What is set for the commands that the settings name for debug memory's hooks: the hook's name.
pub const INSIDE_HOOK: &str = "ANNALS_DEBUG_HOOK";

/// Whether this process runs inside of such a command.
pub fn is_inside_hook() -> bool {
    std::env::var_os(INSIDE_HOOK).is_some()
}
