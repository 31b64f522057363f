//! Commands that an agent leaves to go on in the background, as their results tell.

/// What an agent tells its model of a command that goes on without it; its id follows.
pub const LEFT: &str = "Command running in background with ID: ";

/// The id of the command that was left to go on, as its result tells.
pub fn left(printed: &str) -> Option<&str> {
    let (_, id) = printed.rsplit_once(LEFT)?;
    let end = id.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-');
    Some(&id[..end.unwrap_or(id.len())]).filter(|it| !it.is_empty())
}
