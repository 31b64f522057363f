//! What a repository's files are to hold.

use std::io;

/// What a repository's files are to hold.
pub struct Wanted<'a> {
    /// The journal that says so, hexadecimal.
    pub journal: &'a str,
    /// The last event that is in them.
    pub sequence: u64,
    /// The last event that was looked at: files that know of a later one are not gone back on.
    pub read: u64,
    pub memory: WantedFile<'a>,
    /// The files below `indexes/`.
    pub indexes: Vec<WantedFile<'a>>,
    pub summaries: Box<dyn SummaryLines + 'a>,
}

/// What a file is made of, each with a name and a digest.
pub type Parts = Vec<(String, String)>;

/// Reads what a file of somebody's is made of; `None` where it is none, or says something besides.
pub type PartsOf<'a> = Box<dyn Fn(&[u8]) -> Option<Parts> + 'a>;

/// A file that is written whole.
pub struct WantedFile<'a> {
    /// A fixed name.
    pub name: &'static str,
    pub bytes: &'a [u8],
    /// What it is made of, each with a name and a digest, to be told again by the sidecar.
    pub parts: Parts,
    /// By which a file that says the same in another form is told from one that was edited.
    pub parts_of: Option<PartsOf<'a>>,
}

/// The lines of `summaries.jsonl`, in order; each ends with the end of a line.
pub trait SummaryLines {
    /// Lines after an event, at most so many, each with the event that brought it.
    ///
    /// # Errors
    /// Where they cannot be read.
    fn after(&self, sequence: u64, limit: usize) -> io::Result<Vec<(u64, String)>>;

    /// How many there are up to an event.
    ///
    /// # Errors
    /// As before.
    fn count(&self, through: u64) -> io::Result<u64>;

    /// A line of somebody's as we would write it; `None` where it is none.
    fn as_ours(&self, _line: &[u8]) -> Option<String> {
        None
    }
}
