//! What this program was built for.

/// The operating system's name, as a document's environment has it; `None` for one that we do not name.
pub const OS: Option<&str> = if cfg!(target_os = "linux") {
    Some("linux")
} else if cfg!(target_os = "macos") {
    Some("macos")
} else if cfg!(target_os = "freebsd") {
    Some("freebsd")
} else {
    None
};
