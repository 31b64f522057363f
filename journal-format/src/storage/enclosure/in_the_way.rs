//! Why something that has one of our names is not opened.

use std::io;
use std::path::PathBuf;

/// Why something that has one of our names is not opened.
#[derive(Debug, thiserror::Error)]
pub enum InTheWay {
    #[error(
        "{} is {what}, and annals follows and opens none of its own names through one: look where it came from, move it away, try again",
        at.display()
    )]
    Other { at: PathBuf, what: &'static str },
    #[error(
        "{} has {links} names (hard links), and what is written here would change the others: put a copy in its place (cp -p F F.new && mv F.new F), try again",
        at.display()
    )]
    Linked { at: PathBuf, links: u64 },
    #[error(
        "{} belongs to user {owner}, neither to you nor to root, and is left alone: make it yours if you trust it (cp F F.new && mv F.new F), or move it away, try again",
        at.display()
    )]
    Owned { at: PathBuf, owner: u32 },
}

impl From<InTheWay> for io::Error {
    fn from(error: InTheWay) -> Self {
        // No kind that anybody takes for "not there", "not allowed" or "try again".
        Self::new(io::ErrorKind::InvalidInput, error)
    }
}

/// Whether an error says that something is another user's.
pub fn is_foreign(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    matches!(inner, Some(InTheWay::Owned { .. }))
}

/// Whether an error says that something else has one of our names.
pub fn is_in_the_way(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<InTheWay>())
}
