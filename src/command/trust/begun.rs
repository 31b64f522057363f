//! The journals that this user began: a list in the user's state, by id. So a project that moved, or a
//! machine that is called otherwise now, stays one's own.

use std::io::{self, Write};

use super::allowed::hex;
use super::folder;
use crate::command::evidence::own_file;
use crate::enclosure;

const NAME: &str = "journals";
/// Half a million journals; what is beyond is judged as those are that nothing is remembered of.
const BYTES_MAX: u64 = 16 << 20;

/// Remembers that this user began a journal.
///
/// # Errors
/// Where that cannot be remembered.
pub fn note_begun(journal: &[u8; 16]) -> io::Result<()> {
    let path = folder::place(NAME)?;
    let mut file = enclosure::append(&path)?;
    own_file(&path)?;
    // One write, at the end: two at once are two lines.
    file.write_all(format!("{}\n", hex(journal)).as_bytes())
}

/// Whether this user is known to have begun it.
pub(super) fn is_begun(journal: &[u8; 16]) -> bool {
    let Some(bytes) = folder::read(NAME, BYTES_MAX) else { return false };
    let id = hex(journal);
    bytes.split(|&byte| byte == b'\n').any(|line| line == id.as_bytes())
}
